# amaranth: UnusedElaboratable=no
"""Line writer: all labels, and codes between turns."""

import random
import re

import pytest

from loopline.hdl.config import GridConfig
from loopline.hdl.link.line_writer import MAX_CODES, LineWriter
from tests.hdl.link.harness import PulseCounter
from tests.hdl.link.reference import SYMBOLS, label_text
from tests.hdl.support import Stalls, StreamChecker, pulse, simulate, stream_get, stream_put, ticks


def as_payload(column, row, symbol):
    return {"column": column, "row": row, "symbol": SYMBOLS[symbol]}


def text_of(checker):
    return bytes(checker.payloads).decode()


@pytest.mark.parametrize("size", [8, 16, 32, 64])
@pytest.mark.parametrize("seed", [0, 1])
def test_every_column_and_every_row(size, seed):
    generator = random.Random(seed)
    labels = list(range(size))
    turns = [(label, generator.choice(labels), generator.choice("+/\\")) for label in labels]
    turns += [(generator.choice(labels), label, generator.choice("+/\\")) for label in labels]
    dut = LineWriter(GridConfig(size=size), "LL")
    checker = StreamChecker(dut.text)
    stalls = Stalls(seed) if seed else None
    expected = "".join(label_text(*turn) + "\n" for turn in turns)
    pulses = PulseCounter(dut, "sent")

    async def send(ctx):
        for turn in turns:
            await stream_put(ctx, dut.turns, as_payload(*turn), stalls=stalls)

    async def receive(ctx):
        for _ in expected:
            await stream_get(ctx, dut.text, stalls=stalls)

    simulate(dut, send, receive, check=[dut.turns, checker, pulses])
    assert text_of(checker) == expected
    assert pulses.counts == {"sent": len(turns)}
    # With LF, no line is longer than the contest allows.
    assert {len(line) for line in text_of(checker).splitlines(keepends=True)} <= {4, 5, 6}


@pytest.mark.parametrize("seed", range(4))
def test_codes_and_turns_never_mix(seed):
    """Each request is answered and each line is whole, while no more codes wait than fit."""
    generator = random.Random(seed)
    dut = LineWriter(GridConfig(size=64), "Q7")
    checker = StreamChecker(dut.text)
    stalls = Stalls(seed)
    turns = [
        (generator.randrange(64), generator.randrange(64), generator.choice("+/\\"))
        for _ in range(60)
    ]
    requests = 40
    expected = sum(len(label_text(*turn)) + 1 for turn in turns) + 3 * requests

    async def send(ctx):
        for turn in turns:
            await stream_put(ctx, dut.turns, as_payload(*turn), stalls=stalls)

    async def request(ctx):
        for number in range(requests):
            await ticks(ctx, generator.randrange(60))
            while text_of(checker).count("Q7\n") < number - MAX_CODES + 1:
                await ctx.tick()
            await pulse(ctx, dut.request)

    async def receive(ctx):
        for _ in range(expected):
            await stream_get(ctx, dut.text, stalls=stalls)

    simulate(dut, send, request, receive, check=[dut.turns, checker], cycles=20_000)
    lines = text_of(checker).splitlines()
    assert [line for line in lines if line != "Q7"] == [label_text(*turn) for turn in turns]
    assert lines.count("Q7") == requests


@pytest.mark.parametrize("requests", [1, MAX_CODES, MAX_CODES + 1, 50])
def test_codes_that_do_not_fit_are_left_out(requests):
    """A request in every cycle and a stuck transmitter do not make the writer hang."""
    dut = LineWriter(GridConfig(), "LL")
    checker = StreamChecker(dut.text)

    async def drive(ctx):
        ctx.set(dut.request, 1)
        await ctx.tick().repeat(requests)
        ctx.set(dut.request, 0)
        ctx.set(dut.text.ready, 1)
        await ctx.tick().repeat(4 * requests + 10)
        await stream_put(ctx, dut.turns, as_payload(1, 2, "+"))
        await ctx.tick().repeat(20)

    simulate(dut, drive, check=[checker])
    # One is being written while the others wait.
    assert text_of(checker) == "LL\n" * min(requests, MAX_CODES + 1) + "A2+\n"


def test_request_while_a_turn_waits_goes_first():
    dut = LineWriter(GridConfig(), "LL")
    checker = StreamChecker(dut.text)

    async def drive(ctx):
        await stream_put(ctx, dut.turns, as_payload(1, 2, "+"))
        await pulse(ctx, dut.request)
        ctx.set(dut.text.ready, 1)
        await stream_put(ctx, dut.turns, as_payload(3, 4, "/"))
        await ctx.tick().repeat(20)

    simulate(dut, drive, check=[dut.turns, checker])
    assert text_of(checker) == "A2+\nLL\nC4/\n"


@pytest.mark.parametrize("after", range(12))
def test_discarded_turns_are_taken_and_not_written(after):
    """Turns are discarded in any state of the writer; the line being written is finished."""
    dut = LineWriter(GridConfig(), "LL")
    checker = StreamChecker(dut.text)

    async def drive(ctx):
        ctx.set(dut.text.ready, 1)
        await stream_put(ctx, dut.turns, as_payload(27, 34, "+"))
        if after:
            await ctx.tick().repeat(after)
        ctx.set(dut.discard, 1)
        for column in range(5):
            ctx.set(dut.turns.payload, as_payload(column, 9, "\\"))
            ctx.set(dut.turns.valid, 1)
            assert ctx.get(dut.turns.ready)
            await ctx.tick()
        ctx.set(dut.discard, 0)
        await stream_put(ctx, dut.turns, as_payload(5, 6, "/"))
        await ctx.tick().repeat(20)

    simulate(dut, drive, check=[dut.turns, checker])
    assert text_of(checker) == "AA34+\nE6/\n"


@pytest.mark.parametrize("code", ["", "L", "LLL", "Lé"])
def test_code_is_checked(code):
    message = re.escape(f"player code must be two ASCII characters, not {code!r}")
    with pytest.raises(ValueError, match=f"^{message}$"):
        LineWriter(GridConfig(), code)
