"""Where the parts of a picture lie: spaces, the empty ones around, tracks as paths."""

from __future__ import annotations

from loopline.game import Position, Side, Track
from loopline.game.tracks import all_tracks

__all__ = ["BORDER", "TILE", "Plan"]

TILE = 100
"""The side of a tile, in the drawing's own units."""

BORDER = 60
"""The width of the empty columns around, and the height of the empty rows."""


class Plan:
    """The layout of one picture, which never changes.

    Parameters
    ----------
    position : Position
        What is drawn.
    margin : int
        The width left free around the formation.

    Attributes
    ----------
    margin : int
    tiles : dict
        The tiles by their space, in the order in which they were laid.
    tracks : list of Track
        All tracks.
    columns, rows : int
        The size of the formation; that of its one space if the board is empty.
    width, height : int
        The size of the drawing.
    """

    def __init__(self, position: Position, margin: int) -> None:
        self.margin = margin
        self.tiles = {(x, y): tile for x, y, tile in position.cells()}
        self.tracks = list(all_tracks(self.tiles, position.variant.line_length))
        self.columns, self.rows = max(1, position.width), max(1, position.height)
        self.width = self.columns * TILE + 2 * margin
        self.height = self.rows * TILE + 2 * margin
        self._west, self._north = (position.west, position.north) if self.tiles else (0, 0)

    def corner(self, x: int, y: int) -> tuple[int, int]:
        """The top left corner of a space."""
        return (x - self._west) * TILE + self.margin, (y - self._north) * TILE + self.margin

    def middle(self, x: int, y: int) -> tuple[int, int]:
        """The middle of a space; the empty columns and rows around are narrower."""
        return (
            self.middle_of(x - self._west, self.columns),
            self.middle_of(y - self._north, self.rows),
        )

    def middle_of(self, place: int, count: int) -> int:
        """The middle of the column or row that is ``place`` behind the first of ``count``.

        -1 and ``count`` are the empty ones before and after.
        """
        if place < 0:
            return self.margin - BORDER // 2
        if place >= count:
            return self.margin + count * TILE + BORDER // 2
        return self.margin + place * TILE + TILE // 2

    def gate(self, x: int, y: int, side: Side) -> tuple[int, int]:
        """The middle of an edge of a space."""
        left, top = self.corner(x, y)
        across, down = side.step
        return left + (1 + across) * TILE // 2, top + (1 + down) * TILE // 2

    def path(self, track: Track) -> str:
        """The middle of a track as an SVG path: arcs about the corners of tiles, straight lines."""
        entry = self._entry(track)
        across, down = self.gate(*track.cells[0], entry)
        path = [f"M{across} {down}"]
        for x, y in track.cells:
            tile = self.tiles[x, y]
            leaving = next(s for s in Side if s is not entry and tile.colour(s) is track.colour)
            across, down = self.gate(x, y, leaving)
            if leaving is entry.opposite:
                path.append(f"V{down}" if entry in (Side.NORTH, Side.SOUTH) else f"H{across}")
            else:
                clockwise = int(leaving == (entry + 3) % 4)
                path.append(f"A{TILE // 2} {TILE // 2} 0 0 {clockwise} {across} {down}")
            entry = leaving.opposite
        return "".join(path) + ("Z" if track.completes == "loop" else "")

    def _entry(self, track: Track) -> Side:
        """The side of a track's first tile that does not lead to its second."""
        x, y = track.cells[0]
        one, other = (side for side in Side if self.tiles[x, y].colour(side) is track.colour)
        leads_on = track.cells[1:2] == ((x + one.step[0], y + one.step[1]),)
        return other if leads_on else one
