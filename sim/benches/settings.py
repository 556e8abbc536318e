"""The settings of a cocotb bench and its counts, for its tests.

:func:`loopline.sim.benches.runner.run_bench` sets variables ``LOOPLINE_BENCH_*`` in the environment
and reads the counts.
"""

from __future__ import annotations

import os
from pathlib import Path

from cocotb.utils import get_sim_time

from loopline.sim.benches.counts import COUNTS, add_counts

__all__ = ["BAUD", "CLOCK_HZ", "count", "setting"]


def setting(name: str, default: str = "") -> str:
    """Return a setting of the bench."""
    return os.environ.get(f"LOOPLINE_BENCH_{name.upper()}", default)


CLOCK_HZ = int(setting("clock", "1000000"))
BAUD = int(setting("baud", "115200"))


def count(**things: int) -> None:
    """Add to what the bench has done, such as ``turns=1``."""
    cycles = round(get_sim_time("ps") * CLOCK_HZ / 10**12)
    add_counts(Path(COUNTS), things, cycles)
