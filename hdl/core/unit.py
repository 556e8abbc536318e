"""The turn unit: the core, assembled, behind one stream of commands and one of outcomes."""

from __future__ import annotations

from amaranth.hdl import Module, Signal
from amaranth.lib import enum, stream, wiring
from amaranth.lib.wiring import In, Out, connect

from loopline.game import Colour, Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.cells import CellMap
from loopline.hdl.core.joiner import TrackJoiner
from loopline.hdl.core.moves import MoveGenerator
from loopline.hdl.core.placer import Placer
from loopline.hdl.core.rules import rules_layout
from loopline.hdl.core.score import TrackScore
from loopline.hdl.core.spaces import SpaceTable
from loopline.hdl.core.types import Status, TurnOp, command_layout, outcome_layout
from loopline.hdl.trials.entries import EntryTable
from loopline.hdl.trials.slow import SlowPath
from loopline.hdl.trials.types import slot_layout
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
              │   │         │  reads        │ reads
              │   └─────────┼───────────┬───┼────────┐
              ▼             ▼           ▼   ▼        ▼
          TrackJoiner × 2   CellMap     SpaceTable   (SpaceTable's writes also
          (white, red)      (4 banks)   (frontier)    go to both joiners' copies)

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

    Latency from command to outcome: ``CLEAR`` max(size² / 4, spaces) + 1 cycles; ``COMMIT`` 1;
    the others as :class:`Placer`, :class:`MoveGenerator` and :class:`TrackScore`, and 1 more.
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
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid = self._grid
        m.submodules.placer = placer = Placer(grid)
        m.submodules.moves = moves = MoveGenerator(grid)
        m.submodules.score = score = TrackScore(grid)
        m.submodules.cells = cells = CellMap(grid)
        m.submodules.spaces = spaces = SpaceTable(grid)
        joiners = [TrackJoiner(grid) for _ in Colour]
        for colour, joiner in zip(Colour, joiners, strict=True):
            m.submodules[f"joiner_{colour.name.lower()}"] = joiner

        # Placer and the memories that it alone writes.
        connect(m, placer.write, cells.write)
        connect(m, placer.spaces, spaces.write)
        m.d.comb += [
            placer.near.eq(cells.near),
            placer.fresh.eq(spaces.fresh),
            placer.free.eq(spaces.free),
            spaces.take.eq(placer.take),
            spaces.give.eq(placer.give),
            spaces.given.eq(placer.given),
            spaces.ungive.eq(placer.ungive),
        ]
        for colour, joiner in zip(Colour, joiners, strict=True):
            connect(m, placer.joins[colour], joiner.joins)
            m.d.comb += [
                joiner.box.eq(placer.box),
                joiner.mark.eq(placer.mark),
                joiner.undo.eq(placer.undo),
                joiner.forget.eq(placer.forget | placer.reset),
                joiner.spaces.en.eq(placer.spaces.en),
                joiner.spaces.index.eq(placer.spaces.index),
                joiner.spaces.place.eq(placer.spaces.place),
                joiner.index.eq(score.index),
                placer.busy[colour].eq(joiner.busy),
                placer.room[colour].eq(joiner.room),
                placer.loops[colour].eq(joiner.loop),
                placer.lines[colour].eq(joiner.line & self.rules.lines),
                score.partners[colour].eq(joiner.partner),
                score.partner_places[colour].eq(joiner.partner_place),
            ]
        m.d.comb += [
            placer.area.eq(self.rules.area),
            moves.area.eq(self.rules.area),
            moves.box.eq(placer.box),
            moves.high.eq(spaces.high),
            moves.place.eq(spaces.place),
            moves.read.cell.eq(cells.read.cell),
            score.lines.eq(self.rules.lines),
            score.box.eq(placer.box),
            score.high.eq(spaces.high),
            score.place.eq(spaces.place),
            score.read.cell.eq(cells.read.cell),
            placer.read.cell.eq(cells.read.cell),
            spaces.en.eq(1),
        ]

        class State(enum.Enum, shape=3):
            IDLE = 0
            CLEAR = 1
            PLACE = 2
            NEXT = 3
            SCORE = 4
            TRY = 5
            ANSWER = 6

        state = Signal(State)
        outcome = Signal(outcome_layout(grid))
        command = self.commands.payload
        sweeps = max(cells.rows, grid.spaces)
        sweep = Signal(range(sweeps))

        # One client reads at a time.
        reader = Signal(2)
        clients = [placer, moves, score]
        with m.Switch(reader):
            for number, client in enumerate(clients):
                with m.Case(number):
                    m.d.comb += [
                        cells.read.x.eq(client.read.x),
                        cells.read.y.eq(client.read.y),
                        cells.read.en.eq(client.read.en),
                    ]
        m.d.comb += [
            cells.around.eq(placer.around & (reader == 0)),
            spaces.index.eq(moves.index),
        ]
        with m.If(state == State.SCORE):
            m.d.comb += spaces.index.eq(score.index)

        m.d.comb += [
            cells.wipe_row.eq(sweep),
            spaces.wipe_index.eq(sweep),
            placer.jobs.payload.undo.eq(command.op == TurnOp.UNDO),
            placer.jobs.payload.symbol.eq(command.symbol),
            placer.jobs.payload.place.x.eq(command.x),
            placer.jobs.payload.place.y.eq(command.y),
            moves.cursors.payload.index.eq(command.index),
            moves.cursors.payload.symbol.eq(command.symbol),
            self.outcomes.payload.eq(outcome),
            self.outcomes.payload.box.eq(placer.box),
        ]
        if self._trials:
            trying = state == State.TRY
            trials = self._connect_trials(m, cells, spaces, placer, joiners, trying)
            m.d.comb += self.slot.eq(trials.slot)

        with m.Switch(state):
            with m.Case(State.IDLE):
                m.d.sync += outcome.status.eq(Status.LEGAL)
                with m.If(self.commands.valid), m.Switch(command.op):
                    with m.Case(TurnOp.CLEAR):
                        m.d.comb += [self.commands.ready.eq(1), placer.reset.eq(1)]
                        m.d.sync += [sweep.eq(0), state.eq(State.CLEAR)]
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
                            m.d.comb += trials.start.eq(1)
                            m.d.sync += state.eq(State.TRY)
                        else:
                            m.d.sync += [outcome.status.eq(Status.END), state.eq(State.ANSWER)]
                    with m.Default():
                        # COMMIT. An unused code does the same: nothing that can be undone.
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
                m.d.comb += placer.results.ready.eq(1)
                with m.If(placer.results.valid):
                    m.d.sync += [
                        outcome.status.eq(placer.results.payload.status),
                        outcome.tiles.eq(placer.results.payload.tiles),
                        outcome.loops.eq(placer.results.payload.loops),
                        outcome.lines.eq(placer.results.payload.lines),
                        state.eq(State.ANSWER),
                    ]

            with m.Case(State.NEXT):
                m.d.comb += [reader.eq(1), moves.candidates.ready.eq(1)]
                with m.If(moves.candidates.valid):
                    m.d.sync += [
                        outcome.turn.eq(moves.candidates.payload.turn),
                        state.eq(State.ANSWER),
                    ]
                    with m.If(moves.candidates.payload.end):
                        m.d.sync += outcome.status.eq(Status.END)

            with m.Case(State.SCORE):
                m.d.comb += [reader.eq(2), score.scores.ready.eq(1)]
                with m.If(score.scores.valid):
                    m.d.sync += [outcome.score.eq(score.scores.payload), state.eq(State.ANSWER)]

            if self._trials:
                with m.Case(State.TRY):
                    trial = trials.outcomes.payload
                    m.d.comb += [
                        self.outcomes.valid.eq(trials.outcomes.valid),
                        trials.outcomes.ready.eq(self.outcomes.ready),
                        self.outcomes.payload.status.eq(trial.status),
                        self.outcomes.payload.tiles.eq(trial.tiles),
                        self.outcomes.payload.loops.eq(trial.loops),
                        self.outcomes.payload.lines.eq(trial.lines),
                        self.outcomes.payload.turn.index.eq(trial.index),
                        self.outcomes.payload.turn.symbol.eq(trial.symbol),
                    ]
                    for side, edge, step in (
                        (Side.NORTH, "north", -1),
                        (Side.EAST, "east", 1),
                        (Side.SOUTH, "south", 1),
                        (Side.WEST, "west", -1),
                    ):
                        with m.If(trial.growth.any & (trial.growth.side == side)):
                            m.d.comb += self.outcomes.payload.box[edge].eq(placer.box[edge] + step)
                    with m.If(trial.end):
                        m.d.comb += self.outcomes.payload.status.eq(Status.END)
                    with m.If(trials.outcomes.valid & self.outcomes.ready & trial.end):
                        m.d.sync += state.eq(State.IDLE)

            with m.Case(State.ANSWER):
                m.d.comb += self.outcomes.valid.eq(1)
                with m.If(self.outcomes.ready):
                    m.d.sync += state.eq(State.IDLE)
        return m

    def _connect_trials(self, m, cells, spaces, placer, joiners, trying) -> Trials:
        """Add the trials, which read what the others read while ``trying``."""
        grid = self._grid
        m.submodules.entries = entries = EntryTable(grid)
        m.submodules.slow = slow = SlowPath(grid)
        m.submodules.trials = trials = Trials(grid)
        m.d.comb += [
            entries.write.en.eq(placer.write.en),
            entries.write.x.eq(placer.write.x),
            entries.write.y.eq(placer.write.y),
            entries.write.cell.eq(placer.write.cell),
            entries.give.eq(placer.give),
            entries.given.eq(placer.given),
            entries.wipe.eq(spaces.wipe),
            entries.wipe_index.eq(spaces.wipe_index),
            entries.index.eq(trials.space),
            trials.entry.eq(entries.entry),
            trials.run.eq(trials.start | trying),
            trials.box.eq(placer.box),
            trials.lines.eq(self.rules.lines),
            trials.area.eq(self.rules.area),
            trials.high.eq(spaces.high),
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
        for colour, joiner in zip(Colour, joiners, strict=True):
            m.d.comb += [
                trials.partners[colour].eq(joiner.partner),
                trials.partner_places[colour].eq(joiner.partner_place),
            ]
        with m.If(trying):
            m.d.comb += [
                placer.jobs.valid.eq(slow.jobs.valid),
                placer.jobs.payload.eq(slow.jobs.payload),
                placer.results.ready.eq(slow.results.ready),
            ]
            for joiner in joiners:
                m.d.comb += [joiner.index.eq(trials.track), joiner.en.eq(trials.moves)]
            with m.If(~trials.slow):
                m.d.comb += [
                    cells.read.x.eq(trials.place.x),
                    cells.read.y.eq(trials.place.y),
                    cells.read.en.eq(trials.moves),
                    cells.around.eq(1),
                ]
        return trials
