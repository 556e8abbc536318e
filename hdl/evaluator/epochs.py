"""The epochs of the candidates in the chain, and the wiping of memories when they are used up."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.evaluator.overlay import wiping_cells
from loopline.hdl.evaluator.types import EPOCH_BITS, THREADS
from loopline.hdl.evaluator.union_find import UNION_FIND_ROWS

__all__ = ["Epochs", "wiping_rows"]


def wiping_rows(grid: GridConfig) -> int:
    """Return how many rows of each thread are wiped: those of the largest memory."""
    return max(wiping_cells(grid), UNION_FIND_ROWS)


class Epochs(wiring.Component):
    """Counts each thread's candidates; when a thread has used all epochs, wipes the memories.

    A word in overlay or union-find counts only if its epoch is that of the thread's candidate: so
    both memories are empty for each new candidate. No candidate has epoch 0.

    The memories are also wiped after a reset: the epochs begin again, but the memories keep what
    earlier candidates have written.

    Members
    -------
    enters : In(1)
        A candidate enters the last stage's place; it is in the first stage in the next cycle.
    more : In(1)
        The last stage's candidate has more tiles to lay.
    idle : In(1)
        All places of the chain are free.
    epochs : Out(ArrayLayout(EPOCH_BITS, THREADS))
        Of the candidate in each stage.
    epoch : Out(EPOCH_BITS)
        The epoch that the last stage writes with: that of its candidate if ``more``, otherwise that
        of the candidate that enters.
    used_up : Out(1)
        A thread has used all epochs, so no candidate may enter. Valid from the cycle after the one
        in which that thread is in the first stage.
    wiping : Out(1), thread : Out(2), row : Out
        The memories are being wiped; the thread and row of this cycle.
    """

    def __init__(self, grid: GridConfig):
        self._rows = wiping_rows(grid)
        super().__init__(
            {
                "enters": In(1),
                "more": In(1),
                "idle": In(1),
                "epochs": Out(data.ArrayLayout(EPOCH_BITS, THREADS)),
                "epoch": Out(EPOCH_BITS),
                "used_up": Out(1),
                "wiping": Out(1, init=1),
                "thread": Out(2),
                "row": Out(range(self._rows)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        epochs = [Signal(EPOCH_BITS, name=f"epoch{n}") for n in range(THREADS)]
        m.d.comb += [self.epochs[n].eq(epoch) for n, epoch in enumerate(epochs)]
        following = Signal(EPOCH_BITS)
        m.d.comb += self.epoch.eq(Mux(self.more | self.wiping, epochs[3], following))
        m.d.sync += [
            following.eq(epochs[2] + 1),
            *(epochs[n + 1].eq(epochs[n]) for n in range(THREADS - 1)),
            epochs[0].eq(Mux(self.enters, following, epochs[3])),
        ]
        # Each thread is in the first stage with its epoch before its next candidate can enter.
        with m.If(epochs[0].all()):
            m.d.sync += self.used_up.eq(1)
        with m.If(self.used_up & self.idle & ~self.wiping):
            m.d.sync += [self.wiping.eq(1), self.used_up.eq(0), *(epoch.eq(0) for epoch in epochs)]

        count = Signal(range(THREADS * self._rows))
        m.d.comb += [self.row.eq(count), self.thread.eq(count[-2:])]
        with m.If(self.wiping):
            m.d.sync += [count.eq(count + 1), self.wiping.eq(~count.all())]
        return m
