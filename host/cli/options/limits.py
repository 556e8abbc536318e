"""The options by which a command limits the search of a device or the engine."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence

from loopline.host.device.limits import takes_limits, with_limits
from loopline.host.errors import UsageError
from loopline.tools.arguments import seconds, seed, whole_number

__all__ = ["add_limits", "limited", "limited_players"]


def add_limits(parser: argparse.ArgumentParser, *, match: bool = False) -> None:
    """Add ``--time``, ``--nodes``, ``--depth`` and ``--seed`` of the search to a command.

    A match has a clock and a seed of its own: only ``--nodes`` and ``--depth`` are added there.
    """
    add = parser.add_argument_group("for devices and the engine").add_argument
    if not match:
        add("--time", type=seconds(0.001), metavar="SECONDS", help="time for a turn")
    add("--nodes", type=whole_number(1), metavar="N", help="the most nodes (positions) for a turn")
    add("--depth", type=whole_number(1), metavar="D", help="the most turns to look ahead")
    if not match:
        add(
            "--seed",
            type=seed,
            metavar="N",
            help="vary the turns of the opening; for the engine only",
        )


def limited(arguments: argparse.Namespace, spec: str) -> str:
    """Return a player's spec with the limits that these options name.

    Raises :exc:`UsageError` if one is named, and the player does not take it.
    """
    return with_limits(
        spec,
        seconds=arguments.time,
        nodes=arguments.nodes,
        depth=arguments.depth,
        seed=arguments.seed,
    )


_CONTEST = re.compile(r"tcp(-listen)?:")


def limited_players(arguments: argparse.Namespace, specs: Sequence[str]) -> list[str]:
    """Return the specs of both players, with ``--nodes`` and ``--depth`` for those that take them.

    A player behind TCP may speak contest lines alone, as a program does, and takes none.

    Raises :exc:`UsageError` if one is named, and no player takes it.
    """
    limits = {"nodes": arguments.nodes, "depth": arguments.depth}
    players = [
        with_limits(spec, **limits) if takes_limits(spec) and not _CONTEST.match(spec) else spec
        for spec in specs
    ]
    if players == list(specs) and any(limits.values()):
        raise UsageError(
            "--nodes and --depth are for a device or engine without limits, and none plays"
        )
    return players
