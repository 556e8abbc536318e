"""The counts of what a cocotb bench does: its tests write them to a file, the runner reads it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

__all__ = ["COUNTS", "add_counts", "read_counts"]

COUNTS = "counts.jsonl"
"""The file's name; it lies in the folder in which the bench runs."""


def add_counts(path: Path, counts: dict[str, int], cycles: int) -> None:
    """Add counts, and the clock cycles since the beginning of the simulation."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps({**counts, "cycles": cycles}) + "\n")


def read_counts(path: Path) -> dict[str, int]:
    """Return the sum of each count, and the most ``cycles``; nothing if there is no such file."""
    total: Counter[str] = Counter()
    cycles = 0
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        counts = json.loads(line)
        cycles = max(cycles, counts.pop("cycles"))
        total.update(counts)
    return {**total, "cycles": cycles} if cycles else {}
