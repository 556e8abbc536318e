"""Line share: answers of two kinds on one line, each to its end."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

__all__ = ["LineShare"]


class LineShare(wiring.Component):
    """Pass on lines and frames, each whole. Lines go first. No latency.

    Members
    -------
    lines : In(stream.Signature(8))
        Characters of lines; LF is the last of each.
    frames : In(stream.Signature(8)), frame_ends : In(1)
        Bytes of frames, and whether the one on offer is the last of its frame.
    text : Out(stream.Signature(8))
        Both of them.
    """

    def __init__(self) -> None:
        super().__init__(
            {
                "lines": In(stream.Signature(8)),
                "frames": In(stream.Signature(8)),
                "frame_ends": In(1),
                "text": Out(stream.Signature(8)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        # Whose turn it is, once something of it is on offer.
        held = Signal()
        holder = Signal()
        framed = Signal()
        m.d.comb += framed.eq(Mux(held, holder, ~self.lines.valid))
        with m.If(framed):
            m.d.comb += [
                self.text.valid.eq(self.frames.valid),
                self.text.payload.eq(self.frames.payload),
                self.frames.ready.eq(self.text.ready),
            ]
        with m.Else():
            m.d.comb += [
                self.text.valid.eq(self.lines.valid),
                self.text.payload.eq(self.lines.payload),
                self.lines.ready.eq(self.text.ready),
            ]
        last = Mux(framed, self.frame_ends, self.lines.payload == ord("\n"))
        with m.If(self.text.valid):
            m.d.sync += [held.eq(~(last & self.text.ready)), holder.eq(framed)]
        return m
