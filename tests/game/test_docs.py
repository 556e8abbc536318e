"""The documents: their examples do what they show, their tables say what the game says."""

from __future__ import annotations

import contextlib
import io
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


def check_examples(name: str) -> int:
    """Run each Python example that an output follows; how many there were."""
    text = (DOCS / name).read_text(encoding="utf-8")
    examples = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", text, re.DOTALL)
    for program, expected in examples:
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(program, {})
        assert output.getvalue() == expected
    return len(examples)


def test_notation() -> None:
    assert check_examples("notation.md") == 1
    text = (DOCS / "notation.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\S+)` \| `(\S+)` \|", text, re.MULTILINE)
    assert len(rows) == 5
    for standard, old in rows:
        position = play_game([] if standard == "@0/" else ["@0/"])
        assert format_old_turn(position, parse_turn(standard)) == old


def test_records() -> None:
    assert check_examples("records.md") == 1
    text = (DOCS / "records.md").read_text(encoding="utf-8")
    example = text.split("```text\n")[1].split("```")[0]
    [record] = read_records(example.splitlines())
    assert [*read_records(format_record(record).splitlines())] == [record]
    assert record.ending == Ending(Colour.WHITE, "loop")
    assert record.tags["Red"] == "Loopline 0.1.0"
    assert set(record.comments) == {2}
    for reason in REASONS:
        assert f"`{reason}`" in text
    for variant in VARIANTS:
        assert f"`{variant}`" in text
