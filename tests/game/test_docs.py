"""The documents: their examples do what they show, their tables say what the game says."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

from loopline.game import format_old_turn, parse_turn, play_game

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
