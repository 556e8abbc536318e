"""The limits and settings of a search, and the command line options that name them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import NamedTuple

from loopline.hdl.search.config import Pruning, SearchConfig, Widths
from loopline.tools.arguments import seconds, seed, setting, whole_number

__all__ = ["DEFAULT_SECONDS", "Limits", "add_search", "config_of", "limits_of"]

DEFAULT_SECONDS = 0.8
"""The time for a turn if no limit is given: the contest allows a second, with communication."""


class Limits(NamedTuple):
    """The limits of a search, which ends at whichever it reaches first.

    Attributes
    ----------
    depth, nodes, cycles : int or None
        Iterations; nodes; clock cycles by the cost model.
    seconds : float or None
        Wall-clock time from the call on.
    """

    depth: int | None = None
    nodes: int | None = None
    cycles: int | None = None
    seconds: float | None = None

    def extended(self, by: int) -> Limits:
        """Return these with so many nodes more, or cycles if there is no limit of nodes."""
        if self.nodes:
            return self._replace(nodes=self.nodes + by)
        return self._replace(cycles=self.cycles + by) if self.cycles else self


_SIZES = ("lanes", "table_bits", "plies", "grid", "frontier_entries", "journal", "evaluation_bits")
_SETTINGS = (*_SIZES, *(each.name for each in fields(Pruning)))


def add_search(parser: argparse.ArgumentParser) -> None:
    """Add the options of limits, of the opening, and of the search itself."""
    add = parser.add_argument
    add(
        "--time",
        type=seconds(0.001, 86_400),
        metavar="SECONDS",
        help=f"time for a turn; without any limit {DEFAULT_SECONDS:g}",
    )
    add("--nodes", type=whole_number(1), metavar="N", help="the most nodes (positions) for a turn")
    add(
        "--cycles",
        type=whole_number(1),
        metavar="N",
        help="the most clock cycles for a turn, by the cost model",
    )
    add("--depth", type=whole_number(1), metavar="D", help="the most turns to look ahead")
    add("--seed", type=seed, metavar="N", help="the turns of the opening (from the time)")
    add("--weights", type=Path, metavar="FILE", help="the file of the evaluation's weights")
    add(
        "--set",
        type=setting(_SETTINGS, whole_number()),
        action="append",
        default=[],
        metavar="NAME=NUMBER",
        help="change the search or its sizes: the names are in docs/search.md",
    )


def limits_of(options: argparse.Namespace) -> Limits:
    """Return the limits that the options name, or the default."""
    limits = Limits(options.depth, options.nodes, options.cycles, options.time)
    return limits if any(limits) else Limits(seconds=DEFAULT_SECONDS)


def config_of(changes: Sequence[tuple[str, int]]) -> SearchConfig:
    """Return the default configuration with these settings changed.

    Raises :exc:`ValueError` for a value out of range.
    """
    values = dict(changes)
    default = SearchConfig()
    grid = default.grid
    sizes = {
        "lanes": default.lanes,
        "table_bits": default.table_bits,
        "plies": default.plies,
        "grid": grid.size,
        "frontier_entries": grid.frontier_entries,
        "journal": grid.journal,
        "evaluation_bits": default.widths.evaluation,
    }
    sizes |= {name: values.pop(name) for name in _SIZES if name in values}
    return SearchConfig(
        grid=replace(
            grid,
            size=sizes["grid"],
            frontier_entries=sizes["frontier_entries"],
            journal=sizes["journal"],
        ),
        plies=sizes["plies"],
        table_bits=sizes["table_bits"],
        lanes=sizes["lanes"],
        widths=Widths(evaluation=sizes["evaluation_bits"]),
        pruning=replace(Pruning(), **values),
    )
