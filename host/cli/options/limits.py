"""The options by which a command limits the engine's search."""

from __future__ import annotations

import argparse

from loopline.host.transport.engine import with_options
from loopline.tools.arguments import seconds, seed, whole_number

__all__ = ["add_engine_limits", "limited"]


def add_engine_limits(parser: argparse.ArgumentParser, *, match: bool = False) -> None:
    """Add ``--time``, ``--nodes``, ``--depth`` and ``--seed`` of the engine to a command.

    A match has a clock and a seed of its own: only ``--nodes`` and ``--depth`` are added there.
    """
    add = parser.add_argument_group("for the engine").add_argument
    if not match:
        add("--time", type=seconds(), metavar="SECONDS", help="time for a turn")
    add(
        "--nodes", type=whole_number(1), metavar="N", help="the most nodes (turns tried) for a turn"
    )
    add("--depth", type=whole_number(1), metavar="D", help="the most turns to look ahead")
    if not match:
        add("--seed", type=seed, metavar="N", help="vary the turns of the opening")


def limited(arguments: argparse.Namespace, spec: str) -> str:
    """Return a player's spec with the limits that these options name.

    Raises :exc:`UsageError` if one is named and the player is not the engine.
    """
    return with_options(
        spec,
        seconds=arguments.time,
        nodes=arguments.nodes,
        depth=arguments.depth,
        seed=arguments.seed,
    )
