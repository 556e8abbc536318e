"""Proofs about the core's parts, each of which is shown to find a fault that was put in."""

from dataclasses import replace

import pytest
from amaranth.asserts import AnyConst
from amaranth.hdl import Array, Assert, Assume, Cat, Mux, Signal, Value

from loopline.game import Colour, Shape, Side
from loopline.hdl.config import Banks, GridConfig
from loopline.hdl.core.cells import CellMap
from loopline.hdl.core.forced import ForcedQueue
from loopline.hdl.core.journal import EntryKind, Journal
from loopline.hdl.core.memory import WithMemories
from loopline.hdl.core.spaces import SpaceTable
from loopline.hdl.core.tile import TileFit
from loopline.hdl.core.types import Meeting
from tests.hdl.support_formal import (
    assert_stream_contract,
    faulty,
    finds_it,
    module,
    proof_and_faults,
    prove,
)

GRID = GridConfig(size=8, frontier_entries=16, journal=32)


# The tile that fits: the answer for each of the 1,024 inputs, from the game's tiles.


def fitting_tiles(white, red, code):
    """The tiles of the shape with this code that match all sockets; a code may have no shape."""
    return [
        tile
        for shape in Shape
        for tile in shape.tiles
        if shape.code == code
        and not white & tile.edges(Colour.RED)
        and not red & tile.edges(Colour.WHITE)
    ]


def tile_fit(dut):
    m = module(dut, dut.white, dut.red, dut.shape)
    inputs = Cat(dut.white, dut.red, Value.cast(dut.shape))
    with m.Switch(inputs):
        for bits in range(1 << len(inputs)):
            if tiles := fitting_tiles(bits & 15, bits >> 4 & 15, bits >> 8):
                with m.Case(bits):
                    # The first one has a white north edge.
                    m.d.comb += [Assert(dut.fits), Assert(dut.tile == tiles[0])]
        with m.Default():
            m.d.comb += Assert(~dut.fits)
    prove(m, cycles=1)


def prefers_the_other_tile(m, dut):
    """Takes the wrong tile where both fit: in a space without sockets."""
    with m.If((dut.white | dut.red) == 0):
        m.d.comb += dut.tile.eq(Array(shape.tiles[1] for shape in Shape)[dut.shape])


test_tile_fit_equals_the_game, test_tile_fit_proof_finds_a_fault = proof_and_faults(
    tile_fit, TileFit, [prefers_the_other_tile]
)


# The journal: any entry, told by its level, is what was pushed there last.


def journal_keeps_order(dut, depth=4):
    dut = WithMemories(dut)
    m = module(dut)
    pushes = dut.push_track | dut.push_tile
    accepted = pushes & (dut.level != depth) & ~dut.clear
    level, pushed = Signal(range(depth + 1)), Signal()
    chosen, kind = AnyConst(range(depth)), Signal.like(Value.cast(dut.kind))
    is_track, track, tile = Signal(), Signal.like(dut.track), Signal.like(dut.tile)
    m.d.comb += [
        Assume(dut.push_track + dut.push_tile + dut.pop <= 1),
        Assert(dut.level == level),
    ]
    m.d.sync += pushed.eq(accepted)
    with m.If(dut.clear):
        m.d.sync += level.eq(0)
    with m.Elif(accepted):
        m.d.sync += level.eq(level + 1)
    with m.Elif(dut.pop & (level != 0)):
        m.d.sync += level.eq(level - 1)
    with m.If(accepted & (level == chosen)):
        m.d.sync += [
            is_track.eq(dut.push_track),
            kind.eq(Mux(dut.push_track, EntryKind.TRACK, dut.kind)),
            track.eq(dut.track),
            tile.eq(dut.tile),
        ]
    with m.If((level == chosen + 1) & ~pushed):
        m.d.comb += Assert(Value.cast(dut.top.kind) == kind)
        with m.If(is_track):
            m.d.comb += Assert(Value.cast(dut.top.body.track) == Value.cast(track))
        with m.Else():
            m.d.comb += Assert(Value.cast(dut.top.body.tile) == Value.cast(tile))
    prove(m, cycles=12)


def overwrites_when_full(m, dut):
    """Does not lose a push onto a full journal, but the oldest entry."""
    m.d.comb += dut.memory.w_en.eq(dut.push_track | dut.push_tile)


def pushes_tracks_as_tiles(m, dut):
    m.d.comb += dut.memory.w_data.kind.eq(dut.kind)


test_journal_keeps_its_order, test_journal_proof_finds_a_fault = proof_and_faults(
    journal_keeps_order,
    lambda: Journal(GRID, reserved=28),
    [overwrites_when_full, pushes_tracks_as_tiles],
)


# The queue: whatever is put in is taken out in its turn, and ``empty`` says so.


def queue_keeps_order(dut):
    cycles = 10
    m = module(dut, dut.push, dut.place, dut.pending.ready)
    assert_stream_contract(m, dut.pending)
    pushes, takes = Signal(range(cycles + 1)), Signal(range(cycles + 1))
    chosen, place = AnyConst(range(cycles)), Signal(len(Value.cast(dut.place)))
    with m.If(dut.push):
        m.d.sync += pushes.eq(pushes + 1)
        with m.If(pushes == chosen):
            m.d.sync += place.eq(dut.place)
    with m.If(dut.pending.valid & dut.pending.ready):
        m.d.comb += Assert(takes < pushes)
        m.d.sync += takes.eq(takes + 1)
        with m.If(takes == chosen):
            m.d.comb += Assert(Value.cast(dut.pending.payload) == place)
    m.d.comb += Assert(dut.empty == (pushes == takes))
    # What has been in for two cycles can be taken, but not right after another one.
    before, took = Signal.like(pushes), Signal()
    m.d.sync += [before.eq(pushes), took.eq(dut.pending.valid & dut.pending.ready)]
    with m.If((takes < before) & ~took):
        m.d.comb += Assert(dut.pending.valid)
    prove(m, cycles=cycles)


test_queue_keeps_its_order, test_queue_proof_finds_a_fault = proof_and_faults(
    lambda dut: queue_keeps_order(WithMemories(dut)),
    lambda: ForcedQueue(GRID),
    {"forgets what is on its way": lambda dut: dut.empty.eq(~dut.pending.valid)},
)


# The frontier table: no index is given twice, and a release can be undone.


def indices_are_given_once(dut):
    m = module(
        dut,
        dut.indices.allocate,
        dut.indices.release,
        dut.indices.release_index,
        dut.indices.unrelease,
        dut.write.x,
        dut.write.y,
    )
    used, gave, last = (
        Signal(GRID.frontier_entries),
        Signal(),
        Signal.like(dut.indices.release_index),
    )
    released = Signal()
    m.d.comb += [
        # What is allocated becomes a space, whose coordinates take the place of the link.
        dut.working.eq(1),
        dut.write.en.eq(dut.indices.allocate | dut.indices.unrelease),
        dut.write.space.eq(1),
        dut.write.cell.white.eq(1),
        dut.write.cell.index.eq(dut.indices.next_free),
        # One at a time; what is released is in use; what is undone was the last of all.
        Assume(dut.indices.allocate + dut.indices.release + dut.indices.unrelease <= 1),
        Assume(~dut.indices.release | used.bit_select(dut.indices.release_index, 1)),
        Assume(~dut.indices.unrelease | (released & ~gave)),
        # As documented: not in the cycle after ``give``, nor when none is free.
        Assume(~dut.indices.allocate | (~gave & (dut.indices.free_count != 0))),
        Assert(dut.indices.free_count == GRID.frontier_entries - sum(used)),
    ]
    started = Signal()
    m.d.sync += [started.eq(1), gave.eq(dut.indices.release)]
    m.d.comb += Assume(started | ~dut.indices.allocate)
    with m.If(dut.indices.allocate):
        m.d.comb += Assert(~used.bit_select(dut.indices.next_free, 1))
        m.d.sync += [used.bit_select(dut.indices.next_free, 1).eq(1), released.eq(0)]
    with m.If(dut.indices.release):
        m.d.sync += [
            used.bit_select(dut.indices.release_index, 1).eq(0),
            released.eq(1),
            last.eq(dut.indices.release_index),
        ]
    with m.If(dut.indices.unrelease):
        m.d.comb += Assert(dut.indices.next_free == last)
        m.d.sync += [used.bit_select(last, 1).eq(1), released.eq(0)]
    for index in range(GRID.frontier_entries):
        with m.If(used[index]):
            m.d.comb += Assert(dut.high > index)
    prove(m, cycles=10)


def links_to_itself(m, dut):
    """Puts a released index above itself, not above the top of the stack."""
    with m.If(dut.indices.release):
        m.d.comb += m.submodules.red.write_ports[0].data.where.eq(dut.indices.release_index)


test_indices_are_given_once, test_space_table_proof_finds_a_fault = proof_and_faults(
    indices_are_given_once, lambda: SpaceTable(GRID), [links_to_itself]
)


# Its entries: any one is what was written there last, and without sockets if it was released; what
# was read stays until something else is. Either memory may be asked for another place instead.


def entry_is_kept(dut):
    m = module(dut)
    chosen = AnyConst(GRID.index_bits)
    cell = dut.write.cell
    writes = dut.write.en & dut.write.space
    m.d.comb += [
        Assume(~dut.working),
        # A space has sockets, one on a side.
        Assume(~writes | (cell.white | cell.red).any()),
        Assume(~writes | ~(cell.white & cell.red).any()),
        Assume(~(writes & (dut.indices.release | dut.wipe)) & ~(dut.indices.release & dut.wipe)),
    ]
    word = Signal(dut.entry.shape())
    with m.If(
        (dut.indices.release & (dut.indices.release_index == chosen))
        | (dut.wipe & (dut.wipe_index == chosen))
    ):
        m.d.sync += Value.cast(word).eq(0)
    with m.If(writes & (cell.index == chosen)):
        m.d.sync += [
            word.place.x.eq(dut.write.x),
            word.place.y.eq(dut.write.y),
            word.white.eq(cell.white),
            word.red.eq(cell.red),
        ]
    asked, expected = Signal(), Signal(dut.entry.shape())
    followed, reached = Signal(2), Signal(2)
    with m.If(dut.en):
        m.d.sync += [
            asked.eq(dut.index == chosen),
            expected.eq(word),
            followed.eq(dut.follow),
            reached.eq(Cat(index == chosen for index in dut.partners)),
        ]
    live = (expected.white | expected.red).any()
    # After a turn there is one socket of each colour at most.
    masks = {Colour.WHITE: expected.white, Colour.RED: expected.red}
    valid = ~Cat((mask & (mask - 1)).any() for mask in masks.values()).any()
    with m.If(asked & ~followed.any()):
        with m.If(valid):
            m.d.comb += Assert(
                Cat(dut.entry.white, dut.entry.red) == Cat(expected.white, expected.red)
            )
        with m.If(live & valid):
            m.d.comb += Assert(Value.cast(dut.entry) == Value.cast(expected))
    with m.If(asked & ~followed.all()):
        m.d.comb += Assert(dut.seen.live == live)
        with m.If(live):
            m.d.comb += Assert(Value.cast(dut.seen.place) == Value.cast(expected.place))
    for colour in Colour:
        with m.If(followed[colour] & reached[colour] & live):
            m.d.comb += Assert(Value.cast(dut.ends[colour].place) == Value.cast(expected.place))
        end, own, other = dut.ends[colour], masks[colour], masks[Colour(1 - colour)]
        opposite = Cat(other[2:], other[:2])
        with m.If(followed[colour] & reached[colour] & valid):
            m.d.comb += Assert((end.meeting != Meeting.ABSENT) == own.any())
            with m.If(own.any()):
                m.d.comb += [
                    Assert(own == Value.cast(1) << end.side),
                    Assert((end.meeting == Meeting.ALONE) == ~other.any()),
                    Assert((end.meeting == Meeting.OPPOSITE) == (own & opposite).any()),
                ]
    prove(m, cycles=7)


def tiles_are_entries(m, dut, memory):
    """Writes tiles, too, whose index is none."""
    m.d.comb += memory.write_ports[0].en.eq(dut.wipe | dut.indices.release | dut.write.en)


def keeps_what_is_given_back(m, dut, memory):
    """Does not free an index that is given back."""
    m.d.comb += memory.write_ports[0].en.eq(dut.wipe | (dut.write.en & dut.write.space))


def reads_all_the_time(m, _dut, memory):
    """Does not keep what was read."""
    m.d.comb += memory.read_ports[0].en.eq(1)


def gives_back_the_wrong_one(m, dut, memory):
    """Frees the index of the cell that is written."""
    index = Mux(dut.wipe, dut.wipe_index, dut.write.cell.index)
    m.d.comb += memory.write_ports[0].addr.eq(index)


def follows_nobody(m, dut, memory):
    """Reads the entry itself instead of a partner's place."""
    m.d.comb += memory.read_ports[0].addr.eq(dut.index)


def tells_nothing_of_sockets(m, _dut, memory):
    """Says of every space that it is free."""
    m.d.comb += memory.write_ports[0].data.code.eq(0)


def test_entry_is_kept():
    entry_is_kept(SpaceTable(GRID))


@pytest.mark.parametrize("memory", ["white", "red"])
@pytest.mark.parametrize(
    "fault",
    [
        tiles_are_entries,
        keeps_what_is_given_back,
        gives_back_the_wrong_one,
        reads_all_the_time,
        follows_nobody,
        tells_nothing_of_sockets,
    ],
)
def test_entries_proof_finds_a_fault(fault, memory):
    def planted(m, dut):
        fault(m, dut, getattr(m.submodules, memory))

    with finds_it:
        entry_is_kept(faulty(SpaceTable(GRID), planted))


# The cell map: any one cell is what was written there last, read by itself or as a neighbour.


def cell_is_kept(dut, *, one_at_a_time=False):
    m = module(
        dut,
        dut.read.x,
        dut.read.y,
        dut.read.en,
        dut.around,
        dut.centre.x,
        dut.centre.y,
        dut.pair.en,
        dut.pair.place.x,
        dut.pair.place.y,
        dut.pair.beside.x,
        dut.pair.beside.y,
        dut.pair.down,
        dut.write.en,
        dut.write.x,
        dut.write.y,
        # All bits of a word are alike, and one is sooner done.
        Value.cast(dut.write.cell)[0],
    )
    bits, pair = GRID.coord_bits, dut.pair
    # A neighbour of the cell at ``pair.place``.
    pair_x = Mux(pair.down, pair.place.x, pair.beside.x)
    pair_y = Mux(pair.down, pair.beside.y, pair.place.y)
    columns, rows = (pair.beside.x - pair.place.x)[:bits], (pair.beside.y - pair.place.y)[:bits]
    for step in (columns, rows):
        m.d.comb += Assume((step == 1) | (step == (1 << bits) - 1))
    m.d.comb += Assume(~(dut.around & pair.en))
    at_x = Mux(dut.around, dut.centre.x, Mux(pair.en, pair_x, dut.read.x))
    at_y = Mux(dut.around, dut.centre.y, Mux(pair.en, pair_y, dut.read.y))
    if one_at_a_time:
        same_bank = CellMap._bank(dut.read.x, dut.read.y) == CellMap._bank(dut.write.x, dut.write.y)
        several = dut.around | pair.en
        m.d.comb += Assume(~dut.write.en | ~(several | (dut.read.en & same_bank)))
    x, y = AnyConst(bits), AnyConst(bits)
    word = Signal(len(Value.cast(dut.write.cell)))
    with m.If(dut.write.en & (dut.write.x == x) & (dut.write.y == y)):
        m.d.sync += word.eq(dut.write.cell)
    # Which answer, if any, is that cell's, and what it has to be.
    itself, beside, expected = Signal(), Signal(4), Signal.like(word)
    with m.If(dut.read.en):
        m.d.sync += [
            itself.eq(~dut.around & (at_x == x) & (at_y == y)),
            expected.eq(word),
        ]
        for side in Side:
            columns, rows = side.step
            is_neighbour = ((at_x + columns)[:bits] == x) & ((at_y + rows)[:bits] == y)
            m.d.sync += beside[side].eq(dut.around & is_neighbour)
    with m.If(itself):
        m.d.comb += Assert(Value.cast(dut.read.cell) == expected)
    for side in Side:
        with m.If(beside[side]):
            m.d.comb += Assert(Value.cast(dut.neighbours[side]) == expected)
    prove(m, cycles=7)


class SharesARow(CellMap):
    """Takes the lowest bits of both coordinates for the bank: neighbours share one."""

    @staticmethod
    def _bank(x, y):
        return Cat(x[0], y[0])


def test_cell_is_kept():
    cell_is_kept(CellMap(GRID))


@pytest.mark.parametrize("banks", [Banks.SINGLE_PORT, Banks.PAIRED])
def test_cell_is_kept_behind_one_port(banks):
    cell_is_kept(CellMap(replace(GRID, banks=banks)), one_at_a_time=True)


@pytest.mark.parametrize("banks", [Banks.SINGLE_PORT, Banks.PAIRED])
def test_one_port_is_not_enough_for_all_reads_and_writes(banks):
    with finds_it:
        cell_is_kept(CellMap(replace(GRID, banks=banks)))


def test_cell_map_proof_finds_a_fault():
    with finds_it:
        cell_is_kept(SharesARow(GRID))
