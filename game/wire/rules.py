"""Variants, completed tracks and sockets as fields carry them."""

from __future__ import annotations

from collections.abc import Mapping

from loopline.game.result import Played
from loopline.game.tiles import Colour, Side
from loopline.game.tracks import LINE_LENGTH
from loopline.game.variant import Variant
from loopline.game.wire.codes import Completed, RuleFlag

__all__ = ["area_and_flags", "completed_by", "sides_of"]

_LARGEST = 0xFF
_SIDE_BITS = 4


def area_and_flags(variant: Variant) -> tuple[int, RuleFlag]:
    """Return the area (0: no limit) and the rules of a variant.

    An area beyond 255 is returned as 255, which is larger than any board.

    Raises :exc:`ValueError` for a variant with lines of another length than 8.
    """
    if variant.line_length not in (None, LINE_LENGTH):
        raise ValueError(
            f"boards know lines of {LINE_LENGTH} or none, "
            f"and variant {variant} has lines of {variant.line_length}"
        )
    flags = RuleFlag(0)
    if variant.line_length is not None:
        flags |= RuleFlag.LINES
    if variant.both == "draw":
        flags |= RuleFlag.BOTH_DRAW
    return min(variant.size or 0, _LARGEST), flags


def completed_by(played: Played) -> Completed:
    """Return the loops and lines that a turn has completed."""
    found = Completed(0)
    for colour, loop, line in (
        (Colour.WHITE, Completed.WHITE_LOOP, Completed.WHITE_LINE),
        (Colour.RED, Completed.RED_LOOP, Completed.RED_LINE),
    ):
        found |= loop if colour in played.loops else Completed(0)
        found |= line if colour in played.lines else Completed(0)
    return found


def sides_of(sockets: Mapping[Side, Colour]) -> int:
    """Return the sides of a space that tracks enter: White's in bits 4 to 7, Red's in 0 to 3."""
    return sum(side.bit << (0 if colour else _SIDE_BITS) for side, colour in sockets.items())
