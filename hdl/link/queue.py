"""Command queue: between lines that cannot wait and a player that may be a moment late."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.link.types import is_session, link_command_layout

__all__ = ["CommandQueue"]


class CommandQueue(wiring.Component):
    """Offer commands in order; what ends a game is never lost.

    The command on offer stays until it is taken, as the stream contract wants it. One more waits
    behind it. When that place is taken, too, a session command (one that drops the game) replaces
    what waits there, which it makes pointless; a turn or ``-G`` is dropped.

    ::

                 ┌────────────► on offer ──► o
        i ───────┤                  ▲
                 └────► behind ─────┘

    A command is on offer in the cycle after its arrival.

    Parameters
    ----------
    grid : GridConfig
        Gives the width of labels.

    Members
    -------
    i : In(stream.Signature(link_command_layout(grid), always_ready=True))
        Commands as they are understood.
    o : Out(stream.Signature(link_command_layout(grid)))
        Commands for the player.
    session : Out(1)
        A session command has arrived, in this very cycle or before, and is not taken yet.
    dropped : Out(1)
        High in a cycle in which a turn or ``-G`` is dropped or replaced.
    """

    def __init__(self, grid: GridConfig):
        self._layout = link_command_layout(grid)
        super().__init__(
            {
                "i": In(stream.Signature(self._layout, always_ready=True)),
                "o": Out(stream.Signature(self._layout)),
                "session": Out(1),
                "dropped": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()

        behind = Signal(self._layout)
        waits = Signal()

        with m.If(~self.o.valid | self.o.ready):
            m.d.sync += [
                self.o.valid.eq(waits | self.i.valid),
                self.o.payload.eq(Mux(waits, behind, self.i.payload)),
                waits.eq(waits & self.i.valid),
                behind.eq(self.i.payload),
            ]
        with m.Elif(self.i.valid):
            with m.If(~waits | is_session(self.i.payload)):
                m.d.sync += [waits.eq(1), behind.eq(self.i.payload)]
                m.d.comb += self.dropped.eq(waits & ~is_session(behind))
            with m.Else():
                m.d.comb += self.dropped.eq(1)

        m.d.comb += self.session.eq(
            (self.i.valid & is_session(self.i.payload))
            | (self.o.valid & is_session(self.o.payload))
            | (waits & is_session(behind))
        )
        return m
