"""The options by which a command limits the model's search."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from loopline.host.cli.options.times import seconds
from loopline.host.transport.engine import with_options

__all__ = ["add_model_limits", "limited"]

_MOST_DIGITS = 12


def _number(least: int) -> Callable[[str], int]:
    """A reader of numbers from ``least`` on, for the command line."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS):
            raise argparse.ArgumentTypeError(f"{text!r} is no number of up to 12 digits")
        if int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is too small: use {least} or more")
        return int(text)

    return read


def add_model_limits(
    parser: argparse.ArgumentParser, *, time: bool = True, seed: bool = True
) -> None:
    """Add ``--time``, ``--nodes``, ``--depth`` and ``--seed`` of the model to a command."""
    group = parser.add_argument_group("for the model")
    if time:
        group.add_argument(
            "--time", type=seconds, dest="model_time", metavar="SECONDS", help="for a turn"
        )
    group.add_argument("--nodes", type=_number(1), metavar="N", help="turns tried for a turn")
    group.add_argument("--depth", type=_number(1), metavar="D", help="turns to look ahead")
    if seed:
        group.add_argument(
            "--seed", type=_number(0), metavar="N", help="vary the turns of the opening"
        )


def limited(arguments: argparse.Namespace, spec: str) -> str:
    """A player's spec with what these options say.

    Raises :exc:`UsageError` if one is given, and the player is not the model.
    """
    return with_options(
        spec,
        seconds=getattr(arguments, "model_time", None),
        nodes=arguments.nodes,
        depth=arguments.depth,
        seed=arguments.seed,
    )
