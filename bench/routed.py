"""The newest routed figures of the turn unit with its trials, as ``loopline report`` keeps them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["RESULTS", "RoutedUnit", "read_routed"]

RESULTS = Path("docs/results")
"""Where the results are, in the repository."""

_UNIT = "turn-unit-trials"


class RoutedUnit(NamedTuple):
    """One unit on one part.

    Attributes
    ----------
    part : str
        The part, its package and its speed grade.
    luts, flip_flops, rams : int
        What the unit takes.
    units : int
        How many of it the part has room for, by LUTs and RAMs.
    mhz : float
        Its clock, the median over seeds.
    commit : str or None
        What was measured.
    """

    part: str
    luts: int
    flip_flops: int
    rams: int
    units: int
    mhz: float
    commit: str | None

    def per_second(self, cycles_per_candidate: float) -> float:
        """Candidates per second of a part full of units."""
        return self.units * self.mhz * 1e6 / cycles_per_candidate


def read_routed(folder: Path, size: int) -> list[RoutedUnit]:
    """The newest figures for this size of grid, one for each part; none if there are none.

    Raises :exc:`ValueError`, which names the file, for one that is not what ``loopline report``
    writes.
    """
    newest: dict[str, tuple[str, RoutedUnit]] = {}
    for path in sorted(folder.glob("*.json")):
        try:
            result = json.loads(path.read_text(encoding="utf-8"))
            date, commit = result["date"] or "", result["commit"]
            for row in result["rows"]:
                if (row["unit"], row["size"]) != (_UNIT, size) or row["mhz"] is None:
                    continue
                unit = _unit(row, commit)
                if unit.part not in newest or newest[unit.part][0] <= date:
                    newest[unit.part] = date, unit
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path} is no result of loopline report: {error!r}") from None
    return [unit for _, unit in newest.values()]


def _unit(row: dict[str, Any], commit: str | None) -> RoutedUnit:
    units = min(row[f"{kind}_available"] // row[kind] for kind in ("luts", "rams") if row[kind])
    return RoutedUnit(
        row["part"], row["luts"], row["flip_flops"], row["rams"], units, row["mhz"], commit
    )
