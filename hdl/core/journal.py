"""A stack of entries by which turns are taken back."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, ShapeLike
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.core.memory import MemoryPort

__all__ = ["Journal"]


class Journal(wiring.Component):
    """A last-in, first-out memory.

    The user pushes an entry for each thing that it does, and undoes them by popping, last first.

    Parameters
    ----------
    shape : ShapeLike
        An entry.
    depth : int
        Number of entries. The user keeps track of ``level``: a push onto a full journal is lost.

    Members
    -------
    push : In(1), entry : In(shape)
        Add an entry.
    pop : In(1)
        Remove the newest entry. Not together with ``push``; ignored when empty.
    clear : In(1)
        Remove all entries.
    top : Out(shape)
        The newest entry. Valid from the second cycle after a push, and from the first after a
        pop: entries can be popped one per cycle.
    level : Out(range(depth + 1))
        Number of entries.
    memory : Out(MemoryPort)
        Where the entries are kept. After another requester has had the memory, ``top`` is valid
        one cycle later.
    """

    def __init__(self, shape: ShapeLike, depth: int):
        self._depth = depth
        super().__init__(
            {
                "push": In(1),
                "entry": In(shape),
                "pop": In(1),
                "clear": In(1),
                "top": Out(shape),
                "level": Out(range(depth + 1)),
                "memory": Out(MemoryPort(shape, depth)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        full = self.level == self._depth
        # What is popped is known late, so all that depends on it is worked out for either case.
        less, pushes = self.level - 1, self.push & ~full
        with m.If(self.clear):
            m.d.sync += self.level.eq(0)
        with m.Elif(pushes):
            m.d.sync += self.level.eq(self.level + 1)
        with m.Elif(self.pop & (self.level != 0)):
            m.d.sync += self.level.eq(less)
        m.d.comb += [
            self.memory.w_en.eq(pushes),
            self.memory.w_addr.eq(self.level),
            self.memory.w_data.eq(self.entry),
            self.memory.r_addr.eq(Mux(pushes, self.level, Mux(self.pop, self.level - 2, less))),
            self.top.eq(self.memory.r_data),
        ]
        return m
