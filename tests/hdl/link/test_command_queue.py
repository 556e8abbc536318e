"""Command queue, against a reference model with two places."""

import random

import pytest

from loopline.hdl.config import GridConfig
from loopline.hdl.link import LinkOp, link_command_layout
from loopline.hdl.link.command_queue import CommandQueue
from tests.hdl.link.reference import as_tuple
from tests.hdl.support import StreamChecker, simulate

GRID = GridConfig(size=16)
SESSIONS = [LinkOp.NEW_WHITE, LinkOp.NEW_RED, LinkOp.STOP, LinkOp.SET_UP]
COMMANDS = [{"op": op} for op in (*SESSIONS, LinkOp.GO)] + [
    {"op": LinkOp.TURN, "turn": {"column": column, "row": 9 - column}} for column in range(6)
]


def is_turn(command):
    """Return whether a command is a turn, or ``-G``, which the queue treats alike."""
    return command["op"] not in SESSIONS


class ReferenceQueue:
    """Two places, and how many commands were dropped."""

    def __init__(self):
        self.places = []
        self.dropped = 0

    def step(self, arrives, ready):
        """Run a cycle; return whether a session command waits, whether it does so behind the
        command on offer, and whether a turn is dropped."""
        dropped = self.dropped
        follows = len(self.places) > 1 and not is_turn(self.places[1])
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
        return session, follows, self.dropped > dropped


def same(command):
    """Return a command as ``as_tuple`` does."""
    return as_tuple(link_command_layout(GRID).const(command))


@pytest.mark.parametrize("seed", range(6))
def test_against_reference(seed):
    generator = random.Random(seed)
    arrival, readiness = [(0.5, 0.5), (0.9, 0.1), (1, 0.5), (0.2, 0.05), (1, 1), (0.3, 0.9)][seed]
    dut = CommandQueue(GRID)
    model = ReferenceQueue()
    checker = StreamChecker(dut.o)
    taken = []

    async def drive(ctx):
        for cycle in range(1500):
            arrives = generator.choice(COMMANDS) if generator.random() < arrival else None
            ready = generator.random() < readiness
            ctx.set(dut.i.valid, arrives is not None)
            ctx.set(dut.i.payload, arrives or generator.choice(COMMANDS))
            ctx.set(dut.o.ready, ready)
            offered = model.places[0] if model.places else None
            _, _, *found = await ctx.tick().sample(
                dut.o.valid, dut.session, dut.session_follows, dut.dropped
            )
            expected = [offered is not None, *model.step(arrives, ready)]
            assert found == expected, f"cycle {cycle}: valid, session, session_follows, dropped"
            if offered and ready:
                taken.append(same(offered))

    simulate(dut, drive, check=[checker])
    assert [as_tuple(command) for command in checker.payloads] == taken
    assert len(taken) > 50
    assert (model.dropped > 0) == (readiness < 1)
