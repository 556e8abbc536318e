"""The classes by which the evaluation weighs tracks.

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

import numpy as np

__all__ = [
    "DISTANCES",
    "DISTANCE_CLASS",
    "DISTANCE_CLASSES",
    "DISTANCE_ROWS",
    "END_CLASS",
    "END_CLASSES",
    "END_ROWS",
    "LINE_FROM",
    "LINE_GAPS",
    "LINE_ROWS",
    "LINE_SPANS",
    "MEETING",
    "PERIMETER_CLASS",
    "PERIMETER_CLASSES",
    "REACH",
    "TURNED",
    "WINDOW_CLASS",
    "WINDOW_COLOURS",
    "WINDOW_OTHER",
]

REACH = 8
"""Offsets are cut off at this."""

_SPAN = 2 * REACH + 1
END_ROWS = _SPAN * _SPAN * 4
"""Rows of the table of ends, before equal ones are made one class."""

DISTANCES = REACH + 1
DISTANCE_ROWS = DISTANCES * 9

LINE_FROM = 5
LINE_SPANS, LINE_GAPS = 6, 8
LINE_ROWS = LINE_SPANS * LINE_GAPS


def _cut(value: int) -> int:
    return max(-REACH, min(REACH, value))


def _turn(x: int, y: int, side: int) -> tuple[int, int]:
    """Turn an offset counterclockwise until this side is the north."""
    for _ in range(side):
        x, y = y, -x
    return x, y


def _row(x: int, y: int, relative: int) -> int:
    return ((y + REACH) * _SPAN + x + REACH) * 4 + relative


def _rows() -> list[tuple[int, int, int]]:
    offsets = range(-REACH, REACH + 1)
    return [(x, y, relative) for y in offsets for x in offsets for relative in range(4)]


def _representative(x: int, y: int, relative: int) -> int:
    """Return the least of the rows that differ only by a mirror image or exchanged ends."""
    other = (*_turn(-x, -y, relative), -relative & 3)
    return min(
        _row(x, y, relative)
        for x, y, relative in (
            (x, y, relative),
            (-x, y, -relative & 3),
            other,
            (-other[0], other[1], -other[2] & 3),
        )
    )


def _numbered(representatives: list[int]) -> np.ndarray:
    """Number the classes from 0 in the order of their least rows."""
    numbers = {row: number for number, row in enumerate(sorted(set(representatives)))}
    return np.array([numbers[row] for row in representatives], np.int64)


END_CLASS = _numbered([_representative(*row) for row in _rows()])
"""The class of each row of ends."""

END_CLASSES = int(END_CLASS.max()) + 1

DISTANCE_CLASS = _numbered(
    [
        (distance * 3 + min(one, other)) * 3 + max(one, other)
        for distance in range(DISTANCES)
        for one in range(3)
        for other in range(3)
    ]
)
"""The class of each row of distances, ``(distance * 3 + first end) * 3 + second end``."""

DISTANCE_CLASSES = int(DISTANCE_CLASS.max()) + 1

_PERIMETER_SIDES = 54
"""Kinds of two steps along the perimeter in one direction: of each the shape, and whether the next
socket has the own colour; of the second also whether that is the track's other end."""

PERIMETER_CLASS = _numbered(
    [
        min(one, other) * _PERIMETER_SIDES + max(one, other)
        for one in range(_PERIMETER_SIDES)
        for other in range(_PERIMETER_SIDES)
    ]
)
"""The class of a socket, by 54 times the steps in one direction, and those in the other. Of the
nearer step the shape counts 18 and the own colour 9, of the other one the shape 3, the own colour 1
and the other end 2."""

PERIMETER_CLASSES = int(PERIMETER_CLASS.max()) + 1

WINDOW_COLOURS = 5
"""Sockets in a window, see :mod:`.perimeter`."""

_WINDOWS = 1 << 15


def _window(window: int) -> int:
    """Return the row of :data:`PERIMETER_CLASS` of a window."""
    first, second, third, fourth = (min(window >> at & 3, 2) for at in (11, 9, 7, 5))
    colours = [window >> at & 1 for at in (4, 3, 2, 1, 0)]
    own = [int(colour == colours[2]) for colour in colours]
    before = ((second * 2 + own[1]) * 3 + first) * 3 + (own[0] << (window >> 13 & 1))
    after = ((third * 2 + own[3]) * 3 + fourth) * 3 + (own[4] << (window >> 14 & 1))
    return before * _PERIMETER_SIDES + after


WINDOW_CLASS = PERIMETER_CLASS[[_window(window) for window in range(_WINDOWS)]]
"""The class of the socket in the middle of a window; shape 3 does not occur."""

WINDOW_OTHER = np.arange(_WINDOWS) >> 2 & 1
"""The colour of that socket."""


def _meeting(sockets: int) -> int:
    white, red = sockets & 15, sockets >> 4
    if white.bit_count() != 1 or red.bit_count() != 1:
        return 0
    return 2 if white.bit_length() - red.bit_length() in (-2, 2) else 1


MEETING = np.array([_meeting(sockets) for sockets in range(256)], np.int64)
"""By a space's sockets: 0 if tracks of one colour only enter, 1 if the other's side is next to it,
2 if it is opposite."""

TURNED = np.array(
    [
        [
            _row(*_turn(x, y, side), 0)
            for y in range(-REACH, REACH + 1)
            for x in range(-REACH, REACH + 1)
        ]
        for side in range(4)
    ],
    np.int16,
)
"""By the first end's side and ``(y + 8) * 17 + x + 8`` the row of ends of relative side 0."""
