"""The score in plain Python: tracks are followed tile by tile over the board of the rules."""

from __future__ import annotations

from loopline.game import Colour, Position, Side
from loopline.hdl.core.score import DISTANCE_POINTS, LINE_POINTS

__all__ = ["evaluate", "other_end", "track_points"]


def track_points(box, one, other, *, lines=True):
    """The points of a track by the spaces at its ends; ``box`` is west, north, east, south."""
    west, north, east, south = box
    apart = abs(one[0] - other[0]) + abs(one[1] - other[1])
    points = DISTANCE_POINTS[min(apart, len(DISTANCE_POINTS) - 1)]
    columns, rows = sorted((one[0], other[0])), sorted((one[1], other[1]))
    length = 0
    if columns[0] < west and columns[1] > east:
        length = east - west + 1
    elif rows[0] < north and rows[1] > south:
        length = south - north + 1
    return points + (LINE_POINTS[length] if lines and length < len(LINE_POINTS) else 0)


def other_end(position: Position, space: tuple[int, int], side: Side, colour: Colour):
    """Follow the track that enters a space through a side to the space at its other end."""
    x, y = space
    while True:
        x, y = x + side.step[0], y + side.step[1]
        tile = position.tile_at(x, y)
        if tile is None:
            return x, y
        entry = side.opposite
        (side,) = (s for s in Side if s is not entry and tile.colour(s) is colour)


def evaluate(position: Position) -> int:
    """The sum of points of White's tracks less that of Red's."""
    box = position.west, position.north, position.east, position.south
    doubled = 0
    for space in position.frontier():
        for side, colour in position.sockets(*space).items():
            other = other_end(position, space, side, colour)
            # Each track is met twice: once from each end.
            points = track_points(box, space, other, lines=position.lines)
            doubled += points if colour is Colour.WHITE else -points
    assert doubled % 2 == 0
    return doubled // 2
