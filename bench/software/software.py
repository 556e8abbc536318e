"""A position in software as fast as one thread can be, to compare the gateware with.

::

    tables    the rules as look-ups, made from the reference model
    chain     the tiles of one turn on flat arrays, compiled by numba
    turns     whole turns: evaluated, made, unmade
    software  a position made of these, with the reference model's coordinates
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from loopline.bench.software.chain import Arrays
from loopline.bench.software.tables import ORIGIN, ROW, TILE_OF_SHAPE
from loopline.bench.software.turns import (
    AREA,
    AREA_SIZE,
    BOUNDS,
    CELL_AT,
    HEIGHT_AT,
    ILLEGAL,
    LEGAL,
    LIMIT,
    LINE,
    LINES_AT,
    LOOPS_AT,
    SHAPE_AT,
    SPACES,
    TILES,
    TILES_AT,
    TURNS,
    WIDTH_AT,
    evaluate_all,
    evaluate_game,
    lay_turn,
    lift_turn,
)
from loopline.game import STANDARD, Shape, Variant

__all__ = [
    "AREA",
    "BOUNDS",
    "ILLEGAL",
    "LEGAL",
    "Outcome",
    "PreparedGame",
    "SoftwarePosition",
    "unpack",
]

_CELLS = ROW * ROW


class Outcome(NamedTuple):
    """The outcome of a turn.

    Attributes
    ----------
    x, y : int
        The first tile's space in the reference model's coordinates.
    shape : int
        Its shape code.
    status : int
        ``LEGAL``, ``ILLEGAL`` (by a forced play), ``BOUNDS`` or ``AREA``.
    tiles, loops, lines : int
        Of a legal turn: tiles placed, and the colours that completed something as masks, bit 0
        white.
    width, height : int
        The formation's columns and rows with the first tile.
    """

    x: int
    y: int
    shape: int
    status: int
    tiles: int
    loops: int
    lines: int
    width: int
    height: int


def unpack(outcome: int) -> Outcome:
    """Return the fields of an outcome."""
    cell = outcome >> CELL_AT
    return Outcome(
        x=cell % ROW - ORIGIN,
        y=cell // ROW - ORIGIN,
        shape=outcome >> SHAPE_AT & 3,
        status=outcome & 3,
        tiles=outcome >> TILES_AT & 0xFFF,
        loops=outcome >> LOOPS_AT & 3,
        lines=outcome >> LINES_AT & 3,
        width=outcome >> WIDTH_AT & 0x7F,
        height=outcome >> HEIGHT_AT & 0x7F,
    )


class PreparedGame(NamedTuple):
    """A game's turns by cell and shape code."""

    cells: np.ndarray
    shapes: np.ndarray


def _cell(x: int, y: int) -> int:
    return (y + ORIGIN) * ROW + x + ORIGIN


class SoftwarePosition:
    """A position on flat arrays: makes and unmakes turns, evaluates all candidates.

    It has no players, and goes on after a loop or a line.

    Parameters
    ----------
    variant : Variant
        What is played.
    limit : int
        The most columns and rows, at most 62.
    """

    def __init__(self, variant: Variant = STANDARD, limit: int = ORIGIN - 2) -> None:
        if not 1 <= limit <= ORIGIN - 2:
            raise ValueError(f"the limit is 1 to {ORIGIN - 2}, not {limit}")
        self.arrays = Arrays(
            sockets=np.zeros(_CELLS, np.uint8),
            partner=np.zeros(4 * _CELLS, np.uint16),
            tiles=np.zeros(_CELLS, np.uint8),
            frontier=np.zeros(_CELLS, np.int16),
            where=np.full(_CELLS, -1, np.int16),
            steps=np.zeros(_CELLS, np.int32),
            turns=np.zeros((_CELLS, 6), np.int32),
            state=np.zeros(LINE + 1, np.int64),
        )
        self.arrays.state[LIMIT] = limit
        self.arrays.state[AREA_SIZE] = variant.size or 0
        self.arrays.state[LINE] = variant.line_length or 0
        self._outcomes = np.zeros(3 * _CELLS, np.int64)

    @property
    def tiles(self) -> int:
        """The number of tiles."""
        return int(self.arrays.state[TILES])

    @property
    def turns(self) -> int:
        """The number of turns that can be unmade."""
        return int(self.arrays.state[TURNS])

    def make(self, x: int, y: int, shape: Shape) -> Outcome:
        """Make a turn if it is legal, and return its outcome.

        Raises :exc:`ValueError` for a tile that does not fit, or in a space that is neither next to
        a tile nor the first one.
        """
        state = self.arrays.state
        cell = _cell(x, y)
        if state[TILES] == 0:
            inside = (x, y) == (0, 0)
        else:
            index = self.arrays.where[cell] if max(abs(x), abs(y)) < ORIGIN else -1
            inside = 0 <= index < state[SPACES] and self.arrays.frontier[index] == cell
        tile = int(TILE_OF_SHAPE[self.arrays.sockets[cell], shape.code]) if inside else 0
        if not tile:
            raise ValueError(f"a tile {shape.value} does not fit into ({x}, {y})")
        return unpack(int(lay_turn(self.arrays, cell, tile)))

    def unmake(self) -> None:
        """Unmake the last turn. Raises :exc:`IndexError` on the empty board."""
        if not self.turns:
            raise IndexError("there is no turn to unmake")
        lift_turn(self.arrays)

    def evaluate_all(self) -> np.ndarray:
        """Return the outcomes of all candidates for :func:`unpack`, valid until the next call."""
        return self._outcomes[: evaluate_all(self.arrays, self._outcomes)]

    def prepare(self, turns: Sequence[tuple[int, int, Shape]]) -> PreparedGame:
        """Return the turns of a game, given by coordinates and shape, for :meth:`evaluate_game`."""
        return PreparedGame(
            np.array([_cell(x, y) for x, y, _ in turns], np.int64),
            np.array([shape.code for _, _, shape in turns], np.int64),
        )

    def evaluate_game(self, game: PreparedGame) -> tuple[int, int]:
        """Make a game's turns on the empty board, evaluate all candidates after each, unmake all.

        A turn that completes something ends the game; no candidates are evaluated after it. Returns
        the number of candidates, and of tiles in the legal ones.
        """
        return evaluate_game(self.arrays, *game, self._outcomes)
