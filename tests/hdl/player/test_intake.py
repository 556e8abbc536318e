"""CommandIntake: what is held, what drops what, and how requests end."""

from __future__ import annotations

import pytest

from loopline.game.wire import ErrorCode, TurnStatus
from loopline.hdl.config import GridConfig
from loopline.hdl.frames.requests import RequestOp
from loopline.hdl.link import LinkOp
from loopline.hdl.player.intake import CommandIntake
from tests.hdl.support import simulate

GRID = GridConfig(size=16)
SESSIONS = [LinkOp.NEW_WHITE, LinkOp.NEW_RED, LinkOp.STOP, LinkOp.SET_UP]


class Driver:
    """Drives the intake cycle by cycle; inputs are pulses unless said otherwise."""

    def __init__(self, ctx, dut: CommandIntake):
        self.ctx, self.dut = ctx, dut

    def get(self, *names: str) -> list[int]:
        return [int(self.ctx.get(getattr(self.dut, name))) for name in names]

    async def cycle(self, *, line=None, request=None, **inputs) -> None:
        """One cycle with a command of a line, a request, and other inputs at 1."""
        ctx, dut = self.ctx, self.dut
        for source, op in ((dut.commands, line), (dut.requests, request)):
            if op is not None:
                ctx.set(source.payload.op, op)
                ctx.set(source.valid, 1)
        for name, value in inputs.items():
            ctx.set(getattr(dut, name), value)
        await ctx.tick()
        ctx.set(dut.commands.valid, 0)
        ctx.set(dut.requests.valid, 0)
        for name in inputs:
            ctx.set(getattr(dut, name), 0)


def drive(body) -> None:
    dut = CommandIntake(GRID)

    async def testbench(ctx):
        await body(Driver(ctx, dut))

    simulate(dut, testbench)


@pytest.mark.parametrize("op", SESSIONS)
def test_a_session_is_held_until_it_has_begun(op):
    async def body(driver):
        await driver.cycle(line=op)
        assert driver.get("session_held", "interrupted", "framed") == [1, 1, 0]
        assert driver.ctx.get(driver.dut.session) == op
        await driver.cycle()
        await driver.cycle(begun=1)
        assert driver.get("session_held", "interrupted") == [0, 0]

    drive(body)


def test_the_newest_session_counts_and_a_line_before_a_frame():
    async def body(driver):
        ctx, dut = driver.ctx, driver.dut
        await driver.cycle(line=LinkOp.NEW_WHITE)
        await driver.cycle(request=RequestOp.NEW)
        assert (ctx.get(dut.session), ctx.get(dut.framed)) == (LinkOp.SET_UP, 1)
        await driver.cycle(request=RequestOp.STOP)
        assert (ctx.get(dut.session), ctx.get(dut.framed)) == (LinkOp.STOP, 1)
        # One that comes while the last one begins is held as well.
        await driver.cycle(line=LinkOp.NEW_RED, request=RequestOp.NEW, begun=1)
        assert (ctx.get(dut.session), ctx.get(dut.framed)) == (LinkOp.NEW_RED, 0)
        assert driver.get("session_held", "done") == [1, 1]
        assert ctx.get(dut.result.error) == ErrorCode.DROPPED

    drive(body)


def test_a_turn_is_held_until_it_is_decided_or_dropped():
    async def body(driver):
        ctx, dut = driver.ctx, driver.dut
        ctx.set(dut.commands.payload, {"op": LinkOp.TURN, "turn": {"column": 3, "row": 2}})
        ctx.set(dut.commands.valid, 1)
        await ctx.delay(1e-8)
        assert driver.get("refused", "taken") == [1, 0]  # It is not awaited.
        await driver.cycle(line=LinkOp.TURN)
        assert driver.get("turn_held") == [0]
        await driver.cycle(line=LinkOp.TURN, awaited=1)
        assert driver.get("turn_held", "go") == [1, 0]
        assert (ctx.get(dut.turn.column), ctx.get(dut.turn.row)) == (3, 2)
        # The next one waits.
        ctx.set(dut.commands.payload.op, LinkOp.GO)
        assert not ctx.get(dut.commands.ready)
        await driver.cycle(decided=1)
        ctx.set(dut.hold, 1)
        assert not ctx.get(dut.commands.ready)
        ctx.set(dut.hold, 0)
        await driver.cycle(line=LinkOp.GO, awaited=1)
        assert driver.get("turn_held", "go") == [1, 1]
        await driver.cycle(line=LinkOp.STOP)
        assert driver.get("turn_held") == [0]

    drive(body)


@pytest.mark.parametrize("op", [LinkOp.TURN, LinkOp.GO])
def test_a_turn_that_waits_is_refused_if_a_session_follows(op):
    async def body(driver):
        ctx, dut = driver.ctx, driver.dut
        first = {"op": LinkOp.TURN, "turn": {"column": 3, "row": 2}}
        ctx.set(dut.commands.payload, first)
        await driver.cycle(line=LinkOp.TURN, awaited=1, session_follows=1)
        assert driver.get("turn_held") == [1]  # It need not wait.
        ctx.set(dut.commands.payload, {"op": op, "turn": {"column": 1, "row": 4}})
        ctx.set(dut.commands.valid, 1)
        ctx.set(dut.awaited, 1)
        await ctx.delay(1e-8)
        assert not ctx.get(dut.commands.ready)
        ctx.set(dut.session_follows, 1)
        await ctx.delay(1e-8)
        assert ctx.get(dut.commands.ready)
        assert driver.get("refused", "taken") == [1, 0]
        await driver.cycle(line=op, awaited=1, session_follows=1)
        assert driver.get("turn_held", "go") == [1, 0]
        assert (ctx.get(dut.turn.column), ctx.get(dut.turn.row)) == (3, 2)
        await driver.cycle(decided=1)
        for reason in ("hold", "deferred"):
            if reason == "deferred":
                await driver.cycle(request=RequestOp.SEARCH, defer=1)
                assert driver.get("deferred") == [1]
            inputs = {"hold": 1} if reason == "hold" else {}
            await driver.cycle(line=op, awaited=1, session_follows=1, **inputs)
            assert driver.get("turn_held") == [0], reason

    drive(body)


def test_a_request_is_busy_unless_the_player_is_at_rest():
    async def body(driver):
        ctx, dut = driver.ctx, driver.dut
        await driver.cycle(request=RequestOp.TURN)
        assert driver.get("done", "pending") == [1, 0]
        assert ctx.get(dut.result.error) == ErrorCode.BUSY
        await driver.cycle()
        assert driver.get("done") == [0]
        # Nor is it at rest while a session or a turn is held, or comes.
        for line in (LinkOp.NEW_RED, LinkOp.TURN):
            await driver.cycle(request=RequestOp.SEARCH, line=line, at_rest=1, awaited=1)
            assert driver.get("done", "pending") == [1, 0]
            await driver.cycle(request=RequestOp.SEARCH, at_rest=1)
            assert ctx.get(dut.result.error) == ErrorCode.BUSY
            await driver.cycle(begun=1, decided=1)

    drive(body)


def test_a_turn_of_a_request_and_its_result():
    async def body(driver):
        ctx, dut = driver.ctx, driver.dut
        await driver.cycle(request=RequestOp.TURN, at_rest=1, accept_turn=1)
        assert driver.get("turn_held", "go", "pending", "searching", "done") == [1, 0, 1, 0, 0]
        ctx.set(dut.outcome.tiles, 4)
        ctx.set(dut.outcome.completed, 2)
        await driver.cycle(made=1)
        await driver.cycle(finish=1, decided=1)
        assert driver.get("done", "pending", "turn_held") == [1, 0, 0]
        result = ctx.get(dut.result)
        assert (result.error, result.status, result.tiles, result.completed) == (0, 0, 4, 2)
        # One that is refused in the cycle in which it is offered; the tiles are not kept.
        ctx.set(dut.outcome.status, TurnStatus.OVER)
        await driver.cycle(request=RequestOp.TURN, at_rest=1, finish=1)
        result = ctx.get(dut.result)
        assert driver.get("done", "pending") == [1, 0]
        assert (result.status, result.tiles) == (TurnStatus.OVER, 0)
        # Without a request there is nothing to finish.
        await driver.cycle(finish=1)
        assert driver.get("done") == [0]

    drive(body)


@pytest.mark.parametrize("finish", [0, 1])
def test_a_search_is_dropped_by_a_line_and_by_new(finish):
    """Also in the cycle in which it would be done."""

    async def body(driver):
        ctx, dut = driver.ctx, driver.dut
        await driver.cycle(request=RequestOp.SEARCH, at_rest=1, accept_search=1)
        assert driver.get("pending", "searching") == [1, 1]
        await driver.cycle(line=LinkOp.STOP, finish=finish)
        assert driver.get("done", "pending", "searching") == [1, 0, 0]
        assert ctx.get(dut.result.error) == ErrorCode.DROPPED
        await driver.cycle(begun=1)
        await driver.cycle(request=RequestOp.SEARCH, at_rest=1, accept_search=1)
        await driver.cycle(request=RequestOp.NEW, finish=finish)
        assert driver.get("done", "pending", "searching") == [0, 1, 0]
        await driver.cycle(finish=1)
        assert driver.get("done", "pending") == [1, 0]
        assert ctx.get(dut.result.error) == 0

    drive(body)
