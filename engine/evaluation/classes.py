"""The classes by which the evaluation weighs tracks and sockets, as tables.

:mod:`loopline.hdl.search.evaluation.classes` explains and numbers them.
"""

from __future__ import annotations

import numpy as np

from loopline.hdl.search.evaluation import classes
from loopline.hdl.search.evaluation.classes import (
    DISTANCE_CLASSES,
    END_CLASSES,
    LINE_FROM,
    LINE_GAPS,
    LINE_ROWS,
    LINE_SPANS,
    PERIMETER_CLASSES,
    PERIMETER_SIDES,
    REACH,
    end_row,
    turned,
)

__all__ = [
    "DISTANCE_CLASS",
    "DISTANCE_CLASSES",
    "END_CLASS",
    "END_CLASSES",
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

END_CLASS = np.array(classes.END_CLASS, np.int64)
DISTANCE_CLASS = np.array(classes.DISTANCE_CLASS, np.int64)
PERIMETER_CLASS = np.array(classes.PERIMETER_CLASS, np.int64)

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
    return before * PERIMETER_SIDES + after


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
            end_row(*turned(x, y, side), 0)
            for y in range(-REACH, REACH + 1)
            for x in range(-REACH, REACH + 1)
        ]
        for side in range(4)
    ],
    np.int16,
)
"""By the first end's side and ``(y + 8) * 17 + x + 8`` the row of ends of relative side 0."""
