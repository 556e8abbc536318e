"""Follows a search that a frame has begun: its end, and when progress is to be answered."""

from __future__ import annotations

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from loopline.game.wire import PROGRESS_MS

__all__ = ["SearchMonitor"]


class SearchMonitor(wiring.Component):
    """Follow a search from the command that begins it to its last answer.

    Members
    -------
    start : In(1), new_sequence : In(7)
        A search begins, by a frame with this sequence number.
    stop : In(1)
        End the search early, if one goes on.
    done : In(1)
        The player has finished a request.
    close : In(1)
        The last answer to the search is made now.
    tick : In(1), iteration : In(1)
        Pulses in each millisecond, and when the search has completed an iteration.
    progress : Out(1), progress_taken : In(1)
        An iteration is complete, or ``PROGRESS_MS`` have passed: an answer about the search's
        progress is due, until it is taken.
    searching : Out(1), sequence : Out(7)
        A search goes on, or its last answer has not been made yet; the sequence number of its
        command.
    finished : Out(1)
        The search has ended, and its last answer has not been made yet.
    stopping : Out(1)
        The search was told to end; until the next one begins, as the player may still be at it
        after its last answer.
    """

    def __init__(self) -> None:
        super().__init__(
            {
                "start": In(1),
                "new_sequence": In(7),
                "stop": In(1),
                "done": In(1),
                "close": In(1),
                "tick": In(1),
                "iteration": In(1),
                "progress": Out(1),
                "progress_taken": In(1),
                "searching": Out(1),
                "sequence": Out(7),
                "finished": Out(1),
                "stopping": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        elapsed = Signal(range(PROGRESS_MS))
        with m.If(self.done & self.searching):
            m.d.sync += self.finished.eq(1)
        with m.If(self.stop):
            m.d.sync += self.stopping.eq(self.searching)
        with m.If(self.tick & self.searching):
            m.d.sync += elapsed.eq(elapsed + 1)
            with m.If(elapsed == PROGRESS_MS - 1):
                m.d.sync += [elapsed.eq(0), self.progress.eq(1)]
        with m.If(self.progress_taken):
            m.d.sync += self.progress.eq(0)
        with m.If(self.iteration):
            m.d.sync += self.progress.eq(self.searching)
        with m.If(self.start):
            m.d.sync += [
                self.searching.eq(1),
                self.sequence.eq(self.new_sequence),
                self.stopping.eq(0),
                elapsed.eq(0),
                self.progress.eq(0),
            ]
        with m.If(self.close):
            m.d.sync += [self.searching.eq(0), self.finished.eq(0)]
        return m
