"""Sides by number and by mask for every input, and the comparison in two steps."""

import itertools
import random

import pytest
from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from loopline.game import Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import place_layout
from loopline.hdl.evaluator.sides import bank_of, equal, is_line, opposite, side_of, unit_step
from tests.hdl.support import simulate

GRIDS = [GridConfig(size=size) for size in (8, 16, 32, 64)]


def ids(grid):
    return str(grid.size)


def settled(dut, cases):
    """Check each case, (values to set, (value, expected) pairs to find), on a combinational dut."""

    async def driver(ctx):
        for inputs, outputs in cases:
            for signal, value in inputs:
                ctx.set(signal, value)
            for signal, expected in outputs:
                assert ctx.get(signal) == expected, (inputs, signal)

    simulate(dut, driver)


class Banks(wiring.Component):
    """The bank of each neighbour of a cell, by a side known beforehand and by a side given."""

    def __init__(self, grid):
        self.sides = {side: Signal(2, name=f"fixed_{side.name}") for side in Side}
        super().__init__({"place": In(place_layout(grid)), "side": In(2), "bank": Out(2)})

    def elaborate(self, platform):
        m = Module()
        m.d.comb += self.bank.eq(bank_of(self.place, self.side))
        m.d.comb += [bank.eq(bank_of(self.place, side)) for side, bank in self.sides.items()]
        return m


@pytest.mark.parametrize("grid", GRIDS[:2], ids=ids)
def test_bank_of_a_neighbour(grid):
    """As the cell map says of itself, and four different ones."""
    dut = Banks(grid)

    def cases():
        for x, y in itertools.product(range(grid.size), repeat=2):
            banks = {}
            for side in Side:
                beyond_x, beyond_y = x + side.step[0], y + side.step[1]
                banks[side] = (beyond_x & 1) | ((beyond_x ^ beyond_y) & 2)
            assert len(set(banks.values())) == 4
            for side, bank in banks.items():
                inputs = (dut.place.x, x), (dut.place.y, y), (dut.side, side)
                yield inputs, ((dut.bank, bank), (dut.sides[side], bank))

    settled(dut, cases())


class Sides(wiring.Component):
    """Everything else, of a side, of a mask and of one side's mask."""

    def __init__(self, width):
        self._width = width
        members = {"side": In(2), "columns": Out(width), "rows": Out(width), "opposite": Out(2)}
        super().__init__({**members, "mask": In(4), "number": Out(2), "is_line": Out(1)})

    def elaborate(self, platform):
        m = Module()
        columns, rows = unit_step(self.side, self._width)
        assert len(columns) == len(rows) == self._width
        m.d.comb += [
            self.columns.eq(columns),
            self.rows.eq(rows),
            self.opposite.eq(opposite(self.side)),
            self.number.eq(side_of(self.mask)),
            self.is_line.eq(is_line(self.mask)),
        ]
        return m


@pytest.mark.parametrize("width", range(2, 7))
def test_sides(width):
    dut = Sides(width)

    def cases():
        modulus = 1 << width
        for side in Side:
            columns, rows = side.step
            yield (
                ((dut.side, side), (dut.mask, side.bit)),
                (
                    (dut.columns, columns % modulus),
                    (dut.rows, rows % modulus),
                    (dut.opposite, side.opposite),
                    (dut.number, side),
                ),
            )
        for mask in range(16):
            line = any(mask & side.bit and mask & side.opposite.bit for side in Side)
            yield ((dut.mask, mask),), ((dut.is_line, line),)

    settled(dut, cases())


@pytest.mark.parametrize("width", range(1, 12))
def test_words_are_equal_if_all_their_bits_are(width):
    left, right, same = Signal(width), Signal(width), Signal()
    m = Module()
    m.d.comb += same.eq(equal(m, left, right, "pairs"))
    rng = random.Random(width)

    async def driver(ctx):
        for _ in range(200):
            word = rng.getrandbits(width)
            other = word ^ rng.choice([0, 1 << rng.randrange(width), rng.getrandbits(width)])
            ctx.set(left, word)
            ctx.set(right, other)
            assert ctx.get(same) == (word == other)

    simulate(m, driver)
