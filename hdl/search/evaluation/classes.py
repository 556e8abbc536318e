"""The classes by which the evaluation weighs tracks and sockets, as plain lists.

A track is described by its two ends. An end is a space and the side on which the track enters it.
Each track has one class of each of these kinds:

- *ends*: the offset of the second end's space from the first one's, cut off at 8, turned so that
  the first track enters from the north, and the relative side of the second: 387 classes, as
  mirror images and the exchange of the ends are the same;
- *distance*: the distance of both spaces, cut off at 8, and for each of them whether a track of
  the other colour enters it, on a neighbouring or on the opposite side: 81 rows, of which exchange
  makes 54 (those of distance 0 do not occur);
- *lines*, for each axis along which the ends are 5 or more apart: how far, cut off at 10, and how
  many cells are missing to the edges of the box, cut off at 7: 48 classes.

Each socket has one class, by the two sockets before it and the two after it along the perimeter:

- *perimeter*: for each of them its colour, own or other, and the shape of the way to it, around the
  corner of a space, straight on or around a tile; and for the second one whether it is the other
  end of the same track: 54 for either direction, 1,485 classes as mirror images are the same.
"""

from __future__ import annotations

__all__ = [
    "DISTANCES",
    "DISTANCE_CLASS",
    "DISTANCE_CLASSES",
    "END_CLASS",
    "END_CLASSES",
    "LINE_FROM",
    "LINE_GAPS",
    "LINE_ROWS",
    "LINE_SPANS",
    "PERIMETER_CLASS",
    "PERIMETER_CLASSES",
    "PERIMETER_SIDES",
    "REACH",
    "end_row",
    "turned",
]

REACH = 8
"""Offsets are cut off at this."""

_SPAN = 2 * REACH + 1
DISTANCES = REACH + 1

LINE_FROM = 5
LINE_SPANS, LINE_GAPS = 6, 8
LINE_ROWS = LINE_SPANS * LINE_GAPS


def turned(x: int, y: int, side: int) -> tuple[int, int]:
    """Turn an offset counterclockwise until this side is the north."""
    for _ in range(side):
        x, y = y, -x
    return x, y


def end_row(x: int, y: int, relative: int) -> int:
    """Return the row of :data:`END_CLASS` of a turned offset and the relative side."""
    return ((y + REACH) * _SPAN + x + REACH) * 4 + relative


def _rows() -> list[tuple[int, int, int]]:
    offsets = range(-REACH, REACH + 1)
    return [(x, y, relative) for y in offsets for x in offsets for relative in range(4)]


def _representative(x: int, y: int, relative: int) -> int:
    """Return the least of the rows that differ only by a mirror image or exchanged ends."""
    other = (*turned(-x, -y, relative), -relative & 3)
    return min(
        end_row(x, y, relative)
        for x, y, relative in (
            (x, y, relative),
            (-x, y, -relative & 3),
            other,
            (-other[0], other[1], -other[2] & 3),
        )
    )


def _numbered(representatives: list[int]) -> list[int]:
    """Number the classes from 0 in the order of their least rows."""
    numbers = {row: number for number, row in enumerate(sorted(set(representatives)))}
    return [numbers[row] for row in representatives]


END_CLASS = _numbered([_representative(*row) for row in _rows()])
"""The class of each row of ends."""

END_CLASSES = max(END_CLASS) + 1

DISTANCE_CLASS = _numbered(
    [
        (distance * 3 + min(one, other)) * 3 + max(one, other)
        for distance in range(DISTANCES)
        for one in range(3)
        for other in range(3)
    ]
)
"""The class of each row of distances, ``(distance * 3 + first end) * 3 + second end``."""

DISTANCE_CLASSES = max(DISTANCE_CLASS) + 1

PERIMETER_SIDES = 54
"""Kinds of two steps along the perimeter in one direction: of each the shape, and whether the next
socket has the own colour; of the second also whether that is the track's other end."""

PERIMETER_CLASS = _numbered(
    [
        min(one, other) * PERIMETER_SIDES + max(one, other)
        for one in range(PERIMETER_SIDES)
        for other in range(PERIMETER_SIDES)
    ]
)
"""The class of a socket, by 54 times the steps in one direction, and those in the other. Of the
nearer step the shape counts 18 and the own colour 9, of the other one the shape 3, the own colour 1
and the other end 2."""

PERIMETER_CLASSES = max(PERIMETER_CLASS) + 1
