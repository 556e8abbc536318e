"""The node signature of the search is the one that the history tells."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from loopline.bench.measure.search import signature
from loopline.engine.search.searcher import Searcher

pytestmark = pytest.mark.xdist_group("engine")

ROOT = Path(__file__).parents[3]


def git(*words: str) -> str:
    """What git says, or nothing where there is no git or no history."""
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, timeout=60)
    except OSError:
        return ""
    return done.stdout if done.returncode == 0 else ""


def newest_signature(log: str) -> int | None:
    """The number of the last line ``Bench: N`` in messages, the newest first."""
    found = re.search(r"^Bench: ([0-9]+)\s*$", log, re.MULTILINE)
    return int(found[1]) if found else None


def test_the_newest_line_counts():
    assert newest_signature("x\n\nBench: 12\n\ny\n\nBench: 7\n") == 12
    assert newest_signature("Bench: none\nsee Bench: 4\n") is None


def test_the_history_has_this_signature():
    """A commit that changes the search says so: ``Bench: N``, by ``loopline bench search``."""
    expected = newest_signature(git("log", "--format=%B"))
    if expected is None:
        pytest.skip("no history with a signature is here")
    assert signature(Searcher()).nodes == expected
