"""A board that finds quickly which turns complete a loop or line.

:class:`~loopline.game.Position` makes one turn and tells everything about it. A search asks one
question about thousands of turns, nearly all of which complete nothing. Most of these are excluded
without laying a tile:

- **Loops.** A loop of new tiles only has at least four. Any other loop closes an old track: the
  turn fills the spaces at both of its ends.
- **Lines.** The formation has to be long enough. At each of the line's two sides the turn lays a
  tile on the perimeter, or fills the space at the other end of an old track that leaves there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Final

from loopline.game import Colour, Position, Side, Turn
from loopline.game.board import Board, Completed
from loopline.game.chain import FITTING, Chain, make_chain
from loopline.game.grid import Box, coordinates, key

__all__ = ["TrialBoard"]

_SIDE_OF_END: Final = 0b11
_SHORTEST_LOOP: Final = 4
_BOTH_COLOURS: Final = tuple(side.bit | side.bit << 4 for side in Side)
_ACROSS: Final = Side.WEST.bit | Side.EAST.bit
_DOWN: Final = Side.NORTH.bit | Side.SOUTH.bit


class TrialBoard:
    """The board of an open game, on which turns are laid and lifted as a whole.

    A turn is a :class:`~loopline.game.chain.Chain` here: its first tile and the forced ones.

    Parameters
    ----------
    position : Position
        The first position; it is not changed.

    Attributes
    ----------
    board : Board
        The board now, for reading.
    """

    def __init__(self, position: Position) -> None:
        self.board = Board(position.variant)
        self._boxes: list[Box] = []
        for played in position.history:
            first = played.tiles[0]
            self.lay(make_chain(self.board.sockets, key(first.x, first.y), first.tile))

    def chains(self) -> list[Chain]:
        """Return all legal turns, in an order that the history of the board decides."""
        sockets = self.board.sockets
        return [make_chain(sockets, *placement) for placement in self.board.legal_placements()]

    def again(self, chain: Chain | None) -> list[Chain]:
        """Return the turn with the same first tile in the same space; empty if it is not legal."""
        if chain is None:
            return []
        first = chain.steps[0]
        sockets = self.board.sockets.get(first.space)
        fits = sockets is not None and first.tile in FITTING[sockets]
        if not fits or not self.board.is_inside(first.space):
            return []
        chain = make_chain(self.board.sockets, first.space, first.tile)
        return [] if chain.conflict else [chain]

    def turn(self, chain: Chain) -> Turn:
        """Return a legal turn in notation."""
        first = chain.steps[0]
        return Turn(*self.board.box.label(*coordinates(first.space)), first.tile.shape)

    def lay(self, chain: Chain) -> Completed:
        """Make a legal turn and return what it completes."""
        self._boxes.append(self.board.box)
        return self.board.lay(chain)

    def lift(self, chain: Chain) -> None:
        """Take back the turn that was made last."""
        self.board.lift(chain)
        self.board.box = self._boxes.pop()

    def completions(self, chains: Iterable[Chain]) -> Iterator[tuple[Chain, Completed]]:
        """Yield those legal turns that complete a loop or line, and what they complete.

        The board has to be the same each time the next one is asked for.
        """
        tracks, leaving = self._tracks()
        length = self.board.variant.line_length
        box = self.board.box
        long = length is not None and max(box.width, box.height) + 1 >= length
        for chain in chains:
            if _may_close(chain, tracks) or (long and self._may_cross(chain, leaving)):
                completed = self.lay(chain)
                self.lift(chain)
                if completed.loops or completed.lines:
                    yield chain, completed

    def winning(self, chains: Iterable[Chain], mover: Colour) -> Chain | None:
        """Return the first of these legal turns with which ``mover``, its player, wins."""
        for chain, completed in self.completions(chains):
            if self.winner(completed, mover) is mover:
                return chain
        return None

    def winner(self, completed: Completed, mover: Colour) -> Colour | None:
        """Return the winner after a turn of ``mover`` with completions; None for a draw."""
        colours = completed.loops | completed.lines
        if len(colours) == 1:
            return next(iter(colours))
        return mover if self.board.variant.both == "mover" else None

    def _tracks(self) -> tuple[set[tuple[int, int]], dict[int, int]]:
        """Return what closes the tracks on the board.

        First the spaces at the two ends of each track, the smaller key first. Second, for a space
        at one end, the sides at which the other end leaves the box: bit ``n`` for side ``n`` in
        white, bit ``4 + n`` in red.
        """
        tracks = set()
        leaving: dict[int, int] = {}
        box = self.board.box
        for colour, one, other in self.board.open_tracks():
            tracks.add((one & ~_SIDE_OF_END, other & ~_SIDE_OF_END))
            for near, far in ((one, other), (other, one)):
                side = box.side_of(far)
                if side is not None:
                    space = near & ~_SIDE_OF_END
                    leaving[space] = leaving.get(space, 0) | side.bit << 4 * colour
        return tracks, leaving

    def _may_cross(self, chain: Chain, leaving: dict[int, int]) -> bool:
        """Whether the turn may complete a line."""
        length = self.board.variant.line_length
        assert length is not None
        box = self.board.box.including(*coordinates(chain.steps[0].space))
        wide, high = box.width >= length, box.height >= length
        if not wide and not high:
            return False
        sides = 0
        for step in chain.steps:
            sides |= leaving.get(step.space, 0)
            x, y = coordinates(step.space)
            if x == box.west:
                sides |= _BOTH_COLOURS[Side.WEST]
            if x == box.east:
                sides |= _BOTH_COLOURS[Side.EAST]
            if y == box.north:
                sides |= _BOTH_COLOURS[Side.NORTH]
            if y == box.south:
                sides |= _BOTH_COLOURS[Side.SOUTH]
        return any(
            (wide and of_colour & _ACROSS == _ACROSS) or (high and of_colour & _DOWN == _DOWN)
            for of_colour in (sides, sides >> 4)
        )


def _may_close(chain: Chain, tracks: set[tuple[int, int]]) -> bool:
    """Whether the turn may complete a loop."""
    steps = chain.steps
    if len(steps) < 2:
        return False
    if len(steps) >= _SHORTEST_LOOP:
        return True
    spaces = sorted(step.space for step in steps)
    return any(pair in tracks for pair in combinations(spaces, 2))
