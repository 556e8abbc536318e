"""Undo: writes back what turns overwrote in the cell map, the frontier table and the box."""

from __future__ import annotations

from amaranth.hdl import Module, Signal
from amaranth.lib import data, enum, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.cells import CellWrite
from loopline.hdl.core.journal import Journal
from loopline.hdl.core.spaces import SpaceWrite
from loopline.hdl.core.types import box_layout, cell_layout, place_layout

__all__ = ["EntryKind", "Undo", "entry_layout"]


class EntryKind(enum.Enum, shape=2):
    """What a journal entry takes back."""

    MARK = 0
    """Nothing: it stands between two turns, with the box before the later one."""
    TILE = 1
    """A tile: the cell was a space."""
    SOCKET = 2
    """A socket: the cell was a space with fewer of them."""


def entry_layout(grid: GridConfig) -> data.StructLayout:
    """A journal entry: the box, or a cell's place and what it held.

    For a cell that entered the frontier ``cell`` has no sockets, and the index it was given.
    """
    cell = data.StructLayout({"place": place_layout(grid), "cell": cell_layout(grid)})
    return data.StructLayout(
        {"kind": EntryKind, "body": data.UnionLayout({"box": box_layout(grid), "was": cell})}
    )


class Undo(wiring.Component):
    """Keeps a journal of turns and takes the last one back, last change first.

    The stack of free indices is undone by its inverses: what a tile released is taken back
    (``ungive``), what a fresh space was given is released (``give``).

    Parameters
    ----------
    grid : GridConfig
        Widths, and the depth of the journal.

    Members
    -------
    record : In(1), entry : In(entry_layout)
        Journal a change. A turn begins with a ``MARK``.
    start : In(1)
        Take back the last turn: one cycle for each entry, the mark included. Not in the cycle
        after ``record``, nor with an empty journal.
    busy : Out(1)
        From the cycle after ``start`` until all is restored.
    forget : In(1)
        Make all turns final. Not while ``busy``.
    level : Out
        Entries in the journal.
    write : Out(CellWrite), spaces : Out(SpaceWrite), give, given, ungive : Out
        To the cell map and the frontier table; in use while ``busy``.
    restore : Out(1), box : Out(box_layout)
        The box before the turn, in the last cycle of ``busy``.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "record": In(1),
                "entry": In(entry_layout(grid)),
                "start": In(1),
                "busy": Out(1),
                "forget": In(1),
                "level": Out(range(grid.journal + 1)),
                "write": Out(CellWrite(grid)),
                "spaces": Out(SpaceWrite(grid)),
                "give": Out(1),
                "given": Out(grid.index_bits),
                "ungive": Out(1),
                "restore": Out(1),
                "box": Out(box_layout(grid)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid = self._grid
        m.submodules.journal = journal = Journal(entry_layout(grid), grid.journal)

        kind, was = journal.top.kind, journal.top.body.was
        blank = Signal()
        m.d.comb += [
            journal.push.eq(self.record),
            journal.entry.eq(self.entry),
            journal.pop.eq(self.busy),
            journal.clear.eq(self.forget),
            self.level.eq(journal.level),
            blank.eq((was.cell.white | was.cell.red) == 0),
            self.write.x.eq(was.place.x),
            self.write.y.eq(was.place.y),
            self.write.cell.eq(was.cell),
            self.spaces.index.eq(was.cell.index),
            self.spaces.place.eq(was.place),
            self.given.eq(was.cell.index),
            self.box.eq(journal.top.body.box),
        ]
        with m.If(blank):
            m.d.comb += self.write.cell.index.eq(0)

        with m.If(self.start):
            m.d.sync += self.busy.eq(1)
        with m.If(self.busy), m.Switch(kind):
            with m.Case(EntryKind.TILE):
                m.d.comb += [
                    self.write.en.eq(1),
                    self.spaces.en.eq(~blank),
                    self.ungive.eq(~blank),
                ]
            with m.Case(EntryKind.SOCKET):
                m.d.comb += [self.write.en.eq(1), self.give.eq(blank)]
            with m.Default():
                m.d.comb += self.restore.eq(1)
                m.d.sync += self.busy.eq(0)
        return m
