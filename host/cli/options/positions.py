"""What is played, on the command line: variant, notation, turns that lead to a position."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Final

from loopline.game import (
    STANDARD,
    VARIANT_NAMES,
    NotationError,
    Position,
    TraxError,
    Variant,
    read_turn,
    variant_named,
)
from loopline.host.errors import RefusalError, UsageError
from loopline.tools.arguments import checked

__all__ = ["OLD", "add_notation", "add_turns", "add_variant", "position_after"]

OLD: Final = "old"
_STANDARD: Final = "standard"


def add_variant(
    parser: argparse.ArgumentParser,
    what: str = "the variant to play",
    default: Variant | None = STANDARD,
) -> None:
    """Add ``--variant NAME``: ``arguments.variant`` is a :class:`Variant`.

    ``what`` says in the help what the variant is for; the default None means any variant.
    """
    parser.add_argument(
        "--variant",
        type=checked(variant_named),
        default=default,
        metavar="NAME",
        help=f"{what}: {VARIANT_NAMES} ({default or 'any'})",
    )


def add_notation(parser: argparse.ArgumentParser) -> None:
    """Add ``--notation standard|old``: ``arguments.notation`` is :data:`OLD` for the older one.

    The option is about output only: turns are read in both notations.
    """
    parser.add_argument(
        "--notation",
        choices=(_STANDARD, OLD),
        default=_STANDARD,
        help=f"how turns are written; {OLD} is the notation before 1998 ({_STANDARD})",
    )


def add_turns(parser: argparse.ArgumentParser) -> None:
    """Add the arguments ``TURN ...``, to be read by :func:`position_after`."""
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
    # One argument may hold several turns, such as a whole game in quotes.
    for number, text in enumerate(" ".join(turns).split(), start=1):
        try:
            position.play(read_turn(position, text))
        except NotationError as error:
            raise UsageError(f"turn {number}: {error}") from error
        except TraxError as error:
            raise RefusalError(f"turn {number} is illegal: {error}") from error
    return position
