"""Sends answers as frames in SLIP, and stores the last one for a repetition."""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Module, Mux, Signal
from amaranth.lib import enum, wiring
from amaranth.lib.crc.catalog import CRC16_IBM_3740
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.game.wire import END, ESC, ESC_END, ESC_ESC, FIRST_BIT, MAX_PAYLOAD
from loopline.hdl.link.types import INDEX_BITS, answer_port, frame_text_port

__all__ = ["FrameWriter"]


class State(enum.Enum, shape=3):
    """The part of the frame that is being sent."""

    COLLECT = 0
    """None: payload bytes are written, until a header comes."""
    OPEN = 1
    """The END before the frame."""
    FIRST = 2
    """The sequence number, with its top bit set."""
    CODE = 3
    LENGTH = 4
    PAYLOAD = 5
    CRC = 6
    CLOSE = 7
    """The END after the frame."""


class FrameWriter(wiring.Component):
    """Collect the bytes of a payload; when the header comes, send both as a frame.

    ::

        answers.payload ──► page ───────────┐              ┌────► CRC ────┐
                      stored answer's page ─┴► byte by byte┴──────────────┴─► END, ESC ──► out
        answers.headers ────────────────────┘

    A payload byte is written in one cycle; none is taken while a frame is being sent.

    Members
    -------
    answers : In(answer_port)
        Payloads and headers.
    out : Out(frame_text_port)
        Bytes for the transmitter.
    sent : Out(1)
        Pulses for one cycle when the last byte of a frame is transferred.
    busy : Out(1)
        A frame is being sent.
    """

    def __init__(self) -> None:
        super().__init__(
            {
                "answers": In(answer_port()),
                "out": Out(frame_text_port()),
                "sent": Out(1),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        payload, headers, text = self.answers.payload, self.answers.headers, self.out.text
        answer = headers.payload
        state = Signal(State)
        page = Signal()
        length = Signal(range(MAX_PAYLOAD + 1))
        stored_length = Signal(range(MAX_PAYLOAD + 1))
        stored_code = Signal(8)
        sent_length = Mux(answer.repeat, stored_length, length)
        index = Signal(range(MAX_PAYLOAD + 1))
        low = Signal()
        escaped = Signal()
        # The byte after one of the payload is being read.
        reads = Signal()

        m.submodules.pages = pages = Memory(shape=8, depth=2 << INDEX_BITS, init=[])
        write, read = pages.write_port(), pages.read_port()
        m.d.comb += [
            payload.ready.eq(state == State.COLLECT),
            write.en.eq(payload.valid & payload.ready & (length != MAX_PAYLOAD)),
            write.addr.eq(Cat(length[:INDEX_BITS], page)),
            write.data.eq(payload.payload),
        ]
        with m.If(write.en):
            m.d.sync += length.eq(length + 1)
        with m.If(self.answers.clear):
            m.d.sync += length.eq(0)

        m.submodules.crc = crc = CRC16_IBM_3740(data_width=8).create()
        raw = Signal(8)
        following = Signal(State)
        delimits = (state == State.OPEN) | (state == State.CLOSE)
        special = ((raw == END) | (raw == ESC)) & ~delimits
        taken = text.valid & text.ready
        done = taken & (escaped | ~special)
        m.d.comb += [
            self.busy.eq(state != State.COLLECT),
            text.valid.eq(self.busy & ~reads),
            text.payload.eq(raw),
            crc.start.eq(state == State.OPEN),
            crc.data.eq(raw),
            read.addr.eq(Cat(index[:INDEX_BITS], page ^ answer.repeat)),
        ]
        m.d.sync += reads.eq(done & (state == State.PAYLOAD))
        with m.If(special):
            m.d.comb += text.payload.eq(Mux(escaped, Mux(raw == END, ESC_END, ESC_ESC), ESC))
            with m.If(taken):
                m.d.sync += escaped.eq(~escaped)
        with m.If(done):
            m.d.sync += state.eq(following)

        with m.Switch(state):
            with m.Case(State.COLLECT):
                m.d.sync += [index.eq(0), low.eq(0)]
                with m.If(headers.valid & ~payload.valid):
                    m.d.sync += state.eq(State.OPEN)
            with m.Case(State.OPEN):
                m.d.comb += [raw.eq(END), following.eq(State.FIRST)]
            with m.Case(State.FIRST):
                m.d.comb += [
                    raw.eq(Cat(answer.sequence, Const(FIRST_BIT >> 7, 1))),
                    crc.valid.eq(done),
                    following.eq(State.CODE),
                ]
            with m.Case(State.CODE):
                m.d.comb += [
                    raw.eq(Mux(answer.repeat, stored_code, answer.code)),
                    crc.valid.eq(done),
                    following.eq(State.LENGTH),
                ]
            with m.Case(State.LENGTH):
                m.d.comb += [
                    raw.eq(sent_length),
                    crc.valid.eq(done),
                    following.eq(Mux(sent_length == 0, State.CRC, State.PAYLOAD)),
                ]
            with m.Case(State.PAYLOAD):
                m.d.comb += [
                    raw.eq(read.data),
                    crc.valid.eq(done),
                    following.eq(Mux(index + 1 == sent_length, State.CRC, State.PAYLOAD)),
                ]
                with m.If(done):
                    m.d.sync += index.eq(index + 1)
            with m.Case(State.CRC):
                m.d.comb += [
                    raw.eq(Mux(low, crc.crc[:8], crc.crc[8:])),
                    following.eq(Mux(low, State.CLOSE, State.CRC)),
                ]
                with m.If(done):
                    m.d.sync += low.eq(1)
            with m.Case(State.CLOSE):
                m.d.comb += [
                    raw.eq(END),
                    following.eq(State.COLLECT),
                    self.out.last.eq(1),
                    self.sent.eq(taken),
                    headers.ready.eq(taken),
                ]
                with m.If(taken):
                    m.d.sync += length.eq(0)
                    with m.If(answer.store & ~answer.repeat):
                        m.d.sync += [
                            stored_length.eq(length),
                            stored_code.eq(answer.code),
                            page.eq(~page),
                        ]
        return m
