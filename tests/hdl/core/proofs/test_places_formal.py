"""Proofs of the facts about places and indices that the gateware relies on.

Each proof is given the function or the part that it is about, so that it can be given a wrong one.
"""

from __future__ import annotations

from itertools import combinations

import pytest
from amaranth.asserts import AnyConst
from amaranth.hdl import Array, Assert, Assume, Cat, Module, Signal, Value

from loopline.game import Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core import box as box_module
from loopline.hdl.core.cells import CellMap, neighbour, rows_around
from loopline.hdl.core.spaces import SpaceTable
from loopline.hdl.core.types import box_layout, place_layout
from loopline.hdl.evaluator.sides import bank_of
from tests.hdl.support_formal import AnyContents, faulty, finds_it, module, proof_and_faults, prove

GRID = GridConfig(size=8, frontier_entries=16)
SIZES = (8, 16, 32, 64)

# On the torus, of any size and with the largest formation: sides are told apart by coordinates.


def sides_are_told_apart(size, limit=None):
    m = Module()
    grid = GridConfig(size=size)
    bits = grid.coord_bits
    limit = grid.limit if limit is None else limit
    box, place = Signal(box_layout(grid)), Signal(place_layout(grid))
    expected = {}
    for low, high, at, sides in (
        (box.west, box.east, place.x, (Side.WEST, Side.EAST)),
        (box.north, box.south, place.y, (Side.NORTH, Side.SOUTH)),
    ):
        # In the plane: so many cells from the first to the last, and a place in or beside them.
        first, extent, offset = AnyConst(bits), AnyConst(bits), AnyConst(bits + 1)
        m.d.comb += [
            Assume(extent < limit),
            Assume(offset <= extent + 2),
            low.eq(first),
            high.eq(first + extent),
            at.eq(first + offset - 1),
        ]
        expected[sides[0]], expected[sides[1]] = offset == 0, offset == extent + 2
    m.d.comb += Assert(
        box_module.exit_sides(box_module.beside_of(box), place)
        == Cat(expected[side] for side in Side)
    )
    prove(m, cycles=1)


@pytest.mark.parametrize("size", SIZES)
def test_sides_are_told_apart(size):
    sides_are_told_apart(size)


def test_sides_proof_finds_a_fault():
    with finds_it:
        sides_are_told_apart(8, limit=7)


# The cell map's banks: four neighbours in four of them, and each cell in a row of its own.


def cells_have_rows(size, cells=CellMap, bank_beside=bank_of, around=rows_around):
    m = Module()
    grid = GridConfig(size=size)
    one, other = Signal(place_layout(grid)), Signal(place_layout(grid))
    for place in (one, other):
        m.d.comb += [place.x.eq(AnyConst(grid.coord_bits)), place.y.eq(AnyConst(grid.coord_bits))]
    banks = {side: cells._bank(*neighbour(one.x, one.y, side)) for side in Side}
    for first, second in combinations(Side, 2):
        m.d.comb += Assert(banks[first] != banks[second])
    rows = Array(around(one.x, one.y))
    for side in Side:
        m.d.comb += Assert(bank_beside(one, side) == banks[side])
        row = cells._row(*neighbour(one.x, one.y, side))
        m.d.comb += Assert(rows[banks[side]] == row)
    at = [
        Cat(cells._bank(place.x, place.y), cells._row(place.x, place.y)) for place in (one, other)
    ]
    m.d.comb += [
        Assert((at[0] != at[1]) | (Value.cast(one) == Value.cast(other))),
        Assert(cells._row(one.x, one.y) < size * size // 4),
    ]
    prove(m, cycles=1)


class SharesABank(CellMap):
    """Takes the lowest bits of both coordinates for the bank: opposite neighbours share one."""

    @staticmethod
    def _bank(x, y):
        return Cat(x[0], y[0])


class SharesARow(CellMap):
    """Two cells of a bank share a row."""

    @staticmethod
    def _row(x, y):
        return Cat(y[0], y[2:], x[1:-1], x[1])


def other_bank(place, side):
    """Confuses east and west."""
    return bank_of(place, Side(side ^ 2) if side in (Side.EAST, Side.WEST) else side)


def no_carry(x, y):
    """Confuses the rows beyond those of which the last bits are all ones."""
    rows = rows_around(x, y)
    return [Cat(row[0], y[2:], row[len(y) - 1 :]) for row in rows]


BANK_FAULTS = {
    "a shared bank": {"cells": SharesABank},
    "a shared row": {"cells": SharesARow},
    "another bank for the evaluator": {"bank_beside": other_bank},
    "another neighbour's row": {"around": no_carry},
}


@pytest.mark.parametrize("size", SIZES)
def test_cells_have_rows(size):
    cells_have_rows(size)


@pytest.mark.parametrize("name", BANK_FAULTS)
def test_banks_proof_finds_a_fault(name):
    with finds_it:
        cells_have_rows(16, **BANK_FAULTS[name])


# Free indices: what undoes a release or an allocation leaves the stack as it was.


STEPS = 2


def releases_are_undone(dut):
    """Any free indices, any few changes, each then taken back, the last one first."""
    contents = AnyContents()
    m = module(dut, dut.indices.release_index, dut.write.x, dut.write.y)
    cycle = Signal(range(5 * STEPS))
    m.d.sync += cycle.eq(cycle + 1)
    place_bits = max(2 * GRID.coord_bits, GRID.index_bits)
    rows = contents.rows(4 + place_bits, GRID.frontier_entries)
    free, fresh = AnyConst(dut.indices.free_count.shape()), AnyConst(GRID.index_bits)
    # The indices that can be allocated before any is released: each row names the next.
    links = Array(row[4 : 4 + GRID.index_bits] for row in rows.before)
    stack = [fresh]
    for _ in range(STEPS):
        stack.append(links[stack[-1]])
    for one, other in combinations(stack, 2):
        m.d.comb += Assume(one != other)
    m.d.comb += Assume((free >= STEPS) & (free <= GRID.frontier_entries))
    for index in stack:
        m.d.comb += Assume(
            ~dut.indices.release | (cycle >= 2 + 2 * STEPS) | (dut.indices.release_index != index)
        )

    def fault(inner, spaces):
        contents.put(inner.submodules.red, rows)
        with inner.If(contents.load):
            inner.d.sync += [spaces.indices.free_count.eq(free), spaces.indices.next_free.eq(fresh)]

    dut = faulty(dut, fault)
    # What is allocated becomes a space, whose coordinates take the place of the link.
    m.d.comb += [
        dut.working.eq(1),
        dut.write.en.eq(dut.indices.allocate | dut.indices.unrelease),
        dut.write.cell.white.eq(1),
        dut.write.cell.index.eq(dut.indices.next_free),
    ]
    # Two cycles for a change, since the next link is not known right after a release.
    gives = [AnyConst(1) for _ in range(STEPS)]
    taken = [Signal(GRID.index_bits, name=f"taken{step}") for step in range(STEPS)]
    given = Signal(GRID.frontier_entries)
    last = 2 + 2 * STEPS
    with m.Switch(cycle):
        for step, give in enumerate(gives):
            with m.Case(2 + 2 * step):
                m.d.comb += [
                    dut.indices.release.eq(give),
                    dut.indices.allocate.eq(~give),
                    Assume(~give | ~given.bit_select(dut.indices.release_index, 1)),
                ]
                m.d.sync += taken[step].eq(dut.indices.next_free)
                with m.If(give):
                    m.d.sync += given.bit_select(dut.indices.release_index, 1).eq(1)
            with m.Case(last + 2 * (STEPS - 1 - step)):
                m.d.comb += [dut.indices.unrelease.eq(give), dut.indices.release.eq(~give)]
                with m.If(~give):
                    m.d.comb += Assume(dut.indices.release_index == taken[step])
        with m.Case(last + 2 * STEPS):
            m.d.comb += [
                Assert(dut.indices.free_count == free),
                Assert(dut.indices.next_free == fresh),
            ]
            for index in stack[:-1]:
                now = Array(row[4 : 4 + GRID.index_bits] for row in rows.now)[index]
                m.d.comb += Assert(now == links[index])
    prove(m, cycles=last + 2 * STEPS + 1, platform=contents, last_only=True)


def links_to_the_one_above(m, dut):
    """Links what is released to itself."""
    with m.If(dut.indices.release):
        m.d.comb += m.submodules.red.write_ports[0].data.where.eq(dut.indices.release_index)


def ungive_allocates_nothing(m, dut):
    """Does not take an index off the stack that is no longer released."""
    with m.If(dut.indices.unrelease):
        m.d.sync += [
            dut.indices.free_count.eq(dut.indices.free_count),
            dut.indices.next_free.eq(dut.indices.next_free),
        ]


test_releases_are_undone, test_release_proof_finds_a_fault = proof_and_faults(
    releases_are_undone,
    lambda: SpaceTable(GRID),
    [links_to_the_one_above, ungive_allocates_nothing],
)
