"""Decoder: tells the characters of lines from the bytes of frames, and undoes SLIP."""

from __future__ import annotations

from amaranth.hdl import Module, Signal
from amaranth.lib import enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.game.wire import END, ESC, ESC_END, ESC_ESC

__all__ = ["FrameDecoder"]


class FrameDecoder(wiring.Component):
    """Give each received byte to whom it belongs, in the cycle in which it comes.

    ::

                            ┌───────────────────────────────────────────┐
                  END       ▼    END, again and again                    │ END
        LINE ────────────► BEGIN ──────────► FRAME ◄──► ESCAPED ─────────┘
          ▲   ASCII          │    top bit      │            │
          └──────────────────┴─────────────────┴────────────┘ nothing for ``pause`` ticks

    Whatever is received, there is nothing to wait for: a byte is taken in every cycle, but for the
    one after an END that breaks a line, and the one in which a frame is given up. Every frame that
    is begun ends, by END or a pause.

    A frame that is ``hopeless`` ends sooner, if lines are in it: from its next LF or CR on its
    characters are given to the lines, too, and the first line that is ``understood`` ends it.

    Parameters
    ----------
    pause : int
        A frame that stops in its middle is cut after this many ticks, and at most one less.

    Members
    -------
    bytes : In(stream.Signature(8))
        What was received; ready in the cycle after at the latest.
    damaged : In(1)
        A character without a stop bit was dropped here.
    tick : In(1)
        The measure of time for ``pause``.
    hopeless : In(1)
        What has been received of the frame cannot be the beginning of one, and lines are looked
        for in the rest.
    understood : In(1)
        A line has been understood, one cycle ago: with its end.
    chars : Out(stream.Signature(8, always_ready=True))
        Characters of lines.
    broken : Out(1)
        A line stops here: an END has come, or a character of it was damaged.
    data : Out(stream.Signature(8, always_ready=True))
        Bytes of frames.
    bad : Out(1)
        In place of a byte: an escape sequence that there is not, or a damaged character. It may be
        the first that is heard of a frame, and come with ``end``.
    end : Out(1)
        The frame is at its end.
    cut : Out(1)
        It has stopped in its middle.
    busy : Out(1)
        A frame has begun and not ended.
    """

    def __init__(self, pause: int):
        self._pause = pause
        super().__init__(
            {
                "bytes": In(stream.Signature(8)),
                "damaged": In(1),
                "tick": In(1),
                "hopeless": In(1),
                "understood": In(1),
                "chars": Out(stream.Signature(8, always_ready=True)),
                "broken": Out(1),
                "data": Out(stream.Signature(8, always_ready=True)),
                "bad": Out(1),
                "end": Out(1),
                "cut": Out(1),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()

        class State(enum.Enum, shape=3):
            LINE = 0
            BREAK = 1
            BEGIN = 2
            FRAME = 3
            ESCAPED = 4

        state = Signal(State)
        byte = self.bytes.payload
        came = self.bytes.valid & self.bytes.ready
        is_end, is_escape = byte == END, byte == ESC
        m.d.comb += [
            self.chars.payload.eq(byte),
            self.data.payload.eq(byte),
        ]

        with m.Switch(state):
            with m.Case(State.LINE):
                m.d.comb += [
                    self.chars.valid.eq(came & ~is_end),
                    self.broken.eq(self.damaged | (came & is_end)),
                ]
                with m.If(came & is_end):
                    m.d.sync += state.eq(State.BREAK)
            with m.Case(State.BREAK):
                # The line that was broken ends.
                m.d.comb += [
                    self.chars.valid.eq(1),
                    self.chars.payload.eq(ord("\n")),
                ]
                m.d.sync += state.eq(State.BEGIN)
            with m.Case(State.BEGIN):
                with m.If(self.damaged):
                    m.d.comb += self.bad.eq(1)
                    m.d.sync += state.eq(State.FRAME)
                with m.If(came & ~is_end):
                    with m.If(is_escape):
                        m.d.sync += state.eq(State.ESCAPED)
                    with m.Elif(byte[7]):
                        m.d.comb += self.data.valid.eq(1)
                        m.d.sync += state.eq(State.FRAME)
                    with m.Else():
                        m.d.comb += self.chars.valid.eq(1)
                        m.d.sync += state.eq(State.LINE)
            with m.Case(State.FRAME):
                m.d.comb += [
                    self.data.valid.eq(came & ~is_end & ~is_escape),
                    self.bad.eq(self.damaged),
                    self.end.eq(came & is_end),
                ]
                with m.If(came & is_end):
                    m.d.sync += state.eq(State.BEGIN)
                with m.Elif(came & is_escape):
                    m.d.sync += state.eq(State.ESCAPED)
            with m.Case(State.ESCAPED):
                with m.If(self.damaged):
                    m.d.comb += self.bad.eq(1)
                    m.d.sync += state.eq(State.FRAME)
                with m.If(came):
                    m.d.sync += state.eq(State.FRAME)
                    with m.If(byte == ESC_END):
                        m.d.comb += [self.data.valid.eq(1), self.data.payload.eq(END)]
                    with m.Elif(byte == ESC_ESC):
                        m.d.comb += [self.data.valid.eq(1), self.data.payload.eq(ESC)]
                    with m.Else():
                        m.d.comb += [self.bad.eq(1), self.end.eq(is_end)]
                        with m.If(is_end):
                            m.d.sync += state.eq(State.BEGIN)
            with m.Default():
                # No code of a state: as after power-on.
                m.d.sync += state.eq(State.LINE)

        m.d.comb += self.busy.eq((state == State.FRAME) | (state == State.ESCAPED))

        # In step with the lines in a frame that is none.
        in_step = Signal()
        gives_up = self.busy & self.hopeless & in_step & self.understood
        m.d.comb += self.bytes.ready.eq((state != State.BREAK) & ~gives_up)
        with m.If(~self.busy | ~self.hopeless):
            m.d.sync += in_step.eq(0)
        with m.Elif(in_step):
            m.d.comb += [self.chars.valid.eq(came & ~is_end), self.broken.eq(self.damaged)]
            with m.If(self.understood):
                m.d.comb += self.end.eq(1)
                m.d.sync += state.eq(State.LINE)
            with m.Elif(came & is_end):
                m.d.comb += self.broken.eq(1)
                m.d.sync += state.eq(State.BREAK)
        with m.Elif(came & ((byte == ord("\n")) | (byte == ord("\r")))):
            m.d.sync += in_step.eq(1)

        quiet = Signal(range(self._pause + 1))
        with m.If(~self.busy | came | self.damaged):
            m.d.sync += quiet.eq(0)
        with m.Elif(quiet == self._pause):
            m.d.comb += self.cut.eq(1)
            m.d.sync += [quiet.eq(0), state.eq(State.LINE)]
        with m.Elif(self.tick):
            m.d.sync += quiet.eq(quiet + 1)
        return m
