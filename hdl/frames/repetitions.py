"""Recognises a command frame that comes again after it has been answered."""

from __future__ import annotations

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.link.types import frame_layout

__all__ = ["Repetitions"]


class Repetitions(wiring.Component):
    """Remember to which command the frame writer has stored the answer.

    Members
    -------
    store : In(1), sequence : In(7), code : In(8)
        The answer to the command with this sequence number and code is stored now.
    discard : In(1)
        The stored answer is not valid any more: another command is obeyed.
    frame : In(frame_layout), repeats : Out(1)
        Whether this frame is the stored answer's command once more. Combinational.
    """

    def __init__(self) -> None:
        super().__init__(
            {
                "store": In(1),
                "sequence": In(7),
                "code": In(8),
                "discard": In(1),
                "frame": In(frame_layout()),
                "repeats": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        valid = Signal()
        sequence = Signal(7)
        code = Signal(8)
        with m.If(self.discard):
            m.d.sync += valid.eq(0)
        with m.If(self.store):
            m.d.sync += [valid.eq(1), sequence.eq(self.sequence), code.eq(self.code)]
        m.d.comb += self.repeats.eq(
            valid & (self.frame.sequence == sequence) & (self.frame.code == code)
        )
        return m
