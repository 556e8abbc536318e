"""The root's turns, best first."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.hdl.search.config import SearchConfig

__all__ = ["ListOp", "RootList", "list_op_layout", "listed_layout"]


class ListOp(enum.Enum, shape=2):
    """What the list does. All codes are operations."""

    CLEAR = 0
    """Forget all turns."""
    INSERT = 1
    """Add a turn, behind all that have its rank or a larger one. If the list is full, ignore it."""
    READ = 2
    """Read the turn ``number``, counted from 0."""
    FRONT = 3
    """Move the turn ``number`` to the front, and those before it one place back."""


def listed_layout(config: SearchConfig) -> data.StructLayout:
    """A turn of the list: the number by which turns are sorted, its frontier index and shape."""
    return data.StructLayout(
        {"rank": config.widths.root_order, "index": config.grid.index_bits, "symbol": 2}
    )


def list_op_layout(config: SearchConfig) -> data.StructLayout:
    """An operation, with the ``number`` of a turn that is listed; to insert a turn, with the fields
    of :func:`listed_layout`."""
    return data.StructLayout(
        {"op": ListOp, "number": range(config.root_turns), **listed_layout(config).members}
    )


class _State(enum.Enum, shape=2):
    """What the list does in a cycle. All codes are states."""

    IDLE = 0
    """Wait for an operation, and begin to read."""
    ANSWER = 1
    """Offer the turn that was read."""
    LOAD = 2
    """Take the turn that moves to the front; read the one before its old place."""
    SHIFT = 3
    """Move the turn before the gap back into it, or write the turn that is held there."""


class RootList(wiring.Component):
    """Keeps turns in a memory, sorted by their ranks, the largest first.

    ::

                      ┌─ READ ───► ANSWER ──► result
        op ──► IDLE ──┤
                      └─ INSERT, FRONT ──► LOAD ──► SHIFT ─┐
                                                    ▲      │ each turn that goes back
                                                    └──────┘

    Latency: a result, one cycle after ``READ``; ``CLEAR`` none; ``INSERT`` and ``FRONT`` keep the
    list from the next operation for 2 cycles, and one for each turn that moves back.

    Parameters
    ----------
    config : SearchConfig
        The most turns, and the widths of a turn.

    Members
    -------
    ops : In(stream of list_op_layout)
        What to do.
    results : Out(stream of listed_layout)
        The turn of each ``READ``.
    count : Out
        The number of turns, from the cycle after the transfer of an operation on.
    """

    def __init__(self, config: SearchConfig):
        self._config = config
        super().__init__(
            {
                "ops": In(stream.Signature(list_op_layout(config))),
                "results": Out(stream.Signature(listed_layout(config))),
                "count": Out(range(config.root_turns + 1)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        most = self._config.root_turns
        m.submodules.memory = memory = Memory(
            shape=listed_layout(self._config), depth=most, init=[]
        )
        read, write = memory.read_port(), memory.write_port()
        op = self.ops.payload
        state = Signal(_State)
        # The turn that gets a place; it is the one for the front.
        held = Signal(listed_layout(self._config))
        front = Signal()
        # The addresses of the last two reads: the turn that arrives, and the gap behind it.
        last = Signal.like(read.addr)
        gap = Signal.like(read.addr)
        m.d.comb += [
            read.en.eq(state != _State.ANSWER),
            read.addr.eq(last - 1),
            write.addr.eq(gap),
            write.data.eq(read.data),
            self.results.payload.eq(read.data),
        ]
        m.d.sync += [last.eq(read.addr), gap.eq(last)]

        with m.Switch(state):
            with m.Case(_State.IDLE):
                m.d.comb += [
                    self.ops.ready.eq(1),
                    read.addr.eq(Mux(op.op == ListOp.INSERT, self.count, op.number)),
                ]
                m.d.sync += [
                    front.eq(op.op == ListOp.FRONT),
                    *(held[name].eq(op[name]) for name, _ in held.shape()),
                ]
                with m.If(self.ops.valid), m.Switch(op.op):
                    with m.Case(ListOp.CLEAR):
                        m.d.sync += self.count.eq(0)
                    with m.Case(ListOp.INSERT), m.If(self.count != most):
                        m.d.sync += [self.count.eq(self.count + 1), state.eq(_State.LOAD)]
                    with m.Case(ListOp.READ):
                        m.d.sync += state.eq(_State.ANSWER)
                    with m.Case(ListOp.FRONT):
                        m.d.sync += state.eq(_State.LOAD)
            with m.Case(_State.ANSWER):
                m.d.comb += self.results.valid.eq(1)
                with m.If(self.results.ready):
                    m.d.sync += state.eq(_State.IDLE)
            with m.Case(_State.LOAD):
                with m.If(front):
                    m.d.sync += held.eq(read.data)
                m.d.sync += state.eq(_State.SHIFT)
            with m.Case(_State.SHIFT):
                m.d.comb += write.en.eq(1)
                # The sign of a difference: a carry chain, as the rank arrives late.
                less = (read.data.rank - held.rank)[-1]
                with m.If((gap == 0) | (~front & ~less)):
                    m.d.comb += write.data.eq(held)
                    m.d.sync += state.eq(_State.IDLE)
        return m
