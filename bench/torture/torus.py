"""A position of the rules on the unit's torus: turns by coordinates, made and unmade."""

from __future__ import annotations

from loopline.bench.measure.candidates import Candidate, evaluate, evaluate_position
from loopline.game import Tile, Variant
from loopline.game.board import FIRST_TILES, Board
from loopline.game.chain import FITTING, Chain
from loopline.game.grid import Box, coordinates, key
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status
from loopline.sim.probe.turn_unit import Evaluation

__all__ = ["TorusPosition"]

_MISMATCH = Evaluation(Status.MISMATCH, 0, 0, 0, (0, 0, 0, 0))
"""The evaluation of a tile that does not fit; its box has no meaning."""


class TorusPosition:
    """A position that goes on after a loop or a line, like that of the turn unit.

    The first tile has the column and row ``origin``. The ``board`` has coordinates of the plane,
    which are those of the torus but for multiples of its size. ``chains`` are the turns made, each
    with the box before it.
    """

    def __init__(self, variant: Variant, grid: GridConfig, origin: tuple[int, int]) -> None:
        self.board = Board(variant)
        self.chains: list[tuple[Chain, Box]] = []
        self._grid = grid
        self._mask = grid.size - 1
        self._origin = key(*origin)

    @property
    def box(self) -> tuple[int, int, int, int] | None:
        """First column and row and last ones on the torus; ``None`` on the empty board."""
        if not self.board.tiles:
            return None
        west, north, east, south = (edge & self._mask for edge in self.board.box)
        return west, north, east, south

    @property
    def tiles(self) -> int:
        """The number of tiles."""
        return len(self.board.tiles)

    def candidates(self) -> list[tuple[int, Tile]]:
        """Return space and tile of all candidates; on the empty board the two at the origin."""
        if not self.board.tiles:
            return [(self._origin, tile) for tile in FIRST_TILES]
        spaces = self.board.sockets.items()
        return [(space, tile) for space, sockets in spaces for tile in FITTING[sockets]]

    def named(self, space: int, tile: Tile) -> Candidate:
        """Return a candidate by its coordinates on the torus."""
        x, y = coordinates(space)
        return Candidate(x & self._mask, y & self._mask, tile.shape.code)

    def evaluate_all(self) -> dict[Candidate, Evaluation]:
        """Return the evaluation of every candidate of a position with tiles."""
        return evaluate_position(self.board, self._grid)

    def evaluate(self, turn: Candidate) -> tuple[Evaluation, Chain | None]:
        """Return the evaluation of any shape in any cell, and if it is legal the tiles it lays."""
        if not self.board.tiles:
            space = key(turn.x, turn.y)
            tiles = FIRST_TILES
        else:
            # The formation and the spaces around it fit on the torus: each cell is one of them.
            west, north = self.board.box.west - 1, self.board.box.north - 1
            x, y = west + (turn.x - west & self._mask), north + (turn.y - north & self._mask)
            space = key(x, y)
            tiles = FITTING[self.board.sockets[space]] if space in self.board.sockets else ()
        for tile in tiles:
            if tile.shape.code == turn.shape:
                return evaluate(self.board, self._grid, space, tile)
        return _MISMATCH, None

    def make(self, chain: Chain) -> None:
        """Make a legal turn."""
        self.chains.append((chain, self.board.box))
        self.board.lay(chain)

    def unmake(self) -> Chain:
        """Unmake the last turn, and return its tiles."""
        chain, box = self.chains.pop()
        self.board.lift(chain)
        self.board.box = box
        return chain
