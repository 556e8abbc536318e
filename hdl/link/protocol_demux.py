"""Separates the characters of contest lines from the bytes of frames, and decodes SLIP."""

from __future__ import annotations

from amaranth.hdl import Module, Signal
from amaranth.lib import enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.game.wire import END, ESC, ESC_END, ESC_ESC
from loopline.hdl.link.types import frame_bytes_port, line_chars_port

__all__ = ["ProtocolDemux"]


class State(enum.Enum, shape=3):
    """What the next byte may be."""

    LINE = 0
    """A character of a line, or END."""
    BREAK = 1
    """No byte is taken: the line that END has broken off gets a line end."""
    BEGIN = 2
    """After END: the first byte of a frame or line, or another END."""
    FRAME = 3
    """A byte of a frame, or END."""
    ESCAPED = 4
    """The second byte of an escape sequence."""


class ProtocolDemux(wiring.Component):
    """Pass each received byte on to the line reader or to the frame reader, in the same cycle.

    ::

                            ┌───────────────────────────────────────────┐
                  END       ▼    END, any number of times                │ END
        LINE ────────────► BEGIN ──────────► FRAME ◄──► ESCAPED ─────────┘
          ▲   ASCII          │    top bit      │            │
          └──────────────────┴─────────────────┴────────────┘ no byte for ``pause`` ticks

    A byte is taken in every cycle with two exceptions: the cycle after an END that breaks a line,
    and the cycle in which a frame is abandoned. Every frame that begins also ends, by END or by a
    pause.

    A frame that is ``invalid`` may end sooner. From its next LF or CR on, its characters also go to
    the line reader, and the first line that is understood ends the frame.

    Parameters
    ----------
    pause : int
        A frame that stops in its middle is cut after ``pause - 1`` to ``pause`` ticks.

    Members
    -------
    bytes : In(stream.Signature(8))
        Bytes from the UART. A byte waits for at most one cycle.
    framing_error : In(1)
        The UART dropped a character without a stop bit here.
    tick : In(1)
        The unit of time for ``pause``.
    invalid : In(1)
        The bytes received so far cannot be the beginning of a valid frame: search the rest for
        lines.
    line_understood : In(1)
        The line reader understood a line that ended one cycle ago.
    line : Out(line_chars_port)
        Characters of contest lines.
    frame : Out(frame_bytes_port)
        Bytes of frames.
    busy : Out(1)
        A frame has begun and not ended.
    """

    def __init__(self, pause: int):
        self._pause = pause
        super().__init__(
            {
                "bytes": In(stream.Signature(8)),
                "framing_error": In(1),
                "tick": In(1),
                "invalid": In(1),
                "line_understood": In(1),
                "line": Out(line_chars_port()),
                "frame": Out(frame_bytes_port()),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        line, frame = self.line, self.frame
        state = Signal(State)
        byte = self.bytes.payload
        taken = self.bytes.valid & self.bytes.ready
        is_end, is_escape = byte == END, byte == ESC
        m.d.comb += [
            line.chars.payload.eq(byte),
            frame.data.payload.eq(byte),
        ]

        with m.Switch(state):
            with m.Case(State.LINE):
                m.d.comb += [
                    line.chars.valid.eq(taken & ~is_end),
                    line.broken.eq(self.framing_error | (taken & is_end)),
                ]
                with m.If(taken & is_end):
                    m.d.sync += state.eq(State.BREAK)
            with m.Case(State.BREAK):
                m.d.comb += [
                    line.chars.valid.eq(1),
                    line.chars.payload.eq(ord("\n")),
                ]
                m.d.sync += state.eq(State.BEGIN)
            with m.Case(State.BEGIN):
                with m.If(self.framing_error):
                    m.d.comb += frame.bad.eq(1)
                    m.d.sync += state.eq(State.FRAME)
                with m.If(taken & ~is_end):
                    with m.If(is_escape):
                        m.d.sync += state.eq(State.ESCAPED)
                    with m.Elif(byte[7]):
                        m.d.comb += frame.data.valid.eq(1)
                        m.d.sync += state.eq(State.FRAME)
                    with m.Else():
                        m.d.comb += line.chars.valid.eq(1)
                        m.d.sync += state.eq(State.LINE)
            with m.Case(State.FRAME):
                m.d.comb += [
                    frame.data.valid.eq(taken & ~is_end & ~is_escape),
                    frame.bad.eq(self.framing_error),
                    frame.end.eq(taken & is_end),
                ]
                with m.If(taken & is_end):
                    m.d.sync += state.eq(State.BEGIN)
                with m.Elif(taken & is_escape):
                    m.d.sync += state.eq(State.ESCAPED)
            with m.Case(State.ESCAPED):
                with m.If(self.framing_error):
                    m.d.comb += frame.bad.eq(1)
                    m.d.sync += state.eq(State.FRAME)
                with m.If(taken):
                    m.d.sync += state.eq(State.FRAME)
                    with m.If(byte == ESC_END):
                        m.d.comb += [frame.data.valid.eq(1), frame.data.payload.eq(END)]
                    with m.Elif(byte == ESC_ESC):
                        m.d.comb += [frame.data.valid.eq(1), frame.data.payload.eq(ESC)]
                    with m.Else():
                        m.d.comb += [frame.bad.eq(1), frame.end.eq(is_end)]
                        with m.If(is_end):
                            m.d.sync += state.eq(State.BEGIN)
            with m.Default():
                # An unused code, after an upset: recover as after power-on.
                m.d.sync += state.eq(State.LINE)

        m.d.comb += self.busy.eq((state == State.FRAME) | (state == State.ESCAPED))

        # Search an invalid frame for lines, from its next line end on.
        in_step = Signal()
        abandons = self.busy & self.invalid & in_step & self.line_understood
        m.d.comb += self.bytes.ready.eq((state != State.BREAK) & ~abandons)
        with m.If(~self.busy | ~self.invalid):
            m.d.sync += in_step.eq(0)
        with m.Elif(in_step):
            m.d.comb += [line.chars.valid.eq(taken & ~is_end), line.broken.eq(self.framing_error)]
            with m.If(self.line_understood):
                m.d.comb += frame.end.eq(1)
                m.d.sync += state.eq(State.LINE)
            with m.Elif(taken & is_end):
                m.d.comb += line.broken.eq(1)
                m.d.sync += state.eq(State.BREAK)
        with m.Elif(taken & ((byte == ord("\n")) | (byte == ord("\r")))):
            m.d.sync += in_step.eq(1)

        quiet = Signal(range(self._pause + 1))
        with m.If(~self.busy | taken | self.framing_error):
            m.d.sync += quiet.eq(0)
        with m.Elif(quiet == self._pause):
            m.d.comb += frame.cut.eq(1)
            m.d.sync += [quiet.eq(0), state.eq(State.LINE)]
        with m.Elif(self.tick):
            m.d.sync += quiet.eq(quiet + 1)
        return m
