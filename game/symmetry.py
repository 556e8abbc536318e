"""Positions that are the same game: moved, turned, mirrored, or with the colours exchanged.

Sixteen symmetries map the game onto itself: the eight of the square, each with or without the
exchange of the colours, which exchanges the players too. Where a formation lies never matters.
The canonical form of a position is a text that all its images share::

    2x3:0aaa0a
    │ │ └───── the spaces from left to right and from top to bottom, each a hexadecimal digit: 0 if
    │ │        it is empty, or else 1, 2, 4 and 8, for an edge of the player to move on the north,
    │ │        east, south and west, added up
    └─┴─────── columns x rows of the smallest rectangle that holds all tiles

It is the first, as texts are ordered, of the texts of the eight images in which white is to move.
Neither the form nor its hash depends on the machine, on the process, or on the turns that led to
the position; the variant is not part of them. They stay the same from release to release.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Final, NamedTuple

from loopline.game.position import Position
from loopline.game.tiles import Colour, Side, Tile

__all__ = ["SYMMETRIES", "Canonical", "Symmetry", "canonical", "position_hash"]


class Symmetry(NamedTuple):
    """One of the sixteen: mirror or not, then turn clockwise, and exchange the colours or not.

    Parameters
    ----------
    mirrored : bool
        Whether east and west change places, before the turn.
    quarters : int
        How many quarters to turn clockwise, 0 to 3.
    swapped : bool
        Whether white and red change places.
    """

    mirrored: bool
    quarters: int
    swapped: bool

    def side(self, side: Side) -> Side:
        """Return the side where an edge on this side comes to lie."""
        if self.mirrored and side in (Side.EAST, Side.WEST):
            side = side.opposite
        return Side((side + self.quarters) % 4)

    def space(self, x: int, y: int) -> tuple[int, int]:
        """Return where a space comes to lie; (0, 0) stays."""
        east, south = self.side(Side.EAST).step, self.side(Side.SOUTH).step
        return x * east[0] + y * south[0], x * east[1] + y * south[1]

    def colour(self, colour: Colour) -> Colour:
        """Return what a colour becomes."""
        return colour.other if self.swapped else colour

    def tile(self, tile: Tile) -> Tile:
        """Return what a tile becomes."""
        white = Colour.RED if self.swapped else Colour.WHITE
        return Tile(sum(self.side(side).bit for side in Side if tile.colour(side) is white))


class Canonical(NamedTuple):
    """A canonical form, and the first symmetry that leads from the position to it."""

    form: str
    symmetry: Symmetry


SYMMETRIES: Final = tuple(
    Symmetry(mirrored, quarters, swapped)
    for swapped in (False, True)
    for mirrored in (False, True)
    for quarters in range(4)
)
"""All sixteen; the first one changes nothing."""

_IMAGE: Final = {symmetry: {tile: symmetry.tile(tile) for tile in Tile} for symmetry in SYMMETRIES}


def canonical(position: Position) -> Canonical:
    """Return the canonical form of a position."""
    cells = [((x, y), tile) for x, y, tile in position.cells()]
    swapped = position.to_move is Colour.RED
    images = [symmetry for symmetry in SYMMETRIES if symmetry.swapped is swapped]
    form, number = min((_text(symmetry, cells), n) for n, symmetry in enumerate(images))
    return Canonical(form, images[number])


def position_hash(position: Position) -> int:
    """Return the hash of 64 bits that all images of a position share.

    It is the BLAKE2b digest, of eight bytes, of the canonical form in ASCII, read as a number whose
    most significant byte comes first.
    """
    digest = blake2b(canonical(position).form.encode("ascii"), digest_size=8).digest()
    return int.from_bytes(digest, "big")


def _text(symmetry: Symmetry, cells: Iterable[tuple[tuple[int, int], Tile]]) -> str:
    """Return the image of a board under one symmetry, as a text."""
    tiles = _IMAGE[symmetry]
    board = {symmetry.space(*space): tiles[tile] for space, tile in cells}
    if not board:
        return "0x0:"
    columns, rows = [x for x, _ in board], [y for _, y in board]
    west, north = min(columns), min(rows)
    width, height = max(columns) - west + 1, max(rows) - north + 1
    digits = ["0"] * (width * height)
    for (x, y), tile in board.items():
        digits[(y - north) * width + x - west] = f"{tile.value:x}"
    return f"{width}x{height}:{''.join(digits)}"
