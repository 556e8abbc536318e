"""Ring finder: where the rings of the perimeter begin."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Meeting, end_layout, entry_layout
from loopline.hdl.search.evaluation.perimeter_walk import ring_layout

__all__ = ["RingFinder"]


class _State(enum.Enum, shape=2):
    """What the finder does in a cycle. All codes are states."""

    DONE = 0
    """All rings have been walked along."""
    FIRST = 1
    """Wait for the first space of the scan; begin a ring there."""
    WALK = 2
    """Wait for the scan, and for the walk. Read the next entry, if sockets are missing."""
    LOOK = 3
    """The entry is there. Begin a ring there, to look at."""


class RingFinder(wiring.Component):
    """Finds the rings of the perimeter for the :class:`PerimeterWalk`: that around the formation,
    and one around each hole.

    ::

                      scan's spaces       all windows are there, but not for all sockets
                          │                 ┌──────────────────────────┐
                          ▼                 ▼                          │
        start ──► FIRST ── ring ──► WALK ── read the next entry ──► LOOK ── ring ──► WALK
                                     │
                                     └── for all sockets ──► done

    The first ring begins at the first space that the scan passes. Sockets and windows are counted.
    Only if there were fewer windows than sockets, which needs a hole of four cells or more, the
    frontier table is read once more, for a space of another ring: the walk looks from each one on.
    All sockets of a space are in one ring, as the tiles hang together.

    Latency: none, but for rings around holes.

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Members
    -------
    start : In(1), drop : In(1)
        Begin; forget it all.
    done : Out(1)
        There is no further window. Until ``start``.
    entered : In({valid, index}), counts : In(1), scanned : In(1)
        The scan has read an entry; it does not come once more; the scan is done.
    index : Out, reads : Out(1)
        Read an entry. Only after the scan.
    entry : In(entry_layout), ends : In(end_layout), one for each colour
        What the scan or the finder has read.
    high : In
        Entries from ``high`` on are free.
    rings : Out(stream of ring_layout), idle : In(1)
        The walk.
    window : In(1)
        The walk has come to a window.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "start": In(1),
                "drop": In(1),
                "done": Out(1),
                "entered": In(data.StructLayout({"valid": 1, "index": grid.index_bits})),
                "counts": In(1),
                "scanned": In(1),
                "index": Out(grid.index_bits),
                "reads": Out(1),
                "entry": In(entry_layout(grid)),
                "ends": In(end_layout(grid)).array(2),
                "high": In(range(grid.frontier_entries + 1)),
                "rings": Out(stream.Signature(ring_layout(grid))),
                "idle": In(1),
                "window": In(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        state = Signal(_State)
        index = Signal(range(self._grid.frontier_entries + 1))
        # Sockets that no window describes yet; less than none while the walk is ahead of the scan.
        missing = Signal(self._grid.index_bits + 2)
        has = Cat(end.meeting != Meeting.ABSENT for end in self.ends)
        counted = self.entered.valid & self.counts
        m.d.sync += missing.eq(
            missing + Cat(counted & (has[0] ^ has[1]), counted & has.all()) - self.window
        )
        ring, looks = self.rings.payload, state == _State.LOOK
        settled, complete = self.scanned & self.idle, missing == 0
        m.d.comb += [
            self.done.eq((state == _State.DONE) | ((state == _State.WALK) & settled & complete)),
            self.index.eq(index),
            ring.place.eq(self.ends[0].place),
            ring.cell.white.eq(self.entry.white),
            ring.cell.red.eq(self.entry.red),
            ring.cell.index.eq(Mux(looks, index, self.entered.index)),
            ring.side.eq(Mux(has[0], self.ends[0].side, self.ends[1].side)),
            ring.look.eq(looks),
        ]
        with m.Switch(state):
            with m.Case(_State.DONE):
                pass
            with m.Case(_State.FIRST):
                m.d.comb += self.rings.valid.eq(self.entered.valid & has.any())
                m.d.sync += index.eq(0)
                with m.If(self.rings.valid & self.rings.ready):
                    m.d.sync += state.eq(_State.WALK)
                with m.Elif(self.scanned):
                    m.d.sync += state.eq(_State.DONE)
            with m.Case(_State.WALK):
                m.d.comb += self.reads.eq(settled)
                with m.If(settled):
                    m.d.sync += state.eq(_State.LOOK)
                    with m.If(complete | (index == self.high)):
                        m.d.sync += state.eq(_State.DONE)
            with m.Case(_State.LOOK):
                m.d.comb += self.rings.valid.eq(has.any())
                with m.If(self.rings.ready | ~has.any()):
                    m.d.sync += [index.eq(index + 1), state.eq(_State.WALK)]
        with m.If(self.drop):
            m.d.sync += state.eq(_State.DONE)
        with m.If(self.start):
            m.d.sync += [state.eq(_State.FIRST), missing.eq(0)]
        return m
