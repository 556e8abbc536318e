"""Answers of any number, byte by byte: from a list, a dump or the self-test to the commander."""

from __future__ import annotations

from collections.abc import Sequence

from amaranth.hdl import Module, Signal, Value
from amaranth.lib import data, stream

__all__ = ["ABANDONED", "PieceWriter", "piece_layout"]

ABANDONED = 0
"""Takes the place of an answer's code: no further answers follow."""


def piece_layout() -> data.StructLayout:
    """A byte of an answer's payload; or with ``ends``, the code of the answer that it completes."""
    return data.StructLayout({"byte": 8, "ends": 1})


class PieceWriter:
    """Offers the bytes of one answer after the other on a stream of pieces.

    Parameters
    ----------
    pieces : stream.Interface
        An output of the component that answers.
    longest : int
        The most pieces that it offers in one state.

    Attributes
    ----------
    index : range(longest)
        The next piece of the answer; 0 between two answers.
    """

    def __init__(self, pieces: stream.Interface, longest: int):
        self._pieces = pieces
        self.index = Signal(range(longest), name="piece_index")

    def offer(self, m: Module, values: Sequence[Value], code: int | None = None) -> Value:
        """Offer bytes, one in each transfer, and then the answer's code if it is given.

        Adds statements to ``m`` for the present state. Returns whether the last piece is
        transferred in this cycle.
        """
        pieces = [(value, 0) for value in values] + ([] if code is None else [(code, 1)])
        *others, last = enumerate(pieces)
        m.d.comb += self._pieces.valid.eq(1)
        with m.Switch(self.index):
            for index, piece in others:
                with m.Case(index):
                    self._set(m, *piece)
            with m.Default():
                self._set(m, *last[1])
        is_last = self.index >= last[0]
        with m.If(self._pieces.ready):
            m.d.sync += self.index.eq(self.index + 1)
            with m.If(is_last):
                m.d.sync += self.index.eq(0)
        return self._pieces.ready & is_last

    def _set(self, m: Module, byte: Value | int, ends: int) -> None:
        m.d.comb += [self._pieces.payload.byte.eq(byte), self._pieces.payload.ends.eq(ends)]
