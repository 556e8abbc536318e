"""A board as lines of characters in which each space has its place, as a mouse needs it."""

from __future__ import annotations

from dataclasses import dataclass

from loopline.game import Played, Position
from loopline.host.render.text import HEIGHT, WIDTHS, Ink, Marks, mark_corners, paint
from loopline.host.render.threats import Threats
from loopline.host.render.view import Cell, Extent, View, column_names, row_names

__all__ = ["HEADING", "Drawing", "draw"]

HEADING = 1
"""The lines of the column names, which stay when the board scrolls."""


@dataclass(frozen=True)
class Drawing:
    """A board as text with ANSI colours.

    Parameters
    ----------
    extent : Extent
        The spaces that are drawn: the formation, and a space on each side.
    tile : int
        The characters of a space in each line.
    margin : int
        The characters of the row names, which stay when the board scrolls.
    names : str
        The column names, without the margin.
    rows : tuple of str
        The row names, line by line.
    lines : tuple of str
        The spaces, line by line.
    """

    extent: Extent
    tile: int
    margin: int
    names: str
    rows: tuple[str, ...]
    lines: tuple[str, ...]

    @property
    def width(self) -> int:
        """The characters of a line of spaces."""
        return self.extent.columns * self.tile

    def space_at(self, across: int, down: int) -> Cell | None:
        """Return the space of a character; None if there is no space."""
        column, row = across // self.tile, down // HEIGHT
        if not (0 <= column < self.extent.columns and 0 <= row < self.extent.rows):
            return None
        return self.extent.west + column, self.extent.north + row

    def place_of(self, space: Cell) -> tuple[int, int]:
        """Return the first character and the first line of a space."""
        return (space[0] - self.extent.west) * self.tile, (space[1] - self.extent.north) * HEIGHT


def draw(
    position: Position,
    room: int,
    *,
    space: Cell | None = None,
    outcome: tuple[Position, Played] | None = None,
    threats: Threats | None = None,
) -> Drawing:
    """Draw a position.

    Parameters
    ----------
    position : Position
        The position, whose last turn is marked.
    room : int
        The characters per line. Tiles are drawn as wide as fits.
    space : Cell or None
        The space that is marked as looked at.
    outcome : tuple of Position and Played, or None
        The position after the turn that is looked at, and that turn: its tiles are shown, and what
        it completes.
    threats : Threats or None
        The threats that are marked.
    """
    view = View.of(position, position.history[-1] if position.turns else None)
    box = view.box
    extent = Extent(box.west - 1, box.north - 1, box.columns + 2, box.rows + 2)
    columns, rows = column_names(view, "standard"), row_names(view, "standard")
    margin = max(map(len, rows.values())) + 2
    tile = next((each for each in WIDTHS if each * extent.columns <= room - margin), WIDTHS[-1])
    empty = Marks(position, view, threats)
    laid = empty
    after = position
    if outcome:
        after, played = outcome
        laid = Marks(
            after, View.of(after, position.history[-1] if position.turns else None), None, played
        )

    def draw_space(x: int, y: int) -> list[list[Ink]]:
        cell = (laid if after.tile_at(x, y) else empty).draw(x, y, tile)
        if (x, y) == space and not after.tile_at(x, y):
            mark_corners(cell, "chosen")
        return cell

    across = range(extent.west, extent.east + 1)
    lines: list[str] = []
    names: list[str] = []
    for y in range(extent.north, extent.south + 1):
        cells = [draw_space(x, y) for x in across]
        for line in range(HEIGHT):
            lines.append(paint([ink for cell in cells for ink in cell[line]], True))
            name = rows.get(y, "") if line == HEIGHT // 2 else ""
            names.append(name.rjust(margin - 1) + " ")
    heading = "".join(columns.get(x, "").center(tile) for x in across)
    return Drawing(extent, tile, margin, heading, tuple(names), tuple(lines))
