"""The settings of a cocotb bench, and the counts of what it does.

:func:`~loopline.sim.benches.runner.run_bench` sets variables ``LOOPLINE_BENCH_*`` in the
environment. The tests write their counts to a file, which the runner reads.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

__all__ = ["BAUD", "CLOCK_HZ", "COUNTS", "count", "read_counts", "setting"]

COUNTS = "counts.jsonl"
"""The name of the file with the counts; it lies in the folder in which the bench runs."""


def setting(name: str, default: str = "") -> str:
    """Return a setting of the bench."""
    return os.environ.get(f"LOOPLINE_BENCH_{name.upper()}", default)


CLOCK_HZ = int(setting("clock", "1000000"))
BAUD = int(setting("baud", "115200"))


def count(**things: int) -> None:
    """Add to what the bench has done, such as ``turns=1``, in a test."""
    from cocotb.utils import get_sim_time

    cycles = round(get_sim_time("ps") * CLOCK_HZ / 10**12)
    with Path(COUNTS).open("a", encoding="utf-8") as file:
        file.write(json.dumps({**things, "cycles": cycles}) + "\n")


def read_counts(path: Path) -> dict[str, int]:
    """Return the sum of each count, and the most ``cycles``; nothing if there is no such file."""
    total: Counter[str] = Counter()
    cycles = 0
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        counts = json.loads(line)
        cycles = max(cycles, counts.pop("cycles"))
        total.update(counts)
    return {**total, "cycles": cycles} if cycles else {}
