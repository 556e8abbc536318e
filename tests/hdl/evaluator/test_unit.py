"""Candidates of the turn unit by its streams, with both held back at random.

Whole games are compared at native speed, in ``tests/sim/probe/test_evaluator.py``.
"""

from __future__ import annotations

import pytest

from loopline.game import LIMITED, STANDARD, Position, parse_turn, variant_named
from loopline.hdl.config import GridConfig
from loopline.hdl.core.rules import rules_of
from loopline.hdl.core.types import Status, TurnOp
from loopline.hdl.core.unit import TurnUnit
from loopline.hdl.evaluator.types import Mode
from loopline.sim.probe.turn_unit import Evaluation
from tests.game.corridors import corridor
from tests.game.positions import chosen_positions
from tests.hdl.core.unit.games import random_turns, start_of
from tests.hdl.core.unit.scrambled import scramble
from tests.hdl.core.unit.test_unit import Unit, candidates_of
from tests.hdl.evaluator.verdicts import by_rules
from tests.hdl.support import Stalls, simulate, stream_get, stream_put

SMALL = GridConfig(size=8, frontier_entries=32, journal=128)
GRID = GridConfig(size=16, frontier_entries=64, journal=256)


def run(testbench, *, grid=GRID, seed=None, stalls=None, variant=STANDARD, cycles=20_000):
    """Run a testbench; return the modes of the tokens."""
    dut, modes = TurnUnit(grid, evaluator=True), set()
    stalls = stalls if seed is None else Stalls(seed)

    async def play(ctx):
        ctx.set(dut.rules, rules_of(variant, grid))
        await testbench(Unit(ctx, dut, grid, stalls))

    async def watch(ctx):
        async for _, _, mode in ctx.tick().sample(dut.slot.mode):
            modes.add(mode)

    checks = [dut.commands, dut.outcomes]
    simulate(dut, play, check=checks, background=[watch], cycles=cycles)
    return modes


async def evaluate_all(unit):
    """Return the evaluations of one EVALUATE by frontier index and shape code."""
    found = {}
    await stream_put(unit.ctx, unit.dut.commands, {"op": TurnOp.EVALUATE}, stalls=unit.stalls)
    while True:
        outcome = await stream_get(unit.ctx, unit.dut.outcomes, stalls=unit.stalls)
        if outcome.status == Status.END:
            return found
        key = outcome.turn.index, outcome.turn.symbol.value
        assert key not in found
        legal = outcome.status == Status.LEGAL
        figures = (outcome.tiles, outcome.loops, outcome.lines) if legal else (0, 0, 0)
        found[key] = Evaluation(Status(outcome.status), *figures, unit.box(outcome))


async def spaces(unit):
    """Where each space that has candidates lies, by frontier index."""
    found, index = {}, 0
    while (outcome := await unit.do(TurnOp.NEXT, index=index)).status == Status.LEGAL:
        found[outcome.turn.index] = outcome.turn.x, outcome.turn.y
        index = outcome.turn.index + 1
    return found


async def check(unit, position, grid):
    """Evaluate all candidates twice, and compare with the rules; of AREA only the number."""
    expected, _ = by_rules(position, grid)
    first = await evaluate_all(unit)
    places = await spaces(unit)
    assert await evaluate_all(unit) == first
    assert len(first) == len(expected)
    inside = {
        (*places[index], symbol): said
        for (index, symbol), said in first.items()
        if said.status is not Status.AREA
    }
    for key, said in expected.items():
        found = inside.get(key)
        assert said.status is Status.AREA or found == said, f"{key}: {found}, expected {said}"


async def play_out(unit, turns, grid, *, every, variant=STANDARD):
    """Make the turns, and compare before the first, each so many and after the last."""
    position = Position(variant)
    assert await evaluate_all(unit) == {}
    for number, turn in enumerate(turns, 1):
        outcome = await unit.make(start_of(position, turn))
        assert outcome.status == Status.LEGAL
        position.play(turn)
        if number % every == 0 or number == len(turns):
            await check(unit, position, grid)
    return position


@pytest.mark.parametrize(
    "seed", [None, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))]
)
def test_random_game(seed, monkeypatch):
    """Turns are unmade between evaluations, to the start. The memories promise no more than block
    RAMs do."""
    scramble(monkeypatch)
    turns = random_turns(3 if seed is None else seed, most=9, limit=SMALL.limit, finish=False)

    async def play(unit):
        position = await play_out(unit, turns, SMALL, every=4)
        while position.turns:
            assert (await unit.do(TurnOp.UNMAKE)).status == Status.LEGAL
            position.undo()
            if position.turns in (2, 5):
                await check(unit, position, SMALL)
        assert await unit.candidates() == candidates_of(position, SMALL.size - 1)
        assert await evaluate_all(unit) == {}

    run(play, grid=SMALL, seed=seed)


CHAINS = sorted(
    (chosen for chosen in chosen_positions("illegal", "chains", "both") if chosen.width <= 14),
    key=lambda chosen: len(chosen.turns),
)[:6]


@pytest.mark.parametrize(
    "chosen",
    [
        pytest.param(chosen, marks=pytest.mark.slow if number else (), id=chosen.name)
        for number, chosen in enumerate(CHAINS)
    ],
)
def test_chosen_position(chosen):
    variant = variant_named(chosen.variant)
    turns = [parse_turn(turn) for turn in chosen.turns[:-1]]

    async def play(unit):
        await play_out(unit, turns, GRID, every=99, variant=variant)

    run(play, seed=len(turns), variant=variant)


@pytest.mark.slow
def test_slow_path():
    """A corridor longer than a candidate's window: some candidates take the slow path."""

    async def play(unit):
        await play_out(unit, corridor(9), GRID, every=99)

    assert Mode.SLOW in run(play, seed=5, cycles=60_000)


def test_slow_path_waits_for_the_outcome_before():
    """An outcome that is not taken for long shows its own box, not that of the turn being made."""
    turns = [parse_turn(turn) for turn in "@0+ B1\\ C1\\ D1\\ E1+ F1/ G1/ H1/ I1/ J1\\".split()]
    grid = GridConfig(size=32, frontier_entries=64)  # wider than a candidate's window

    async def play(unit):
        await play_out(unit, turns, grid, every=99)

    stalls = Stalls(7, chance=0.9, longest=40)
    assert Mode.SLOW in run(play, grid=grid, stalls=stalls, cycles=60_000)


@pytest.mark.slow
def test_area():
    turns = [parse_turn(turn) for turn in "@0/ B1/ C1\\ D1/ E1/ F1/ G1/ H1/".split()]

    async def play(unit):
        await play_out(unit, turns, GRID, every=99, variant=LIMITED)

    run(play, seed=6, variant=LIMITED)


def test_without_evaluator():
    """A unit without evaluator answers END at once, and plays on."""
    dut = TurnUnit(SMALL)

    async def play(ctx):
        ctx.set(dut.rules, rules_of(STANDARD, SMALL))
        unit = Unit(ctx, dut, SMALL, None)
        assert (await unit.do(TurnOp.EVALUATE)).status == Status.END
        assert (await unit.make(start_of(Position(), parse_turn("@0+")))).status == Status.LEGAL
        assert (await unit.do(TurnOp.EVALUATE)).status == Status.END
        assert len(await unit.candidates()) == 12

    simulate(dut, play, check=[dut.commands, dut.outcomes])
