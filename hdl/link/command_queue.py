"""Holds up to two commands of contest lines until the player takes them."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.link.types import is_session, link_command_layout

__all__ = ["CommandQueue"]


class CommandQueue(wiring.Component):
    """Offer commands in order; a session command is never lost.

    The command on offer stays until it is taken, as the stream contract demands: whoever takes the
    commands lets none wait while ``session_follows`` is high. One more command can wait behind it.
    If that place is occupied, too, a session command (one that ends the game) replaces the waiting
    command, which has lost its meaning; a turn or ``-G`` is dropped.

    ::

                 ┌────────────► offered ──► o
        i ───────┤                 ▲
                 └────► waiting ───┘

    A command is on offer in the cycle after its arrival.

    Members
    -------
    i : In(stream.Signature(link_command_layout(grid), always_ready=True))
        Commands from the line reader, which cannot wait.
    o : Out(stream.Signature(link_command_layout(grid)))
        Commands for the player.
    session : Out(1)
        A session command has arrived, in this cycle or before, and is not taken yet.
    session_follows : Out(1)
        The command behind that on offer is a session.
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
                "session_follows": Out(1),
                "dropped": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()

        waiting = Signal(self._layout)
        occupied = Signal()

        with m.If(~self.o.valid | self.o.ready):
            m.d.sync += [
                self.o.valid.eq(occupied | self.i.valid),
                self.o.payload.eq(Mux(occupied, waiting, self.i.payload)),
                occupied.eq(occupied & self.i.valid),
                waiting.eq(self.i.payload),
            ]
        with m.Elif(self.i.valid):
            with m.If(~occupied | is_session(self.i.payload)):
                m.d.sync += [occupied.eq(1), waiting.eq(self.i.payload)]
                m.d.comb += self.dropped.eq(occupied & ~is_session(waiting))
            with m.Else():
                m.d.comb += self.dropped.eq(1)

        m.d.comb += [
            self.session_follows.eq(occupied & is_session(waiting)),
            self.session.eq(
                (self.i.valid & is_session(self.i.payload))
                | (self.o.valid & is_session(self.o.payload))
                | self.session_follows
            ),
        ]
        return m
