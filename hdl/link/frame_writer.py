"""Frame writer: answers, from payload bytes to SLIP, and the last one kept for a repetition."""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Module, Mux, Signal
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.crc.catalog import CRC16_IBM_3740
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.game.wire import END, ESC, ESC_END, ESC_ESC, FIRST_BIT, MAX_PAYLOAD
from loopline.hdl.link.frame_reader import INDEX_BITS

__all__ = ["FrameWriter", "answer_layout"]


def answer_layout() -> data.StructLayout:
    """What makes an answer of the bytes that were put: its header.

    ``keep``: keep this answer for a repetition, instead of the one kept before. ``again``: send the
    kept answer; ``code`` and ``keep`` have no meaning then, and nothing may have been put.
    """
    return data.StructLayout({"sequence": 7, "code": 8, "keep": 1, "again": 1})


class FrameWriter(wiring.Component):
    """Put the bytes of a payload, then say what answer they are: it is sent as a frame.

    ::

        put ──► page ──┐          ┌───────────► CRC ──┐
        answers ──► header ──► byte by byte ──────────┴──► END, ESC ──► text
                page of the kept answer

    Putting takes a cycle for each byte; nothing is put while an answer is being sent.

    Members
    -------
    put : In(stream.Signature(8))
        The next byte of the payload; those beyond the longest payload are dropped.
    clear : In(1)
        Forget what has been put since the last answer. Not while an answer is offered.
    answers : In(stream.Signature(answer_layout()))
        The payload is complete. Taken when the frame has been sent.
    text : Out(stream.Signature(8))
        Bytes for the line.
    last : Out(1)
        The byte on offer is the last of the frame.
    sent : Out(1)
        Pulses for one cycle when it is transferred.
    busy : Out(1)
        A frame is being sent.
    """

    def __init__(self) -> None:
        super().__init__(
            {
                "put": In(stream.Signature(8)),
                "clear": In(1),
                "answers": In(stream.Signature(answer_layout())),
                "text": Out(stream.Signature(8)),
                "last": Out(1),
                "sent": Out(1),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        answer = self.answers.payload

        class State(enum.Enum, shape=3):
            COLLECT = 0
            OPEN = 1
            FIRST = 2
            CODE = 3
            LENGTH = 4
            PAYLOAD = 5
            CRC = 6
            CLOSE = 7

        state = Signal(State)
        page = Signal()
        length = Signal(range(MAX_PAYLOAD + 1))
        kept_length = Signal(range(MAX_PAYLOAD + 1))
        kept_code = Signal(8)
        sent_length = Mux(answer.again, kept_length, length)
        at = Signal(range(MAX_PAYLOAD + 1))
        low = Signal()
        escaped = Signal()

        m.submodules.pages = pages = Memory(shape=8, depth=2 << INDEX_BITS, init=[])
        write, read = pages.write_port(), pages.read_port()
        m.d.comb += [
            self.put.ready.eq(state == State.COLLECT),
            write.en.eq(self.put.valid & self.put.ready & (length != MAX_PAYLOAD)),
            write.addr.eq(Cat(length[:INDEX_BITS], page)),
            write.data.eq(self.put.payload),
        ]
        with m.If(write.en):
            m.d.sync += length.eq(length + 1)
        with m.If(self.clear):
            m.d.sync += length.eq(0)

        m.submodules.crc = crc = CRC16_IBM_3740(data_width=8).create()
        raw = Signal(8)
        following = Signal(State)
        delimits = (state == State.OPEN) | (state == State.CLOSE)
        special = ((raw == END) | (raw == ESC)) & ~delimits
        taken = self.text.valid & self.text.ready
        done = taken & (escaped | ~special)
        m.d.comb += [
            self.busy.eq(state != State.COLLECT),
            self.text.valid.eq(self.busy),
            self.text.payload.eq(raw),
            crc.start.eq(state == State.OPEN),
            crc.data.eq(raw),
            # Read ahead: the address of the byte after the one that is taken.
            read.addr.eq(
                Cat((at + (done & (state == State.PAYLOAD)))[:INDEX_BITS], page ^ answer.again)
            ),
        ]
        with m.If(special):
            m.d.comb += self.text.payload.eq(Mux(escaped, Mux(raw == END, ESC_END, ESC_ESC), ESC))
            with m.If(taken):
                m.d.sync += escaped.eq(~escaped)
        with m.If(done):
            m.d.sync += state.eq(following)

        with m.Switch(state):
            with m.Case(State.COLLECT):
                m.d.sync += [at.eq(0), low.eq(0)]
                with m.If(self.answers.valid & ~self.put.valid):
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
                    raw.eq(Mux(answer.again, kept_code, answer.code)),
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
                    following.eq(Mux(at + 1 == sent_length, State.CRC, State.PAYLOAD)),
                ]
                with m.If(done):
                    m.d.sync += at.eq(at + 1)
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
                    self.last.eq(1),
                    self.sent.eq(taken),
                    self.answers.ready.eq(taken),
                ]
                with m.If(taken):
                    m.d.sync += length.eq(0)
                    with m.If(answer.keep & ~answer.again):
                        m.d.sync += [
                            kept_length.eq(length),
                            kept_code.eq(answer.code),
                            page.eq(~page),
                        ]
        return m
