"""The numbers of the trials under way, and what has to be done when they run out."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.evaluator.overlay import wiping_cells
from loopline.hdl.evaluator.types import EPOCH_BITS, THREADS
from loopline.hdl.evaluator.union_find import UNION_ROWS

__all__ = ["Epochs", "wiping_rows"]


def wiping_rows(grid: GridConfig) -> int:
    """Rows of each thread that are wiped, of the largest of the memories."""
    return max(wiping_cells(grid), UNION_ROWS)


class Epochs(wiring.Component):
    """Counts each thread's trials, and wipes the memories when a thread has used all numbers.

    The memories are also wiped after a reset: the numbers begin again, and what earlier trials have
    left in the memories outlives it.

    Parameters
    ----------
    grid : GridConfig
        Sizes.

    Members
    -------
    enters : In(1), more : In(1)
        In the last stage a trial begins, in the next cycle of the first stage; or the one there
        goes on.
    idle : In(1)
        Nothing is under way.
    epochs : Out(ArrayLayout(EPOCH_BITS, THREADS))
        Of the trial in each stage.
    epoch : Out(EPOCH_BITS)
        Of the one that the last stage writes for.
    last : Out(1)
        A thread has used all numbers: no trial may begin. Known in the cycle after the first stage.
    wiping : Out(1), thread : Out(2), row : Out
        The memories are wiped: which row of which thread.
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
                "last": Out(1),
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
        # Each thread comes by here with its number before its next trial can begin.
        with m.If(epochs[0].all()):
            m.d.sync += self.last.eq(1)
        with m.If(self.last & self.idle & ~self.wiping):
            m.d.sync += [self.wiping.eq(1), self.last.eq(0), *(epoch.eq(0) for epoch in epochs)]

        count = Signal(range(THREADS * self._rows))
        m.d.comb += [self.row.eq(count), self.thread.eq(count[-2:])]
        with m.If(self.wiping):
            m.d.sync += [count.eq(count + 1), self.wiping.eq(~count.all())]
        return m
