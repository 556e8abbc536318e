"""The layout of a picture: spaces, the empty ones around, tracks as paths."""

from __future__ import annotations

from collections.abc import Mapping

from loopline.game import Side, Tile, Track
from loopline.host.render.view import Cell, Extent

__all__ = ["BORDER", "TILE", "Plan"]

TILE = 100
"""The side of a tile, in the drawing's own units."""

BORDER = 60
"""The width of the empty columns around, and the height of the empty rows."""


class Plan:
    """The layout of one picture.

    Parameters
    ----------
    extent : Extent
        The spaces that are drawn in full size.
    margin : int
        The free width around them.
    footer : int
        The free height below that.

    Attributes
    ----------
    extent : Extent
    margin : int
    width, height : int
        The size of the drawing.
    foot : int
        The top of the footer.
    """

    def __init__(self, extent: Extent, margin: int, footer: int = 0) -> None:
        self.extent = extent
        self.margin = margin
        self.width = extent.columns * TILE + 2 * margin
        self.foot = extent.rows * TILE + 2 * margin
        self.height = self.foot + footer

    def corner(self, x: int, y: int) -> Cell:
        """Return the top left corner of a space."""
        return (
            (x - self.extent.west) * TILE + self.margin,
            (y - self.extent.north) * TILE + self.margin,
        )

    def middle(self, x: int, y: int) -> Cell:
        """Return the middle of a space; the empty columns and rows around are narrower."""
        return self.across(x), self.down(y)

    def across(self, x: int) -> int:
        """Return the middle of a column."""
        return self._middle(x - self.extent.west, self.extent.columns)

    def down(self, y: int) -> int:
        """Return the middle of a row."""
        return self._middle(y - self.extent.north, self.extent.rows)

    def _middle(self, place: int, count: int) -> int:
        if place < 0:
            return self.margin - BORDER // 2
        if place >= count:
            return self.margin + count * TILE + BORDER // 2
        return self.margin + place * TILE + TILE // 2

    def gate(self, x: int, y: int, side: Side) -> Cell:
        """Return the middle of an edge of a space."""
        left, top = self.corner(x, y)
        across, down = side.step
        return left + (1 + across) * TILE // 2, top + (1 + down) * TILE // 2

    def path(self, track: Track, tiles: Mapping[Cell, Tile]) -> str:
        """Return a track as an SVG path of straight lines and arcs about corners of tiles."""
        entry = _entry(track, tiles)
        path = ["M{} {}".format(*self.gate(*track.cells[0], entry))]
        for x, y in track.cells:
            tile = tiles[x, y]
            leaving = next(s for s in Side if s is not entry and tile.colour(s) is track.colour)
            path.append(self.stroke(x, y, entry, leaving))
            entry = leaving.opposite
        return "".join(path) + ("Z" if track.completes == "loop" else "")

    def stroke(self, x: int, y: int, entry: Side, leaving: Side) -> str:
        """Return the part of a path through one space, from side to side."""
        across, down = self.gate(x, y, leaving)
        if leaving is entry.opposite:
            return f"V{down}" if entry in (Side.NORTH, Side.SOUTH) else f"H{across}"
        clockwise = int(leaving == (entry + 3) % 4)
        return f"A{TILE // 2} {TILE // 2} 0 0 {clockwise} {across} {down}"


def _entry(track: Track, tiles: Mapping[Cell, Tile]) -> Side:
    """Return the side of a track's first tile that does not lead to its second tile."""
    x, y = track.cells[0]
    one, other = (side for side in Side if tiles[x, y].colour(side) is track.colour)
    leads_on = track.cells[1:2] == ((x + one.step[0], y + one.step[1]),)
    return other if leads_on else one
