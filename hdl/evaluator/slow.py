"""The slow path: a candidate that is made and unmade after all."""

from __future__ import annotations

from amaranth.hdl import Module, Signal
from amaranth.lib import enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status, job_layout, place_layout, result_layout
from loopline.hdl.evaluator.types import evaluation_layout

__all__ = ["SlowPath"]


class SlowPath(wiring.Component):
    """Evaluates a candidate by having the :class:`Placer` make it and, if it is legal, unmake it.

    Members
    -------
    request : In(1), place : In(place_layout), symbol : In(2)
        Evaluate this candidate. All three stay until ``done`` and ``ack``.
    done : Out(1), outcome : Out(evaluation_layout)
        ``status``, ``tiles``, ``loops`` and ``lines`` are valid; they stay until ``ack``. They are
        the placer's last result, which is not taken before.
    ack : In(1)
        The outcome is taken.
    jobs : Out(stream of job_layout), results : In(stream of result_layout)
        The placer.
    """

    def __init__(self, grid: GridConfig):
        super().__init__(
            {
                "request": In(1),
                "place": In(place_layout(grid)),
                "symbol": In(2),
                "done": Out(1),
                "outcome": Out(evaluation_layout(grid)),
                "ack": In(1),
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
            UNMAKE = 3
            UNMADE = 4
            DONE = 5

        state = Signal(State)
        # The state is DONE: a flip-flop of its own, since long paths begin with it.
        done = Signal()
        job, result = self.jobs.payload, self.results.payload
        m.d.comb += [
            job.place.eq(self.place),
            job.symbol.eq(self.symbol),
            job.unmake.eq(state == State.UNMAKE),
            self.jobs.valid.eq((state == State.MAKE) | (state == State.UNMAKE)),
            self.outcome.status.eq(result.status),
            self.outcome.tiles.eq(result.tiles),
            self.outcome.loops.eq(result.loops),
            self.outcome.lines.eq(result.lines),
            self.done.eq(done),
        ]
        m.d.sync += done.eq((state == State.DONE) & ~self.ack)
        with m.Switch(state):
            with m.Case(State.IDLE), m.If(self.request):
                m.d.sync += state.eq(State.MAKE)
            with m.Case(State.MAKE), m.If(self.jobs.ready):
                m.d.sync += state.eq(State.MADE)
            with m.Case(State.MADE), m.If(self.results.valid):
                with m.If(result.status == Status.LEGAL):
                    m.d.comb += self.results.ready.eq(1)
                    m.d.sync += state.eq(State.UNMAKE)
                with m.Else():
                    m.d.sync += [done.eq(1), state.eq(State.DONE)]
            with m.Case(State.UNMAKE), m.If(self.jobs.ready):
                m.d.sync += state.eq(State.UNMADE)
            with m.Case(State.UNMADE), m.If(self.results.valid):
                m.d.sync += [done.eq(1), state.eq(State.DONE)]
            with m.Default():
                m.d.comb += self.results.ready.eq(self.ack)
                with m.If(self.ack):
                    m.d.sync += state.eq(State.IDLE)
        return m
