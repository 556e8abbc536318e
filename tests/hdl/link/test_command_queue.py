"""Command queue, against a model with two places."""

import random

import pytest

from loopline.hdl.config import GridConfig
from loopline.hdl.link import LinkOp, link_command_layout
from loopline.hdl.link.command_queue import CommandQueue
from tests.hdl.link.support_link import plain
from tests.hdl.support import StreamChecker, simulate

GRID = GridConfig(size=16)
SESSIONS = [LinkOp.NEW_WHITE, LinkOp.NEW_RED, LinkOp.STOP, LinkOp.SET_UP]
COMMANDS = [{"op": op} for op in (*SESSIONS, LinkOp.GO)] + [
    {"op": LinkOp.TURN, "turn": {"column": column, "row": 9 - column}} for column in range(6)
]


def is_turn(command):
    """Whether it is a turn, or ``-G``, which is treated alike."""
    return command["op"] not in SESSIONS


class Model:
    """Two places and what is lost."""

    def __init__(self):
        self.places = []
        self.dropped = 0

    def step(self, arrives, ready):
        """One cycle; whether a session command waits in it, and whether a turn is lost."""
        dropped = self.dropped
        there = [*self.places, *([arrives] if arrives else [])]
        session = any(not is_turn(command) for command in there)
        if self.places and ready:
            self.places.pop(0)
        if arrives and len(self.places) < 2:
            self.places.append(arrives)
        elif arrives and is_turn(arrives):
            self.dropped += 1
        elif arrives:
            self.dropped += is_turn(self.places[1])
            self.places[1] = arrives
        return session, self.dropped > dropped


def same(command):
    """As ``plain`` would make it."""
    return plain(link_command_layout(GRID).const(command))


@pytest.mark.parametrize("seed", range(6))
def test_against_model(seed):
    generator = random.Random(seed)
    arrival, readiness = [(0.5, 0.5), (0.9, 0.1), (1, 0.5), (0.2, 0.05), (1, 1), (0.3, 0.9)][seed]
    dut = CommandQueue(GRID)
    model = Model()
    checker = StreamChecker(dut.o)
    taken = []

    async def drive(ctx):
        for _ in range(1500):
            arrives = generator.choice(COMMANDS) if generator.random() < arrival else None
            ready = generator.random() < readiness
            ctx.set(dut.i.valid, arrives is not None)
            ctx.set(dut.i.payload, arrives or generator.choice(COMMANDS))
            ctx.set(dut.o.ready, ready)
            offered = model.places[0] if model.places else None
            _, _, valid, session, dropped = await ctx.tick().sample(
                dut.o.valid, dut.session, dut.dropped
            )
            assert valid == (offered is not None)
            assert (session, dropped) == model.step(arrives, ready)
            if offered and ready:
                taken.append(same(offered))

    simulate(dut, drive, check=[checker])
    assert [plain(command) for command in checker.payloads] == taken
    assert len(taken) > 50
    assert (model.dropped > 0) == (readiness < 1)


@pytest.mark.parametrize("last", SESSIONS)
@pytest.mark.parametrize("before", [[0, 4, 5, 1, 6], [4, 5, 6], [0, 1, 3, 0], [5, 0], [5], [4]])
def test_last_session_command_is_the_last_taken(last, before):
    """Whatever waits, however long: the newest game is the one that the player begins."""
    dut = CommandQueue(GRID)
    checker = StreamChecker(dut.o)

    async def drive(ctx):
        for command in [*(COMMANDS[n] for n in before), {"op": last}]:
            ctx.set(dut.i.valid, 1)
            ctx.set(dut.i.payload, command)
            await ctx.tick()
        ctx.set(dut.i.valid, 0)
        await ctx.tick().repeat(20)
        assert ctx.get(dut.session)
        ctx.set(dut.o.ready, 1)
        await ctx.tick().repeat(5)
        assert not ctx.get(dut.session)

    simulate(dut, drive, check=[checker])
    taken = [plain(command) for command in checker.payloads]
    assert taken == [same(COMMANDS[before[0]]), (last,)]
