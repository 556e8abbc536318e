"""Proofs for the parts that frames pass through: streams keep the contract, nothing waits for
ever, and no byte is lost, whatever is received."""

from __future__ import annotations

import pytest
from amaranth.hdl import Assert, Assume, Const, Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import Flow, connect, flipped

from loopline.game.wire import END, ErrorCode
from loopline.hdl.link.frame_reader import FrameReader
from loopline.hdl.link.frame_writer import FrameWriter
from loopline.hdl.link.protocol_demux import ProtocolDemux
from loopline.hdl.link.protocol_mux import ProtocolMux
from loopline.hdl.link.rate_control import RateControl
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


# The demultiplexer.


def demux_never_waits(dut):
    """A byte waits for one cycle at most, and a frame that stops ends with the pause; nothing but a
    hopeless one gives its bytes to the lines."""
    m = free(dut)
    assume_stream_contract(m, dut.bytes)
    m.d.comb += Assume(dut.tick)
    waited, quiet = Signal(), Signal(range(PAUSE + 3))
    m.d.sync += waited.eq(dut.bytes.valid & ~dut.bytes.ready)
    m.d.comb += Assert(~waited | dut.bytes.ready)
    came = dut.bytes.valid & dut.bytes.ready
    with m.If(came | dut.framing_error | ~dut.busy):
        m.d.sync += quiet.eq(0)
    with m.Else():
        m.d.sync += quiet.eq(quiet + 1)
    m.d.comb += [Assert(~dut.busy | (quiet <= PAUSE)), Assert(~dut.frame.cut | dut.busy)]
    # Every byte goes to one place at most, and the end of a frame is where it has begun.
    m.d.comb += [
        Assert(~(dut.line.chars.valid & dut.frame.data.valid) | dut.invalid),
        Assert(~(dut.frame.end & ~dut.busy)),
        Assert(~(dut.frame.data.valid & dut.line.broken) | dut.invalid),
    ]
    return m


def demux_finds_lines(dut):
    """Lines in a hopeless frame are whole: their first character comes after LF or CR, END breaks
    the last of them, and the one that is understood ends the frame."""
    m = free(dut)
    assume_stream_contract(m, dut.bytes)
    m.d.comb += Assume(~dut.framing_error)
    byte, came = dut.bytes.payload, dut.bytes.valid & dut.bytes.ready
    ended, found, inside = Signal(), Signal(), Signal()
    gives_up = dut.busy & dut.invalid & dut.line_understood & found
    m.d.sync += ended.eq(gives_up)
    with m.If(~dut.busy | ~dut.invalid):
        m.d.sync += [found.eq(0), inside.eq(0)]
    with m.Elif(came):
        m.d.sync += found.eq(found | (byte == ord("\n")) | (byte == ord("\r")))
        m.d.sync += inside.eq(dut.line.chars.valid & (byte != ord("\n")))
        m.d.comb += [
            Assert(dut.line.chars.valid == (found & (byte != END))),
            Assert(~inside | (byte != END) | dut.line.broken),
        ]
    m.d.comb += [Assert(~gives_up | dut.frame.end), Assert(~ended | ~dut.busy)]
    return m


def test_demux_finds_lines():
    prove(demux_finds_lines(ProtocolDemux(PAUSE)), cycles=16)


@pytest.mark.parametrize(
    "statement",
    [
        lambda dut: dut.line.chars.valid.eq(dut.bytes.valid & dut.invalid),
        lambda dut: dut.line.broken.eq(0),
        lambda dut: dut.frame.end.eq(0),
    ],
)
def test_demux_that_finds_others(statement):
    with finds_it:
        prove(demux_finds_lines(SeenThrough(ProtocolDemux(PAUSE), statement)), cycles=12)


def test_demux_never_waits():
    prove(demux_never_waits(ProtocolDemux(PAUSE)), cycles=16)


@pytest.mark.parametrize(
    "statement",
    [
        lambda dut: dut.bytes.ready.eq(0),
        lambda dut: dut.frame.end.eq(dut.bytes.valid),
        lambda dut: dut.line.chars.valid.eq(dut.bytes.valid),
    ],
)
def test_demux_with_a_fault(statement):
    with finds_it:
        prove(demux_never_waits(with_fault(ProtocolDemux(PAUSE), statement)), cycles=8)


# The reader of frames.


def reader_keeps_its_frame(dut):
    """The frame on offer stays; each that ends is offered, or lost, and that is said."""
    m = free(dut)
    assert_stream_contract(m, dut.frames.headers)
    ends = dut.bytes.end | dut.bytes.cut
    m.d.comb += [
        Assume(~(dut.bytes.end & dut.bytes.cut)),
        Assume(~(dut.bytes.data.valid & (ends | dut.bytes.bad))),
    ]
    # At most two are kept: the one on offer and one more.
    kept, ended_before = Signal(range(4)), Signal()
    taken = (
        dut.frames.headers.valid
        & dut.frames.headers.ready
        & (dut.frames.headers.payload.error != ErrorCode.OVERRUN)
    )
    comes, mute = ends & ~dut.lost, Signal()
    offers = dut.ended & ~(mute & (dut.fault != 0))
    m.d.sync += [kept.eq(kept + offers - taken), ended_before.eq(comes), mute.eq(dut.mute)]
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
        lambda dut: dut.frames.headers.payload.sequence.eq(dut.frames.index),
        lambda dut: dut.lost.eq(dut.bytes.end),
        lambda dut: dut.ended.eq(dut.bytes.end),
    ],
)
def test_reader_with_a_fault(statement):
    with finds_it:
        prove(reader_keeps_its_frame(SeenThrough(FrameReader(), statement)), cycles=8)


# The writer of frames.


def writer_sends_without_a_gap(dut):
    """Once a frame has begun a byte is on offer in every cycle to its last; then it is taken."""
    m = free(dut)
    for stream in (dut.answers.payload, dut.answers.headers):
        assume_stream_contract(m, stream)
    assert_stream_contract(m, dut.out.text)
    m.d.comb += [
        Assume(~(dut.answers.clear & dut.answers.headers.valid)),
        Assert(dut.busy == dut.out.text.valid),
        Assert(
            dut.answers.headers.ready == (dut.out.text.valid & dut.out.text.ready & dut.out.last)
        ),
        Assert(dut.sent == dut.answers.headers.ready),
        Assert(~(dut.busy & dut.answers.payload.ready)),
    ]
    return m


def test_writer_sends_without_a_gap():
    prove(writer_sends_without_a_gap(FrameWriter()), cycles=12)


@pytest.mark.parametrize(
    "statement",
    [
        lambda dut: dut.out.text.payload.eq(dut.answers.payload.payload),
        lambda dut: dut.answers.headers.ready.eq(dut.out.text.ready),
    ],
)
def test_writer_with_a_fault(statement):
    with finds_it:
        prove(writer_sends_without_a_gap(with_fault(FrameWriter(), statement)), cycles=8)


# Both kinds of answers on one line.


def mux_keeps_the_contract(dut):
    m = free(dut)
    for stream in (dut.lines, dut.frames.text):
        assume_stream_contract(m, stream)
    # What is the last byte is known with it.
    offered, last = Signal(), Signal()
    m.d.sync += [
        offered.eq(dut.frames.text.valid & ~dut.frames.text.ready),
        last.eq(dut.frames.last),
    ]
    m.d.comb += Assume(~offered | (dut.frames.last == last))
    assert_stream_contract(m, dut.text)
    # Between two bytes of a frame there is none of a line, and the other way round.
    inside = Signal(2)
    with m.If(dut.frames.text.valid & dut.frames.text.ready):
        m.d.sync += inside[0].eq(~dut.frames.last)
        m.d.comb += Assert(~inside[1])
    with m.If(dut.lines.valid & dut.lines.ready):
        m.d.sync += inside[1].eq(dut.lines.payload != ord("\n"))
        m.d.comb += Assert(~inside[0])
    m.d.comb += Assert(
        ~(dut.lines.valid & dut.lines.ready & dut.frames.text.valid & dut.frames.text.ready)
    )
    return m


def test_mux_keeps_the_contract():
    prove(mux_keeps_the_contract(ProtocolMux()), cycles=12)


@pytest.mark.parametrize(
    "statement",
    [
        lambda dut: dut.text.valid.eq(dut.lines.valid),
        lambda dut: dut.lines.ready.eq(1),
        lambda dut: dut.text.payload.eq(dut.frames.text.payload),
    ],
)
def test_mux_with_a_fault(statement):
    with finds_it:
        prove(mux_keeps_the_contract(with_fault(ProtocolMux(), statement)), cycles=8)


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
    with m.Elif(dut.confirmed & dut.busy):
        m.d.sync += [proved.eq(1), cycles.eq(dut.cycles)]
    # Then it is the last one that was proved.
    m.d.comb += Assert(dut.busy | (dut.cycles == cycles))
    return m


def test_rate_goes_back():
    prove(rate_goes_back(RateControl(8, 3), 3), cycles=12)


def test_rate_with_a_fault():
    with finds_it:
        prove(rate_goes_back(RateControl(8, 5), 3), cycles=12)
