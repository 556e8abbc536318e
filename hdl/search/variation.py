"""Variation: the best turns from each node of the path on."""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from loopline.hdl.search.config import SearchConfig
from loopline.hdl.search.types import move_layout, optional_move_layout

__all__ = ["Variation", "VariationOp"]

_END = 3
"""The shape of the entry after the last turn, which no turn has."""


class VariationOp(enum.Enum, shape=2):
    """What happens to the variation of a ply."""

    EMPTY = 0
    """It has no turn."""
    PUT = 1
    """It is ``move``, and the variation of the next ply."""
    READ = 2
    """Read its turn of this ``number``."""
    WRITE = 3
    """With several lanes: its turn of this ``number`` is ``move``, as a ``READ`` has given it."""


class Variation(wiring.Component):
    """Keeps the best turns from each ply on.

    Only the variation of ply 0 is of use in the end: ``line`` turns. So that of ply ``n`` has
    ``line`` less ``n`` turns, and those of the plies from ``line`` on none. Behind the last turn of
    a shorter one there is a mark.

    Latency: all but ``PUT`` are taken at once; the result of ``READ`` comes one cycle later.
    ``PUT`` is taken after one cycle for each turn of the new variation and one more, or after
    ``line`` cycles.

    Parameters
    ----------
    config : SearchConfig
        Widths, and the number of turns.

    Members
    -------
    ops : In(stream of {op, ply, number, move})
        What to do. ``EMPTY`` and ``PUT`` of the plies from ``line`` on do nothing.
    results : Out(stream of optional_move_layout)
        The turn of a ``READ``, if the variation is that long. ``number`` is at most its length, and
        with the ply less than ``line``.
    """

    def __init__(self, config: SearchConfig):
        self._config = config
        op = {
            "op": VariationOp,
            "ply": range(config.plies + 1),
            "number": range(config.line),
            "move": move_layout(config.grid),
        }
        super().__init__(
            {
                "ops": In(stream.Signature(data.StructLayout(op))),
                "results": Out(stream.Signature(optional_move_layout(config.grid))),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        line, move = self._config.line, move_layout(self._config.grid)
        bits = ceil_log2(line)
        memory = Memory(shape=move, depth=1 << 2 * bits, init=[])
        m.submodules.memory = memory
        write, read = memory.write_port(), memory.read_port()
        op, answer = self.ops.payload, self.results.payload
        # The turn that is written, which was read one cycle ago. A result is on offer.
        number = Signal(range(line))
        offers = Signal()
        puts = Signal()
        reads = Signal()
        writes = (op.op == VariationOp.WRITE) if self._config.lanes > 1 else Const(0)
        ignored = Signal()
        ends = Signal()
        m.d.comb += [
            ignored.eq(op.ply >= line),
            reads.eq(op.op == VariationOp.READ),
            puts.eq(self.ops.valid & (op.op == VariationOp.PUT) & ~ignored & ~offers),
            ends.eq((number != 0) & (Value.cast(read.data.symbol) == _END) | (number == line - 1)),
            self.ops.ready.eq(~offers & (ends | ~puts)),
            read.en.eq(~offers),
            read.addr.eq(
                Mux(reads, Cat(op.number, op.ply[:bits]), Cat(number, (op.ply + 1)[:bits]))
            ),
            write.en.eq(self.ops.valid & ~offers & ~reads & ~ignored),
            write.addr.eq(Cat(Mux(writes, op.number, number), op.ply[:bits])),
            write.data.eq(Mux(number == 0, op.move, read.data)),
            self.results.valid.eq(offers),
            answer.move.eq(read.data),
            answer.valid.eq(Value.cast(read.data.symbol) != _END),
        ]
        with m.If(op.op == VariationOp.EMPTY):
            m.d.comb += Value.cast(write.data.symbol).eq(_END)
        m.d.sync += number.eq(Mux(puts & ~ends, number + 1, 0))
        with m.If(offers):
            m.d.sync += offers.eq(~self.results.ready)
        with m.Else():
            m.d.sync += offers.eq(self.ops.valid & reads)
        return m
