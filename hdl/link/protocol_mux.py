"""Merges contest lines and frames into one byte stream, each of them whole."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.link.types import frame_text_port

__all__ = ["ProtocolMux"]


class ProtocolMux(wiring.Component):
    """Pass on lines and frames, each to its end. Lines have priority. No latency.

    Members
    -------
    lines : In(stream.Signature(8))
        Characters of contest lines; each line ends with LF.
    frames : In(frame_text_port)
        Bytes of frames.
    text : Out(stream.Signature(8))
        Bytes of both.
    """

    def __init__(self) -> None:
        super().__init__(
            {
                "lines": In(stream.Signature(8)),
                "frames": In(frame_text_port()),
                "text": Out(stream.Signature(8)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        # ``granted`` holds the choice from the first byte on offer to the last one's transfer.
        held = Signal()
        granted = Signal()
        framed = Signal()
        m.d.comb += framed.eq(Mux(held, granted, ~self.lines.valid))
        with m.If(framed):
            m.d.comb += [
                self.text.valid.eq(self.frames.text.valid),
                self.text.payload.eq(self.frames.text.payload),
                self.frames.text.ready.eq(self.text.ready),
            ]
        with m.Else():
            m.d.comb += [
                self.text.valid.eq(self.lines.valid),
                self.text.payload.eq(self.lines.payload),
                self.lines.ready.eq(self.text.ready),
            ]
        last = Mux(framed, self.frames.last, self.lines.payload == ord("\n"))
        with m.If(self.text.valid):
            m.d.sync += [held.eq(~(last & self.text.ready)), granted.eq(framed)]
        return m
