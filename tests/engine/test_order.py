"""What decides in which order placements are tried: counters, offsets, repeated choice."""

from __future__ import annotations

import random

import numpy as np
import pytest

from loopline.engine.board.position import EnginePosition
from loopline.engine.board.tables import CELLS, COLUMN, NO_MOVE, ROW_BITS, SHAPES
from loopline.engine.search.frames import BASE, CURRENT, DEPTH, MOVE, new_memory
from loopline.engine.search.order import choose, credit, follow_of, place_of
from loopline.hdl.search.config import SearchConfig

pytestmark = pytest.mark.xdist_group("engine")

CONFIG = SearchConfig()
TOP = (1 << CONFIG.widths.history) - 1
PLY = 2


def test_chosen_by_repeated_maximum_the_first_of_equals():
    chance = random.Random(19)
    m = new_memory(CONFIG)
    for size in (1, 2, 7, 80):
        entries = [chance.randint(0, 9) << 10 | n << 2 for n in range(size)]
        m.listed[:size] = entries
        for current in range(size):
            best = max(entry >> 10 for entry in entries[current:])
            place = next(n for n in range(current, size) if entries[n] >> 10 == best)
            entries[current], entries[place] = entries[place], entries[current]
            assert choose(m, current, size) == entries[current]
            assert m.listed[:size].tolist() == entries


def test_every_offset_has_its_own_counter():
    m = new_memory(CONFIG)
    reach = (1 << CONFIG.widths.history_offset - 1) - 1
    for before in (0, 5 << ROW_BITS | 63, CELLS - 1):
        seen = set()
        for mover in range(2):
            for across in range(-reach, reach + 1):
                for down in range(-reach, reach + 1):
                    row = (before >> ROW_BITS) + down & COLUMN
                    cell = row << ROW_BITS | before + across & COLUMN
                    for shape in range(SHAPES):
                        seen.add(int(follow_of(m, mover, before << 2, cell << 2 | shape)))
        assert len(seen) == 2 * (2 * reach + 1) ** 2 * SHAPES
        assert min(seen) >= 0
        assert max(seen) < len(m.follow)
        for beyond in (reach + 1, 32, -reach - 1):
            cell = before & ~COLUMN | before + beyond & COLUMN
            assert follow_of(m, 0, before << 2, cell << 2) == -1
            assert follow_of(m, 0, cell << 2, before << 2) == -1


def test_credit_raises_what_was_good_and_lowers_what_was_tried_before():
    m, b = new_memory(CONFIG), EnginePosition().board
    chance = random.Random(23)
    history, follow = {}, {}
    cells = [chance.randrange(CELLS) for _ in range(12)]
    for index, cell in enumerate(cells):
        b.place[index] = cell
    for _ in range(400):
        mover, depth, good = chance.randint(0, 1), chance.randint(1, 12), chance.randint(0, 11)
        base = chance.randint(0, 40)
        before = chance.choice(cells) + chance.randint(0, 3) & CELLS - 1
        tried = chance.sample(range(12), 12)
        tried = tried[: tried.index(good) + 1]
        m.listed[base : base + len(tried)] = [n << 2 | n % SHAPES for n in tried]
        m.frames[PLY - 1, MOVE] = before << 2
        frame = m.frames[PLY]
        frame[BASE], frame[CURRENT], frame[DEPTH] = base, base + len(tried), depth
        move = cells[good] << 2 | good % SHAPES
        killers = m.killers[PLY].tolist()
        credit(b, m, PLY, mover, move)
        shift = max(1, 6 - depth)
        for n in (good, *tried[:-1]):
            each = cells[n] << 2 | n % SHAPES
            place = int(follow_of(m, mover, before << 2, each))
            counters = [(history, int(place_of(m, mover, each)))]
            if place >= 0:
                counters.append((follow, place))
            for table, address in counters:
                value = table.get(address, 0)
                if n == good:
                    table[address] = value + (TOP - value >> shift)
                else:
                    table[address] = value - (value >> shift + 2)
        expected = killers if killers[0] == move else [move, killers[0]]
        assert m.killers[PLY].tolist() == expected
    for table, counters in ((history, m.history), (follow, m.follow)):
        assert {n: int(counters[n]) for n in np.flatnonzero(counters)} == {
            n: value for n, value in table.items() if value
        }
        assert 0 < max(table.values()) <= TOP
    assert NO_MOVE not in m.killers[PLY]
