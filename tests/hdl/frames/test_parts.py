# amaranth: UnusedElaboratable=no
"""The components of the commander: each against its definition, or a reference of a few lines."""

from __future__ import annotations

import random

import pytest

from loopline.game.wire import COMMANDS, CONTEXTS, MAX_PAYLOAD, PROGRESS_MS, Command, ErrorCode
from loopline.hdl.frames.frame_checker import FrameChecker
from loopline.hdl.frames.repetitions import Repetitions
from loopline.hdl.frames.search_monitor import SearchMonitor
from tests.hdl.support import pulse, simulate


def test_frame_checker_agrees_with_the_definition():
    """All lengths of all commands, codes of no command, and errors of the link."""
    dut = FrameChecker()
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


@pytest.mark.parametrize("seed", range(3))
def test_repetitions_against_a_reference(seed):
    choice = random.Random(seed)
    dut = Repetitions()

    async def drive(ctx):
        stored = None
        for cycle in range(400):
            frame = choice.randrange(2), choice.randrange(1, 3)
            answered = choice.randrange(2), choice.randrange(1, 3)
            store, discard = choice.random() < 0.2, choice.random() < 0.1
            ctx.set(dut.frame, dict(zip(("sequence", "code"), frame, strict=True)))
            ctx.set(dut.sequence, answered[0])
            ctx.set(dut.code, answered[1])
            ctx.set(dut.store, store)
            ctx.set(dut.discard, discard)
            found = ctx.get(dut.repeats)
            assert found == (frame == stored), f"cycle {cycle}: {frame}, stored: {stored}"
            await ctx.tick()
            if store:
                stored = answered
            elif discard:
                stored = None

    simulate(dut, drive)


def test_search_monitor_follows_a_search_to_its_last_answer():
    dut = SearchMonitor()

    async def drive(ctx):
        # Without a search nothing is stopped, and nothing ends.
        await pulse(ctx, dut.stop, dut.done, dut.tick)
        assert not ctx.get(dut.stopping) | ctx.get(dut.finished) | ctx.get(dut.progress)
        ctx.set(dut.new_sequence, 77)
        await pulse(ctx, dut.start)
        ctx.set(dut.new_sequence, 3)
        assert (ctx.get(dut.searching), ctx.get(dut.sequence)) == (1, 77)
        await pulse(ctx, dut.stop)
        assert (ctx.get(dut.stopping), ctx.get(dut.finished)) == (1, 0)
        await pulse(ctx, dut.done)
        assert (ctx.get(dut.searching), ctx.get(dut.finished)) == (1, 1)
        await pulse(ctx, dut.close)
        assert not ctx.get(dut.searching) | ctx.get(dut.finished) | ctx.get(dut.stopping)

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
