"""A variant's rules as a new game's command carries them."""

from __future__ import annotations

from loopline.game.tracks import LINE_LENGTH
from loopline.game.variant import Variant
from loopline.game.wire.codes import RuleFlag

__all__ = ["area_and_flags"]

_LARGEST = 0xFF


def area_and_flags(variant: Variant) -> tuple[int, RuleFlag]:
    """The area (0: no limit) and the rules that count.

    An area beyond 255 is carried as 255: it is larger than any board.

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
