"""The newest routed figures of the turn unit with its evaluator, from ``loopline report``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loopline.boards.figures.families import FAMILIES, FILL, Family, Part

__all__ = ["RESULTS", "RoutedPart", "read_routed", "units_that_fit"]

RESULTS = Path(__file__).resolve().parents[2] / "docs" / "results"
"""The folder of the results of these sources."""

_UNIT = "turn-unit-evaluator"


@dataclass(frozen=True)
class RoutedPart:
    """A part full of units.

    Parameters
    ----------
    part : str
        The part, its package and its speed grade.
    grid : int
        The grid's size.
    problem : str or None
        Why not even one unit fits; all figures are 0 then.
    luts, flip_flops, rams : int
        Resources of one unit.
    units : int
        The number of units that the part has room for.
    limit : str
        The resource that is too scarce for one more unit: LUTs or RAMs.
    mhz : float
        The clock of one unit alone in the part of the family that is measured; median over seeds.
    together_mhz : float or None
        The clock of so many units placed and routed together in this part, if that was done.
    commit : str or None
        The commit that was measured.
    large_rams : int
        The single-port RAMs of an iCE40 UltraPlus that one unit takes.
    """

    part: str
    grid: int
    problem: str | None = None
    luts: int = 0
    flip_flops: int = 0
    rams: int = 0
    units: int = 0
    limit: str = ""
    mhz: float = 0.0
    together_mhz: float | None = None
    commit: str | None = None
    large_rams: int = 0

    def per_second(self, cycles_per_candidate: float) -> float:
        """Return candidates per second of all units, at their common clock if that was measured."""
        return self.units * (self.together_mhz or self.mhz) * 1e6 / cycles_per_candidate


def units_that_fit(part: Part, luts: int, rams: int, large_rams: int = 0) -> tuple[int, str]:
    """Return how many units of this size a part has room for, and what limits them.

    The units may take all RAMs, and the share :data:`FILL` of the LUTs.
    """
    by_luts = int(part.luts * FILL) // luts
    by_rams = part.rams // rams if rams else by_luts
    if large_rams:
        by_rams = min(by_rams, part.large_rams // large_rams)
    return (by_luts, "LUTs") if by_luts <= by_rams else (by_rams, "RAMs")


def read_routed(folder: Path, size: int) -> list[RoutedPart]:
    """Return the newest figures for each part of the families that were measured.

    The figures are for this size of grid, or the largest below it that fits. Raises
    :exc:`ValueError`, which names the file, for a file that ``loopline report`` has not written.
    """
    newest: dict[tuple[str, int, int], tuple[str, dict[str, Any]]] = {}
    for path in sorted(folder.glob("*.json")):
        try:
            result = json.loads(path.read_text(encoding="utf-8"))
            date = result["date"] or ""
            for row in result["rows"]:
                key = row["family"], row["size"], row.get("units", 1)
                if row["unit"] != _UNIT or row["family"] not in FAMILIES:
                    continue
                if key not in newest or newest[key][0] <= date:
                    newest[key] = date, {**row, "commit": result["commit"]}
                    _ = row["mhz"], row["luts"], row["rams"], row["flip_flops"], row["problem"]
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path} is not a result of loopline report: {error!r}") from None
    return [part for family in FAMILIES.values() for part in _parts(family, size, newest)]


def _parts(
    family: Family, size: int, newest: dict[tuple[str, int, int], tuple[str, dict[str, Any]]]
) -> Iterator[RoutedPart]:
    sizes = sorted(
        (grid for name, grid, units in newest if (name, units) == (family.name, 1)), reverse=True
    )
    measured = [newest[family.name, grid, 1] for grid in sizes if grid <= size]
    fitting = [(date, row) for date, row in measured if row["mhz"] is not None]
    if not fitting:
        for _, row in measured[:1]:
            yield RoutedPart(family.part, row["size"], problem=row["problem"])
        return
    date, row = fitting[0]
    for part in family.parts:
        large_rams = row.get("large_rams", 0)
        units, limit = units_that_fit(part, row["luts"], row["rams"], large_rams)
        if part.name == family.part:
            units = max(units, 1)
        then, together = newest.get((family.name, row["size"], units), ("", {"mhz": None}))
        checked = units > 1 and part.name == family.part and then >= date
        if not units:
            yield RoutedPart(part.name, row["size"], problem=f"too few {limit}")
            continue
        yield RoutedPart(
            part.name,
            row["size"],
            luts=row["luts"],
            flip_flops=row["flip_flops"],
            rams=row["rams"],
            large_rams=large_rams,
            units=units,
            limit=limit,
            mhz=row["mhz"],
            together_mhz=together["mhz"] if checked else None,
            commit=row["commit"],
        )
