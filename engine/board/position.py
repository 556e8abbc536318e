"""A game on the engine's board, in the terms of the reference model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from loopline.engine.board.board import (
    AREA,
    HIGH,
    LOOPS_AT,
    NORTH,
    REFUSED,
    TILES,
    TURNS,
    WEST,
    commit,
    inside,
    make,
    new_board,
    unmake,
)
from loopline.engine.board.tables import COLUMN, ROW_BITS, SHAPES, TILE_OF_SHAPE
from loopline.engine.jit import compiled
from loopline.game import SHAPE_OF_CODE, STANDARD, Position, Shape, Turn, Variant
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status

__all__ = ["Candidate", "EnginePosition", "Outcome", "count_sequences", "count_turns"]

_BEYOND_AT = 40
_BOUNDS_STATUS = Status.BOUNDS.value


class Candidate(NamedTuple):
    """A placement that fits: frontier index, cell on the torus, shape."""

    index: int
    cell: int
    shape: Shape


class Outcome(NamedTuple):
    """The outcome of a turn: its status, and the mask of the colours that it completes."""

    status: Status
    completed: int


@compiled
def count_sequences(b, depth):
    """Count the sequences of ``depth`` legal turns; finished games are not continued.

    The bits from ``_BEYOND_AT`` on count the turns that are left out for lack of room.
    """
    count = np.int64(0)
    for index in range(max(b.state[HIGH], 1)):
        first = b.state[TILES] == 0
        sockets = np.int64(b.sockets[index])
        if sockets == 0 and not (first and index == 0):
            continue
        cell = np.int64(0) if first else np.int64(b.place[index])
        if b.state[AREA] and not inside(b, cell, b.state[AREA]):
            continue
        for shape in range(SHAPES):
            tile = TILE_OF_SHAPE[sockets, shape]
            if tile == 0:
                continue
            outcome = make(b, cell, tile)
            if outcome & REFUSED:
                count += np.int64(outcome == REFUSED | _BOUNDS_STATUS) << _BEYOND_AT
                continue
            if depth == 1:
                count += 1
            elif outcome >> LOOPS_AT == 0:
                count += count_sequences(b, depth - 1)
            unmake(b)
    return count


class EnginePosition:
    """A game on the engine's board.

    The first tile lies in cell 0, which the reference model calls (0, 0); the torus is the plane
    modulo its size.

    Parameters
    ----------
    variant : Variant
        What is played.
    grid : GridConfig
        The sizes of the memories.
    """

    def __init__(self, variant: Variant = STANDARD, grid: GridConfig | None = None) -> None:
        grid = grid or GridConfig()
        self.variant = variant
        limited = variant.size is not None and variant.size <= grid.limit
        self.board = new_board(
            grid.size,
            grid.frontier_entries,
            grid.journal,
            variant.size if limited and variant.size else 0,
            variant.line_length is not None,
            variant.both == "draw",
        )

    @property
    def tiles(self) -> int:
        """The number of tiles."""
        return int(self.board.state[TILES])

    @property
    def turns(self) -> int:
        """The number of turns that can be unmade."""
        return int(self.board.state[TURNS])

    def candidates(self) -> Iterator[Candidate]:
        """All placements that fit, within the variant's area, in the gateware's order."""
        b = self.board
        if not self.tiles:
            yield from (Candidate(0, 0, SHAPE_OF_CODE[code]) for code in range(2))
            return
        for index in range(int(b.state[HIGH])):
            sockets, cell = int(b.sockets[index]), int(b.place[index])
            area = int(b.state[AREA])
            if sockets and (not area or inside(b, cell, area)):
                for code in range(SHAPES):
                    if TILE_OF_SHAPE[sockets, code]:
                        yield Candidate(index, cell, SHAPE_OF_CODE[code])

    def make(self, cell: int, shape: Shape) -> Outcome:
        """Make a turn, if it is legal. Raises :exc:`ValueError` if the tile does not fit there."""
        word = int(self.board.cells[cell]) if self.tiles else 0
        tile = int(TILE_OF_SHAPE[word & 255, shape.code])
        if not tile or (self.tiles and not word & 255):
            raise ValueError(f"a tile {shape.value} does not fit into cell {cell}")
        outcome = int(make(self.board, cell, tile))
        if outcome & REFUSED:
            return Outcome(Status(outcome & ~REFUSED), 0)
        return Outcome(Status.LEGAL, outcome >> LOOPS_AT)

    def unmake(self) -> None:
        """Unmake the last turn. Raises :exc:`IndexError` if there is none."""
        if not self.turns:
            raise IndexError("there is no turn to unmake")
        unmake(self.board)

    def commit(self) -> None:
        """Make all turns final: they cannot be unmade."""
        commit(self.board)

    def follow(self, position: Position) -> None:
        """Make all turns of a game, from the empty board, and make them final.

        Raises :exc:`ValueError` if one does not fit into the memories.
        """
        for number, played in enumerate(position.history, 1):
            first = played.tiles[0]
            cell = (first.y & COLUMN) << ROW_BITS | first.x & COLUMN
            outcome = self.make(cell, first.tile.shape)
            if outcome.status is not Status.LEGAL:
                raise ValueError(f"turn {number} does not fit into the grid")
            self.commit()

    def turn(self, cell: int, shape: Shape) -> Turn:
        """Return a turn as notation has it."""
        s = self.board.state
        if not self.tiles:
            return Turn(0, 0, shape)
        column = ((cell & COLUMN) - int(s[WEST]) + 1) & COLUMN
        row = ((cell >> ROW_BITS) - int(s[NORTH]) + 1) & COLUMN
        return Turn(column, row, shape)


def count_turns(position: Position, depth: int, grid: GridConfig) -> tuple[int, bool]:
    """Count the sequences of ``depth`` legal turns; finished games are not continued.

    Also return whether turns are left out as they do not fit into the grid; if the position itself
    does not, there are none.
    """
    here = EnginePosition(position.variant, grid)
    try:
        here.follow(position)
    except ValueError:
        return 0, True
    found = int(count_sequences(here.board, np.int64(depth)))
    return found & (1 << _BEYOND_AT) - 1, found >> _BEYOND_AT != 0
