"""Compiled units for the tests: one of each grid, which the tests of a process share."""

from __future__ import annotations

import pytest

from loopline.game import STANDARD
from loopline.hdl.config import GridConfig
from loopline.sim.probe.evaluator import NativeEvaluator

__all__ = ["EACH_SIZE", "UNITS", "Units", "group", "marks_of"]


class Units:
    """One unit with the evaluator of each grid, compiled when it is first needed."""

    def __init__(self) -> None:
        self._units: dict[GridConfig, NativeEvaluator] = {}

    def __getitem__(self, grid: GridConfig | int) -> NativeEvaluator:
        """Return the unit of a grid, or of the default grid of this size, as after power-on."""
        grid = GridConfig(size=grid) if isinstance(grid, int) else grid
        if grid not in self._units:
            self._units[grid] = NativeEvaluator(grid)
        unit = self._units[grid]
        unit.power_on(STANDARD)
        return unit

    def close(self) -> None:
        """Free all of them."""
        for unit in self._units.values():
            unit.close()


UNITS = Units()
"""The units of this process."""


def group(name: object) -> pytest.MarkDecorator:
    """Have the tests of one grid run in one process, which compiles the unit once."""
    return pytest.mark.xdist_group(f"evaluator on {name}")


def marks_of(size: int) -> list[pytest.MarkDecorator]:
    """Return the marks of a test of this size. Each takes long to compile, and 64 is enough
    for the short run."""
    return [group(size), *([pytest.mark.slow] if size < 64 else [])]


EACH_SIZE = [pytest.param(size, marks=marks_of(size), id=str(size)) for size in (8, 16, 32, 64)]
