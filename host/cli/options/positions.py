"""Positions named on the command line by the turns that lead to them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from loopline.game import STANDARD, NotationError, Position, TraxError, Variant, read_turn
from loopline.host.errors import RefusalError, UsageError

__all__ = ["add_turns", "position_after"]


def add_turns(parser: argparse.ArgumentParser) -> None:
    """Add the arguments ``TURN ...`` to a command."""
    parser.add_argument(
        "turns",
        nargs="*",
        metavar="TURN",
        help="turns that lead to the position, such as @0/ B1+, in either notation",
    )


def position_after(turns: Sequence[str], variant: Variant = STANDARD) -> Position:
    """Return the position after some turns, each in either notation.

    Raises
    ------
    UsageError
        If a turn cannot be read.
    RefusalError
        If a turn is illegal.
    """
    position = Position(variant)
    # One argument may hold several turns: a quoted record is as good as loose turns.
    for number, text in enumerate(" ".join(turns).split(), start=1):
        try:
            position.play(read_turn(position, text))
        except NotationError as error:
            raise UsageError(f"turn {number}: {error}") from error
        except TraxError as error:
            raise RefusalError(f"turn {number} is illegal: {error}") from error
    return position
