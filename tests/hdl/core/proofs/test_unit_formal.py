"""Proof that the turn unit plays by the rules: any few turns on a small board.

The unit is the whole of it, with its own memories, seen through its ports only, from reset on. It
is given a first turn or two, and then one of which the solver may choose the place, on the board or
beside it, and the shape. Looked at are so many cycles as all turns need that there are. What has to
come out is what :mod:`tests.hdl.core.proofs.turn_spec` says: status, tiles, loops, lines and box.
"""

from __future__ import annotations

import pytest
from amaranth.asserts import AnyConst
from amaranth.hdl import Assert, Assume, Cat, Const, Module, Mux, ResetSignal, Signal, Value

from loopline.hdl.config import GridConfig
from loopline.hdl.core import box as box_module
from loopline.hdl.core.types import Status, TurnOp, box_layout
from loopline.hdl.core.unit import TurnUnit
from tests.hdl.core.proofs.rules_spec import Board, any_of
from tests.hdl.core.proofs.turn_spec import TurnSpec
from tests.hdl.support_formal import faulty, finds_it, prove

GRID = GridConfig(size=8, frontier_entries=16, journal=32)
ORIGIN = (7, 6)
"""Where the board's first cell lies on the torus: the formation reaches over both its edges."""

LINE = 2
"""How long a line is in these proofs: the boards are small."""

MAKE, UNMAKE, COMMIT = TurnOp.MAKE, TurnOp.UNMAKE, TurnOp.COMMIT


@pytest.fixture(autouse=True)
def short_lines(monkeypatch):
    """Lines that a small formation is long enough for."""
    monkeypatch.setattr(box_module, "LINE_LENGTH", LINE)


def torus(place):
    """The cell of the torus."""
    return (place[0] + ORIGIN[0]) % GRID.size, (place[1] + ORIGIN[1]) % GRID.size


def box_is(board: Board, box) -> Value:
    """Whether a box is that of a board."""
    found = []
    for lines, low, high, origin in (
        (board.columns(), box.west, box.east, ORIGIN[0]),
        (board.rows(), box.north, box.south, ORIGIN[1]),
    ):
        for edge in (low, high):
            here = []
            for number, line in enumerate(lines):
                others = lines[:number] if edge is low else lines[number + 1 :]
                here.append(line & ~any_of(others) & (edge == (number + origin) % GRID.size))
            found.append(any_of(here))
    empty = ~any_of(board.columns())
    return Mux(empty, box.empty, Cat(found).all() & ~box.empty)


def turns_equal_the_rules(dut, width, height, opening, *, ops=(MAKE,) * 3, tiles=None):
    """Prove it for these commands on a board of so many cells, which is also the area; of turns
    that have so many tiles together, or all that there is room for. Turns that are taken back or
    kept are legal; beyond what has been kept there is nothing to take back. ``opening`` has the
    cells and the shapes' codes of the first turns, all of which are legal; the solver chooses the
    others.
    """
    tiles = tiles or width * height
    m = Module()
    m.submodules.dut = dut
    cycle, number = Signal(range(256)), Signal(range(len(ops) + 1))
    m.d.sync += cycle.eq(cycle + 1)
    area = max(width, height)
    cells = [(x, y) for y in range(height) for x in range(width)]
    boards = [Board(m, dict.fromkeys(cells, Const(0, 4)), name="empty")]
    outcome, command = dut.outcomes.payload, dut.commands.payload
    box, right = Signal(box_layout(GRID)), Signal(init=1)
    m.d.comb += [
        Assume(~ResetSignal()),
        dut.rules.area.eq(area),
        dut.rules.lines.eq(1),
        box.eq(outcome.box),
    ]
    known, laid, sent = Const(1), [], Signal()
    for step, op in enumerate(ops):
        current = number == step
        if op is MAKE:
            spec, done = a_turn(
                m,
                boards[-1],
                command,
                current,
                known,
                area,
                f"turn{step}",
                opening[step] if step < len(opening) else None,
            )
            boards.append(spec.board)
            laid.append(Mux(spec.status == Status.LEGAL, spec.tiles, 0))
            legal = spec.status == Status.LEGAL
            checks = [outcome.status == spec.status]
            for field in ("tiles", "loops", "lines"):
                checks.append(~legal | (outcome[field] == getattr(spec, field)))
            # Of a game that is not over yet; what is illegal is taken back by the unit itself.
            if step + 1 < len(ops):
                m.d.comb += [Assume(~done | ~(legal & (spec.loops | spec.lines).any()))]
            # What is taken back or kept has been made.
            if step + 1 < len(ops) and ops[step + 1] is not MAKE:
                m.d.comb += Assume(~done | legal)
        elif op is COMMIT:
            boards, done = boards[-1:], known
            checks = [outcome.status == Status.LEGAL]
        else:
            checks = [outcome.status == (Status.LEGAL if len(boards) > 1 else Status.END)]
            boards, done = boards[:-1] or boards, known
        checks.append(box_is(boards[-1], box))
        with m.If(current):
            m.d.comb += [
                command.op.eq(op),
                dut.commands.valid.eq(~sent),
                dut.outcomes.ready.eq(done),
            ]
            with m.If(dut.outcomes.valid & done & ~Cat(checks).all()):
                m.d.sync += right.eq(0)
        known = done
    with m.If(dut.commands.valid & dut.commands.ready):
        m.d.sync += sent.eq(1)
    with m.If(dut.outcomes.valid & dut.outcomes.ready):
        m.d.sync += [sent.eq(0), number.eq(number + 1)]
    m.d.comb += Assume(sum(laid) <= tiles)
    last = 9 * len(ops) + 9 * tiles + 4 * tiles * ops.count(UNMAKE)
    with m.If(cycle == last):
        m.d.comb += [Assert(number == len(ops)), Assert(right)]
    prove(m, cycles=last + 1, last_only=True)


def a_turn(m, before, command, current, known, area, name, given=None):
    """Any turn on a board, or the one that is given, which is ``known`` from some cycle on: its
    specification, and when that is done."""
    places = before.places
    chosen, shape = AnyConst(range(len(places))), AnyConst(2)
    if given:
        chosen, shape = Const(places.index(given[0]), 5), Const(given[1], 2)
    m.d.comb += [Assume(chosen < len(places)), Assume(shape != 3)]
    at = {}
    for index, place in enumerate(places):
        at[place] = Signal(name=f"{name}_at_{index}")
        m.d.comb += at[place].eq(chosen == index)
        with m.If(current & at[place]):
            m.d.comb += [command.x.eq(torus(place)[0]), command.y.eq(torus(place)[1])]
    with m.If(current):
        m.d.comb += Value.cast(command.symbol).eq(shape)
    loaded, started = Signal(name=f"{name}_loaded"), Signal(name=f"{name}_started")
    m.d.sync += [loaded.eq(known), started.eq(loaded)]
    spec = TurnSpec(
        m,
        before,
        at,
        shape,
        load=known & ~loaded,
        start=loaded & ~started,
        area=area,
        line_length=LINE,
    )
    # The first turn is one tile on the board; no turn grows out of the board unless it would
    # grow out of the area.
    inside = any_of(at[cell] for cell in before.cells)
    empty = ~any_of(before.columns())
    with m.If(loaded & ~started):
        m.d.comb += [
            Assume(~empty | inside),
            Assume(inside | ~spec.place_fits | spec.too_large),
        ]
    return spec, spec.done


# The first tile is in the middle, so that each next one is on the board.
SECOND_TURN = {"cross": [((1, 1), 0)], "slash": [((1, 1), 1)]}

# Two tiles side by side, with which a third one forces the fourth, and red may have a loop.
THIRD_TURN = [((0, 0), 1), ((1, 0), 2)]


@pytest.mark.parametrize("name", ["cross", "slash"])
@pytest.mark.slow
def test_a_second_turn_equals_the_rules(name):
    turns_equal_the_rules(TurnUnit(GRID), 3, 3, SECOND_TURN[name], ops=(MAKE,) * 2, tiles=3)


@pytest.mark.slow
def test_a_third_turn_equals_the_rules():
    turns_equal_the_rules(TurnUnit(GRID), 2, 2, THIRD_TURN)


@pytest.mark.slow
def test_a_turn_taken_back_is_gone():
    """And the next one, which may be any other, is made as if it had never been."""
    ops = (MAKE, MAKE, UNMAKE, MAKE)
    turns_equal_the_rules(TurnUnit(GRID), 2, 2, [((0, 0), 1)], ops=ops)


@pytest.mark.slow
def test_nothing_that_is_kept_is_taken_back():
    ops = (MAKE, COMMIT, MAKE, UNMAKE, UNMAKE)
    turns_equal_the_rules(TurnUnit(GRID), 2, 2, [((0, 0), 1)], ops=ops, tiles=2)


def writes_no_cell_in_undo(m, dut):
    """Takes back all but the tiles and the spaces on the map."""
    undoing = Signal()
    with m.If(dut.commands.valid & dut.commands.ready):
        m.d.sync += undoing.eq(dut.commands.payload.op == UNMAKE)
    with m.If(undoing):
        m.d.comb += m.submodules.cells.write.en.eq(0)


@pytest.mark.slow
def test_a_turn_that_is_not_quite_taken_back_is_found():
    dut = faulty(TurnUnit(GRID), writes_no_cell_in_undo)
    with finds_it:
        turns_equal_the_rules(dut, 2, 2, [((0, 0), 1)], ops=(MAKE, MAKE, UNMAKE, MAKE))


def counts_one_tile_only(m, dut):
    """Tells of one tile whatever the turn."""
    m.d.comb += dut.outcomes.payload.tiles.eq(1)


@pytest.mark.slow
def test_unit_proof_finds_a_fault():
    with finds_it:
        turns_equal_the_rules(faulty(TurnUnit(GRID), counts_one_tile_only), 2, 2, THIRD_TURN)
