"""Read nextpnr's JSON report of a routed design."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = ["ClockReport", "Report", "read_report"]


@dataclass(frozen=True)
class ClockReport:
    """A clock: the frequency that it reaches and the one that it has to reach, in MHz."""

    name: str
    achieved_mhz: float
    wanted_mhz: float

    @property
    def met(self) -> bool:
        """Whether it reaches the frequency that it has to."""
        return self.achieved_mhz >= self.wanted_mhz


@dataclass(frozen=True)
class Report:
    """Resources as (used, available), and every clock of the design.

    ``flip_flops`` is None where a flip-flop is part of a cell, as in an iCE40, and
    ``large_memories`` where the part has none.
    """

    cells: tuple[int, int]
    memories: tuple[int, int]
    clocks: tuple[ClockReport, ...]
    flip_flops: tuple[int, int] | None = None
    large_memories: tuple[int, int] | None = None

    @property
    def slowest(self) -> ClockReport:
        """The clock with the least room."""
        return min(self.clocks, key=lambda clock: clock.achieved_mhz / clock.wanted_mhz)

    @property
    def met(self) -> bool:
        """Whether every clock is met."""
        return all(clock.met for clock in self.clocks)

    def __str__(self) -> str:
        cells, memories = (f"{used} of {there}" for used, there in (self.cells, self.memories))
        clock = self.slowest
        return (
            f"{cells} LUTs (logic cells), {memories} RAMs, "
            f"{clock.achieved_mhz:.1f} MHz for a clock of {clock.wanted_mhz:.1f}"
        )


def _resource(utilization: Mapping[str, Mapping[str, int]], kind: str) -> tuple[int, int]:
    entry = utilization[kind]
    return entry["used"], entry["available"]


def read_report(
    path: Path,
    *,
    cells: str,
    memories: str,
    flip_flops: str = "",
    large_memories: str = "",
) -> Report:
    """Read the file that nextpnr wrote with ``--report``.

    ``cells``, ``memories``, ``flip_flops`` and ``large_memories`` are the names of the part's
    resources; empty for those that it lacks. Raises ``ValueError`` for a file that is not a report.
    """
    try:
        content = json.loads(path.read_text())
        utilization = content["utilization"]
        return Report(
            cells=_resource(utilization, cells),
            memories=_resource(utilization, memories),
            clocks=tuple(
                ClockReport(name, float(clock["achieved"]), float(clock["constraint"]))
                for name, clock in sorted(content["fmax"].items())
            ),
            flip_flops=_resource(utilization, flip_flops) if flip_flops else None,
            large_memories=_resource(utilization, large_memories) if large_memories else None,
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"{path.name} is not a report of nextpnr: {error!r}") from error
