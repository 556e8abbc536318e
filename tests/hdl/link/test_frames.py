# amaranth: UnusedElaboratable=no
"""Receiving and sending frames, against the definition in ``loopline.game.wire``."""

from __future__ import annotations

import random

import pytest
from amaranth.hdl import Module
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from loopline.game.wire import END, MAX_PAYLOAD, ErrorCode, crc, pack_frame, unpack_frame
from loopline.hdl.link.frame_reader import FrameReader
from loopline.hdl.link.frame_writer import FrameWriter
from loopline.hdl.link.protocol_demux import ProtocolDemux
from loopline.hdl.link.types import frame_port, line_chars_port
from tests.hdl.link.harness import PulseCounter
from tests.hdl.link.reference import FRAMING_ERROR, PAUSE, Received, random_input, receive
from tests.hdl.support import Stalls, StreamChecker, pulse, simulate, stream_get, stream_put, ticks

TICKS = 3


class Receiver(wiring.Component):
    """Demultiplexer and frame reader, with a tick in every cycle."""

    def __init__(self) -> None:
        super().__init__(
            {
                "bytes": In(stream.Signature(8)),
                "framing_error": In(1),
                "line": Out(line_chars_port()),
                "frames": Out(frame_port()),
                "lost": Out(1),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.demux = demux = ProtocolDemux(TICKS)
        m.submodules.reader = reader = FrameReader()
        connect(m, flipped(self.bytes), demux.bytes)
        connect(m, demux.line, flipped(self.line))
        connect(m, demux.frame, reader.bytes)
        connect(m, reader.frames, flipped(self.frames))
        m.d.comb += [
            demux.framing_error.eq(self.framing_error),
            demux.tick.eq(1),
            self.lost.eq(reader.lost),
            self.busy.eq(demux.busy),
        ]
        return m


async def put_items(ctx, dut, items, gaps):
    for item in items:
        if item == PAUSE:
            await ticks(ctx, TICKS + 3)
        elif item == FRAMING_ERROR:
            await pulse(ctx, dut.framing_error)
        else:
            await stream_put(ctx, dut.bytes, item)
        # A pause of any length is one; shorter than that, it changes nothing.
        await ticks(ctx, gaps.randrange(TICKS))


async def take_frame(ctx, dut) -> Received:
    """Wait for a frame, read its payload, and take it."""
    while True:
        _, _, valid, frame = await ctx.tick().sample(
            dut.frames.headers.valid, dut.frames.headers.payload
        )
        if valid:
            break
    payload = bytearray()
    for place in range(0 if frame.error else frame.length):
        ctx.set(dut.frames.index, place)
        await ctx.tick()
        payload.append(ctx.get(dut.frames.byte))
    await stream_get(ctx, dut.frames.headers)
    return Received(frame.sequence, frame.code, bytes(payload), frame.error)


def run(items, *, seed=0):
    """Return the frames that come out; compare them and the lines' characters with the reference.

    Each frame is taken before a third one begins, so that none is lost.
    """
    dut = Receiver()
    text, frames, taken = [], [], []
    gaps = random.Random(seed)
    expected = receive(items)

    async def send(ctx):
        at = 0
        while at < len(items):
            # As far as two more frames are complete, and no further until they are taken.
            to = at + 1
            while to < len(items) and len(receive(items[:to])[1]) < len(taken) + 2:
                to += 1
            await put_items(ctx, dut, items[at:to], gaps)
            at = to
            while len(taken) < len(receive(items[:at])[1]) - 1:
                await ctx.tick()

    async def take(ctx):
        for _ in expected[1]:
            frames.append(await take_frame(ctx, dut))
            taken.append(1)

    async def watch(ctx):
        samples = ctx.tick().sample(
            dut.line.chars.valid, dut.line.chars.payload, dut.line.broken, dut.lost
        )
        async for _, _, valid, char, broken, lost in samples:
            assert not lost
            text.append(("!" if broken else "") + (chr(char) if valid else ""))

    simulate(dut, send, take, check=[dut.bytes, dut.frames.headers], background=[watch])
    assert frames == expected[1]
    assert "".join(text) == "".join(expected[0])
    return frames


@pytest.mark.parametrize("seed", range(8))
def test_anything_received_against_the_model(seed):
    frames = run(random_input(random.Random(seed), 12), seed=seed)
    assert frames[-1] == (1, 1, b"", 0)


def test_every_error_and_a_frame_after_each():
    frame = pack_frame(9, 4, b"\x01\x02")
    wrong = bytearray(frame)
    wrong[-2] ^= 1
    lengthened = b"\x89\x04\x03\x01\x02"  # A byte that is not there; the CRC is right.
    items = [
        *frame,
        *wrong,
        *[END, *lengthened, *crc(lengthened).to_bytes(2, "big"), END],
        *frame[:4],
        PAUSE,
        *frame,
        *[END, 0x89, 4, 0xDB, 1, END],
        *[END, 0xDB, END],
        *[END, FRAMING_ERROR, END],
        *[END, 0xDB, PAUSE],
        *[END, 0xFF, *bytes(200), END],
        *frame,
    ]
    errors = [(seen.sequence, seen.error) for seen in run(items)]
    assert errors == [
        (9, 0),
        (9, ErrorCode.DAMAGED),
        (9, ErrorCode.DAMAGED),
        (9, ErrorCode.CUT),
        (9, 0),
        (9, ErrorCode.FRAMING),
        (0, ErrorCode.FRAMING),
        (0, ErrorCode.FRAMING),
        (0, ErrorCode.CUT),
        (127, ErrorCode.TOO_LONG),
        (9, 0),
    ]


def test_what_comes_too_fast_is_dropped_and_said_once():
    dut = Receiver()
    seen = []
    pulses = PulseCounter(dut, "lost")

    async def send(ctx):
        for number in range(5):
            await put_items(ctx, dut, pack_frame(number, 0x20 + number, bytes([number])), random)
        for _ in range(2):
            seen.append(await take_frame(ctx, dut))
        seen.append(await take_frame(ctx, dut))
        await put_items(ctx, dut, pack_frame(9, 1, b"\x09"), random)
        seen.append(await take_frame(ctx, dut))

    simulate(dut, send, check=[dut.bytes, dut.frames.headers, pulses])
    assert seen == [
        (0, 0x20, b"\x00", 0),
        (1, 0x21, b"\x01", 0),
        (4, 0, b"", ErrorCode.OVERRUN),
        (9, 1, b"\x09", 0),
    ]
    assert pulses.counts == {"lost": 3}


# The writer.


@pytest.mark.parametrize("seed", range(4))
def test_answers(seed):
    choice = random.Random(seed)
    dut = FrameWriter()
    checker = StreamChecker(dut.out.text)
    stalls = Stalls(seed) if seed else None
    answers, expected, stored = [], b"", None
    for _ in range(12):
        size = choice.choice([0, 1, 3, MAX_PAYLOAD])
        payload = bytes(choice.choice(b"\x00\xc0\xdb\xdc\xdd\x41") for _ in range(size))
        sequence, code = choice.randrange(128), choice.choice([0x81, 0xC0, 0xDB])
        repeat = stored is not None and choice.random() < 0.3
        store = choice.random() < 0.5
        if repeat:
            payload = b""
            expected += pack_frame(sequence, *stored)
        else:
            expected += pack_frame(sequence, code, payload)
            stored = (code, payload) if store else stored
        header = {"sequence": sequence, "code": code, "store": store, "repeat": repeat}
        answers.append((payload, header))

    async def send(ctx):
        for payload, header in answers:
            for byte in payload:
                await stream_put(ctx, dut.answers.payload, byte, stalls=stalls)
            await stream_put(ctx, dut.answers.headers, header, stalls=stalls)

    async def receive(ctx):
        for place in range(len(expected)):
            byte = await stream_get(ctx, dut.out.text, stalls=stalls)
            assert byte == expected[place], f"byte {place}"

    simulate(dut, send, receive, check=[dut.answers.payload, dut.answers.headers, checker])
    assert bytes(checker.payloads) == expected


def test_last_byte_of_each_frame_is_marked():
    dut = FrameWriter()
    marks, pulses = [], []

    async def send(ctx):
        for _ in range(2):
            await stream_put(ctx, dut.answers.payload, END)
            await stream_put(ctx, dut.answers.headers, {"sequence": 64, "code": 0x81})

    async def watch(ctx):
        ctx.set(dut.out.text.ready, 1)
        samples = ctx.tick().sample(
            dut.out.text.valid, dut.out.text.payload, dut.out.last, dut.sent
        )
        async for _, _, valid, byte, last, sent in samples:
            if valid:
                marks.append((byte, last))
            pulses.append(sent)

    simulate(dut, send, background=[watch])
    frame = pack_frame(64, 0x81, bytes([END]))
    assert [byte for byte, _ in marks] == [*frame, *frame]
    assert [last for _, last in marks] == [0] * (len(frame) - 1) + [1] + [0] * (len(frame) - 1) + [
        1
    ]
    assert sum(pulses) == 2
    assert unpack_frame(frame[1:-1]) == (64, 0x81, b"\xc0")


def test_bytes_beyond_the_longest_payload_are_dropped():
    dut = FrameWriter()
    checker = StreamChecker(dut.out.text)
    payload = bytes(choice % 97 for choice in range(MAX_PAYLOAD + 2))

    async def send(ctx):
        ctx.set(dut.out.text.ready, 1)
        for byte in payload:
            await stream_put(ctx, dut.answers.payload, byte)
        await stream_put(ctx, dut.answers.headers, {"sequence": 0, "code": 0x81})

    simulate(dut, send, check=[checker])
    assert bytes(checker.payloads) == pack_frame(0, 0x81, payload[:MAX_PAYLOAD])
