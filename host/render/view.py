"""What a picture shows of a game: the tiles that lie, and what is to be said of each of them."""

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
"""The notation of today, or the one before 1998, which knows no zero."""


class Extent(NamedTuple):
    """A rectangle of spaces."""

    west: int
    north: int
    columns: int
    rows: int

    @classmethod
    def of(cls, position: Position) -> Extent:
        """The bounding box of a formation; the space of the first tile on the empty board."""
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
    """How a tile came to lie: in which turn, from 1, and as which of its tiles, from 0."""

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
        How each of them came to lie.
    last : tuple of (int, int)
        The spaces of the turn to be marked: its own tile, then the forced ones in order.
    winners : frozenset of Colour
        Whose loops and lines are to be shown: the winner's; both players' where that is a draw.
    box : Extent
        The bounding box, from which columns and rows are named.
    size : int or None
        How many columns and rows the formation may have.
    line_length : int or None
        As the variant has it.
    spaces : tuple of (int, int)
        Where a tile may be laid next.
    ordered : bool
        Whether the marked turn has several forced tiles, so that their order is worth saying.
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
        """The view of a position, with a turn marked."""
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
        """How many columns and rows the formation may grow yet; none for any number."""
        if self.size is None:
            return None
        if not self.tiles:
            return self.size, self.size
        return self.size - self.box.columns, self.size - self.box.rows

    def tracks(self) -> list[Track]:
        """All tracks, white ones first."""
        return list(all_tracks(self.tiles, self.line_length))


def playable_spaces(position: Position) -> tuple[Cell, ...]:
    """The spaces that a tile may touch the formation in without leaving a limited area."""
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
    """The columns that a turn can name by their coordinates, from left to right."""
    growth = view.growth
    return {
        x: column_name(number)
        for x, number in _numbers(view, view.box.west, view.box.columns, notation)
        if growth is None or growth[0] or view.box.west <= x <= view.box.east
    }


def row_names(view: View, notation: Notation) -> dict[int, str]:
    """The rows that a turn can name by their coordinates, from top to bottom."""
    growth = view.growth
    return {
        y: str(number)
        for y, number in _numbers(view, view.box.north, view.box.rows, notation)
        if growth is None or growth[1] or view.box.north <= y <= view.box.south
    }


def _numbers(view: View, first: int, count: int, notation: Notation) -> list[tuple[int, int]]:
    """Coordinates and numbers of columns or rows with the empty ones around.

    The only space of the empty board is @0, before 1998 A1. There the column or row before the
    first has no name: it will be the first.
    """
    zero = 1 if notation == "old" else 0
    if not view.tiles:
        return [(first, zero)]
    return [(first + number - 1, number) for number in range(zero, count + 2)]
