# amaranth: UnusedElaboratable=no

"""Members and what is between them, step by step: a test sets the registers of a lane, and is all
others. What comes of whole searches is in ``test_crew.py``."""

from __future__ import annotations

from itertools import product

import pytest
from amaranth.hdl import Module
from amaranth.lib import wiring
from amaranth.lib.wiring import In

from loopline.hdl.config import GridConfig
from loopline.hdl.search.config import BEATS_DELAY, SearchConfig
from loopline.hdl.search.evaluation.weights import read_groups
from loopline.hdl.search.lane import State
from loopline.hdl.search.lanes.crew import Crew
from loopline.hdl.search.lanes.member import Member, Step, team_port
from loopline.hdl.search.lanes.nodes import Over
from tests.hdl.support import pulse, simulate, ticks

LANES = 3
CONFIG = SearchConfig(
    grid=GridConfig(size=16, frontier_entries=64, journal=64),
    table_bits=0,
    plies=32,
    lanes=LANES,
)


def lane(number: int = 1) -> Member:
    return Member(CONFIG, read_groups(), number)


def put(ctx, dut: Member, **values) -> None:
    """Set registers of the lane."""
    for name, value in values.items():
        ctx.set(getattr(dut._registers, name), value)


def team(ctx, dut: Member, **values) -> None:
    """Set what the lane is told by all others."""
    for name, value in values.items():
        ctx.set(getattr(dut.team, name), value)


def at(ctx, dut: Member) -> tuple[State, Step]:
    return ctx.get(dut._registers.state), ctx.get(dut._registers.step)


async def doom(ctx, dut: Member, ply: int, beat: int) -> None:
    """Tell the lane to give up what is below a ply, before it is where the test puts it."""
    team(ctx, dut, grant_clock=beat - BEATS_DELAY, home=ply)
    await pulse(ctx, dut.team.gives_up)


# What the lane is to give up.

PLACES = [
    # What the lane does; the ply at which it counts; whether it waits there.
    ({"state": State.ENTER, "ply": 5}, 5, False),
    ({"state": State.SCANNING, "ply": 5}, 5, False),
    ({"state": State.TEAM, "step": Step.ASK, "ply": 5}, 5, False),
    ({"state": State.TEAM, "step": Step.REPLAYING, "ply": 2, "home": 5}, 5, False),
    ({"state": State.TEAM, "step": Step.BACK, "ply": 7, "above": 5}, 5, False),
    ({"state": State.TEAM, "step": Step.REST, "ply": 5}, 5, True),
    ({"state": State.TEAM, "step": Step.UNWIND_REST, "ply": 5}, 5, True),
]


@pytest.mark.parametrize(
    ("doing", "here", "waits"), PLACES, ids=[str(n) for n, _ in enumerate(PLACES)]
)
def test_what_a_lane_heeds(doing: dict, here: int, waits: bool) -> None:
    """It is below the node, or works at it; and what it has to give up already is not as much."""
    dut = lane()

    async def testbench(ctx) -> None:
        await ctx.tick()
        # Each one is above the others.
        for doomed in (None, 9, 5, 3, 0):
            if doomed is not None:
                await doom(ctx, dut, doomed, 1000)
            put(ctx, dut, **doing)
            for home in range(12):
                team(ctx, dut, home=home)
                is_there = here > home or (here == home and not waits)
                is_more = doomed is None or home < doomed
                assert ctx.get(dut.team.heeds) == (is_there and is_more), (doomed, home)
            put(ctx, dut, state=State.IDLE)

    simulate(dut, testbench)


def test_what_a_lane_that_waits_has_to_give_up_stays_due() -> None:
    """The least clock goes on for more beats than can be compared; then the lane goes on."""
    dut = lane()

    async def testbench(ctx) -> None:
        await ctx.tick()
        put(ctx, dut, clock=950)
        await doom(ctx, dut, 3, 1000)
        put(ctx, dut, state=State.TEAM, step=Step.REST, ply=6, at_root=0)
        for least in range(960, 3600, 40):
            team(ctx, dut, least=least)
            await ctx.tick()
        team(ctx, dut, grant_clock=3600)
        await pulse(ctx, dut.team.woken)
        assert ctx.get(dut._registers.clock) == 3600
        await ticks(ctx, 2)
        assert at(ctx, dut) == (State.TEAM, Step.CUT)
        assert ctx.get(dut._registers.target) == 3

    simulate(dut, testbench)


@pytest.mark.parametrize(
    ("clock", "target"), [(999, None), (1000, 5), (1039, 5), (1040, 3), (1080, 3)]
)
def test_what_is_above_is_given_up_later(clock: int, target: int | None) -> None:
    """What is below is given up at its own beat, whether the lane knows of the upper one or not."""
    dut = lane()

    async def testbench(ctx) -> None:
        await ctx.tick()
        put(ctx, dut, clock=999)
        await doom(ctx, dut, 5, 1000)
        await doom(ctx, dut, 3, 1040)
        put(ctx, dut, state=State.SCANNING, ply=6, at_root=0, clock=clock)
        await ticks(ctx, 2)
        put(ctx, dut, state=State.CHOOSE)
        await ticks(ctx, 2)
        assert (at(ctx, dut) == (State.TEAM, Step.CUT)) == (target is not None)
        assert target in (None, ctx.get(dut._registers.target))

    simulate(dut, testbench)


def test_all_nodes_below_are_closed_each_time() -> None:
    """Also one with the number of a node that was given up before."""
    dut = lane()

    async def testbench(ctx) -> None:
        await ctx.tick()
        r = dut._registers
        for target in (6, 4):
            put(ctx, dut, state=State.IDLE, clock=1000)
            await doom(ctx, dut, target, 1000)
            put(ctx, dut, state=State.CHOOSE, ply=9, at_root=0, child=0, used=0b0111)
            for ply, value in zip(r.plies, (5, 7, 8, 9), strict=True):
                ctx.set(ply, value)
            team(ctx, dut, granted=1, ready=1)
            cut = []
            while at(ctx, dut) != (State.TEAM, Step.AT_FRAME):
                if ctx.get(dut.team.valid):
                    assert ctx.get(dut.team.written.over) == Over.CUT
                    cut.append((ctx.get(dut.team.node.slot), ctx.get(dut.team.ply)))
                await ctx.tick()
            assert cut == [(n, ply) for n, ply in enumerate((5, 7, 8)) if ply > target]
            team(ctx, dut, granted=0, ready=0)

    simulate(dut, testbench)


@pytest.mark.parametrize(("below", "home", "later"), [(0, 8, 0), (1, 8, BEATS_DELAY), (1, 4, 0)])
def test_help_below_a_node_of_its_own_is_given_up_later(below: int, home: int, later: int) -> None:
    """When the lane that it helps there has heard that the node is closed."""
    dut = lane()

    async def testbench(ctx) -> None:
        await ctx.tick()
        put(ctx, dut, clock=1000)
        await doom(ctx, dut, 4, 1000)
        put(ctx, dut, state=State.CHOOSE, ply=9, at_root=0, child=0, used=0b0001)
        put(ctx, dut, below=below, home=home)
        ctx.set(dut._registers.plies[0], 6)
        team(ctx, dut, granted=1, ready=1)
        while at(ctx, dut) != (State.TEAM, Step.AT_FRAME):
            assert ctx.get(dut._registers.clock) == 1000
            await ctx.tick()
        assert ctx.get(dut._registers.clock) == 1000 + later

    simulate(dut, testbench)


@pytest.mark.parametrize("over", [Over.OPEN, Over.NO_TURN, Over.CUT])
def test_a_turn_is_searched_again_unless_its_node_has_a_cut(over: Over) -> None:
    dut = lane()

    async def testbench(ctx) -> None:
        await ctx.tick()
        r = dut._registers
        put(ctx, dut, state=State.TEAM, step=Step.AGAIN, ply=3, at_root=0, asks=1, child=1)
        put(ctx, dut, over=over)
        await ctx.tick()
        cut = over == Over.CUT
        assert ctx.get(r.state) == (State.CHOOSE if cut else State.ENTER)
        assert (ctx.get(r.busy), ctx.get(r.child), ctx.get(r.asks)) == (cut, not cut, 0)

    simulate(dut, testbench)


@pytest.mark.parametrize(("ply", "target"), [(0, 0), (4, 4), (4, 2)])
@pytest.mark.parametrize("stopped", [False, True])
def test_a_node_at_which_a_search_ends_is_closed(ply: int, target: int, stopped: bool) -> None:
    """Nobody tells a value there any more."""
    dut = lane(0)

    async def testbench(ctx) -> None:
        await ctx.tick()
        put(ctx, dut, state=State.TEAM, step=Step.UNWIND, ply=ply, target=target, stopped=stopped)
        await ctx.tick()
        closes = stopped and ply == target
        assert at(ctx, dut)[1] == (Step.UNWIND_CUT if closes else Step.UNWIND_WAIT)

    simulate(dut, testbench)


def test_a_lane_goes_on_at_the_clock_of_the_last_helper() -> None:
    dut = lane()

    async def testbench(ctx) -> None:
        await ctx.tick()
        for step in (Step.REST, Step.UNWIND_REST):
            put(ctx, dut, state=State.TEAM, step=step, ply=3, at_root=0, clock=100)
            team(ctx, dut, grant_clock=170)
            await pulse(ctx, dut.team.woken)
            assert ctx.get(dut._registers.clock) == 170

    simulate(dut, testbench)


@pytest.mark.parametrize("abandons", [False, True])
@pytest.mark.parametrize("granted", [False, True])
def test_a_lane_that_looks_for_work_rests_unless_its_job_is_dropped(
    abandons: bool, granted: bool
) -> None:
    """With the grant it may have an operation under way, which a dropped job leaves behind."""
    dut = lane()

    async def testbench(ctx) -> None:
        await ctx.tick()
        put(ctx, dut, state=State.TEAM, step=Step.FREE, asks=1)
        team(ctx, dut, works=1, granted=granted)
        ctx.set(dut.abandon, abandons)
        await ctx.delay(0)
        assert ctx.get(dut.team.rests) == (not (abandons and granted))

    simulate(dut, testbench)


@pytest.mark.parametrize("again", [False, True])
def test_a_turn_that_is_searched_again_is_unmade_when_it_is_given_up(again: bool) -> None:
    """It has stayed made; another one is unmade when its value is known."""
    dut = lane()

    async def testbench(ctx) -> None:
        await ctx.tick()
        r = dut._registers
        put(ctx, dut, clock=1000)
        await doom(ctx, dut, 2, 1000)
        put(ctx, dut, state=State.VALUE, ply=3, at_root=0, value=-10)
        for name, value in (("zero", again), ("reduced", again), ("alpha", 0), ("beta", 20)):
            ctx.set(getattr(r.f, name), value)
        await ctx.tick()
        assert ctx.get(r.state) == (State.ENTER if again else State.TAKE)
        assert (ctx.get(r.child), ctx.get(r.busy)) == (again, not again)
        if again:
            while ctx.get(r.state) == State.ENTER:
                await ctx.tick()
            assert at(ctx, dut) == (State.TEAM, Step.CUT)
            await ctx.tick()
            assert ctx.get(r.state) == State.UNWIND

    simulate(dut, testbench)


# Help.


def test_a_helper_begins_with_nothing_of_its_last_job() -> None:
    """There its last turn was refused; and it has dropped a job in quiescence."""
    dut = lane()

    async def testbench(ctx) -> None:
        await ctx.tick()
        r = dut._registers
        put(ctx, dut, state=State.TEAM, step=Step.REPLAY, ply=2, home=2, at_root=0, again=1)
        ctx.set(r.f.leaf, 1)
        team(ctx, dut, has_job=1)
        await ctx.tick()
        assert (ctx.get(r.state), ctx.get(r.again)) == (State.CHOOSE, 0)
        await ticks(ctx, 2)
        assert at(ctx, dut) == (State.TEAM, Step.ASK)
        team(ctx, dut, granted=1, ready=1)
        await ctx.tick()
        assert at(ctx, dut) == (State.TEAM, Step.CHOOSE)
        assert ctx.get(r.f.leaf) == 0

    simulate(dut, testbench)


@pytest.mark.parametrize("below", [False, True])
def test_the_points_of_a_turn_of_the_root_count_there_alone(below: bool) -> None:
    """They are those of the last turn, when a lane leaves the root to help elsewhere."""
    dut = lane(0)

    async def testbench(ctx) -> None:
        await ctx.tick()
        step = Step.REST if below else Step.FREE
        put(ctx, dut, state=State.TEAM, step=step, ply=0, points=5, noise=5)
        team(ctx, dut, works=1, home=2, granted=1, ready=1)
        put(ctx, dut, asks=1)
        await pulse(ctx, dut.team.joined)
        team(ctx, dut, granted=0, ready=0, has_job=1)
        await ticks(ctx, 3)
        assert at(ctx, dut) == (State.TEAM, Step.REPLAY)
        assert ctx.get(dut._registers.noise) == 0

    simulate(dut, testbench)


def test_a_helper_tells_no_more_turns_than_there_may_be() -> None:
    """A variation that is as long as may be has no mark at its end."""
    dut = lane()

    async def testbench(ctx) -> None:
        await ctx.tick()
        for ply in (CONFIG.line - 1, CONFIG.line - 3):
            put(ctx, dut, state=State.TEAM, step=Step.COPY, ply=ply, copied=0, busy=0)
            ctx.set(dut.team.line.ready, 1)
            told = []
            for _ in range(4 * CONFIG.line):
                if ctx.get(dut.team.line.valid):
                    told.append((ctx.get(dut.team.line.payload.ply), len(told)))
                    assert ctx.get(dut.team.line.payload.number) == told[-1][1]
                await ctx.tick()
                if at(ctx, dut)[1] not in (Step.COPY, Step.COPYING):
                    break
            assert told == [(ply, number) for number in range(CONFIG.line - ply)]

    simulate(dut, testbench)


@pytest.mark.parametrize("ply", [CONFIG.line - 1, CONFIG.line])
def test_a_helper_tells_no_variation_that_is_not_kept(ply: int) -> None:
    dut = lane()

    async def testbench(ctx) -> None:
        await ctx.tick()
        put(ctx, dut, state=State.TEAM, step=Step.TAKEN, ply=ply, home=ply, at_root=0)
        put(ctx, dut, raised=1, asks=1, over=Over.OPEN)
        team(ctx, dut, has_job=1, granted=1, ready=1)
        await ctx.tick()
        assert at(ctx, dut)[1] == (Step.COPY if ply < CONFIG.line else Step.CHOOSE)

    simulate(dut, testbench)


class Lines(wiring.Component):
    """What the crew does with the variations of helpers, alone."""

    def __init__(self) -> None:
        port = team_port(CONFIG, LANES)
        super().__init__({"teams": In(port).array(LANES), "number": In(range(LANES))})

    def elaborate(self, platform) -> Module:
        m = Module()
        Crew(CONFIG, read_groups())._share_lines(m, list(self.teams), self.number)
        return m


def test_a_variation_goes_to_the_owner_alone_and_waits_for_it() -> None:
    dut = Lines()
    everyone = range(LANES)

    async def testbench(ctx) -> None:
        for helper, owner, valid, ready in product(everyone, everyone, (0, 1), range(1 << LANES)):
            ctx.set(dut.number, helper)
            for i, each in enumerate(dut.teams):
                # The others have another owner, and nothing to tell.
                ctx.set(each.job.owner, owner if i == helper else (owner + 1) % LANES)
                ctx.set(each.line.valid, valid if i == helper else 0)
                ctx.set(each.line.payload, {"ply": 3 + i, "number": 7 - i})
                ctx.set(each.told.ready, ready >> i & 1)
            await ctx.tick()
            told = [ctx.get(each.told.valid) for each in dut.teams]
            assert told == [valid and i == owner for i in everyone]
            taken = [ctx.get(each.line.ready) for each in dut.teams]
            assert taken == [i == helper and ready >> owner & 1 for i in everyone]
            if valid:
                turn = ctx.get(dut.teams[owner].told.payload)
                assert (turn.ply, turn.number) == (3 + helper, 7 - helper)

    simulate(dut, testbench)


# A freeze.


@pytest.mark.parametrize("after", range(6))
def test_no_node_is_counted_while_the_search_stands_still(after: int) -> None:
    dut = lane(0)

    async def testbench(ctx) -> None:
        await ctx.tick()
        put(ctx, dut, state=State.ENTER, ply=3, at_root=0)
        ctx.set(dut._registers.best.found, 1)
        counted = []
        for cycle in range(20):
            if cycle == after:
                ctx.set(dut.freeze, 1)
            await ctx.delay(0)
            assert not (ctx.get(dut.frozen) and ctx.get(dut.team.counts)), cycle
            counted.append(ctx.get(dut.team.counts))
            await ctx.tick()
        assert ctx.get(dut.frozen)
        # One that begins in the cycle in which it is told to may count or not.
        assert after == 1 or sum(counted) == (after > 1)

    simulate(dut, testbench)


def test_no_iteration_ends_while_the_search_stands_still() -> None:
    dut = lane(0)

    async def testbench(ctx) -> None:
        await ctx.tick()
        r = dut._registers
        ctx.set(dut.freeze, 1)
        put(ctx, dut, state=State.TEAM, step=Step.ASK, ply=0)
        ctx.set(r.best.found, 1)
        ctx.set(r.f.tried, 1)
        ctx.set(r.f.best, 7)
        await ticks(ctx, 2)
        assert ctx.get(dut.frozen)
        # With a stop it would wait for nothing else.
        put(ctx, dut, state=State.ITERATED, stopped=1)
        for _ in range(10):
            assert ctx.get(dut.frozen)
            assert ctx.get(dut.best.score) == 0
            await ctx.tick()
        ctx.set(dut.freeze, 0)
        await ticks(ctx, 2)
        assert ctx.get(r.state) != State.ITERATED
        assert ctx.get(dut.best.score) == 7

    simulate(dut, testbench)
