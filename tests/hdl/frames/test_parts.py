# amaranth: UnusedElaboratable=no
"""The components of the commander: each against its definition, or a reference of a few lines."""

from __future__ import annotations

from loopline.game.wire import COMMANDS, CONTEXTS, MAX_PAYLOAD, PROGRESS_MS, Command, ErrorCode
from loopline.hdl.frames.frame_checker import FrameChecker
from loopline.hdl.frames.search_monitor import SearchMonitor
from tests.hdl.support import pulse, simulate


def test_frame_checker_agrees_with_the_definition():
    """All lengths of all commands, codes of no command, and errors of the link."""
    dut = FrameChecker(tuple(Command))
    frames = [(command, length, 0) for command in Command for length in range(MAX_PAYLOAD + 1)]
    frames += [(code, 0, 0) for code in range(256) if code not in COMMANDS]
    frames += [(Command.IDENTIFY, 0, code) for code in ErrorCode]

    def expected(code, length, error):
        if error or code not in COMMANDS:
            return error or ErrorCode.UNKNOWN
        return 0 if COMMANDS[code].accepts(length) else ErrorCode.LENGTH

    async def drive(ctx):
        for code, length, error in frames:
            ctx.set(dut.frame, {"sequence": 0, "code": code, "length": length, "error": error})
            found = ctx.get(dut.error)
            assert found == expected(code, length, error), (code, length, error)
            if code in COMMANDS:
                context = CONTEXTS[code]
                found = ctx.get(dut.field_bytes), ctx.get(dut.always), ctx.get(dut.stored)
                assert found == (COMMANDS[code].width, context.always, context.stored), code

    simulate(dut, drive)


def test_search_monitor_goes_on_to_stop_a_search_after_its_last_answer():
    """The player may still be at it, as after NEW_GAME; the next one is not stopped."""
    dut = SearchMonitor()

    async def drive(ctx):
        await pulse(ctx, dut.start)
        await pulse(ctx, dut.stop)
        assert ctx.get(dut.stopping)
        await pulse(ctx, dut.close)
        assert ctx.get(dut.stopping)
        await pulse(ctx, dut.stop)
        await pulse(ctx, dut.start)
        assert not ctx.get(dut.stopping)

    simulate(dut, drive)


def test_search_monitor_says_when_progress_is_due():
    """After ``PROGRESS_MS`` ticks, until it is taken; a new search begins to count from 0."""
    dut = SearchMonitor()

    async def tick(ctx, count):
        for _ in range(count):
            assert not ctx.get(dut.progress)
            await pulse(ctx, dut.tick)

    async def drive(ctx):
        await pulse(ctx, dut.start)
        for _ in range(2):
            await tick(ctx, PROGRESS_MS)
            assert ctx.get(dut.progress)
            await pulse(ctx, dut.progress_taken)
        await tick(ctx, PROGRESS_MS - 1)
        await pulse(ctx, dut.start)
        await tick(ctx, PROGRESS_MS)
        assert ctx.get(dut.progress)

    simulate(dut, drive)
