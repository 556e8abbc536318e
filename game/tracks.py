"""Tracks followed tile by tile: slow and plain, for drawing and for checking.

:class:`~loopline.game.position.Position` keeps the two ends of each track and follows none. The
tiles of a winning track are needed once a game, and found here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal, NamedTuple

from loopline.game.tiles import Colour, Side, Tile

__all__ = ["LINE_LENGTH", "Track", "all_tracks", "winning_tracks"]

LINE_LENGTH: Final = 8
"""The box's least length in the direction of a line, in every variant that has lines."""


class Track(NamedTuple):
    """A whole track: its tiles in order, and what it has completed, or None.

    A track crosses a tile at most once, so no tile occurs twice.
    """

    colour: Colour
    cells: tuple[tuple[int, int], ...]
    completes: Literal["loop", "line"] | None


def all_tracks(
    tiles: Mapping[tuple[int, int], Tile], line_length: int | None = LINE_LENGTH
) -> Iterator[Track]:
    """Yield every track on the board, white ones first, otherwise in the order of ``tiles``.

    ``line_length`` is that of the variant: None if lines do not count.
    """
    for colour in Colour:
        seen: set[tuple[int, int]] = set()
        for cell in tiles:
            if cell not in seen:
                track = _follow(tiles, cell, colour, line_length)
                seen.update(track.cells)
                yield track


def winning_tracks(
    tiles: Mapping[tuple[int, int], Tile], line_length: int | None = LINE_LENGTH
) -> list[Track]:
    """Return the loops and lines on the board."""
    return [track for track in all_tracks(tiles, line_length) if track.completes]


def _follow(
    tiles: Mapping[tuple[int, int], Tile],
    start: tuple[int, int],
    colour: Colour,
    line_length: int | None,
) -> Track:
    """Return the track of one colour that runs through the tile at ``start``."""
    one, other = (side for side in Side if tiles[start].colour(side) is colour)
    forward, last = _walk(tiles, start, one, colour)
    if last is None:
        return Track(colour, tuple(forward), "loop")
    backward, first = _walk(tiles, start, other, colour)
    assert first is not None, "a track that ends on one side ends on the other"
    cells = (*reversed(backward[1:]), *forward)
    ends = (cells[0], first), (cells[-1], last)
    line = line_length is not None and _is_line(tiles, *ends, line_length)
    return Track(colour, cells, "line" if line else None)


def _walk(
    tiles: Mapping[tuple[int, int], Tile], start: tuple[int, int], side: Side, colour: Colour
) -> tuple[list[tuple[int, int]], Side | None]:
    """Leave ``start`` through ``side`` and go on to the end of the track.

    Returns the tiles, ``start`` first, and the side through which the track leaves the last one:
    None if it comes back to ``start``.
    """
    cells = [start]
    while True:
        across, down = side.step
        cell = (cells[-1][0] + across, cells[-1][1] + down)
        if cell not in tiles:
            return cells, side
        if cell == start:
            return cells, None
        cells.append(cell)
        entry = side.opposite
        side = next(s for s in Side if s is not entry and tiles[cell].colour(s) is colour)


def _is_line(
    tiles: Mapping[tuple[int, int], Tile],
    one: tuple[tuple[int, int], Side],
    other: tuple[tuple[int, int], Side],
    line_length: int,
) -> bool:
    """Return whether two ends, as tile and side, leave the board at opposite, outermost edges."""
    ends = {one[1]: one[0], other[1]: other[0]}
    for axis, (near, far) in enumerate(((Side.WEST, Side.EAST), (Side.NORTH, Side.SOUTH))):
        if ends.keys() == {near, far}:
            low = min(cell[axis] for cell in tiles)
            high = max(cell[axis] for cell in tiles)
            outermost = ends[near][axis] == low and ends[far][axis] == high
            return outermost and high - low + 1 >= line_length
    return False
