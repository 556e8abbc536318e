"""Proofs for the parts that frames pass through: streams keep the contract, nothing waits for
ever, and no byte is lost, whatever is received."""

from __future__ import annotations

import pytest
from amaranth.hdl import Assert, Assume, Const, Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import Flow, connect, flipped

from loopline.game.wire import END, ErrorCode
from loopline.hdl.link.decoder import FrameDecoder
from loopline.hdl.link.frame_reader import FrameReader
from loopline.hdl.link.frame_writer import FrameWriter
from loopline.hdl.link.rate import RateControl
from loopline.hdl.link.share import LineShare
from tests.hdl.support_formal import (
    assert_stream_contract,
    assume_stream_contract,
    finds_it,
    module,
    prove,
    with_fault,
)

PAUSE = 4


def free(dut) -> Module:
    """A module in which every input may be anything; those that are always ready are that."""
    signals = [signal for _, member, signal in dut.signature.flatten(dut) if member.flow is Flow.In]
    return module(dut, *(signal for signal in signals if not isinstance(signal, Const)))


class SeenThrough(wiring.Component):
    """A component with a statement that overrides its outputs, registers among them."""

    def __init__(self, dut, statement):
        self._dut, self._statement = dut, statement
        super().__init__(dut.signature)

    def elaborate(self, platform):
        m = Module()
        m.submodules.inner = self._dut
        connect(m, flipped(self), self._dut)
        m.d.comb += self._statement(self)
        return m


# The decoder.


def decoder_never_waits(dut):
    """A byte waits for one cycle at most, and a frame that stops ends with the pause; nothing but a
    hopeless one gives its bytes to the lines."""
    m = free(dut)
    assume_stream_contract(m, dut.bytes)
    m.d.comb += Assume(dut.tick)
    waited, quiet = Signal(), Signal(range(PAUSE + 3))
    m.d.sync += waited.eq(dut.bytes.valid & ~dut.bytes.ready)
    m.d.comb += Assert(~waited | dut.bytes.ready)
    came = dut.bytes.valid & dut.bytes.ready
    with m.If(came | dut.damaged | ~dut.busy):
        m.d.sync += quiet.eq(0)
    with m.Else():
        m.d.sync += quiet.eq(quiet + 1)
    m.d.comb += [Assert(~dut.busy | (quiet <= PAUSE)), Assert(~dut.cut | dut.busy)]
    # Every byte goes to one place at most, and the end of a frame is where it has begun.
    m.d.comb += [
        Assert(~(dut.chars.valid & dut.data.valid) | dut.hopeless),
        Assert(~(dut.end & ~dut.busy)),
        Assert(~(dut.data.valid & dut.broken) | dut.hopeless),
    ]
    return m


def decoder_finds_lines(dut):
    """Lines in a hopeless frame are whole: their first character comes after LF or CR, END breaks
    the last of them, and the one that is understood ends the frame."""
    m = free(dut)
    assume_stream_contract(m, dut.bytes)
    m.d.comb += Assume(~dut.damaged)
    byte, came = dut.bytes.payload, dut.bytes.valid & dut.bytes.ready
    ended, found, inside = Signal(), Signal(), Signal()
    gives_up = dut.busy & dut.hopeless & dut.understood & found
    m.d.sync += ended.eq(gives_up)
    with m.If(~dut.busy | ~dut.hopeless):
        m.d.sync += [found.eq(0), inside.eq(0)]
    with m.Elif(came):
        m.d.sync += found.eq(found | (byte == ord("\n")) | (byte == ord("\r")))
        m.d.sync += inside.eq(dut.chars.valid & (byte != ord("\n")))
        m.d.comb += [
            Assert(dut.chars.valid == (found & (byte != END))),
            Assert(~inside | (byte != END) | dut.broken),
        ]
    m.d.comb += [Assert(~gives_up | dut.end), Assert(~ended | ~dut.busy)]
    return m


def test_decoder_finds_lines():
    prove(decoder_finds_lines(FrameDecoder(PAUSE)), cycles=16)


@pytest.mark.parametrize(
    "statement",
    [
        lambda dut: dut.chars.valid.eq(dut.bytes.valid & dut.hopeless),
        lambda dut: dut.broken.eq(0),
        lambda dut: dut.end.eq(0),
    ],
)
def test_decoder_that_finds_others(statement):
    with finds_it:
        prove(decoder_finds_lines(SeenThrough(FrameDecoder(PAUSE), statement)), cycles=12)


def test_decoder_never_waits():
    prove(decoder_never_waits(FrameDecoder(PAUSE)), cycles=16)


@pytest.mark.parametrize(
    "statement",
    [
        lambda dut: dut.bytes.ready.eq(0),
        lambda dut: dut.end.eq(dut.bytes.valid),
        lambda dut: dut.chars.valid.eq(dut.bytes.valid),
    ],
)
def test_decoder_with_a_fault(statement):
    with finds_it:
        prove(decoder_never_waits(with_fault(FrameDecoder(PAUSE), statement)), cycles=8)


# The reader of frames.


def reader_keeps_its_frame(dut):
    """The frame on offer stays; each that ends is offered, or lost, and that is said."""
    m = free(dut)
    assert_stream_contract(m, dut.frames)
    ends = dut.end | dut.cut
    m.d.comb += [
        Assume(~(dut.end & dut.cut)),
        Assume(~(dut.data.valid & (ends | dut.bad))),
    ]
    # At most two are kept: the one on offer and one more.
    kept, ended_before = Signal(range(4)), Signal()
    taken = dut.frames.valid & dut.frames.ready & (dut.frames.payload.error != ErrorCode.OVERRUN)
    comes, silent = ends & ~dut.lost, Signal()
    offers = dut.ended & ~(silent & (dut.fault != 0))
    m.d.sync += [kept.eq(kept + offers - taken), ended_before.eq(comes), silent.eq(dut.silent)]
    m.d.comb += [
        Assert(kept <= 2),
        Assert(~dut.lost | ends),
        Assert(dut.ended == ended_before),
    ]
    return m


def test_reader_keeps_its_frame():
    prove(reader_keeps_its_frame(FrameReader()), cycles=12)


@pytest.mark.parametrize(
    "statement",
    [
        lambda dut: dut.frames.payload.sequence.eq(dut.index),
        lambda dut: dut.lost.eq(dut.end),
        lambda dut: dut.ended.eq(dut.end),
    ],
)
def test_reader_with_a_fault(statement):
    with finds_it:
        prove(reader_keeps_its_frame(SeenThrough(FrameReader(), statement)), cycles=8)


# The writer of frames.


def writer_sends_without_a_gap(dut):
    """Once a frame has begun a byte is on offer in every cycle to its last; then it is taken."""
    m = free(dut)
    for stream in (dut.put, dut.answers):
        assume_stream_contract(m, stream)
    assert_stream_contract(m, dut.text)
    m.d.comb += [
        Assume(~(dut.clear & dut.answers.valid)),
        Assert(dut.busy == dut.text.valid),
        Assert(dut.answers.ready == (dut.text.valid & dut.text.ready & dut.last)),
        Assert(dut.sent == dut.answers.ready),
        Assert(~(dut.busy & dut.put.ready)),
    ]
    return m


def test_writer_sends_without_a_gap():
    prove(writer_sends_without_a_gap(FrameWriter()), cycles=12)


@pytest.mark.parametrize(
    "statement",
    [
        lambda dut: dut.text.payload.eq(dut.put.payload),
        lambda dut: dut.answers.ready.eq(dut.text.ready),
    ],
)
def test_writer_with_a_fault(statement):
    with finds_it:
        prove(writer_sends_without_a_gap(with_fault(FrameWriter(), statement)), cycles=8)


# Both kinds of answers on one line.


def share_keeps_the_contract(dut):
    m = free(dut)
    for stream in (dut.lines, dut.frames):
        assume_stream_contract(m, stream)
    # What is the last byte is known with it.
    offered, last = Signal(), Signal()
    m.d.sync += [offered.eq(dut.frames.valid & ~dut.frames.ready), last.eq(dut.frame_ends)]
    m.d.comb += Assume(~offered | (dut.frame_ends == last))
    assert_stream_contract(m, dut.text)
    # Between two bytes of a frame there is none of a line, and the other way round.
    inside = Signal(2)
    with m.If(dut.frames.valid & dut.frames.ready):
        m.d.sync += inside[0].eq(~dut.frame_ends)
        m.d.comb += Assert(~inside[1])
    with m.If(dut.lines.valid & dut.lines.ready):
        m.d.sync += inside[1].eq(dut.lines.payload != ord("\n"))
        m.d.comb += Assert(~inside[0])
    m.d.comb += Assert(~(dut.lines.valid & dut.lines.ready & dut.frames.valid & dut.frames.ready))
    return m


def test_share_keeps_the_contract():
    prove(share_keeps_the_contract(LineShare()), cycles=12)


@pytest.mark.parametrize(
    "statement",
    [
        lambda dut: dut.text.valid.eq(dut.lines.valid),
        lambda dut: dut.lines.ready.eq(1),
        lambda dut: dut.text.payload.eq(dut.frames.payload),
    ],
)
def test_share_with_a_fault(statement):
    with finds_it:
        prove(share_keeps_the_contract(with_fault(LineShare(), statement)), cycles=8)


# The rate.


def rate_goes_back(dut, trial):
    """A rate that no frame has proved lasts for its trial, whatever is being sent."""
    m = free(dut)
    assume_stream_contract(m, dut.changes)
    m.d.comb += Assume(dut.tick)
    since = Signal(range(trial + 2))
    with m.If(dut.changes.valid & dut.changes.ready):
        m.d.sync += since.eq(0)
    with m.Elif(dut.busy):
        m.d.sync += since.eq(since + 1)
    m.d.comb += Assert(~dut.busy | (since < trial))
    proved, cycles = Signal(), Signal.like(dut.cycles, init=8)
    with m.If(dut.changes.valid & dut.changes.ready):
        m.d.sync += proved.eq(0)
    with m.Elif(dut.proved & dut.busy):
        m.d.sync += [proved.eq(1), cycles.eq(dut.cycles)]
    # Then it is the last one that was proved.
    m.d.comb += Assert(dut.busy | (dut.cycles == cycles))
    return m


def test_rate_goes_back():
    prove(rate_goes_back(RateControl(8, 3), 3), cycles=12)


def test_rate_with_a_fault():
    with finds_it:
        prove(rate_goes_back(RateControl(8, 5), 3), cycles=12)
