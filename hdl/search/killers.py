"""Killers: the turns that were the last to be good at each ply."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import enum, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.hdl.search.config import SearchConfig
from loopline.hdl.search.types import move_layout, optional_move_layout

__all__ = ["KillerTable"]


class _Step(enum.Enum, shape=2):
    """How much of the present ply has been read. The fourth code is none."""

    NONE = 0
    """Nothing: its first killer is being read."""
    FIRST = 1
    """The first killer arrives; the second one is being read."""
    BOTH = 2
    """The second killer is there, until the next read."""


class KillerTable(wiring.Component):
    """Keeps two moves for each ply, in one memory::

                 ┌────────┐  first   ┌──────────┐
         ply ──► │ memory ├────┬────►│ register ├──► first
                 └───▲────┘    │     └────┬─────┘
                     │         └──────────│─────────► second
        move ───────►├────────────────────┘
                     first word, then the second

    The first killer of a ply lies in an even row, the second one in the next row. A move that is
    noted is written in the cycle of ``note``, and the former first killer in the cycle after it,
    while the first one of the present ply is read again.

    Latency: ``ready`` rises 2 cycles after ``ply`` changes, and 3 cycles after ``note``, counted
    from the next one for which they do not change; ``busy`` ends 2 · ``plies`` cycles after
    ``clear``.

    Without killers (``pruning.killers`` is 0) there is no memory: the outputs are never valid moves
    and always ready.

    Parameters
    ----------
    config : SearchConfig
        The number of plies, the grid, and whether there are killers.

    Members
    -------
    ply : In
        The present ply.
    ready : Out(1), first, second : Out(optional_move_layout)
        Its killers, while ``ready``. They hold as long as the ply stays, and no move is noted.
    note : In(1), move : In(move_layout)
        This move becomes the first killer of the ply, unless it is that already; and the first one
        becomes the second. Only while ``ready``.
    clear : In(1), busy : Out(1)
        Forget all moves; while ``busy`` nothing is ready. After power-on there are none.
    """

    def __init__(self, config: SearchConfig):
        self._plies, self._kept = config.plies, bool(config.pruning.killers)
        self._word = optional_move_layout(config.grid)
        super().__init__(
            {
                "ply": In(range(config.plies)),
                "ready": Out(1),
                "first": Out(self._word),
                "second": Out(self._word),
                "note": In(1),
                "move": In(move_layout(config.grid)),
                "clear": In(1),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        if not self._kept:
            m.d.comb += self.ready.eq(1)
            return m
        m.submodules.memory = memory = Memory(shape=self._word, depth=2 * self._plies, init=[])
        read, write = memory.read_port(), memory.write_port()
        m.d.comb += self.second.eq(read.data)

        # Read the killers of the ply; again if it changes, or if a move was noted.
        step = Signal(_Step)
        shown = Signal.like(self.ply)
        stays = self.ply == shown
        m.d.comb += [
            read.addr.eq(Cat(0, self.ply)),
            read.en.eq(1),
            self.ready.eq(stays & (step == _Step.BOTH)),
        ]
        m.d.sync += [shown.eq(self.ply), step.eq(_Step.FIRST)]
        with m.If(stays), m.Switch(step):
            with m.Case(_Step.FIRST):
                m.d.comb += read.addr[0].eq(1)
                m.d.sync += [self.first.eq(read.data), step.eq(_Step.BOTH)]
            with m.Case(_Step.BOTH):
                m.d.comb += read.en.eq(0)
                m.d.sync += step.eq(_Step.BOTH)
            with m.Default():
                # NONE, and no code of a step: read the first killer.
                pass

        # Note a move, and then the former first killer.
        moved = Signal()
        known = self.first.valid & (self.first.move == self.move)
        noted = self.note & ~known
        m.d.comb += [
            write.addr.eq(Cat(moved, shown)),
            write.en.eq(moved | noted),
            write.data.valid.eq(1),
            write.data.move.eq(self.move),
        ]
        m.d.sync += moved.eq(noted)
        with m.If(noted):
            m.d.sync += step.eq(_Step.NONE)
        with m.If(moved):
            m.d.comb += write.data.eq(self.first)

        row = Signal(range(2 * self._plies))
        with m.If(self.busy):
            m.d.comb += [write.addr.eq(row), write.en.eq(1), write.data.eq(0)]
            m.d.sync += [row.eq(row + 1), step.eq(_Step.NONE)]
            with m.If(row == 2 * self._plies - 1):
                m.d.sync += [row.eq(0), self.busy.eq(0)]
        with m.If(self.clear):
            m.d.sync += [self.busy.eq(1), step.eq(_Step.NONE)]
        return m
