"""The turn unit: the core, assembled, behind one stream of commands and one of outcomes."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import enum, stream, wiring
from amaranth.lib.wiring import In, Out, connect

from loopline.game import Colour
from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import BoxEdges
from loopline.hdl.core.cells import CellMap
from loopline.hdl.core.joiner import TrackJoiner
from loopline.hdl.core.memory import DualPortMemory
from loopline.hdl.core.moves import MoveGenerator
from loopline.hdl.core.parts import Parts, connect_parts
from loopline.hdl.core.placer import Placer
from loopline.hdl.core.reads import Read, begin_read, go_on_reading
from loopline.hdl.core.rules import rules_layout
from loopline.hdl.core.score import TrackScore
from loopline.hdl.core.spaces import SpaceTable
from loopline.hdl.core.tries import add_trials, answer_try
from loopline.hdl.core.types import (
    Status,
    TurnOp,
    cell_layout,
    command_layout,
    outcome_layout,
    place_layout,
)
from loopline.hdl.evaluator.types import slot_layout, waiting_rows

__all__ = ["TurnUnit"]


class TurnUnit(wiring.Component):
    """Keeps a position, makes turns and takes them back, lists candidates, evaluates; all of it by
    the rules of a variant.

    ::

                     commands                                   outcomes
                        │                                           ▲
              ┌─────────┴───┬───────────────┬──────────────┐        │
              ▼             ▼               ▼              ▼        │
           Placer     MoveGenerator     TrackScore       clear  ────┘
           journal,   (candidates)      (tracks' ends)
           queue, box       │               │
              │   │         │ reads         │ reads
              │   │         ▼               ▼   │
              │   └───► SpaceTable ◄────────┘   │
              ▼         (frontier) ◄────────┐   ▼
           CellMap       ▲          places  └─► TrackJoiner
           (4 banks) ────┘                      (both colours)
                     what is written

    One command is worked on at a time. All but a ``MAKE`` that is ``LEGAL``, an ``UNMAKE``, and
    ``CLEAR`` leave the position as it was.

    Parameters
    ----------
    grid : GridConfig
        Size of the memories.
    evaluator : bool
        With the :class:`CandidateEvaluator` for ``EVALUATE``, which needs more room than all the
        rest.

    Members
    -------
    commands : In(stream of command_layout)
        What to do; see :class:`TurnOp`.
    outcomes : Out(stream of outcome_layout)
        What came of it, one for each command but ``EVALUATE``, in order.
    rules : In(rules_layout)
        The variant that is played. Changes only while the board is empty.
    slot : Out(slot_layout)
        What the trials do in this cycle, for those who measure it; nothing without ``evaluator``.
    cell : Out(cell_layout), partners : Out(place_layout).array(2)
        What ``READ`` has read, while its outcome is on offer: the cell, and where the tracks of
        both colours that enter there end, if they do.

    Latency from command to outcome: ``CLEAR`` max(size² / 4, spaces) + 1 cycles; ``COMMIT`` 1;
    ``READ`` 4; the others as :class:`Placer`, :class:`MoveGenerator` and :class:`TrackScore`.
    """

    def __init__(self, grid: GridConfig, *, evaluator: bool = False):
        self._grid = grid
        self._evaluator = evaluator
        super().__init__(
            {
                "commands": In(stream.Signature(command_layout(grid))),
                "outcomes": Out(stream.Signature(outcome_layout(grid))),
                "rules": In(rules_layout(grid)),
                "slot": Out(slot_layout()),
                "cell": Out(cell_layout(grid)),
                "partners": Out(place_layout(grid)).array(2),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid = self._grid
        reserved = waiting_rows(grid).depth if self._evaluator else 0
        m.submodules.placer = placer = Placer(grid, reserved=reserved)
        m.submodules.moves = moves = MoveGenerator(grid)
        m.submodules.score = score = TrackScore(grid)
        m.submodules.cells = cells = CellMap(grid)
        m.submodules.spaces = spaces = SpaceTable(grid)
        m.submodules.joiner = joiner = TrackJoiner(grid)
        m.submodules.edges = edges = BoxEdges(grid)
        looks = Signal()
        tries = Signal()
        parts = Parts(placer, moves, score, cells, spaces, joiner, edges, looks, tries)
        connect_parts(m, parts, self.rules)

        class State(enum.Enum, shape=3):
            IDLE = 0
            CLEAR = 1
            MAKE = 2
            NEXT = 3
            SCORE = 4
            EVALUATE = 5
            ANSWER = 6
            READ = 7

        state = Signal(State)
        ended = Signal()
        # The state of an ``EVALUATE``, in a flip-flop of its own: much depends on it. And its
        # beginning.
        trying = Signal()
        begins = Signal()
        sweeps = max(cells.rows, grid.spaces)
        sweep = Signal(range(sweeps), reset_less=True)
        read = Read(grid)
        command, outcome = self.commands.payload, self.outcomes.payload
        m.d.comb += [cells.wipe_row.eq(sweep), spaces.wipe_index.eq(~sweep)]
        self._connect(m, parts)
        if self._evaluator:
            trials = add_trials(m, grid, parts, self.outcomes, trying)
            m.d.comb += [trials.start.eq(begins), self.slot.eq(trials.slot)]
        else:
            self._add_rows(m, placer)
        m.d.sync += begins.eq(0)
        with m.If(state == State.SCORE):
            m.d.comb += [spaces.index.eq(score.index), spaces.follow.eq(score.follow.replicate(2))]

        with m.Switch(state):
            with m.Case(State.IDLE):
                m.d.sync += [ended.eq(0), sweep.eq(0), trying.eq(0)]
                with m.If(self.commands.valid), m.Switch(command.op):
                    with m.Case(TurnOp.CLEAR):
                        m.d.comb += [self.commands.ready.eq(1), placer.reset.eq(1)]
                        m.d.sync += state.eq(State.CLEAR)
                    with m.Case(TurnOp.MAKE, TurnOp.UNMAKE):
                        self._ask(m, placer.jobs)
                        with m.If(placer.jobs.ready):
                            m.d.sync += state.eq(State.MAKE)
                    with m.Case(TurnOp.NEXT):
                        self._ask(m, moves.cursors)
                        with m.If(moves.cursors.ready):
                            m.d.sync += state.eq(State.NEXT)
                    with m.Case(TurnOp.SCORE):
                        m.d.comb += [self.commands.ready.eq(1), score.start.eq(1)]
                        m.d.sync += state.eq(State.SCORE)
                    with m.Case(TurnOp.EVALUATE):
                        m.d.comb += self.commands.ready.eq(1)
                        if self._evaluator:
                            m.d.sync += [begins.eq(1), trying.eq(1), state.eq(State.EVALUATE)]
                        else:
                            m.d.sync += [ended.eq(1), state.eq(State.ANSWER)]
                    with m.Case(TurnOp.READ):
                        m.d.comb += self.commands.ready.eq(1)
                        begin_read(m, read, command)
                        m.d.sync += state.eq(State.READ)
                    with m.Case(TurnOp.COMMIT):
                        m.d.comb += [self.commands.ready.eq(1), placer.forget.eq(1)]
                        m.d.sync += state.eq(State.ANSWER)

            with m.Case(State.CLEAR):
                m.d.comb += [
                    cells.wipe.eq(sweep < cells.rows),
                    spaces.wipe.eq(sweep < grid.spaces),
                ]
                m.d.sync += sweep.eq(sweep + 1)
                with m.If(sweep == sweeps - 1):
                    m.d.sync += state.eq(State.ANSWER)

            with m.Case(State.MAKE):
                m.d.comb += outcome.status.eq(placer.results.payload.status)
                self._offer(m, placer.results)
            with m.Case(State.NEXT):
                at_end = moves.candidates.payload.end
                m.d.comb += outcome.status.eq(Mux(at_end, Status.END, Status.LEGAL))
                self._offer(m, moves.candidates)
            with m.Case(State.SCORE):
                self._offer(m, score.scores)
            with m.Case(State.READ):
                go_on_reading(m, parts, read, self.outcomes, ended)
            with m.Case(State.ANSWER):
                m.d.comb += [
                    outcome.status.eq(Mux(ended, Status.END, Status.LEGAL)),
                    self.outcomes.valid.eq(1),
                ]
            if self._evaluator:
                with m.Case(State.EVALUATE):
                    answer_try(m, parts, trials, self.outcomes)

        last = 1 if not self._evaluator else (state != State.EVALUATE) | trials.outcomes.payload.end
        with m.If(self.outcomes.valid & self.outcomes.ready & last):
            m.d.sync += [state.eq(State.IDLE), trying.eq(0)]
        return m

    def _connect(self, m: Module, parts: Parts) -> None:
        """What commands ask for, and what comes of them; each part keeps what it has found until it
        is taken."""
        placer, moves, spaces = parts.placer, parts.moves, parts.spaces
        command, outcome = self.commands.payload, self.outcomes.payload
        result, found = placer.results.payload, moves.candidates.payload
        m.d.comb += [
            placer.jobs.payload.undo.eq(command.op == TurnOp.UNMAKE),
            placer.jobs.payload.symbol.eq(command.symbol),
            placer.jobs.payload.place.x.eq(command.x),
            placer.jobs.payload.place.y.eq(command.y),
            moves.cursors.payload.index.eq(command.index),
            moves.cursors.payload.symbol.eq(command.symbol),
            outcome.tiles.eq(result.tiles),
            outcome.loops.eq(result.loops),
            outcome.lines.eq(result.lines),
            outcome.turn.eq(found.turn),
            outcome.score.eq(parts.score.scores.payload),
            outcome.box.eq(placer.box),
            self.cell.eq(parts.cells.read.cell),
            *(self.partners[colour].eq(spaces.places[colour]) for colour in Colour),
        ]

    def _ask(self, m: Module, asked: stream.Interface) -> None:
        """The command is taken when a part takes what it asks for."""
        m.d.comb += [asked.valid.eq(1), self.commands.ready.eq(asked.ready)]

    def _offer(self, m: Module, found: stream.Interface) -> None:
        """An outcome is there, and taken, when what a part has found is."""
        m.d.comb += [self.outcomes.valid.eq(found.valid), found.ready.eq(self.outcomes.ready)]

    def _add_rows(self, m: Module, placer: Placer) -> None:
        """Without trials the placer's memories are its own."""
        for name, port in (("journal", placer.journal), ("queue", placer.queue)):
            memory = DualPortMemory(port.signature.shape, port.signature.depth)
            m.submodules[name] = memory
            connect(m, port, memory.port)
