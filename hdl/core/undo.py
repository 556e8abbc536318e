"""Undo: what is written down of the tiles and tracks of turns, to take them back."""

from __future__ import annotations

from amaranth.hdl import Module
from amaranth.lib import data, enum, wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from loopline.hdl.config import GridConfig
from loopline.hdl.core.joiner import track_layout
from loopline.hdl.core.journal import Journal
from loopline.hdl.core.memory import MemoryPort
from loopline.hdl.core.types import cell_layout, place_layout

__all__ = ["EntryKind", "Undo", "journal_layout", "tile_layout"]


class EntryKind(enum.Enum, shape=2):
    """What a journal entry takes back."""

    TRACK = 0
    """What became of a track."""
    FORCED = 1
    """A tile, not the first of its turn."""
    FIRST = 2
    """The first tile of a turn."""
    GROWN = 3
    """One that lies outside of the box before it."""


def tile_layout(grid: GridConfig) -> data.StructLayout:
    """A tile: its place, its mask of white edges, its sides without a socket, and the index that
    its space had. That is all that it takes to find out what the cells held."""
    index = cell_layout(grid).members["index"]
    return data.StructLayout({"place": place_layout(grid), "tile": 4, "open": 4, "index": index})


def journal_layout(grid: GridConfig) -> data.StructLayout:
    """A journal entry."""
    body = data.UnionLayout({"tile": tile_layout(grid), "track": track_layout(grid)})
    return data.StructLayout({"kind": EntryKind, "body": body})


class Undo(wiring.Component):
    """The journal of turns, with an entry for each tile and for each track that was changed.

    Parameters
    ----------
    grid : GridConfig
        Widths, and the depth of the journal.
    reserved : int
        Rows of the journal's memory that are reserved for another requester.

    Members
    -------
    records : In(1), track : In(track_layout)
        Write a track down.
    lays : In(1), kind : In(EntryKind), tile : In(tile_layout)
        Write a tile down, before the tracks that it changes. Not with ``records``.
    pop : In(1)
        Remove the newest entry.
    forget : In(1)
        Make all turns final.
    top : Out(journal_layout), level : Out
        The newest entry, and how many there are; as :class:`Journal` has them.
    memory : Out(MemoryPort)
        Where the entries are kept.
    """

    def __init__(self, grid: GridConfig, *, reserved: int = 0):
        self._grid = grid
        self._depth = grid.journal - reserved
        super().__init__(
            {
                "records": In(1),
                "track": In(track_layout(grid)),
                "lays": In(1),
                "kind": In(EntryKind),
                "tile": In(tile_layout(grid)),
                "pop": In(1),
                "forget": In(1),
                "top": Out(journal_layout(grid)),
                "level": Out(range(self._depth + 1)),
                "memory": Out(MemoryPort(journal_layout(grid), self._depth)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid = self._grid
        m.submodules.journal = journal = Journal(journal_layout(grid), self._depth)
        connect(m, journal.memory, flipped(self.memory))
        m.d.comb += [
            journal.push.eq(self.records | self.lays),
            journal.entry.kind.eq(self.kind),
            journal.entry.body.tile.eq(self.tile),
            journal.pop.eq(self.pop),
            journal.clear.eq(self.forget),
            self.top.eq(journal.top),
            self.level.eq(journal.level),
        ]
        with m.If(self.records):
            m.d.comb += [
                journal.entry.kind.eq(EntryKind.TRACK),
                journal.entry.body.track.eq(self.track),
            ]
        return m
