"""The turn unit: the core, assembled, behind one stream of commands and one of outcomes."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import enum, stream, wiring
from amaranth.lib.wiring import In, Out, connect

from loopline.game import Colour, Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import BoxEdges
from loopline.hdl.core.cells import CellMap
from loopline.hdl.core.joiner import TrackJoiner
from loopline.hdl.core.moves import MoveGenerator
from loopline.hdl.core.placer import Placer
from loopline.hdl.core.rows import RowMemory, SharedRows
from loopline.hdl.core.rules import rules_layout
from loopline.hdl.core.score import TrackScore
from loopline.hdl.core.spaces import SpaceTable
from loopline.hdl.core.types import (
    ReadKind,
    Status,
    TurnOp,
    cell_layout,
    command_layout,
    outcome_layout,
    place_layout,
)
from loopline.hdl.trials.slow import SlowPath
from loopline.hdl.trials.types import slot_layout, waiting_rows
from loopline.hdl.trials.unit import Trials

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

    One command is worked on at a time. All but a ``PLACE`` that is ``LEGAL``, an ``UNDO``, and
    ``CLEAR`` leave the position as it was.

    Parameters
    ----------
    grid : GridConfig
        Size of the memories.
    trials : bool
        With the :class:`Trials` for ``TRY``, which need more room than all the rest.

    Members
    -------
    commands : In(stream of command_layout)
        What to do; see :class:`TurnOp`.
    outcomes : Out(stream of outcome_layout)
        What came of it, one for each command but ``TRY``, in order.
    rules : In(rules_layout)
        The variant that is played. Changes only while the board is empty.
    slot : Out(slot_layout)
        What the trials do in this cycle, for those who measure it; nothing without ``trials``.
    cell : Out(cell_layout), partners : Out(place_layout).array(2)
        What ``READ`` has read, while its outcome is on offer: the cell, and where the tracks of
        both colours that enter there end, if they do.

    Latency from command to outcome: ``CLEAR`` max(size² / 4, spaces) + 1 cycles; ``COMMIT`` 1;
    ``READ`` 4; the others as :class:`Placer`, :class:`MoveGenerator` and :class:`TrackScore`.
    """

    def __init__(self, grid: GridConfig, *, trials: bool = False):
        self._grid = grid
        self._trials = trials
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
        lent = waiting_rows(grid).depth if self._trials else 0
        m.submodules.placer = placer = Placer(grid, lent=lent)
        m.submodules.moves = moves = MoveGenerator(grid)
        m.submodules.score = score = TrackScore(grid)
        m.submodules.cells = cells = CellMap(grid)
        m.submodules.spaces = spaces = SpaceTable(grid)
        m.submodules.joiner = joiner = TrackJoiner(grid)
        m.submodules.edges = edges = BoxEdges(grid)

        # The cell map is read for a ``READ`` or for a ``TRY``.
        looks, tries = Signal(), Signal()
        connect(m, placer.joins, joiner.joins)
        for write in (cells.write, spaces.write):
            m.d.comb += [
                write.en.eq(placer.write.en),
                write.x.eq(placer.write.x),
                write.y.eq(placer.write.y),
                write.cell.eq(placer.write.cell),
                write.space.eq(placer.write.space),
            ]
        m.d.comb += [
            edges.box.eq(placer.box),
            edges.area.eq(self.rules.area),
            edges.lines.eq(self.rules.lines),
            placer.edges.eq(edges.edges),
            placer.read.cell.eq(cells.read.cell),
            placer.fresh.eq(spaces.fresh),
            placer.free.eq(spaces.free),
            placer.busy.eq(joiner.busy),
            placer.loops.eq(joiner.loops),
            placer.lines.eq(joiner.lines),
            placer.records.eq(joiner.records),
            placer.track.eq(joiner.track),
            cells.read.x.eq(placer.read.x),
            cells.read.y.eq(placer.read.y),
            # One at a time, and when the placer does is known late.
            cells.read.en.eq(placer.read.en | looks | tries),
            spaces.working.eq(placer.working),
            joiner.working.eq(placer.working),
            spaces.take.eq(placer.take),
            spaces.give.eq(placer.give),
            spaces.given.eq(placer.given),
            spaces.ungive.eq(placer.ungive),
            spaces.clear.eq(placer.reset),
            spaces.index.eq(moves.index),
            joiner.edges.eq(edges.edges),
            joiner.mark.eq(placer.mark),
            joiner.judge.eq(placer.judge),
            joiner.index.eq(score.index),
            joiner.place.eq(spaces.places[Colour.WHITE]),
            spaces.far.eq(joiner.far),
            moves.empty.eq(placer.box.empty),
            moves.edges.eq(edges.edges),
            moves.high.eq(spaces.high),
            moves.entry.eq(spaces.entry),
            score.lines.eq(self.rules.lines),
            score.box.eq(placer.box),
            score.edges.eq(edges.edges),
            score.high.eq(spaces.high),
            score.entry.eq(spaces.entry),
        ]
        for colour in Colour:
            m.d.comb += [
                spaces.partners[colour].eq(joiner.partners[colour]),
                score.partners[colour].eq(joiner.partners[colour]),
                score.partner_places[colour].eq(spaces.places[colour]),
            ]

        class State(enum.Enum, shape=3):
            IDLE = 0
            CLEAR = 1
            PLACE = 2
            NEXT = 3
            SCORE = 4
            TRY = 5
            ANSWER = 6
            READ = 7

        state = Signal(State)
        ended = Signal()
        # The state of a ``TRY``, in a flip-flop of its own: much depends on it. And its beginning.
        trying, begins = Signal(), Signal()
        command, outcome = self.commands.payload, self.outcomes.payload
        sweeps = max(cells.rows, grid.spaces)
        sweep = Signal(range(sweeps), reset_less=True)

        # READ: what, and in which step: the entry, its coordinates, the cell, the outcome. The
        # coordinates are the placer's.
        index = Signal(grid.index_bits, reset_less=True)
        of_space = Signal()
        step = Signal(2)

        # Each part keeps what it has found until it is taken.
        result, found = placer.results.payload, moves.candidates.payload
        m.d.comb += [
            cells.wipe_row.eq(sweep),
            spaces.wipe_index.eq(~sweep),
            placer.jobs.payload.undo.eq(command.op == TurnOp.UNDO),
            placer.jobs.payload.symbol.eq(command.symbol),
            placer.jobs.payload.place.x.eq(command.x),
            placer.jobs.payload.place.y.eq(command.y),
            moves.cursors.payload.index.eq(command.index),
            moves.cursors.payload.symbol.eq(command.symbol),
            outcome.tiles.eq(result.tiles),
            outcome.loops.eq(result.loops),
            outcome.lines.eq(result.lines),
            outcome.turn.eq(found.turn),
            outcome.score.eq(score.scores.payload),
            outcome.box.eq(placer.box),
            self.cell.eq(cells.read.cell),
            *(self.partners[colour].eq(spaces.places[colour]) for colour in Colour),
        ]
        if self._trials:
            trials = self._connect_trials(m, cells, spaces, placer, joiner, trying, tries)
            m.d.comb += trials.edges.eq(edges.edges)
            m.d.comb += [trials.start.eq(begins), self.slot.eq(trials.slot)]
        else:
            for name, rows in (("journal", placer.journal), ("queue", placer.queue)):
                memory = RowMemory(rows.signature.shape, rows.signature.depth)
                m.submodules[name] = memory
                connect(m, rows, memory.rows)
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
                    with m.Case(TurnOp.PLACE, TurnOp.UNDO):
                        m.d.comb += [
                            placer.jobs.valid.eq(1),
                            self.commands.ready.eq(placer.jobs.ready),
                        ]
                        with m.If(placer.jobs.ready):
                            m.d.sync += state.eq(State.PLACE)
                    with m.Case(TurnOp.NEXT):
                        m.d.comb += [
                            moves.cursors.valid.eq(1),
                            self.commands.ready.eq(moves.cursors.ready),
                        ]
                        with m.If(moves.cursors.ready):
                            m.d.sync += state.eq(State.NEXT)
                    with m.Case(TurnOp.SCORE):
                        m.d.comb += [self.commands.ready.eq(1), score.start.eq(1)]
                        m.d.sync += state.eq(State.SCORE)
                    with m.Case(TurnOp.TRY):
                        m.d.comb += self.commands.ready.eq(1)
                        if self._trials:
                            m.d.sync += [begins.eq(1), trying.eq(1), state.eq(State.TRY)]
                        else:
                            m.d.sync += [ended.eq(1), state.eq(State.ANSWER)]
                    with m.Case(TurnOp.READ):
                        m.d.comb += self.commands.ready.eq(1)
                        m.d.sync += [
                            index.eq(command.index),
                            of_space.eq(command.symbol.as_value() == ReadKind.SPACE.value),
                            step.eq(0),
                            state.eq(State.READ),
                        ]
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

            with m.Case(State.PLACE):
                m.d.comb += [
                    outcome.status.eq(result.status),
                    self.outcomes.valid.eq(placer.results.valid),
                    placer.results.ready.eq(self.outcomes.ready),
                ]
            with m.Case(State.NEXT):
                m.d.comb += [
                    outcome.status.eq(Mux(found.end, Status.END, Status.LEGAL)),
                    self.outcomes.valid.eq(moves.candidates.valid),
                    moves.candidates.ready.eq(self.outcomes.ready),
                ]
            with m.Case(State.SCORE):
                m.d.comb += [
                    self.outcomes.valid.eq(score.scores.valid),
                    score.scores.ready.eq(self.outcomes.ready),
                ]
            with m.Case(State.READ):
                m.d.comb += [
                    spaces.index.eq(index),
                    spaces.follow.eq((step != 0).replicate(2)),
                    joiner.index.eq(index),
                    looks.eq(step == 2),
                    outcome.status.eq(Mux(ended, Status.END, Status.LEGAL)),
                    placer.keep.eq(1),
                    placer.jobs.payload.place.eq(spaces.entry.place),
                    outcome.turn.x.eq(placer.place.x),
                    outcome.turn.y.eq(placer.place.y),
                    outcome.turn.index.eq(index),
                    self.outcomes.valid.eq(step == 3),
                ]
                with m.If((step == 1) & of_space):
                    m.d.comb += placer.keep.eq(0)
                    m.d.sync += ended.eq(index >= spaces.high)
                with m.If(step != 3):
                    m.d.sync += step.eq(step + 1)
            with m.Case(State.ANSWER):
                m.d.comb += [
                    outcome.status.eq(Mux(ended, Status.END, Status.LEGAL)),
                    self.outcomes.valid.eq(1),
                ]
            if self._trials:
                with m.Case(State.TRY):
                    trial = trials.outcomes.payload
                    m.d.comb += [
                        self.outcomes.valid.eq(trials.outcomes.valid),
                        outcome.status.eq(trial.status),
                        outcome.tiles.eq(trial.tiles),
                        outcome.loops.eq(trial.loops),
                        outcome.lines.eq(trial.lines),
                        outcome.turn.index.eq(trial.index),
                        outcome.turn.symbol.eq(trial.symbol),
                    ]
                    for side in Side:
                        with m.If(trial.growth.any & (trial.growth.side == side)):
                            grown = edges.edges.beside[side]
                            m.d.comb += outcome.box[side.name.lower()].eq(grown)
                    with m.If(trial.end):
                        m.d.comb += outcome.status.eq(Status.END)

        last = 1 if not self._trials else (state != State.TRY) | trials.outcomes.payload.end
        with m.If(self.outcomes.valid & self.outcomes.ready & last):
            m.d.sync += [state.eq(State.IDLE), trying.eq(0)]
        return m

    def _connect_trials(self, m, cells, spaces, placer, joiner, trying, tries) -> Trials:
        """Add the trials, which read what the others read while ``trying``."""
        grid = self._grid
        m.submodules.slow = slow = SlowPath(grid)
        m.submodules.trials = trials = Trials(grid)
        m.d.comb += [
            trials.seen.eq(spaces.seen),
            trials.run.eq(trying),
            # There are outcomes while trying only: what asks for the state as well is late.
            trials.outcomes.ready.eq(self.outcomes.ready),
            trials.box.eq(placer.box),
            trials.high.eq(spaces.high),
            cells.centre.eq(trials.place),
            trials.banks.eq(cells.banks),
            trials.near.eq(cells.near),
            slow.asked.eq(trials.slow),
            slow.place.eq(trials.slow_place),
            slow.symbol.eq(trials.slow_symbol),
            slow.taken.eq(trials.moves),
            trials.slow_done.eq(slow.done),
            trials.slow_outcome.eq(slow.outcome),
            slow.jobs.ready.eq(placer.jobs.ready),
            slow.results.valid.eq(placer.results.valid),
            slow.results.payload.eq(placer.results.payload),
        ]
        for colour in Colour:
            m.d.comb += [
                trials.partners[colour].eq(joiner.partners[colour]),
                trials.partner_places[colour].eq(spaces.places[colour]),
            ]
        # Where forced plays are queued there are names while the trials are under way, and where
        # turns are written down a few rows are left for the spaces that wait.
        lent = Signal()
        m.d.comb += lent.eq(trials.run & ~trials.slow)
        for name, host, guest, depth in (
            ("names_red", trials.names, placer.queue, trials.names.signature.depth),
            ("journal", placer.journal, trials.waiting, grid.journal),
        ):
            shared = SharedRows(host.signature, guest.signature, depth=depth)
            m.submodules[name] = shared
            connect(m, host, shared.host)
            connect(m, guest, shared.guest)
            m.d.comb += shared.lent.eq(lent if guest is trials.waiting else ~lent)
        with m.If(trials.run):
            m.d.comb += [
                placer.jobs.valid.eq(slow.jobs.valid),
                placer.jobs.payload.eq(slow.jobs.payload),
                placer.results.ready.eq(slow.results.ready),
                spaces.index.eq(trials.space),
                spaces.en.eq(~trials.stalled),
                spaces.follow.eq(trials.follow),
                joiner.index.eq(trials.track),
                joiner.en.eq(trials.moves),
            ]
            with m.If(~trials.slow):
                m.d.comb += [tries.eq(trials.moves), cells.around.eq(1)]
        return trials
