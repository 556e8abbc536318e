"""Journal: a stack of entries from which turns are unmade."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, enum, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.joiner import track_layout
from loopline.hdl.core.memory import MemoryPort
from loopline.hdl.core.types import cell_layout, place_layout

__all__ = ["EntryKind", "Journal", "journal_layout", "tile_layout"]


class EntryKind(enum.Enum, shape=2):
    """What a journal entry holds."""

    TRACK = 0
    """A track before a join changed it."""
    FORCED = 1
    """A tile that was forced."""
    FIRST = 2
    """The first tile of a turn, inside the bounding box."""
    GROWN = 3
    """The first tile of a turn, outside the bounding box, which it made larger."""


def tile_layout(grid: GridConfig) -> data.StructLayout:
    """A tile of the journal; what the cells around it held before follows from these fields.

    - ``place``: where the tile lies;
    - ``tile``: its white edges (a mask);
    - ``open``: its sides without a socket (a mask);
    - ``index``: the frontier index of its space.
    """
    index = cell_layout(grid).members["index"]
    return data.StructLayout({"place": place_layout(grid), "tile": 4, "open": 4, "index": index})


def journal_layout(grid: GridConfig) -> data.StructLayout:
    """A journal entry: ``body.track`` if its kind is ``TRACK``, else ``body.tile``."""
    body = data.UnionLayout({"tile": tile_layout(grid), "track": track_layout(grid)})
    return data.StructLayout({"kind": EntryKind, "body": body})


class Journal(wiring.Component):
    """Stacks an entry for each tile that is laid and for each track that a join changes.

    Parameters
    ----------
    grid : GridConfig
        Widths, and the rows of the memory.
    reserved : int
        Rows of the memory that are reserved for another requester. All others hold entries.

    Members
    -------
    push_track : In(1), track : In(track_layout)
        Push a track.
    push_tile : In(1), kind : In(EntryKind), tile : In(tile_layout)
        Push a tile. Not together with ``push_track``.
    pop : In(1)
        Remove the newest entry. Not together with a push; ignored when empty.
    clear : In(1)
        Remove all entries. Wins over a push in the same cycle.
    top : Out(journal_layout)
        The newest entry. Valid from the second cycle after a push and from the first after a pop:
        one entry can be popped per cycle.
    level : Out
        Number of entries. A push onto a full journal is lost.
    memory : Out(MemoryPort)
        Where the entries are kept. After another requester has had the memory, ``top`` is valid
        one cycle later.
    """

    def __init__(self, grid: GridConfig, *, reserved: int = 0):
        self._depth = grid.journal - reserved
        super().__init__(
            {
                "push_track": In(1),
                "track": In(track_layout(grid)),
                "push_tile": In(1),
                "kind": In(EntryKind),
                "tile": In(tile_layout(grid)),
                "pop": In(1),
                "clear": In(1),
                "top": Out(journal_layout(grid)),
                "level": Out(range(self._depth + 1)),
                "memory": Out(MemoryPort(journal_layout(grid), self._depth)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        memory, entry = self.memory, self.memory.w_data
        push = Signal()
        full = self.level == self._depth
        m.d.comb += [
            push.eq((self.push_track | self.push_tile) & ~full),
            entry.kind.eq(self.kind),
            entry.body.tile.eq(self.tile),
        ]
        with m.If(self.push_track):
            m.d.comb += [entry.kind.eq(EntryKind.TRACK), entry.body.track.eq(self.track)]

        # ``pop`` arrives late, so both addresses are computed ahead of it.
        less = self.level - 1
        m.d.comb += [
            memory.w_en.eq(push),
            memory.w_addr.eq(self.level),
            memory.r_addr.eq(Mux(push, self.level, Mux(self.pop, self.level - 2, less))),
            self.top.eq(memory.r_data),
        ]
        with m.If(self.clear):
            m.d.sync += self.level.eq(0)
        with m.Elif(push):
            m.d.sync += self.level.eq(self.level + 1)
        with m.Elif(self.pop & (self.level != 0)):
            m.d.sync += self.level.eq(less)
        return m
