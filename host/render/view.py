"""The content of a picture: the tiles of a position, and the history and names of their spaces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from loopline.game import Colour, Played, Position, Tile, Track, column_name
from loopline.game.tracks import all_tracks

__all__ = [
    "Cell",
    "Extent",
    "Laid",
    "Notation",
    "View",
    "column_names",
    "playable_spaces",
    "row_names",
]

Cell = tuple[int, int]
"""The absolute coordinates of a space."""

Notation = Literal["standard", "old"]
"""The notation of today, or the one before 1998, which has no zero."""


class Extent(NamedTuple):
    """A rectangle of spaces."""

    west: int
    north: int
    columns: int
    rows: int

    @classmethod
    def of(cls, position: Position) -> Extent:
        """Return the bounding box of a formation; on the empty board the first tile's space."""
        if not position.tiles:
            return cls(0, 0, 1, 1)
        return cls(position.west, position.north, position.width, position.height)

    @property
    def east(self) -> int:
        """The last column."""
        return self.west + self.columns - 1

    @property
    def south(self) -> int:
        """The last row."""
        return self.north + self.rows - 1


class Laid(NamedTuple):
    """The turn that laid a tile, from 1, and the tile's place in that turn, from 0."""

    turn: int
    place: int


@dataclass(frozen=True)
class View:
    """One moment of a game.

    Parameters
    ----------
    tiles : Mapping
        The tiles by their space, in the order in which they were laid.
    laid : Mapping
        The turn of each tile.
    last : tuple of (int, int)
        The spaces of the turn to be marked: its own tile, then the forced ones in order.
    winners : frozenset of Colour
        The players whose loops and lines are marked: the winner, or both in a draw by both.
    box : Extent
        The bounding box, from which columns and rows are named.
    size : int or None
        The most columns and rows of the formation.
    line_length : int or None
        The variant's length of a line.
    spaces : tuple of (int, int)
        Where a tile may be laid next.
    ordered : bool
        Whether the marked turn has several forced tiles, whose order is shown.
    """

    tiles: Mapping[Cell, Tile]
    laid: Mapping[Cell, Laid]
    last: tuple[Cell, ...]
    winners: frozenset[Colour]
    box: Extent
    size: int | None
    line_length: int | None
    spaces: tuple[Cell, ...] = ()
    ordered: bool = False

    @classmethod
    def of(cls, position: Position, last: Played | None = None) -> View:
        """Return the view of a position, with a turn marked."""
        winners: frozenset[Colour] = frozenset()
        if position.ending:
            winners = frozenset([position.result.winner] if position.result else Colour)
        return cls(
            tiles={(x, y): tile for x, y, tile in position.cells()},
            laid={
                (placed.x, placed.y): Laid(turn, place)
                for turn, played in enumerate(position.history, start=1)
                for place, placed in enumerate(played.tiles)
            },
            last=tuple((placed.x, placed.y) for placed in last.tiles) if last else (),
            winners=winners,
            box=Extent.of(position),
            size=position.variant.size,
            line_length=position.variant.line_length,
            spaces=playable_spaces(position),
            ordered=last is not None and len(last.tiles) > 2,
        )

    @property
    def growth(self) -> Cell | None:
        """By how many columns and rows the formation may still grow; None: without limit."""
        if self.size is None:
            return None
        if not self.tiles:
            return self.size, self.size
        return self.size - self.box.columns, self.size - self.box.rows

    def tracks(self) -> list[Track]:
        """Return all tracks, white ones first."""
        return list(all_tracks(self.tiles, self.line_length))


def playable_spaces(position: Position) -> tuple[Cell, ...]:
    """Return the spaces where a tile may be laid, within a limited area if there is one."""
    if not position.tiles:
        return ((0, 0),)
    box, size = Extent.of(position), position.variant.size
    wide = size is None or box.columns < size
    high = size is None or box.rows < size
    return tuple(
        (x, y)
        for x, y in position.frontier()
        if (wide or box.west <= x <= box.east) and (high or box.north <= y <= box.south)
    )


def column_names(view: View, notation: Notation) -> dict[int, str]:
    """Return the names of the columns that a turn can name, by x, from left to right."""
    growth = view.growth
    return {
        x: column_name(number)
        for x, number in _numbers(view, view.box.west, view.box.columns, notation)
        if growth is None or growth[0] or view.box.west <= x <= view.box.east
    }


def row_names(view: View, notation: Notation) -> dict[int, str]:
    """Return the names of the rows that a turn can name, by y, from top to bottom."""
    growth = view.growth
    return {
        y: str(number)
        for y, number in _numbers(view, view.box.north, view.box.rows, notation)
        if growth is None or growth[1] or view.box.north <= y <= view.box.south
    }


def _numbers(view: View, first: int, count: int, notation: Notation) -> list[tuple[int, int]]:
    """Return coordinates and numbers of columns or rows, with the empty ones around.

    The only space of the empty board is @0, before 1998 A1. The old notation has no names for the
    column and the row before the first.
    """
    zero = 1 if notation == "old" else 0
    if not view.tiles:
        return [(first, zero)]
    return [(first + number - 1, number) for number in range(zero, count + 2)]
