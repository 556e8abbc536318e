"""What decides in which order placements are tried: offsets and repeated choice.

What the counters come to is in the node signature.
"""

from __future__ import annotations

import random

import pytest

from loopline.engine.board.tables import CELLS, COLUMN, ROW_BITS, SHAPES
from loopline.engine.search.frames import new_memory
from loopline.engine.search.order import choose, follow_of
from loopline.hdl.search.config import SearchConfig

pytestmark = pytest.mark.xdist_group("engine")

CONFIG = SearchConfig()


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
