"""The turn sequencer's jobs: what they ask for, how one begins, and what became of it."""

from __future__ import annotations

from amaranth.hdl import Module, Mux
from amaranth.lib import data

from loopline.hdl.config import GridConfig
from loopline.hdl.core.turn import State, Work
from loopline.hdl.core.types import TILE_COUNT_BITS, ShapeCode, Status, place_layout
from loopline.hdl.core.undo import EntryKind

__all__ = ["begin", "end", "job_layout", "result_layout"]


def job_layout(grid: GridConfig) -> data.StructLayout:
    """A turn to make (first tile), or with ``undo`` the last turn to take back."""
    return data.StructLayout({"undo": 1, "symbol": ShapeCode, "place": place_layout(grid)})


def result_layout() -> data.StructLayout:
    """What became of a job; ``tiles``, ``loops`` and ``lines`` of a turn that was made. Taking a
    turn back right after it was made tells the same once more."""
    return data.StructLayout({"status": Status, "tiles": TILE_COUNT_BITS, "loops": 2, "lines": 2})


def begin(m: Module, work: Work) -> None:
    """The case IDLE: a job is waited for, and its turn begins."""
    ports, turn, sides = work.ports, work.turn, work.sides
    with m.Case(State.IDLE):
        m.d.comb += ports.jobs.ready.eq(1)
        job = ports.jobs.payload
        nothing = job.undo & (work.undo.level == 0)
        # Whether there is a job is known late, and only ``state`` asks.
        m.d.sync += [
            turn.symbol.eq(job.symbol),
            turn.kind.eq(EntryKind.FIRST),
            turn.status.eq(Mux(nothing, Status.END, Status.LEGAL)),
            turn.undoing.eq(job.undo),
            turn.illegal.eq(0),
            sides.following.eq(0),
            sides.asked.eq(0),
        ]
        with m.If(~ports.keep):
            m.d.sync += turn.place.eq(job.place)
        with m.If(ports.jobs.valid):
            m.d.sync += turn.state.eq(
                Mux(job.undo, Mux(nothing, State.DONE, State.POP), State.READ)
            )


def end(m: Module, work: Work) -> None:
    """The case DONE, what became of the job, and the cases of no state."""
    ports, turn = work.ports, work.turn
    with m.Case(State.DONE):
        m.d.comb += ports.results.valid.eq(1)
        with m.If(ports.results.ready):
            m.d.sync += turn.state.eq(State.IDLE)

    with m.Default():
        # No code of a state: as after power-on.
        m.d.sync += turn.state.eq(State.IDLE)
