"""The documents: their tables say what the game says. tests/test_docs.py runs their examples."""

from __future__ import annotations

import re
from pathlib import Path

from loopline.game import (
    REASONS,
    VARIANTS,
    Colour,
    Ending,
    format_old_turn,
    format_record,
    parse_turn,
    play_game,
    read_records,
)

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_notation() -> None:
    text = (DOCS / "notation.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\S+)` \| `(\S+)` \|", text, re.MULTILINE)
    assert len(rows) == 5
    for standard, old in rows:
        position = play_game([] if standard == "@0/" else ["@0/"])
        assert format_old_turn(position, parse_turn(standard)) == old


def test_records() -> None:
    text = (DOCS / "records.md").read_text(encoding="utf-8")
    example = text.split("```text\n")[1].split("```")[0]
    [record] = read_records(example.splitlines())
    assert [*read_records(format_record(record).splitlines())] == [record]
    assert record.ending == Ending(Colour.WHITE, "loop")
    assert record.tags["Red"] == "Loopline 0.2.0"
    assert set(record.comments) == {2}
    for reason in REASONS:
        assert f"`{reason}`" in text
    for variant in VARIANTS:
        assert f"`{variant}`" in text
