"""The variants of Trax: how each differs from the standard game.

========== ========= ======== ======== ================================================
name       area      loop     line     both on one turn; otherwise drawn
========== ========= ======== ======== ================================================
`standard` unlimited wins     8 wins   the mover wins; never
`limited`  8 × 8     wins     8 wins   the mover wins; when no legal turn is left
`deluxe`   8 × 8     wins     8 wins   a draw; when no legal turn is left
`loop`     unlimited wins     nothing  the mover wins; never
`mini`     3 × 3     wins     nothing  the mover wins; when no legal turn is left
========== ========= ======== ======== ================================================

``limited-N`` is Limited Tiles on N × N spaces. A full board has no legal turn, so the 64
tiles of the Deluxe set need no rule of their own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from loopline.game.errors import quote
from loopline.game.tracks import LINE_LENGTH

__all__ = [
    "DELUXE",
    "LIMITED",
    "LOOP",
    "MINI",
    "STANDARD",
    "VARIANTS",
    "VARIANT_NAMES",
    "BothRule",
    "Variant",
    "limited",
    "variant_named",
]

BothRule = Literal["mover", "draw"]
"""The end of a game in which both colours complete a loop or line on one turn."""

_LARGEST: Final = 999
"""The largest area that has a name."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One variant of the game.

    Parameters
    ----------
    name : str
        The name in commands and records.
    size : int or None
        The most rows, and the most columns, that the formation may have; None for no limit. A
        turn that would exceed it is not legal. Where there is a limit, a player who has no legal
        turn left has a draw.
    line_length : int or None
        How long the formation has to be where a line crosses it; None if lines do not count.
    both : str
        ``mover`` if the player who moved wins when both colours complete something, or ``draw``.
    """

    name: str
    size: int | None = None
    line_length: int | None = LINE_LENGTH
    both: BothRule = "mover"

    def __post_init__(self) -> None:
        """Refuse values that make no playable game."""
        if not self.name or self.name.split() != [self.name]:
            raise ValueError(f"a variant's name is one word, not {self.name!r}")
        if self.size is not None and self.size < 1:
            raise ValueError(f"an area has 1 row and column or more, not {self.size}")
        if self.line_length is not None and self.line_length < 2:
            raise ValueError(f"a line is 2 or longer, not {self.line_length}")
        if self.both not in ("mover", "draw"):
            raise ValueError(f"on both colours at once: 'mover' or 'draw', not {self.both!r}")

    def __str__(self) -> str:
        """Return the name."""
        return self.name


def limited(size: int) -> Variant:
    """Limited Tiles on an area of this many rows and columns; of 8, it is :data:`LIMITED`.

    Raises :exc:`ValueError` for a size that is not from 1 to 999.
    """
    if not 1 <= size <= _LARGEST:
        raise ValueError(f"the size of an area is from 1 to {_LARGEST}, not {size}")
    return LIMITED if size == LIMITED.size else Variant(f"limited-{size}", size=size)


STANDARD: Final = Variant("standard")
LIMITED: Final = Variant("limited", size=8)
DELUXE: Final = Variant("deluxe", size=8, both="draw")
LOOP: Final = Variant("loop", line_length=None)
MINI: Final = Variant("mini", size=3, line_length=None)

VARIANTS: Final = {variant.name: variant for variant in (STANDARD, LIMITED, DELUXE, LOOP, MINI)}
"""The variants of the table, by name."""

VARIANT_NAMES: Final = f"{', '.join(VARIANTS)} or limited-N"
"""What :func:`variant_named` takes, for texts."""


def variant_named(name: str) -> Variant:
    """Return the variant of this name: one of :data:`VARIANTS`, or ``limited-N``.

    Raises :exc:`ValueError`, which names what is accepted.
    """
    if name in VARIANTS:
        return VARIANTS[name]
    size = re.fullmatch(r"limited-([1-9][0-9]{0,2})", name)
    if size is None:
        raise ValueError(f"{quote(name)} is not a variant: use {VARIANT_NAMES}, as in limited-10")
    return limited(int(size[1]))
