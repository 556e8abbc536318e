"""A player that ponders, with a search that the test ends: jobs, and commands to the turn unit."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from loopline.game import Colour, Position, Turn, parse_turn
from loopline.game.wire import ErrorCode, TurnStatus
from loopline.hdl.core.types import ShapeCode, TurnOp
from loopline.hdl.design import DesignConfig
from loopline.hdl.frames.requests import RequestOp
from loopline.hdl.link import LinkOp
from tests.hdl.player.harness import CONFIG, Host, PlayerHarness
from tests.hdl.support import StreamChecker, simulate, ticks

SILENT = replace(CONFIG, clock_hz=100_000, baud=12_500, think_ms=2)
"""Thinks for 200 cycles."""

PONDERING = replace(SILENT, ponder=True)

OWN, REPLY, OTHER = parse_turn("A2/"), parse_turn("A3/"), parse_turn("B1+")
"""The player's turn after ``@0/``, the one that it expects then, and another one."""

NEXT: dict[Turn | None, Turn] = {
    REPLY: parse_turn("A4+"),
    OTHER: parse_turn("A3+"),
    None: parse_turn("A3+"),
}
"""The player's turn after each of these; and its opponent's in ``OWN``'s place."""


class Bench(Host):
    """The other end of the player's streams, and the lane.

    A search ends when it is told to stop, or by ``ends``, with ``turn`` and ``line``. Its job has
    to stay what it was. An abandoned one takes ``drops`` cycles to end.

    ``jobs`` are all jobs: whose turn it is, how many turns there are, and the seed; ``contest``
    says which of them are for a contest's turn. ``games`` is the number of ``game_begins``.
    """

    def __init__(self, ctx, dut: PlayerHarness):
        super().__init__(ctx, dut)
        self.port, self.frames = dut.player.lane, dut.player.frames
        self.position = Position()
        self.jobs: list[tuple[Colour, int, int]] = []
        self.contest: list[bool] = []
        self.turn, self.line = OWN, [OWN, REPLY]
        self.ends = self.drops = self.games = 0

    def get(self, *names: str) -> list[int]:
        return [int(self.ctx.get(getattr(self.dut.player, name))) for name in names]

    async def lane(self, ctx) -> None:
        port, job = self.port, self.port.jobs.payload
        while True:
            ctx.set(port.jobs.ready, 1)
            while not ctx.get(port.jobs.valid):
                await ctx.tick()
            await ctx.tick()
            ctx.set(port.jobs.ready, 0)
            ctx.set(port.busy, 1)
            names = ("mover", "turns", "seed", "seeded", "probe")
            begun = [ctx.get(getattr(job, name)) for name in names]
            self.jobs.append((Colour(begun[0]), *begun[1:3]))
            assert begun[4] == 0
            self.contest.append(begun[3] == 1)
            while not (self.ends or ctx.get(port.stop) or ctx.get(port.abandon)):
                await ctx.tick()
                assert [ctx.get(getattr(job, name)) for name in names] == begun
            if not ctx.get(port.abandon):
                # What a lane needs to come to its end.
                for _ in range(20):
                    await ctx.tick()
                self.offer(ctx)
                ctx.set(port.answers.payload, 1)
                ctx.set(port.answers.valid, 1)
                while not ctx.get(port.answers.ready):
                    await ctx.tick()
                await ctx.tick()
                ctx.set(port.answers.valid, 0)
            else:
                await ticks(ctx, self.drops)
            ctx.set(port.busy, 0)
            self.ends = 0

    async def count_games(self, ctx) -> None:
        while True:
            await ctx.tick()
            self.games += ctx.get(self.dut.player.game_begins)

    def offer(self, ctx) -> None:
        """Set the best turn and its line."""
        x, y = self.position.locate(self.turn)
        size, best = self.dut.config.grid.size, self.port.best
        ctx.set(best.found, 1)
        ctx.set(best.turn.x, x % size)
        ctx.set(best.turn.y, y % size)
        ctx.set(best.turn.symbol, ShapeCode(self.turn.shape.code))
        ctx.set(self.port.line_count, len(self.line))

    async def labels(self, ctx) -> None:
        """The memory of the line: a turn of it one cycle later."""
        port = self.port
        while True:
            index = ctx.get(port.line_index)
            await ctx.tick()
            turn = self.line[index] if index < len(self.line) else self.line[0]
            ctx.set(port.line_turn.column, turn.column)
            ctx.set(port.line_turn.row, turn.row)
            ctx.set(port.line_turn.symbol, ShapeCode(turn.shape.code))

    async def begin(self, ponders: bool = True) -> None:
        """``@0/`` comes in, and is answered with ``turn``; the player ponders."""
        await self.start(LinkOp.NEW_RED)
        await self.send("@0/")
        self.position.play("@0/")
        assert await self.answer() == self.turn
        self.position.play(self.turn)
        await self.ctx.tick().repeat(60)
        assert len(self.jobs) == 1 + ponders

    async def reply(self, turn: Turn, *line: Turn) -> None:
        """The opponent's turn; what the player finds then begins with that of ``NEXT``."""
        self.position.play(turn)
        self.line = list(line) or [NEXT[turn]]
        self.turn = self.line[0]
        await self.send(turn)

    async def request(self, op: RequestOp, turn: Turn | None = None, count: int = 0) -> None:
        """A frame's request. Its turn stays."""
        request = self.frames.requests
        self.ctx.set(request.payload.op, op)
        self.ctx.set(request.payload.count, count)
        if turn:
            self.ctx.set(request.payload.turn.column, turn.column)
            self.ctx.set(request.payload.turn.row, turn.row)
            self.ctx.set(request.payload.turn.symbol, ShapeCode(turn.shape.code))
        self.ctx.set(request.valid, 1)
        await self.ctx.tick()
        self.ctx.set(request.valid, 0)
        # The next command may be another one by then.
        self.ctx.set(request.payload.op, RequestOp.NEW)

    async def finish(self, within: int = 200) -> tuple[int, int]:
        """Wait for the end of the request; return its error and status."""
        for _ in range(within):
            if self.ctx.get(self.frames.done):
                result = self.frames.result
                return self.ctx.get(result.error), self.ctx.get(result.status)
            await self.ctx.tick()
        raise AssertionError("the request is not done")


def run(
    body: Callable[[Bench], Awaitable[None]], *, config: DesignConfig = PONDERING
) -> list[TurnOp]:
    """Run a test; return the turn unit's commands after those of the first two turns."""
    dut = PlayerHarness(config)
    bench = Bench(None, dut)
    core = StreamChecker(dut.arbiter.core.commands, name="core commands")

    async def host(ctx):
        bench.ctx = ctx
        await body(bench)

    checked = [core, StreamChecker(dut.answers), StreamChecker(dut.player.lane.jobs)]
    background = [bench.lane, bench.labels, bench.count_games]
    simulate(dut, host, check=checked, background=background, cycles=15_000)
    ops = [payload.op for payload in core.payloads]
    begun = [TurnOp.CLEAR, TurnOp.MAKE, TurnOp.COMMIT, TurnOp.MAKE, TurnOp.COMMIT]
    assert ops[: len(begun)] == begun
    return ops[len(begun) :]


MADE = [TurnOp.MAKE, TurnOp.COMMIT]
MISSED = [TurnOp.MAKE, TurnOp.UNMAKE]


@pytest.mark.parametrize("wait", [0, 300])
def test_the_search_goes_on_when_the_expected_turn_comes(wait):
    """With the time of a turn from then on, however long it had before."""

    async def body(bench):
        ctx, port = bench.ctx, bench.port
        await bench.begin()
        ctx.set(bench.dut.player.move_now, 1)
        for _ in range(wait):
            await ctx.tick()
            assert not ctx.get(port.stop)
            assert bench.get("thinking", "idle") == [0, 0]
        ctx.set(bench.dut.player.move_now, 0)
        await bench.reply(REPLY)
        for cycle in range(PONDERING.think_cycles):
            await ctx.tick()
            assert not ctx.get(port.stop), cycle
            assert bench.get("thinking", "idle") == [cycle > 0, 0] or cycle < 3
        await ctx.tick().repeat(3)
        assert ctx.get(port.stop)
        assert await bench.answer() == NEXT[REPLY]
        assert [job[:2] for job in bench.jobs] == [(Colour.RED, 1), (Colour.RED, 3)]
        assert ctx.get(bench.frames.turns) == 4

    # The expected turn is made final together with the own one.
    assert run(body) == [TurnOp.MAKE, *MADE]


@pytest.mark.parametrize("cycles", [1, 70])
def test_it_moves_when_it_is_told_to_after_the_expected_turn(cycles):
    """A cycle is enough. Several lanes hear of a stop at different times: it stays until then."""

    async def body(bench):
        await bench.begin()
        await bench.reply(REPLY)
        await bench.ctx.tick().repeat(100)
        for cycle in range(70):
            bench.ctx.set(bench.dut.player.move_now, cycle < cycles)
            await bench.ctx.tick()
            assert bench.ctx.get(bench.port.stop) or not 1 <= cycle <= 5
        assert bench.ctx.get(bench.dut.answers.valid)
        assert await bench.answer() == NEXT[REPLY]

    run(body)


def test_it_moves_when_it_is_told_to_on_its_own_turn():
    async def body(bench):
        ctx, port = bench.ctx, bench.port
        await bench.start(LinkOp.NEW_RED)
        await bench.send("@0/")
        await ctx.tick().repeat(100)
        assert bench.get("thinking") == [1]
        assert not ctx.get(port.stop)
        ctx.set(bench.dut.player.move_now, 1)
        await ctx.tick()
        ctx.set(bench.dut.player.move_now, 0)
        for _ in range(5):
            await ctx.tick()
            assert ctx.get(port.stop)
        bench.position.play("@0/")
        assert await bench.answer() == OWN

    run(body, config=SILENT)


def test_a_search_that_has_ended_is_answered_at_once():
    """Its answer waits, and the player is idle meanwhile."""

    async def body(bench):
        bench.turn = OWN
        await bench.begin()
        # It is the turn after the expected one.
        bench.position.play(REPLY)
        bench.turn = NEXT[REPLY]
        bench.ends = 1
        await bench.ctx.tick().repeat(100)
        assert bench.get("thinking", "idle") == [0, 1]
        await bench.ctx.tick().repeat(150)
        assert bench.get("thinking", "idle") == [0, 1]
        bench.line = [bench.turn]
        await bench.send(REPLY)
        await bench.ctx.tick()
        assert bench.get("idle") == [0]
        await bench.ctx.tick().repeat(60)
        assert bench.ctx.get(bench.dut.answers.valid)
        assert await bench.answer() == NEXT[REPLY]
        assert len(bench.jobs) == 2

    assert run(body) == [TurnOp.MAKE, *MADE]


@pytest.mark.parametrize("ended", [False, True])
def test_another_turn_is_answered_as_if_nothing_had_been(ended):
    async def body(bench):
        await bench.begin()
        if ended:
            bench.ends = 1
            bench.turn = OTHER  # Of the search whose answer nobody needs.
            await bench.ctx.tick().repeat(100)
            assert bench.get("idle") == [1]
        await bench.reply(OTHER)
        await bench.ctx.tick().repeat(3)
        assert bench.get("idle", "thinking") == [0, 0]
        assert ended or bench.ctx.get(bench.port.stop)
        await bench.ctx.tick().repeat(120)
        assert bench.get("thinking") == [1]
        assert not bench.ctx.get(bench.port.stop)
        assert await bench.answer() == NEXT[OTHER]
        # Also the seed is what it is in the search for the expected turn.
        assert bench.jobs[1] == bench.jobs[2] == (Colour.RED, 3, bench.jobs[0][2])
        assert bench.ctx.get(bench.frames.turns) == 4
        assert bench.get("refused") == [0]

    assert run(body) == [*MISSED, *MADE, *MADE]


def test_the_expected_turn_may_come_before_the_search_has_begun():
    """In each cycle after the answer; what comes before that is no turn to come."""
    waits = (0, 2, 5, 9, 14, 20, 30)

    async def body(bench):
        await bench.start(LinkOp.NEW_RED)
        for game, wait in enumerate(waits):
            bench.position, bench.turn, bench.line = Position(), OWN, [OWN, REPLY]
            await bench.send("@0/")
            bench.position.play("@0/")
            assert await bench.answer() == OWN
            bench.position.play(OWN)
            await ticks(bench.ctx, wait)
            await bench.reply(REPLY)
            assert await bench.answer() == NEXT[REPLY]
            assert len(bench.jobs) == 2 * game + 2
            await bench.start(LinkOp.NEW_RED)

    run(body)


def test_it_takes_the_opponents_side():
    async def body(bench):
        await bench.begin()
        bench.turn, bench.line = NEXT[None], [NEXT[None]]
        # Its turn says nothing.
        await bench.send(REPLY, op=LinkOp.GO)
        assert await bench.answer() == NEXT[None]
        assert [job[:2] for job in bench.jobs] == [
            (Colour.RED, 1),
            (Colour.RED, 3),
            (Colour.WHITE, 2),
        ]

    assert run(body) == [*MISSED, *MADE]


@pytest.mark.parametrize(
    ("wait", "ended"),
    [
        *((2, False), (12, True), (25, False), (150, True)),
        *(
            pytest.param(*each, marks=pytest.mark.slow)
            for each in ((0, False), (0, True), (2, True), (12, False), (25, True), (150, False))
        ),
    ],
)
def test_a_session_drops_it(wait, ended):
    """At any time: while the expected turn is made, while it is searched, and when that has
    ended."""

    async def body(bench):
        await bench.begin()
        await bench.start(LinkOp.NEW_RED)
        bench.position = Position()
        await bench.send("@0/")
        bench.position.play("@0/")
        assert await bench.answer() == OWN
        bench.position.play(OWN)
        await ticks(bench.ctx, wait)
        bench.ends = int(ended and len(bench.jobs) == 4)
        await ticks(bench.ctx, 30 * ended)
        bench.position, begun = Position(), len(bench.jobs)
        await bench.start(LinkOp.NEW_RED)
        await bench.ctx.tick().repeat(700)
        assert bench.get("idle", "thinking") == [1, 0]
        assert bench.ctx.get(bench.frames.turns) == 0
        # A new game, with nothing left of the one before.
        bench.ends = 0
        await bench.send("@0/")
        bench.position.play("@0/")
        assert await bench.answer() == OWN
        assert bench.jobs[begun][:2] == (Colour.RED, 1)
        assert bench.jobs[begun][2] == bench.jobs[0][2] + 2

    run(body)


def test_the_end_of_the_session_is_not_the_players_turn():
    """Not while the lane drops its search, either."""

    async def body(bench):
        await bench.begin()
        bench.drops = 30
        await bench.start(LinkOp.STOP)
        for _ in range(60):
            assert bench.get("thinking") == [0]
            await bench.ctx.tick()
        await bench.ctx.tick().repeat(700)
        assert bench.get("idle", "thinking") == [1, 0]

    run(body)


def test_a_search_of_a_frame_waits_for_the_end_of_it():
    async def body(bench):
        await bench.begin()
        bench.turn = OTHER
        bench.ctx.set(bench.frames.limits.limited, 1)
        await bench.request(RequestOp.SEARCH)
        # A turn in a line waits, too.
        bench.ctx.set(bench.dut.commands.payload.op, LinkOp.TURN)
        bench.ctx.set(bench.dut.commands.valid, 1)
        for _ in range(20):
            assert bench.get("thinking", "idle") == [0, 0]
            assert bench.ctx.get(bench.port.stop)
            assert not bench.ctx.get(bench.dut.commands.ready)
            await bench.ctx.tick()
        bench.ctx.set(bench.dut.commands.valid, 0)
        await bench.ctx.tick().repeat(100)
        assert bench.get("thinking") == [1]
        assert bench.jobs[2][:2] == (Colour.WHITE, 2)
        assert bench.contest == [True, True, False]
        bench.turn, bench.ends = REPLY, 1
        assert await bench.finish() == (0, 0)
        # The game goes on as a contest's.
        await bench.reply(REPLY)
        assert await bench.answer() == NEXT[REPLY]
        assert bench.jobs[3][:2] == (Colour.RED, 3)

    assert run(body) == [*MISSED, *MADE, *MADE]


@pytest.mark.parametrize("turn", [REPLY, OTHER, parse_turn("J9+")], ids=str)
def test_a_turn_of_a_frame_begins_a_set_up(turn):
    async def body(bench):
        await bench.begin()
        legal = bench.position.is_legal(turn)
        await bench.request(RequestOp.TURN, turn)
        assert not bench.ctx.get(bench.frames.done)
        assert await bench.finish() == (0, TurnStatus.LEGAL if legal else TurnStatus.OUTSIDE)
        await bench.ctx.tick().repeat(100)
        assert bench.get("idle", "thinking", "refused") == [1, 0, 0]
        assert bench.ctx.get(bench.frames.turns) == 2 + legal
        assert len(bench.jobs) == 2

    assert run(body)[:2] == MISSED


def test_turns_are_taken_back_without_the_expected_one():
    async def body(bench):
        await bench.begin()
        await bench.request(RequestOp.TAKE_BACK, count=1)
        assert await bench.finish(1_000) == (0, 0)
        assert bench.ctx.get(bench.frames.turns) == 1
        # Red is to move: the turn that it has not made is another one now.
        bench.turn, bench.line = OWN, [OWN]
        bench.position.undo()
        await bench.start(LinkOp.GO)
        assert await bench.answer() == OWN
        assert bench.jobs[-1][:2] == (Colour.RED, 1)

    assert run(body) == [*MISSED, TurnOp.CLEAR, *MADE, *MADE]


def test_the_turn_unit_is_granted_with_the_game_s_position():
    async def body(bench):
        await bench.begin()
        await bench.request(RequestOp.GRANT)
        assert await bench.finish() == (0, 0)
        await bench.ctx.tick()
        assert bench.ctx.get(bench.dut.player.core.grants)
        assert not bench.ctx.get(bench.port.busy)

    assert run(body) == MISSED


def test_a_request_that_waits_is_dropped_by_a_session():
    """By a line's with an error, by a frame's silently."""

    async def by_line(bench):
        await bench.begin()
        await bench.request(RequestOp.TURN, REPLY)
        await bench.start(LinkOp.NEW_RED)
        assert await bench.finish() == (ErrorCode.DROPPED, 0)
        await bench.ctx.tick().repeat(700)
        assert bench.ctx.get(bench.frames.turns) == 0
        assert bench.get("idle") == [1]
        assert bench.games == 0

    async def by_frame(bench):
        await bench.begin()
        await bench.request(RequestOp.TURN, REPLY)
        await bench.request(RequestOp.STOP)
        assert await bench.finish(1_000) == (0, 0)
        for _ in range(700):
            await bench.ctx.tick()
            assert not bench.ctx.get(bench.frames.done)
        assert bench.ctx.get(bench.frames.turns) == 0
        assert bench.get("idle") == [1]
        assert bench.games == 1

    for body in (by_line, by_frame):
        assert run(body)[:2] == [TurnOp.MAKE, TurnOp.CLEAR]


def test_a_request_finds_the_player_busy_after_a_turn():
    """One that comes when the opponent's turn has, expected or not, is refused as ever."""
    for turn in (REPLY, OTHER):

        async def body(bench, turn=turn):
            await bench.begin()
            await bench.reply(turn)
            await bench.request(RequestOp.TAKE_BACK, count=1)
            assert await bench.finish(3) == (ErrorCode.BUSY, 0)
            assert await bench.answer() == NEXT[turn]

        run(body)


@pytest.mark.parametrize("reply", [None, "A1+"])
def test_without_a_reply_it_waits(reply):
    """None is expected; or one that is no turn here."""

    async def body(bench):
        bench.line = [OWN, *([parse_turn(reply)] if reply else [])]
        await bench.begin(ponders=False)
        assert bench.get("idle", "thinking") == [1, 0]
        # And goes on.
        await bench.reply(OTHER)
        assert await bench.answer() == NEXT[OTHER]

    assert run(body) == [*([TurnOp.MAKE] if reply else []), *MADE, *MADE]


def test_it_does_not_think_about_a_turn_that_ends_the_game():
    async def body(bench):
        await bench.begin()
        own, last = parse_turn("A3+"), parse_turn("A0/")
        await bench.reply(parse_turn("@1\\"), own, last)
        assert await bench.answer() == own
        await bench.ctx.tick().repeat(100)
        assert bench.get("idle", "thinking", "over") == [1, 0, 0]
        assert len(bench.jobs) == 3
        # Not even if it comes.
        await bench.send(last)
        await bench.ctx.tick().repeat(100)
        assert bench.get("idle", "over") == [1, 1]

    assert run(body) == [*MISSED, *MADE, *MADE, *MISSED, *MADE]


def test_a_design_without_it_waits():
    async def body(bench):
        await bench.begin(ponders=False)
        assert bench.get("idle", "thinking") == [1, 0]

    assert run(body, config=SILENT) == []
