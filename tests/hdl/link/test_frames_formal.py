"""Proofs for the components that frames pass through: for all input, streams keep the contract, no
wait is endless, and no byte is lost."""

from __future__ import annotations

import pytest
from amaranth.hdl import Assert, Assume, Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import connect, flipped

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
)

PAUSE = 4
TRIAL = 3


class Overridden(wiring.Component):
    """A component in a wrapper that overrides an output, which may be a register."""

    def __init__(self, dut, statement):
        self._dut, self._statement = dut, statement
        super().__init__(dut.signature)

    def elaborate(self, platform):
        m = Module()
        m.submodules.inner = self._dut
        connect(m, flipped(self), self._dut)
        m.d.comb += self._statement(self)
        return m


def demux_never_waits(dut):
    """A byte waits for at most one cycle, and a frame that stops ends with the pause. Only an
    invalid frame gives bytes to the line reader."""
    m = module(dut)
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
    # Every byte goes to at most one reader, and only a frame that has begun ends.
    m.d.comb += [
        Assert(~(dut.line.chars.valid & dut.frame.data.valid) | dut.invalid),
        Assert(~(dut.frame.end & ~dut.busy)),
        Assert(~(dut.frame.data.valid & dut.line.broken) | dut.invalid),
    ]
    return m


def demux_finds_lines(dut):
    """Lines in an invalid frame are whole: the first one begins after LF or CR, END breaks the last
    one, and a valid line ends the frame."""
    m = module(dut)
    assume_stream_contract(m, dut.bytes)
    m.d.comb += Assume(~dut.framing_error)
    byte, came = dut.bytes.payload, dut.bytes.valid & dut.bytes.ready
    ended, found, inside = Signal(), Signal(), Signal()
    abandons = dut.busy & dut.invalid & dut.line_understood & found
    m.d.sync += ended.eq(abandons)
    with m.If(~dut.busy | ~dut.invalid):
        m.d.sync += [found.eq(0), inside.eq(0)]
    with m.Elif(came):
        m.d.sync += found.eq(found | (byte == ord("\n")) | (byte == ord("\r")))
        m.d.sync += inside.eq(dut.line.chars.valid & (byte != ord("\n")))
        m.d.comb += [
            Assert(dut.line.chars.valid == (found & (byte != END))),
            Assert(~inside | (byte != END) | dut.line.broken),
        ]
    m.d.comb += [Assert(~abandons | dut.frame.end), Assert(~ended | ~dut.busy)]
    return m


def reader_keeps_its_frame(dut):
    """The frame on offer stays. Each frame that ends is either offered or reported as lost."""
    m = module(dut)
    assert_stream_contract(m, dut.frames.headers)
    ends = dut.bytes.end | dut.bytes.cut
    m.d.comb += [
        Assume(~(dut.bytes.end & dut.bytes.cut)),
        Assume(~(dut.bytes.data.valid & (ends | dut.bytes.bad))),
    ]
    # At most two frames are stored: the one on offer, and one more.
    stored, ended_before = Signal(range(4)), Signal()
    taken = (
        dut.frames.headers.valid
        & dut.frames.headers.ready
        & (dut.frames.headers.payload.error != ErrorCode.OVERRUN)
    )
    comes, mute = ends & ~dut.lost, Signal()
    offers = dut.ended & ~(mute & (dut.fault != 0))
    m.d.sync += [stored.eq(stored + offers - taken), ended_before.eq(comes), mute.eq(dut.mute)]
    m.d.comb += [
        Assert(stored <= 2),
        Assert(~dut.lost | ends),
        Assert(dut.ended == ended_before),
    ]
    return m


def writer_does_not_pause(dut):
    """A byte is on offer in every cycle of a frame, but for one after each byte at most; its header
    is taken with the last byte."""
    m = module(dut)
    for stream in (dut.answers.payload, dut.answers.headers):
        assume_stream_contract(m, stream)
    assert_stream_contract(m, dut.out.text)
    sent = Signal()
    m.d.sync += sent.eq(dut.out.text.valid & dut.out.text.ready)
    m.d.comb += [
        Assume(~(dut.answers.clear & dut.answers.headers.valid)),
        Assert(dut.busy == (dut.out.text.valid | (dut.busy & sent))),
        Assert(
            dut.answers.headers.ready == (dut.out.text.valid & dut.out.text.ready & dut.out.last)
        ),
        Assert(dut.sent == dut.answers.headers.ready),
        Assert(~(dut.busy & dut.answers.payload.ready)),
    ]
    return m


def mux_keeps_the_contract(dut):
    m = module(dut)
    for stream in (dut.lines, dut.frames.text):
        assume_stream_contract(m, stream)
    # ``last`` is a part of the payload.
    offered, last = Signal(), Signal()
    m.d.sync += [
        offered.eq(dut.frames.text.valid & ~dut.frames.text.ready),
        last.eq(dut.frames.last),
    ]
    m.d.comb += Assume(~offered | (dut.frames.last == last))
    assert_stream_contract(m, dut.text)
    # No byte of a line comes between two bytes of a frame, or the other way round.
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


def rate_goes_back(dut, trial=TRIAL):
    """A rate that no frame has confirmed lasts for its trial, whatever is being sent."""
    m = module(dut)
    assume_stream_contract(m, dut.changes)
    m.d.comb += Assume(dut.tick)
    since = Signal(range(trial + 2))
    with m.If(dut.changes.valid & dut.changes.ready):
        m.d.sync += since.eq(0)
    with m.Elif(dut.busy):
        m.d.sync += since.eq(since + 1)
    m.d.comb += Assert(~dut.busy | (since < trial))
    confirmed, cycles = Signal(), Signal.like(dut.cycles, init=8)
    with m.If(dut.changes.valid & dut.changes.ready):
        m.d.sync += confirmed.eq(0)
    with m.Elif(dut.confirmed & dut.busy):
        m.d.sync += [confirmed.eq(1), cycles.eq(dut.cycles)]
    # Afterwards the rate is the one confirmed last.
    m.d.comb += Assert(dut.busy | (dut.cycles == cycles))
    return m


PROOFS = {
    demux_never_waits: (
        lambda: ProtocolDemux(PAUSE),
        16,
        [
            lambda dut: dut.bytes.ready.eq(0),
            lambda dut: dut.frame.end.eq(dut.bytes.valid),
            lambda dut: dut.line.chars.valid.eq(dut.bytes.valid),
        ],
    ),
    demux_finds_lines: (
        lambda: ProtocolDemux(PAUSE),
        16,
        [
            lambda dut: dut.line.chars.valid.eq(dut.bytes.valid & dut.invalid),
            lambda dut: dut.line.broken.eq(0),
            lambda dut: dut.frame.end.eq(0),
        ],
    ),
    reader_keeps_its_frame: (
        FrameReader,
        12,
        [
            lambda dut: dut.frames.headers.payload.sequence.eq(dut.frames.index),
            lambda dut: dut.lost.eq(dut.bytes.end),
            lambda dut: dut.ended.eq(dut.bytes.end),
        ],
    ),
    writer_does_not_pause: (
        FrameWriter,
        12,
        [
            lambda dut: dut.out.text.payload.eq(dut.answers.payload.payload),
            lambda dut: dut.answers.headers.ready.eq(dut.out.text.ready),
        ],
    ),
    mux_keeps_the_contract: (
        ProtocolMux,
        12,
        [
            lambda dut: dut.text.valid.eq(dut.lines.valid),
            lambda dut: dut.lines.ready.eq(1),
            lambda dut: dut.text.payload.eq(dut.frames.text.payload),
        ],
    ),
    rate_goes_back: (
        lambda: RateControl(8, TRIAL),
        12,
        [lambda dut: dut.cycles.eq(dut.changes.payload), lambda dut: dut.busy.eq(0)],
    ),
}
"""For each property: the component, the cycles of its proof, and the faults that it must find."""


@pytest.mark.parametrize("property_", PROOFS, ids=lambda property_: property_.__name__)
def test_proof(property_):
    make, cycles, _ = PROOFS[property_]
    prove(property_(make()), cycles=cycles)


@pytest.mark.parametrize(
    ("property_", "fault"),
    [
        pytest.param(property_, fault, id=f"{property_.__name__}-{number}")
        for property_, (_, _, faults) in PROOFS.items()
        for number, fault in enumerate(faults)
    ],
)
def test_proof_finds_a_fault(property_, fault):
    make, cycles, _ = PROOFS[property_]
    with finds_it:
        prove(property_(Overridden(make(), fault)), cycles=cycles)


def test_proof_of_the_rate_finds_a_trial_that_is_too_long():
    with finds_it:
        prove(rate_goes_back(RateControl(8, TRIAL + 2)), cycles=12)
