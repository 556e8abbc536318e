"""The rim of the formation: all sockets in the order in which one comes by them.

The *rim* is the closed line around the formation, and around each hole in it. It consists of sides
of tiles, and each of them is a socket: a ring of sockets, then. From one to the next it leads

- around the corner of a space (shape 0), straight on (1), or around a tile (2).

A *window* is what two shift registers hold on the way: the colours of five sockets and the shapes
of the four steps between them. It says where the socket in its middle lies. The nearest step in the
low bits::

     14   13   12 11   10 9    8 7    6 5     4    3    2    1    0
    ┌────┬────┬───────┬──────┬──────┬───────┬────┬────┬────┬────┬────┐
    │ far ends│ shapes of the steps 1 to 4  │ colours of sockets 1-5 │
    └────┴────┴───────┴──────┴──────┴───────┴────┴────┴────┴────┴────┘

The two high bits are set where the fifth, or the first, is in the space to which the track of the
middle one leads; if it has the same colour, it is the track's other end.
"""

from __future__ import annotations

import numpy as np

from loopline.engine.board.board import HIGH, beyond
from loopline.engine.board.tables import SIDE_OF
from loopline.engine.evaluation.classes import WINDOW_COLOURS
from loopline.engine.jit import inlined

__all__ = ["walk"]

_COLOURS = (1 << WINDOW_COLOURS) - 1
_SHAPES = (1 << 2 * (WINDOW_COLOURS - 1)) - 1
_ENDS_AT = 3 * WINDOW_COLOURS - 2
_NEVER = 1 << 20


@inlined
def _around(b, rim, index, side, length):
    """Walk along one ring, clockwise, from a socket on, until all its windows are noted.

    Returns the length of the rim so far. The walk goes on behind the first socket until the last
    one has been in the middle.
    """
    cells, partner = b.cells, b.partner
    cell, here = np.int64(b.place[index]), side
    word = np.int64(cells[cell])
    colours, shapes, passed, last = np.int64(0), np.int64(0), np.int64(0), np.int64(_NEVER)
    first = second = third = fourth = np.int64(0)
    while passed < last:
        fifth = word >> 8
        rim.seen[fifth] |= 1 << here
        colours = colours << 1 & _COLOURS | word >> (4 + here) & 1
        if passed >= WINDOW_COLOURS - 1:
            far = np.int64(partner[colours >> 2 & 1, third])
            ends = np.int64(far == fifth) << 1 | np.int64(far == first)
            rim.windows[length] = ends << _ENDS_AT | shapes << WINDOW_COLOURS | colours
            length += 1
        first, second, third, fourth = second, third, fourth, fifth
        ahead = (here + 1) & 3
        one = beyond(cell, ahead)
        two = beyond(one, here)
        # Both are read at once: the address of the second does not depend on the first.
        straight, around = np.int64(cells[one]), np.int64(cells[two])
        if (word | word >> 4) >> ahead & 1:
            shapes = shapes << 2 & _SHAPES
            here = ahead
        elif (straight | straight >> 4) >> here & 1:
            shapes = shapes << 2 & _SHAPES | 1
            cell, word = one, straight
        else:
            shapes = shapes << 2 & _SHAPES | 2
            cell, word = two, around
            here = (here - 1) & 3
        passed += 1
        if last == _NEVER and word >> 8 == index and here == side:
            last = passed + WINDOW_COLOURS - 1
    return length


@inlined
def walk(b, rim):
    """Note the windows of all sockets in ``rim.windows``, White's as 0; returns how many.

    Rings are found by ascending frontier index and side of a socket that was not yet passed.
    """
    high, length = b.state[HIGH], np.int64(0)
    for index in range(high):
        rim.seen[index] = 0
    for index in range(high):
        sockets = np.int64(b.sockets[index])
        left = (sockets | sockets >> 4) & ~np.int64(rim.seen[index]) & 15
        while left:
            length = _around(b, rim, index, SIDE_OF[left & -left], length)
            left &= ~np.int64(rim.seen[index])
    return length
