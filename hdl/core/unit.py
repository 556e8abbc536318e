"""The turn unit: the core behind one stream of commands and one of outcomes."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import enum, stream, wiring
from amaranth.lib.wiring import In, Out, connect

from loopline.game import Colour, Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import BoxEdges
from loopline.hdl.core.cells import CellMap
from loopline.hdl.core.client import PositionReader
from loopline.hdl.core.joiner import TrackJoiner
from loopline.hdl.core.memory import DualPortMemory, SharedMemory
from loopline.hdl.core.moves import MoveGenerator
from loopline.hdl.core.placer import Placer
from loopline.hdl.core.rules import rules_layout
from loopline.hdl.core.spaces import SpaceTable
from loopline.hdl.core.types import (
    ReadKind,
    Status,
    TurnOp,
    cell_layout,
    command_layout,
    laid_layout,
    outcome_layout,
    place_layout,
)
from loopline.hdl.evaluator.slow import SlowPath
from loopline.hdl.evaluator.types import pending_port, slot_layout
from loopline.hdl.evaluator.unit import CandidateEvaluator

__all__ = ["TurnUnit"]


class _State(enum.Enum, shape=3):
    """What the unit does in a cycle."""

    IDLE = 0
    """Wait for a command."""
    CLEAR = 1
    """Empty the memories, row by row."""
    MAKE = 2
    """A turn is made or unmade."""
    NEXT = 3
    EVALUATE = 4
    ANSWER = 5
    """Offer an outcome that needs no work: ``END`` with ``ended``, else ``LEGAL``."""
    READ = 6


class _Registers:
    """The unit's registers, and two wires."""

    def __init__(self, grid: GridConfig, sweeps: int):
        self.state = Signal(_State)
        # The outcome is ``END``.
        self.ended = Signal()
        # CLEAR: the row that is emptied.
        self.sweep = Signal(range(sweeps), reset_less=True)
        # EVALUATE: the state, in a flip-flop of its own, as much depends on it; and its first
        # cycle.
        self.evaluating = Signal()
        self.begin = Signal()
        # READ: the entry; whether an entry is read, and not a cell; and the step. The places of
        # the entry, of the cell and of the tracks' ends are known in steps 1, 2 and 3.
        self.index = Signal(grid.index_bits, reset_less=True)
        self.of_space = Signal()
        self.step = Signal(2)

        # Wires: the cell map is read, apart from the placer, whose reads arrive late: a cell for
        # READ, or neighbours for EVALUATE.
        self.read_cell = Signal()
        self.read_around = Signal()


class TurnUnit(wiring.Component):
    """Keeps a position; makes and unmakes turns, lists and evaluates candidates; all of it by the
    rules of a variant.

    ::

                     commands                   outcomes
                        │                           ▲
              ┌─────────┴───┬──────────────┐        │
              ▼             ▼              ▼        │
           Placer     MoveGenerator      clear  ────┘
           journal,   (candidates)
           queue, box       │
              │   │         │ reads      reader
              │   │         ▼              ▼ reads
              │   └───► SpaceTable ◄───────┤
              ▼         (frontier) ◄────┐  │
           CellMap       ▲      places  └──┴──► TrackJoiner
           (4 banks) ────┘                      (both colours)
                     what is written

    One command is worked on at a time. All but a ``MAKE`` that is ``LEGAL``, an ``UNMAKE``, and
    ``CLEAR`` leave the position as it was.

    Parameters
    ----------
    evaluator : bool
        Have a :class:`CandidateEvaluator` for ``EVALUATE``. It takes more LUTs than all the rest.
    reader : bool
        Have the ports ``reader`` and ``laid``. Without an evaluator, the frontier table ``lowers``
        its ``high``; see :class:`SpaceTable`.

    Members
    -------
    commands : In(stream of command_layout)
        What to do; see :class:`TurnOp`.
    outcomes : Out(stream of outcome_layout)
        One outcome for each command, in order; for ``EVALUATE`` one for each candidate, and one
        more.
    rules : In(rules_layout)
        The variant that is played. May change only while the board is empty.
    slot : Out(slot_layout)
        What the evaluator does in this cycle, for measurements; 0 without ``evaluator``.
    cell : Out(cell_layout), partners : Out(place_layout).array(2)
        What ``READ`` has read, while its outcome is on offer: the cell, and for each colour the
        place of the other end of the track that ends in it, if there is one.
    reader : In(PositionReader)
        The memories, for a unit that reads them between two commands.
    laid : Out(laid_layout)
        Each tile of a turn, as it is laid; at least 6 cycles apart.

    Latency from command to outcome: ``CLEAR`` max(size² / 4, frontier entries) + 1 cycles;
    ``COMMIT`` 1; ``READ`` 4; the others as :class:`Placer` and :class:`MoveGenerator` say.
    """

    def __init__(self, grid: GridConfig, *, evaluator: bool = False, reader: bool = False):
        self._grid = grid
        self._has_reader = reader
        super().__init__(
            {
                **({"reader": In(PositionReader(grid))} if reader else {}),
                **({"laid": Out(laid_layout(grid))} if reader else {}),
                "commands": In(stream.Signature(command_layout(grid))),
                "outcomes": Out(stream.Signature(outcome_layout(grid))),
                "rules": In(rules_layout(grid)),
                "slot": Out(slot_layout()),
                "cell": Out(cell_layout(grid)),
                "partners": Out(place_layout(grid)).array(2),
            }
        )
        reserved = pending_port(grid).depth if evaluator else 0
        self._placer = Placer(grid, reserved=reserved)
        self._moves = MoveGenerator(grid)
        self._cells = CellMap(grid)
        # The evaluator compares its place in the table with ``high``, also while its slow path
        # makes a turn.
        self._spaces = SpaceTable(grid, lowers=reader and not evaluator)
        self._joiner = TrackJoiner(grid)
        self._edges = BoxEdges(grid)
        self._evaluator = CandidateEvaluator(grid) if evaluator else None
        self._slow = SlowPath(grid) if evaluator else None

    def elaborate(self, platform) -> Module:
        m = Module()
        r = _Registers(self._grid, max(self._cells.rows, self._grid.frontier_entries))
        self._connect_parts(m, r)
        self._connect_ports(m)
        if self._evaluator:
            self._connect_evaluator(m, r)
            self._share_memories(m)
        else:
            self._add_memories(m)
        m.d.comb += [self._cells.wipe_row.eq(r.sweep), self._spaces.wipe_index.eq(~r.sweep)]
        m.d.sync += r.begin.eq(0)
        with m.Switch(r.state):
            with m.Case(_State.IDLE):
                self._take_command(m, r)
            with m.Case(_State.CLEAR):
                self._clear(m, r)
            with m.Case(_State.MAKE):
                self._make(m)
            with m.Case(_State.NEXT):
                self._find_next(m)
            with m.Case(_State.READ):
                self._read(m, r)
            with m.Case(_State.ANSWER):
                self._answer(m, r)
            if self._evaluator:
                with m.Case(_State.EVALUATE):
                    self._evaluate(m)
            with m.Default():
                # No such code: as after power-on.
                m.d.sync += r.state.eq(_State.IDLE)
        if self._has_reader:
            self._connect_reader(m)
        last = 1
        if self._evaluator:
            last = (r.state != _State.EVALUATE) | self._evaluator.outcomes.payload.end
        with m.If(self.outcomes.valid & self.outcomes.ready & last):
            m.d.sync += [r.state.eq(_State.IDLE), r.evaluating.eq(0)]
        return m

    # Connections.

    def _connect_parts(self, m: Module, r: _Registers) -> None:
        """Add the parts, and connect them. The frontier table is read for the move generator, and
        the joiner's tables are not, unless a later statement overrides this."""
        placer, moves, edges = self._placer, self._moves, self._edges
        cells, spaces, joiner = self._cells, self._spaces, self._joiner
        m.submodules.placer = placer
        m.submodules.moves = moves
        m.submodules.cells = cells
        m.submodules.spaces = spaces
        m.submodules.joiner = joiner
        m.submodules.edges = edges
        connect(m, placer.joiner, joiner.port)
        connect(m, placer.indices, spaces.indices)
        connect(m, placer.write, cells.write, spaces.write)
        m.d.comb += [
            *(part.working.eq(placer.working) for part in (spaces, joiner)),
            *(part.edges.eq(edges.edges) for part in (placer, joiner, moves)),
            edges.lines.eq(self.rules.lines),
            moves.high.eq(spaces.high),
            moves.entry.eq(spaces.entry),
            edges.box.eq(placer.box),
            edges.area.eq(self.rules.area),
            moves.empty.eq(placer.box.empty),
            cells.read.x.eq(placer.read.x),
            cells.read.y.eq(placer.read.y),
            cells.read.en.eq(placer.read.en | r.read_cell | r.read_around),
            placer.read.cell.eq(cells.read.cell),
            spaces.clear.eq(placer.reset),
            spaces.index.eq(moves.index),
            spaces.far.eq(joiner.far),
            joiner.place.eq(spaces.ends[Colour.WHITE].place),
        ]
        for colour in Colour:
            m.d.comb += spaces.partners[colour].eq(joiner.partners[colour])

    def _connect_ports(self, m: Module) -> None:
        """Connect the fields of commands and outcomes. Each part keeps its result until it is
        taken."""
        placer, moves = self._placer, self._moves
        command, outcome = self.commands.payload, self.outcomes.payload
        job, cursor, result = placer.jobs.payload, moves.cursors.payload, placer.results.payload
        m.d.comb += [
            job.unmake.eq(command.op == TurnOp.UNMAKE),
            job.symbol.eq(command.symbol),
            job.place.x.eq(command.x),
            job.place.y.eq(command.y),
            cursor.index.eq(command.index),
            cursor.symbol.eq(command.symbol),
            outcome.tiles.eq(result.tiles),
            outcome.loops.eq(result.loops),
            outcome.lines.eq(result.lines),
            outcome.turn.eq(moves.candidates.payload.turn),
            outcome.box.eq(placer.box),
            self.cell.eq(self._cells.read.cell),
            *(self.partners[colour].eq(self._spaces.ends[colour].place) for colour in Colour),
        ]

    def _connect_evaluator(self, m: Module, r: _Registers) -> None:
        """Add the evaluator and its slow path. While it evaluates, they have the memories, and the
        placer's jobs and results."""
        evaluator, slow, placer = self._evaluator, self._slow, self._placer
        cells, spaces, joiner = self._cells, self._spaces, self._joiner
        m.submodules.slow = slow
        m.submodules.evaluator = evaluator
        m.d.comb += [
            evaluator.start.eq(r.begin),
            evaluator.run.eq(r.evaluating),
            self.slot.eq(evaluator.slot),
            # It has outcomes only while it evaluates: no need to wait for the state as well.
            evaluator.outcomes.ready.eq(self.outcomes.ready),
            evaluator.box.eq(placer.box),
            evaluator.edges.eq(self._edges.edges),
            evaluator.high.eq(spaces.high),
            evaluator.seen.eq(spaces.seen),
            cells.centre.eq(evaluator.place),
            evaluator.banks.eq(cells.banks),
            evaluator.neighbours.eq(cells.neighbours),
            slow.request.eq(evaluator.slow),
            slow.place.eq(evaluator.slow_place),
            slow.symbol.eq(evaluator.slow_symbol),
            slow.ack.eq(evaluator.advances),
            evaluator.slow_done.eq(slow.done),
            evaluator.slow_outcome.eq(slow.outcome),
            slow.jobs.ready.eq(placer.jobs.ready),
            slow.results.valid.eq(placer.results.valid),
            slow.results.payload.eq(placer.results.payload),
        ]
        for colour in Colour:
            m.d.comb += [
                evaluator.partners[colour].eq(joiner.partners[colour]),
                evaluator.partner_places[colour].eq(spaces.ends[colour].place),
            ]
        with m.If(r.evaluating):
            m.d.comb += [
                placer.jobs.valid.eq(slow.jobs.valid),
                placer.jobs.payload.eq(slow.jobs.payload),
                placer.results.ready.eq(slow.results.ready),
                spaces.index.eq(evaluator.space),
                spaces.en.eq(~evaluator.stalled),
                spaces.follow.eq(evaluator.follow),
                joiner.index.eq(evaluator.track),
                joiner.en.eq(evaluator.advances),
            ]
            with m.If(~evaluator.slow):
                m.d.comb += [r.read_around.eq(evaluator.advances), cells.around.eq(1)]

    def _connect_reader(self, m: Module) -> None:
        """Let the reader have the memories while it is active."""
        reader, cells, spaces, joiner = self.reader, self._cells, self._spaces, self._joiner
        m.d.comb += [
            reader.entry.eq(spaces.entry),
            reader.cells.cell.eq(cells.read.cell),
            cells.pair.place.eq(reader.pair.place),
            cells.pair.beside.eq(reader.pair.beside),
            cells.pair.down.eq(reader.pair.down),
            reader.pair.cell.eq(cells.pair.cell),
            reader.high.eq(spaces.high),
            reader.box.eq(self._placer.box),
            reader.edges.eq(self._edges.edges),
            self.laid.eq(self._placer.laid),
        ]
        for colour in Colour:
            m.d.comb += [
                reader.partners[colour].eq(joiner.partners[colour]),
                reader.ends[colour].eq(spaces.ends[colour]),
            ]
        with m.If(reader.active):
            m.d.comb += [
                spaces.index.eq(reader.index),
                spaces.en.eq(reader.en),
                spaces.follow.eq(reader.follow.replicate(2)),
                joiner.index.eq(reader.tracks_of),
                joiner.en.eq(reader.tracks_en),
                cells.read.x.eq(reader.cells.x),
                cells.read.y.eq(reader.cells.y),
                cells.read.en.eq(reader.cells.en | reader.pair.en),
                cells.pair.en.eq(~reader.cells.en),
            ]

    def _share_memories(self, m: Module) -> None:
        """Add the placer's memories, which the evaluator has while it evaluates, unless the placer
        makes a turn for it: ids of tracks where forced plays are queued, and pending spaces in the
        last rows of the journal's memory."""
        grid, evaluator, placer = self._grid, self._evaluator, self._placer
        evaluating = Signal()
        m.d.comb += evaluating.eq(evaluator.run & ~evaluator.slow)
        for name, low, high, depth, grant in (
            (
                "track_ids_red",
                evaluator.track_ids,
                placer.queue_memory,
                evaluator.track_ids.signature.depth,
                ~evaluating,
            ),
            ("journal", placer.journal_memory, evaluator.pending, grid.journal, evaluating),
        ):
            shared = SharedMemory(low.signature, high.signature, depth=depth)
            m.submodules[name] = shared
            connect(m, low, shared.low)
            connect(m, high, shared.high)
            m.d.comb += shared.grant.eq(grant)

    def _add_memories(self, m: Module) -> None:
        """Add the placer's memories, for it alone."""
        placer = self._placer
        for name, port in (("journal", placer.journal_memory), ("queue", placer.queue_memory)):
            memory = DualPortMemory(port.signature.shape, port.signature.depth)
            m.submodules[name] = memory
            connect(m, port, memory.port)

    # States.

    def _take_command(self, m: Module, r: _Registers) -> None:
        placer, moves, command = self._placer, self._moves, self.commands.payload
        m.d.sync += [r.ended.eq(0), r.sweep.eq(0), r.evaluating.eq(0)]
        with m.If(self.commands.valid), m.Switch(command.op):
            with m.Case(TurnOp.CLEAR):
                m.d.comb += [self.commands.ready.eq(1), placer.reset.eq(1)]
                m.d.sync += r.state.eq(_State.CLEAR)
            with m.Case(TurnOp.MAKE, TurnOp.UNMAKE):
                m.d.comb += self._pass_on(placer.jobs)
                with m.If(placer.jobs.ready):
                    m.d.sync += r.state.eq(_State.MAKE)
            with m.Case(TurnOp.NEXT):
                m.d.comb += self._pass_on(moves.cursors)
                with m.If(moves.cursors.ready):
                    m.d.sync += r.state.eq(_State.NEXT)
            with m.Case(TurnOp.EVALUATE):
                m.d.comb += self.commands.ready.eq(1)
                if self._evaluator:
                    m.d.sync += [r.begin.eq(1), r.evaluating.eq(1), r.state.eq(_State.EVALUATE)]
                else:
                    m.d.sync += [r.ended.eq(1), r.state.eq(_State.ANSWER)]
            with m.Case(TurnOp.READ):
                m.d.comb += self.commands.ready.eq(1)
                m.d.sync += [
                    r.index.eq(command.index),
                    r.of_space.eq(command.symbol.as_value() == ReadKind.SPACE.value),
                    r.step.eq(0),
                    r.state.eq(_State.READ),
                ]
            with m.Case(TurnOp.COMMIT):
                m.d.comb += [self.commands.ready.eq(1), placer.commit.eq(1)]
                m.d.sync += r.state.eq(_State.ANSWER)

    def _pass_on(self, jobs: stream.Interface) -> list:
        """Statements: the command is taken when a part takes its job."""
        return [jobs.valid.eq(1), self.commands.ready.eq(jobs.ready)]

    def _offer(self, results: stream.Interface) -> list:
        """Statements: the outcome is valid, and taken, when a part's result is."""
        return [self.outcomes.valid.eq(results.valid), results.ready.eq(self.outcomes.ready)]

    def _clear(self, m: Module, r: _Registers) -> None:
        cells, spaces, entries = self._cells, self._spaces, self._grid.frontier_entries
        m.d.comb += [cells.wipe.eq(r.sweep < cells.rows), spaces.wipe.eq(r.sweep < entries)]
        m.d.sync += r.sweep.eq(r.sweep + 1)
        with m.If(r.sweep == max(cells.rows, entries) - 1):
            m.d.sync += r.state.eq(_State.ANSWER)

    def _make(self, m: Module) -> None:
        results = self._placer.results
        m.d.comb += [self.outcomes.payload.status.eq(results.payload.status), *self._offer(results)]

    def _find_next(self, m: Module) -> None:
        candidates = self._moves.candidates
        status = Mux(candidates.payload.end, Status.END, Status.LEGAL)
        m.d.comb += [self.outcomes.payload.status.eq(status), *self._offer(candidates)]

    def _read(self, m: Module, r: _Registers) -> None:
        """Read the entry, its place or the command's, the cell there, and the places of the other
        ends. The placer's register keeps the place."""
        placer, spaces, outcome = self._placer, self._spaces, self.outcomes.payload
        m.d.comb += [
            spaces.index.eq(r.index),
            spaces.follow.eq((r.step != 0).replicate(2)),
            self._joiner.index.eq(r.index),
            r.read_cell.eq(r.step == 2),
            outcome.status.eq(Mux(r.ended, Status.END, Status.LEGAL)),
            placer.hold.eq(1),
            placer.jobs.payload.place.eq(spaces.entry.place),
            outcome.turn.x.eq(placer.place.x),
            outcome.turn.y.eq(placer.place.y),
            outcome.turn.index.eq(r.index),
            self.outcomes.valid.eq(r.step == 3),
        ]
        with m.If((r.step == 1) & r.of_space):
            m.d.comb += placer.hold.eq(0)
            m.d.sync += r.ended.eq(r.index >= spaces.high)
        with m.If(r.step != 3):
            m.d.sync += r.step.eq(r.step + 1)

    def _answer(self, m: Module, r: _Registers) -> None:
        m.d.comb += [
            self.outcomes.payload.status.eq(Mux(r.ended, Status.END, Status.LEGAL)),
            self.outcomes.valid.eq(1),
        ]

    def _evaluate(self, m: Module) -> None:
        """Offer the outcome of a candidate, and ``END`` after the last one."""
        results, outcome = self._evaluator.outcomes, self.outcomes.payload
        result, beside = results.payload, self._edges.edges.beside
        m.d.comb += [
            self.outcomes.valid.eq(results.valid),
            outcome.status.eq(result.status),
            outcome.tiles.eq(result.tiles),
            outcome.loops.eq(result.loops),
            outcome.lines.eq(result.lines),
            outcome.turn.index.eq(result.index),
            outcome.turn.symbol.eq(result.symbol),
        ]
        for side in Side:
            with m.If(result.growth.valid & (result.growth.side == side)):
                m.d.comb += outcome.box[side.name.lower()].eq(beside[side])
        with m.If(result.end):
            m.d.comb += outcome.status.eq(Status.END)
