"""The perimeter of the formation: all sockets, in their order along it.

The *perimeter* is the closed line around the formation, and around each hole in it. It consists of
sides of tiles, each of which is a socket: rings of sockets. A step from one to the next goes

- around the corner of a space (shape 0), straight on (1), or around a tile (2).

A *window* is the contents of two shift registers on the way: the colours of five sockets and the
shapes of the four steps between them. It describes the place of the socket in its middle. The last
step is in the low bits::

     14   13   12 11   10 9    8 7    6 5     4    3    2    1    0
    ┌────┬────┬───────┬──────┬──────┬───────┬────┬────┬────┬────┬────┐
    │ far ends│ shapes of the steps 1 to 4  │ colours of sockets 1-5 │
    └────┴────┴───────┴──────┴──────┴───────┴────┴────┴────┴────┴────┘

The two high bits say whether the fifth, and the first, is in the space at the other end of the
middle one's track; if it has the same colour, it is the track's other end.
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
def _around(b, scanner, index, side, length):
    """Walk along one ring clockwise, from a socket on, and note its windows.

    Return the length of the perimeter so far. The walk passes the first socket again, until the
    last one has been in the middle of a window.
    """
    cells, partner = b.cells, b.partner
    cell, here = np.int64(b.place[index]), side
    word = np.int64(cells[cell])
    colours, shapes, passed, last = np.int64(0), np.int64(0), np.int64(0), np.int64(_NEVER)
    first = second = third = fourth = np.int64(0)
    while passed < last:
        fifth = word >> 8
        scanner.seen[fifth] |= 1 << here
        colours = colours << 1 & _COLOURS | word >> (4 + here) & 1
        if passed >= WINDOW_COLOURS - 1:
            far = np.int64(partner[colours >> 2 & 1, third])
            ends = np.int64(far == fifth) << 1 | np.int64(far == first)
            scanner.windows[length] = ends << _ENDS_AT | shapes << WINDOW_COLOURS | colours
            length += 1
        first, second, third, fourth = second, third, fourth, fifth
        ahead = (here + 1) & 3
        one = beyond(cell, ahead)
        two = beyond(one, here)
        # In gateware both are read at once: the address of the second does not depend on the first.
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
def walk(b, scanner):
    """Note the windows of all sockets in ``scanner.windows``, White as 0. Return their number.

    Each ring begins at its socket of the least frontier index, and there of the least side.
    """
    high, length = b.state[HIGH], np.int64(0)
    for index in range(high):
        scanner.seen[index] = 0
    for index in range(high):
        sockets = np.int64(b.sockets[index])
        left = (sockets | sockets >> 4) & ~np.int64(scanner.seen[index]) & 15
        while left:
            length = _around(b, scanner, index, SIDE_OF[left & -left], length)
            left &= ~np.int64(scanner.seen[index])
    return length
