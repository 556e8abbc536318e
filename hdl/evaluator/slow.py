"""The slow path: a trial that is made and taken back after all."""

from __future__ import annotations

from amaranth.hdl import Module, Signal
from amaranth.lib import enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status, job_layout, place_layout, result_layout
from loopline.hdl.evaluator.types import trial_layout

__all__ = ["SlowPath"]


class SlowPath(wiring.Component):
    """Has the :class:`Placer` make a turn and take it back, and tells what came of it.

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Members
    -------
    asked : In(1), place : In(place_layout), symbol : In(2)
        The turn. Stays until it is done.
    done : Out(1), outcome : Out(trial_layout), taken : In(1)
        Done, and what came of it: ``status``, ``tiles``, ``loops`` and ``lines``. Stays until
        ``taken``. It is the placer's last result, which is not taken before.
    jobs : Out(stream of job_layout), results : In(stream of result_layout)
        The placer.
    """

    def __init__(self, grid: GridConfig):
        super().__init__(
            {
                "asked": In(1),
                "place": In(place_layout(grid)),
                "symbol": In(2),
                "done": Out(1),
                "outcome": Out(trial_layout(grid)),
                "taken": In(1),
                "jobs": Out(stream.Signature(job_layout(grid))),
                "results": In(stream.Signature(result_layout())),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()

        class State(enum.Enum, shape=3):
            IDLE = 0
            MAKE = 1
            MADE = 2
            TAKE_BACK = 3
            TAKEN_BACK = 4
            DONE = 5

        # ``over`` says DONE, in a flip-flop of its own: much depends on it.
        state = Signal(State)
        over = Signal()
        job, result = self.jobs.payload, self.results.payload
        m.d.comb += [
            job.place.eq(self.place),
            job.symbol.eq(self.symbol),
            job.unmake.eq(state == State.TAKE_BACK),
            self.jobs.valid.eq((state == State.MAKE) | (state == State.TAKE_BACK)),
            self.outcome.status.eq(result.status),
            self.outcome.tiles.eq(result.tiles),
            self.outcome.loops.eq(result.loops),
            self.outcome.lines.eq(result.lines),
        ]
        m.d.comb += self.done.eq(over)
        m.d.sync += over.eq((state == State.DONE) & ~self.taken)
        with m.Switch(state):
            with m.Case(State.IDLE), m.If(self.asked):
                m.d.sync += state.eq(State.MAKE)
            with m.Case(State.MAKE), m.If(self.jobs.ready):
                m.d.sync += state.eq(State.MADE)
            with m.Case(State.MADE), m.If(self.results.valid):
                with m.If(result.status == Status.LEGAL):
                    m.d.comb += self.results.ready.eq(1)
                    m.d.sync += state.eq(State.TAKE_BACK)
                with m.Else():
                    m.d.sync += [over.eq(1), state.eq(State.DONE)]
            with m.Case(State.TAKE_BACK), m.If(self.jobs.ready):
                m.d.sync += state.eq(State.TAKEN_BACK)
            with m.Case(State.TAKEN_BACK), m.If(self.results.valid):
                m.d.sync += [over.eq(1), state.eq(State.DONE)]
            with m.Default():
                m.d.comb += self.results.ready.eq(self.taken)
                with m.If(self.taken):
                    m.d.sync += state.eq(State.IDLE)
        return m
