"""The board: tiles, frontier, track ends and box, kept up to date tile by tile."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from loopline.game.chain import FITTING, Chain, Step, entering, is_settled, make_chain, openings
from loopline.game.ends import TrackEnds
from loopline.game.grid import EMPTY_BOX, coordinates, key
from loopline.game.tiles import Colour, Side, Tile
from loopline.game.variant import STANDARD, Variant

__all__ = ["FIRST_SPACE", "FIRST_TILES", "Board", "Completed"]

FIRST_SPACE = key(0, 0)
FIRST_TILES = (Tile.NORTH_SOUTH, Tile.NORTH_WEST)
"""The tiles that may be laid first; every other tile is one of these, turned or mirrored."""


_ENTRIES: Final = tuple(
    tuple(
        (colour, side) for colour in Colour for side in Side if entering(sockets, colour) & side.bit
    )
    for sockets in range(256)
)
"""By the sockets' mask: the colour and the side of each socket."""


class Completed(NamedTuple):
    """The colours that have completed a loop, and a line, on one turn."""

    loops: frozenset[Colour]
    lines: frozenset[Colour]


class Board:
    """Tiles on the plane, without players and turns, within the limits of a variant.

    A tile closes a loop if the two ends that it joins belong to one track already. A track is a
    line if its ends leave the box on opposite sides. No track is ever followed tile by tile.

    Attributes
    ----------
    variant : Variant
        Says how far the formation may grow, and how long a line is.
    tiles : dict
        The tile in each occupied space, in the order in which they were laid.
    sockets : dict
        The sockets of each frontier space (see :mod:`.chain`).
    box : Box
        The smallest rectangle that holds all tiles.
    """

    def __init__(self, variant: Variant = STANDARD) -> None:
        """Make an empty board."""
        self.variant = variant
        self.tiles: dict[int, Tile] = {}
        self.sockets: dict[int, int] = {}
        self.box = EMPTY_BOX
        self._ends = TrackEnds()

    def copy(self) -> Board:
        """Return an independent copy."""
        board = Board(self.variant)
        board.tiles = self.tiles.copy()
        board.sockets = self.sockets.copy()
        board.box = self.box
        board._ends = self._ends.copy()
        return board

    def legal_placements(self) -> Iterator[tuple[int, Tile]]:
        """Yield the space and the tile of every legal placement, in no particular order."""
        if not self.tiles:
            for tile in FIRST_TILES:
                yield FIRST_SPACE, tile
        limited = self.variant.size is not None
        for space, sockets in self.sockets.items():
            if limited and not self.is_inside(space):
                continue
            for tile in FITTING[sockets]:
                if self._is_legal(Step(space, sockets, tile)):
                    yield space, tile

    def open_tracks(self) -> Iterator[tuple[Colour, int, int]]:
        """Yield the colour and the two ends of every track once, in no particular order.

        An end is the key of the space that the track leads into, plus the side on which it enters.
        """
        for space, sockets in self.sockets.items():
            for colour, side in _ENTRIES[sockets]:
                end = space + side
                other = self._ends.partner(end)
                if end < other:
                    yield colour, end, other

    def is_inside(self, space: int) -> bool:
        """Return whether the formation with a tile in this space fits the variant's area."""
        return self.box.including(*coordinates(space)).is_within(self.variant.size)

    def lay(self, chain: Chain) -> Completed:
        """Lay the tiles of one whole turn; its chain has no conflict."""
        self.box = self.box.including(*coordinates(chain.steps[0].space))
        loops = set()
        changed = []
        for step in chain.steps:
            self.tiles[step.space] = step.tile
            self.sockets.pop(step.space, None)
            for delta, bit in openings(step):
                neighbour = step.space + delta
                self.sockets[neighbour] = self.sockets.get(neighbour, 0) | bit
            for colour in Colour:
                ends = self._ends.join(step, colour)
                if ends is None:
                    loops.add(colour)
                else:
                    changed.append((colour, *ends))
        lines = set()
        length = self.variant.line_length
        if length is not None and max(self.box.width, self.box.height) >= length:
            lines = {colour for colour, one, other in changed if self._is_line(one, other, length)}
        return Completed(frozenset(loops), frozenset(lines))

    def lift(self, chain: Chain) -> None:
        """Take the tiles of the last chain off again; the caller restores the box."""
        for step in reversed(chain.steps):
            self._ends.cut(step)
            for delta, bit in openings(step):
                neighbour = step.space + delta
                self.sockets[neighbour] ^= bit
                if not self.sockets[neighbour]:
                    del self.sockets[neighbour]
            if step.sockets:
                self.sockets[step.space] = step.sockets
            del self.tiles[step.space]

    def _is_legal(self, first: Step) -> bool:
        """Return whether a tile that fits makes a legal turn.

        Only a tile that forces a play has its chain made: all others are legal.
        """
        for delta, bit in openings(first):
            if not is_settled(self.sockets.get(first.space + delta, 0) | bit):
                return make_chain(self.sockets, first.space, first.tile).conflict is None
        return True

    def _is_line(self, one: int, other: int, length: int) -> bool:
        """Return whether the ends of a track leave the box on opposite sides ``length`` apart.

        The ends may be out of date: a later tile of the turn may have moved them. Two ends outside
        the box are always up to date, since no forced play lies there.
        """
        side = self.box.side_of(one)
        return (
            side is not None
            and self.box.side_of(other) is side.opposite
            and self.box.extent(side) >= length
        )
