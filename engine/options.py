"""What a search may be told, as the command line and the specs of players name it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path

from loopline.engine.evaluation.weights import Weights, read_weights
from loopline.engine.search.searcher import Limits
from loopline.hdl.search.config import Pruning, SearchConfig

__all__ = ["DEFAULT_SECONDS", "add_search", "config_of", "limits_of", "weights_of"]

DEFAULT_SECONDS = 0.8
"""For a turn, without any limit: the contest allows a second, communication included."""

_SECONDS = (0.001, 86_400.0)
_COUNT = (1, 1 << 40)


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not _SECONDS[0] <= value <= _SECONDS[1]:
        raise argparse.ArgumentTypeError(f"{text!r} is no time: use seconds from 0.001 to 86400")
    return value


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or not _COUNT[0] <= int(text) <= _COUNT[1]:
        raise argparse.ArgumentTypeError(f"{text!r} is no number: use 1 or more")
    return int(text)


def _seed(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > 18:
        raise argparse.ArgumentTypeError(f"{text!r} is no seed: use a number of up to 18 digits")
    return int(text)


def _change(text: str) -> tuple[str, int]:
    name, equals, value = text.partition("=")
    names = [each.name for each in fields(Pruning)] + ["table_bits"]
    if name not in names or not equals or not (value.isascii() and value.isdecimal()):
        raise argparse.ArgumentTypeError(
            f"{text!r} sets nothing: use NAME=NUMBER with one of {', '.join(names)}"
        )
    return name, int(value)


def add_search(parser: argparse.ArgumentParser) -> None:
    """Add the options of limits, of the opening, and of the search itself."""
    add = parser.add_argument
    add(
        "--time",
        type=_seconds,
        metavar="SECONDS",
        help=f"for a turn; without any limit {DEFAULT_SECONDS:g}",
    )
    add("--nodes", type=_count, metavar="N", help="turns tried for a turn")
    add("--cycles", type=_count, metavar="N", help="clock cycles for a turn, by the cost model")
    add("--depth", type=_count, metavar="D", help="turns to look ahead")
    add("--seed", type=_seed, metavar="N", help="vary the turns of the opening")
    add("--weights", type=Path, metavar="FILE", help="another evaluation")
    add(
        "--set",
        type=_change,
        action="append",
        default=[],
        metavar="NAME=NUMBER",
        help="change the search: see Pruning in config.py for the names",
    )


def limits_of(options: argparse.Namespace) -> Limits:
    """The limits that the options name, or the default."""
    limits = Limits(options.depth, options.nodes, options.cycles, options.time)
    return limits if any(limits) else Limits(seconds=DEFAULT_SECONDS)


def config_of(changes: Sequence[tuple[str, int]]) -> SearchConfig:
    """The search with these changes. Raises :exc:`ValueError` for a value out of range."""
    values = dict(changes)
    table_bits = values.pop("table_bits", SearchConfig().table_bits)
    return SearchConfig(table_bits=table_bits, pruning=replace(Pruning(), **values))


def weights_of(options: argparse.Namespace) -> Weights:
    """The evaluation that the options name. Raises :exc:`WeightsError`."""
    return read_weights(options.weights) if options.weights else read_weights()
