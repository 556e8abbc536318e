"""The transposition table against a plain list of two entries."""

from __future__ import annotations

import random

import pytest

from loopline.engine.board.tables import NO_MOVE
from loopline.engine.search.frames import (
    BEST,
    BEST_MOVE,
    BETA,
    DEPTH,
    FLOOR,
    INFINITE,
    MATE,
    MATE_BOUND,
    new_memory,
)
from loopline.engine.search.hashing import entry_of, probe, store
from loopline.hdl.search.config import SearchConfig

pytestmark = pytest.mark.xdist_group("engine")

BITS = 6
PLY = 3
ROW = 0b10110


class Row:
    """What one row has to hold: the deepest, and the last of the others."""

    def __init__(self) -> None:
        self.entries: list[tuple | None] = [None, None]

    def store(self, position: int, depth: int, *what: int) -> None:
        entry = (position, depth, *what)
        first = self.entries[0]
        if first is None or first[0] == position:
            self.entries[0] = entry
        elif first[1] <= depth:
            self.entries = [entry, first]
        else:
            self.entries[1] = entry

    def probe(self, position: int) -> tuple | None:
        return next((each for each in self.entries if each and each[0] == position), None)


def write(m, position: int, depth: int, value: int, move: int, alpha: int, beta: int) -> None:
    frame = m.frames[PLY]
    frame[DEPTH], frame[BEST], frame[BEST_MOVE] = depth, value, move
    frame[FLOOR], frame[BETA] = alpha, beta
    store(m, position, entry_of(m, position, PLY))


def test_a_row_keeps_the_deepest_and_the_last():
    chance = random.Random(17)
    m, row = new_memory(SearchConfig(table_bits=BITS)), Row()
    # The lowest bit of a position says nothing: both entries of a row are for either.
    positions = [key << 14 | ROW | chance.randint(0, 1) for key in range(1, 9)]
    seen = 0
    for _ in range(3000):
        position, depth = chance.choice(positions), chance.randint(0, 14)
        if chance.random() < 0.5:
            value, move = chance.randint(-8000, 8000), chance.randrange(1 << 14)
            write(m, position, depth, value, move, -INFINITE, INFINITE)
            row.store(position, depth, value, move)
            continue
        known = row.probe(position)
        found = tuple(int(each) for each in probe(m, m, position, PLY, depth, -100, 100))
        if known is None:
            assert found == (NO_MOVE, INFINITE)
            continue
        seen += 1
        _, deep, value, move = known
        assert found == (move, value if deep >= depth else INFINITE)
    assert seen > 300


@pytest.mark.parametrize(
    ("value", "alpha", "beta", "asked", "settles"),
    [
        (50, 0, 40, (0, 50), True),
        (50, 0, 40, (0, 51), False),
        (-10, 0, 40, (-10, 90), True),
        (-10, 0, 40, (-11, 90), False),
        (20, 0, 40, (19, 20), True),
        (20, 0, 40, (100, 200), True),
    ],
    ids=["at least", "not enough", "at most", "too much", "exact", "exact, elsewhere"],
)
def test_bounds(value, alpha, beta, asked, settles):
    m = new_memory(SearchConfig(table_bits=BITS))
    write(m, ROW, 5, value, 77, alpha, beta)
    move, found = probe(m, m, ROW, PLY, 5, *asked)
    assert (move, found) == (77, value if settles else INFINITE)


def test_forced_wins_count_from_the_position_and_at_any_depth():
    m = new_memory(SearchConfig(table_bits=BITS))
    for sign in (1, -1):
        write(m, ROW, 1, sign * (MATE - 9), 77, -INFINITE, INFINITE)
        # Six turns after the position at ply 3 is ten turns after the root where that is at ply 4.
        assert probe(m, m, ROW, PLY + 1, 14, 0, 1) == (77, sign * (MATE - 10))
        assert MATE - 10 >= MATE_BOUND
