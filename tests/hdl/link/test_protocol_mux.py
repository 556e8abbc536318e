# amaranth: UnusedElaboratable=no
"""Merged lines and frames: each is whole, in order, and none is lost."""

import random

import pytest

from loopline.hdl.link.protocol_mux import ProtocolMux
from tests.hdl.support import Stalls, StreamChecker, simulate, stream_get, stream_put, ticks


@pytest.mark.parametrize("seed", range(6))
def test_each_to_its_end(seed):
    choice = random.Random(seed)
    lines = [bytes(choice.choices(b"AB0/", k=choice.randrange(4))) + b"\n" for _ in range(20)]
    # A frame's bytes may look like a line's end.
    frames = [bytes(choice.choices(b"\xc0\n", k=choice.randrange(1, 6))) + b"." for _ in range(20)]
    total = sum(map(len, lines + frames))
    dut = ProtocolMux()
    checker = StreamChecker(dut.text)
    line_stalls, frame_stalls = Stalls(seed), Stalls(seed + 100)

    async def send_lines(ctx):
        for line in lines:
            for char in line:
                await stream_put(ctx, dut.lines, char, stalls=line_stalls)

    async def send_frames(ctx):
        for frame in frames:
            for place, byte in enumerate(frame):
                await ticks(ctx, frame_stalls.cycles())
                ctx.set(dut.frames.last, place == len(frame) - 1)
                await stream_put(ctx, dut.frames.text, byte)

    async def receive(ctx):
        for _ in range(total):
            await stream_get(ctx, dut.text, stalls=Stalls(seed) if seed else None)

    simulate(dut, send_lines, send_frames, receive, check=[dut.lines, dut.frames.text, checker])
    text = bytes(checker.payloads)
    while lines or frames:
        if lines and text.startswith(lines[0]) and not (frames and text.startswith(frames[0])):
            text = text[len(lines.pop(0)) :]
        else:
            assert frames
            assert text.startswith(frames[0])
            text = text[len(frames.pop(0)) :]
    assert not text


def test_a_line_goes_first():
    dut = ProtocolMux()

    async def drive(ctx):
        for stream in (dut.lines, dut.frames.text):
            ctx.set(stream.valid, 1)
        ctx.set(dut.lines.payload, ord("A"))
        ctx.set(dut.frames.text.payload, 0xC0)
        ctx.set(dut.text.ready, 1)
        assert ctx.get(dut.text.payload) == ord("A")
        await ctx.tick()

    simulate(dut, drive)
