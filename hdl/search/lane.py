"""Lane: one search, on the turn unit's position."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from amaranth.hdl import Cat, Module, Mux, ResetInserter, Signal, Value, signed
from amaranth.lib import data, enum, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Member, Out, connect, flipped

from loopline.game import Side
from loopline.hdl.arbiter import core_port
from loopline.hdl.core.client import PositionReader
from loopline.hdl.core.rules import TurnWorth, is_limited
from loopline.hdl.core.types import ShapeCode, Status, TurnOp, laid_layout
from loopline.hdl.search.config import FIRST_WALK, VARIED_TURNS, SearchConfig
from loopline.hdl.search.hash import PositionHash
from loopline.hdl.search.hashing import HASH_BITS, VARIETY_BITS
from loopline.hdl.search.killers import KillerTable
from loopline.hdl.search.placement_walk import PlacementWalk
from loopline.hdl.search.root_list import ListOp, RootList
from loopline.hdl.search.scan import NodeScan
from loopline.hdl.search.scores import Scores
from loopline.hdl.search.span import TurnSpan
from loopline.hdl.search.stack import FrameStack
from loopline.hdl.search.table import TableMemory, TableOp, TranspositionTable
from loopline.hdl.search.track_scan import near_layout
from loopline.hdl.search.types import (
    ENTRY_DEPTH_BITS,
    STAGE_BITS,
    Bound,
    best_layout,
    lane_port,
    line_layout,
    move_layout,
    optional_move_layout,
    span_layout,
)
from loopline.hdl.search.variation import Variation, VariationOp

__all__ = ["Activity", "Lane", "Registers", "State"]


class State(enum.Enum, shape=6):
    """What the lane does in a cycle."""

    IDLE = 0
    """Wait for a job."""
    CLEAR = 1
    """Empty the tables."""
    CLEARED = 2
    OPEN = 3
    """Find the root's next placement, make it, scan, unmake it, and add it to the root's list."""
    OPEN_FOUND = 4
    OPEN_MAKING = 5
    OPEN_SCAN = 6
    OPEN_SCANNED = 7
    OPEN_SOUGHT = 8
    OPEN_INSERT = 9
    OPEN_WON = 10
    """A turn of the root wins: it is the whole variation."""
    OPENED = 11
    ITERATE = 12
    """Begin an iteration."""
    CHOOSE = 13
    """Find the next placement of the node: at the root from the list, elsewhere by a walk."""
    CHOOSE_LISTED = 14
    CHOOSE_PLACE = 15
    CHOSEN = 16
    VARY = 17
    """Points that a seed adds to a turn of the root."""
    MAKING = 18
    """The turn is made."""
    COMPLETED = 19
    """It has ended the game."""
    ENTER = 20
    """Begin a node, the child of the frame's node; or end the search at a limit."""
    EMPTY = 21
    """Empty its variation."""
    SCANNING = 22
    DECIDE = 23
    """Does the child's evaluation settle its value?"""
    BOUND = 24
    """Does its window, or reverse futility?"""
    PROBE = 25
    """Does the transposition table?"""
    PROBED = 26
    EXPAND = 27
    """Store the frame; the child becomes the frame's node."""
    VALUE = 28
    """The child's value is known: search the child again, or unmake its turn."""
    TAKE = 29
    """Take the value into the frame."""
    FINISH = 30
    """Leave the frame's node: store what the table is to know, and get the frame before."""
    FINISHED = 31
    UNWIND = 32
    """End the search: unmake the turns of the path."""
    UNWOUND = 33
    SEEK = 34
    """Is there a legal turn?"""
    SEEK_FOUND = 35
    SEEK_MAKING = 36
    ITERATED = 37
    """An iteration is complete, or the search has been stopped in its middle."""
    TELL = 38
    """Make the turns of the principal variation, to give them their labels, and unmake them."""
    TELL_READ = 39
    TELL_MAKING = 40
    TELL_UNMAKE = 41
    TOLD = 42
    ANSWER = 43
    TEAM = 44
    """What only one of several lanes does: see :mod:`loopline.hdl.search.lanes.member`."""


class Activity(enum.Enum, shape=4):
    """What a cycle of a lane goes to."""

    IDLE = 0
    ROOT = 1
    """The root's turns, their labels, and the iterations."""
    CHOOSE = 2
    """Find the next placement."""
    MAKE = 3
    SCAN = 4
    """Scan and evaluate."""
    DECIDE = 5
    """Compare values and windows."""
    TABLE = 6
    STACK = 7
    """Store and fetch frames."""
    UNMAKE = 8
    SEEK = 9
    """Find out whether there is a legal turn."""
    TEAM = 10
    """Several lanes: wait for the others, and see to what they share."""


_ACTIVITIES = {
    Activity.CHOOSE: (State.CHOOSE, State.CHOSEN),
    Activity.MAKE: (State.MAKING,),
    Activity.SCAN: (State.EMPTY, State.SCANNING),
    Activity.DECIDE: (
        State.COMPLETED,
        State.ENTER,
        State.DECIDE,
        State.BOUND,
        State.VALUE,
        State.TAKE,
    ),
    Activity.TABLE: (State.PROBE, State.PROBED, State.FINISH),
    Activity.STACK: (State.EXPAND, State.FINISHED),
    Activity.SEEK: (State.SEEK, State.SEEK_FOUND, State.SEEK_MAKING),
    Activity.IDLE: (State.IDLE,),
    Activity.TEAM: (State.TEAM,),
}
"""The states of each activity; all others are ``ROOT``, and cycles of waiting for an ``UNMAKE`` are
that."""


def frame_layout(config: SearchConfig) -> data.StructLayout:
    """A node whose placements are tried.

    - ``alpha``, ``beta``: the window; ``raised``: alpha is a value of one of the node's turns.
    - ``best``, ``move``: the best value so far, and its move; ``tried``: that is a value, of a turn
      or in quiescence of not answering. Before that ``best`` is the evaluation.
    - ``table``: the move of the transposition table.
    - ``stage``, ``index``, ``symbol``: where the next placement is looked for.
    - ``count``: turns made so far; stays at its largest value.
    - ``made``: the move of the turn under way; ``reduced``, ``zero``: it is searched with a
      reduction, with a zero window.
    - ``depth``, ``extensions``: what is left of both.
    - ``under``, ``leaf``: the node is under attack; only answers to attacks are tried.
    - ``near``: the attacks.
    - ``turns``: the rectangles of the last two turns.
    - ``hash``: of the position.
    """
    grid = config.grid
    score = Scores(config).shape
    move = optional_move_layout(grid)
    return data.StructLayout(
        {
            "alpha": score,
            "beta": score,
            "best": score,
            "raised": 1,
            "tried": 1,
            "move": move,
            "table": move,
            "made": move_layout(grid),
            "stage": STAGE_BITS,
            "index": grid.index_bits,
            "symbol": 2,
            "count": range(config.counted + 1),
            "reduced": 2,
            "zero": 1,
            "depth": range(config.plies),
            "extensions": range(config.pruning.extensions + 1),
            "under": 1,
            "leaf": 1,
            "near": near_layout(grid),
            "turns": data.ArrayLayout(span_layout(grid), 2),
            "hash": HASH_BITS,
        }
    )


class Registers:
    """The lane's registers; and some wires."""

    def __init__(self, config: SearchConfig):
        grid, widths = config.grid, config.widths
        self.scores = scores = Scores(config)
        score = scores.shape
        self.state = Signal(State)
        # A command to the turn unit: it is on offer, it is under way.
        self.offered = Signal()
        self.busy = Signal()
        self.op = Signal(TurnOp)
        # The frame, its ply, and whether that is 0; at the root the number of the turn in the list,
        # and in TELL that of the turn in the variation.
        self.f = Signal(frame_layout(config))
        self.ply = Signal(range(config.plies))
        self.at_root = Signal(init=1)
        self.number = Signal(range(config.root_turns + 1))
        self.best_number = Signal(range(config.root_turns))
        # The points that a seed adds to the root's turn; to the frame's turn, 0 below the root.
        self.points = Signal(VARIETY_BITS)
        self.noise = Signal(VARIETY_BITS)
        # A wire: a loss in ``later`` turns more than the frame's ply. Its complement is a win one
        # turn later.
        self.later = Signal(2)
        self.loss = Signal(score)
        # The child: its window, depth and facts; its value.
        self.alpha = Signal(score)
        self.beta = Signal(score)
        self.depth = Signal(range(config.plies))
        self.extensions = Signal(range(config.pruning.extensions + 1))
        self.leaf = Signal()
        self.evaluation = Signal(signed(widths.evaluation))
        self.hash = Signal(HASH_BITS)
        self.fresh = Signal()
        self.value = Signal(score)
        # Its ply, from the second cycle after the frame has changed.
        self.child_ply = Signal(range(config.plies + 1))
        # The best turn; its score is one of ``scores``.
        best = {**best_layout(grid).members, "score": score}
        self.best = Signal(data.StructLayout(best))
        # The root: the iteration, a turn's order number, where the next placement is looked for.
        self.iteration = Signal(range(config.plies))
        self.stopped = Signal()
        # It has been stopped while the root's turn is searched again: that has beaten the best one.
        self.better = Signal()
        self.ends = Signal()
        self.decided = Signal()
        self.rank = Signal(widths.root_order)
        self.index = Signal(grid.index_bits)
        self.symbol = Signal(2)
        # SEEK: the state after it, and its result.
        self.sought = Signal(State)
        self.legal = Signal()


class Lane(wiring.Component):
    """Searches: finds the best turn of a position within limits, by docs/search.md.

    ::

                ┌──────────┐ ┌──────────────────┐ ┌───────────┐ ┌──────────┐
                │ RootList │ │TranspositionTable│ │FrameStack │ │Variation │
                └────┬─────┘ └────────┬─────────┘ └────┬──────┘ └────┬─────┘
                     └────────────────┴──┬─────────────┴─────────────┘
        jobs, limits ─────────► state machine and frame ──────────► core (turn unit)
        best, answers ◄──────────┬──────────────────┬──── ▲ ▲
                                 ▼                  ▼     │ └─ TurnSpan, PositionHash ◄── laid
                ┌───────────┐ ┌──────────────┐  ┌─────────┴┐
                │KillerTable├►│PlacementWalk │  │ NodeScan │   (both read the position)
                └───────────┘ └──────────────┘  └──────────┘

    ::

                                   ┌─────── refused ────────┐
                                   ▼                        │
        ITERATE ──► CHOOSE ──► CHOSEN ──► MAKING ───────────┘
                     ▲ │ none                │ goes on     │ ends the game
                     │ ▼ left                ▼             │
                     │ FINISH ─► VALUE ◄─ ENTER, SCANNING, │
                     │             │  ▲   DECIDE, BOUND,   │
                     │             │  │   PROBE ──► EXPAND ─────► CHOOSE
                     │             ▼  └────────────────────┘
                     └──────────── TAKE

    The frame is the node whose placements are tried. Its child is the position after a turn, once
    that is made: most children have a value as soon as they have been scanned. Only a child that
    has not becomes the frame, and the frame before it goes to the stack.

    Parameters
    ----------
    config : SearchConfig
        All constants and sizes.
    weights : mapping
        The evaluation, as :func:`loopline.hdl.search.evaluation.weights.read_groups` returns it.

    Members
    -------
    jobs : In(stream of search_layout)
        Search in the present position. The payload stays until the answer, also after its transfer.
    answers : Out(stream of 1)
        One for each job that is not abandoned: 1 if there is a turn. If not, no turn fits into the
        grid, or, in a limited area, the game is over.
    limits : In(search_limits_layout), stop : In(1)
        Limits, and the early end of the search; they stay until the answer.
    abandon : In(1)
        Drop the job, once turn unit and table have finished their commands; the position is
        undefined then.
    freeze : In(1), frozen : Out(1)
        Stand still, so that ``best``, ``nodes`` and the line can be read as a whole.
    busy : Out(1)
        A job is being worked on, or its answer is on offer.
    best : Out(best_layout), nodes : Out(32)
        The best turn so far, from the last complete iteration, at the end also of a later one; and
        the nodes so far. Both stay until the next job.
    iteration : Out(1)
        Pulses when an iteration is complete.
    line_index : In, line_turn : Out(line_layout), line_count : Out
        The principal variation that belongs to ``best``: the turn of this number, one cycle later,
        and how many turns there are. Valid while frozen or not busy.
    activity : Out(Activity)
        What this cycle goes to, for measurements.
    rules : In(rules_layout)
        The variant that is played.
    core : Out(core_port)
        The turn unit.
    reader : Out(PositionReader), laid : In(laid_layout)
        Its memories, and the tiles that it lays.
    memory : Out(TableMemory)
        The memory of the transposition table, unless there is none.

    Raises
    ------
    ValueError
        The configuration has ``attacks`` or ``exact_wins`` not as the gateware.
    """

    def __init__(self, config: SearchConfig, weights: Mapping[str, Sequence[int]]):
        pruning = config.pruning
        if not pruning.attacks or pruning.exact_wins:
            raise ValueError(
                "the gateware finds wins by their pattern: attacks must be 1 and exact_wins 0"
            )
        self._config = config
        self._weights = weights
        super().__init__(self._ports(config))

    def _ports(self, config: SearchConfig) -> dict[str, Member]:
        grid = config.grid
        return {
            **lane_port(config).flip().members,
            "activity": Out(Activity),
            "core": Out(core_port(grid)),
            "reader": Out(PositionReader(grid)),
            "laid": In(laid_layout(grid)),
            **({"memory": Out(TableMemory(config))} if config.table_bits else {}),
        }

    def elaborate(self, platform) -> Module:
        m = Module()
        r = self._registers = self._new_registers()
        self._add_parts(m, r)
        self._drive_unit(m, r)
        self._show(m, r)
        with m.Switch(r.state):
            for state, act in self._acts().items():
                with m.Case(state):
                    act(m, r)
            with m.Default():
                # Not the code of a state: as after power-on.
                m.d.sync += r.state.eq(State.IDLE)
        self._give_up(m, r)
        self._show_activity(m, r)
        return m

    def _acts(self) -> dict[State, Callable[[Module, Registers], object]]:
        """What the lane does in each state."""
        return {
            State.IDLE: self._idle,
            State.CLEAR: self._clear,
            State.CLEARED: self._cleared,
            State.OPEN: self._open,
            State.OPEN_FOUND: self._open_found,
            State.OPEN_MAKING: self._open_making,
            State.OPEN_SCAN: self._open_scan,
            State.OPEN_SCANNED: self._open_scanned,
            State.OPEN_SOUGHT: self._open_sought,
            State.OPEN_INSERT: self._open_insert,
            State.OPEN_WON: self._open_won,
            State.OPENED: self._opened,
            State.ITERATE: self._iterate,
            State.CHOOSE: self._choose,
            State.CHOOSE_LISTED: self._choose_listed,
            State.CHOOSE_PLACE: self._choose_place,
            State.CHOSEN: self._chosen,
            State.VARY: self._vary,
            State.MAKING: self._making,
            State.COMPLETED: self._completed,
            State.ENTER: self._enter,
            State.EMPTY: self._empty,
            State.SCANNING: self._scanning,
            State.DECIDE: self._decide,
            State.BOUND: self._bound,
            State.PROBE: self._probe,
            State.PROBED: self._probed,
            State.EXPAND: self._expand,
            State.VALUE: self._value,
            State.TAKE: self._take,
            State.FINISH: self._finish,
            State.FINISHED: self._finished,
            State.UNWIND: self._unwind,
            State.UNWOUND: self._unwound,
            State.SEEK: self._seek,
            State.SEEK_FOUND: self._seek_found,
            State.SEEK_MAKING: self._seek_making,
            State.ITERATED: self._iterated,
            State.TELL: self._tell,
            State.TELL_READ: self._tell_read,
            State.TELL_MAKING: self._tell_making,
            State.TELL_UNMAKE: self._tell_unmake,
            State.TOLD: self._told,
            State.ANSWER: self._answer,
        }

    # What is connected all the time.

    def _new_registers(self) -> Registers:
        return Registers(self._config)

    def _add_parts(self, m: Module, r: Registers) -> None:
        config, grid = self._config, self._config.grid
        # The job has been dropped in the cycle before. All parts know a cycle later, as what a
        # state does in a cycle is known late.
        self._dropped = dropped = Signal()
        m.d.sync += dropped.eq(0)
        # Without a job nothing reads the position, whatever an upset has left behind: a reader that
        # is active takes the turn unit's memories.
        resting = Signal()
        m.d.comb += resting.eq(r.state == State.IDLE)

        def part(name: str, component, reset: Signal = dropped):
            m.submodules[name] = ResetInserter(reset)(component)
            return component

        self._scan = scan = part("scan", NodeScan(config, self._weights), resting)
        self._walk = walk = part("walk", PlacementWalk(config), resting)
        self._killers = killers = part("killers", KillerTable(config))
        self._span = span = part("span", TurnSpan(grid))
        self._hash = hashed = part("hash", PositionHash(grid))
        self._stack = stack = part("stack", FrameStack(frame_layout(config), config.plies))
        self._add_stores(m, r, part)
        self._show_killers(m, r)

        # The two readers take turns. The scan alone reads pairs of cells, while it is active.
        reader = self.reader
        m.d.comb += [
            scan.may_begin.eq(r.state.as_value().matches(State.OPEN_SCAN, State.ENTER)),
            walk.may_begin.eq(self._may_walk(r) & ~r.busy),
        ]
        connect(m, scan.reader.pair, flipped(reader.pair))
        for each in (scan.reader, walk.reader):
            m.d.comb += [
                each.entry.eq(reader.entry),
                each.cells.cell.eq(reader.cells.cell),
                each.high.eq(reader.high),
                each.box.eq(reader.box),
                each.edges.eq(reader.edges),
            ]
            for colour in range(2):
                m.d.comb += [
                    each.partners[colour].eq(reader.partners[colour]),
                    each.ends[colour].eq(reader.ends[colour]),
                ]
            with m.If(each.active):
                m.d.comb += [
                    reader.active.eq(1),
                    reader.index.eq(each.index),
                    reader.en.eq(each.en),
                    reader.follow.eq(each.follow),
                    reader.tracks_of.eq(each.tracks_of),
                    reader.tracks_en.eq(each.tracks_en),
                    reader.cells.x.eq(each.cells.x),
                    reader.cells.y.eq(each.cells.y),
                    reader.cells.en.eq(each.cells.en),
                ]
        # A forced win or loss that is no farther away than the iteration is deep, a cycle later.
        score = r.best.score
        distance = r.scores.mate - Mux(score < 0, -score, score)
        m.d.sync += r.decided.eq(distance <= r.iteration)
        # The end by a stop or by the limit of nodes, a cycle later: after a node there are more
        # cycles before the next one.
        limit = self.limits.nodes
        spent = (limit != 0) & (self.nodes >= limit) & ~self.limits.free
        m.d.sync += r.ends.eq(self.stop | spent)
        # The child's tiles: not those of a turn that is only tried.
        making = Signal()
        m.d.comb += making.eq(self._makes(r))
        for each in (span, hashed):
            m.d.comb += each.laid.eq(self.laid)
            m.d.comb += each.laid.valid.eq(self.laid.valid & making)

        m.d.sync += r.child_ply.eq(r.ply + 1)
        f = r.f
        m.d.comb += [
            scan.rules.eq(self.rules),
            walk.rules.eq(self.rules),
            walk.table.eq(f.table),
            walk.near.eq(f.near),
            *(port.eq(turn) for port, turn in zip(walk.turns, f.turns, strict=True)),
            killers.ply.eq(r.ply),
            killers.move.eq(f.made),
            span.former.eq(f.turns[0]),
            hashed.base.eq(f.hash),
            Cat(hashed.move.place.x, hashed.move.place.y, hashed.move.symbol).eq(
                Cat(
                    walk.results.payload.turn.x,
                    walk.results.payload.turn.y,
                    walk.results.payload.turn.symbol,
                )
            ),
            hashed.seed.eq(self.jobs.payload.seed),
            hashed.turns.eq(self.jobs.payload.turns),
            r.loss.eq(r.scores.loss(r.ply + r.later)),
            stack.frame.eq(f),
        ]

    def _add_stores(self, m: Module, r: Registers, part: Callable) -> None:
        """Add the table, the root's list and the variation."""
        config = self._config
        self._table = part("table", TranspositionTable(config))
        if config.table_bits:
            connect(m, self._table.memory, flipped(self.memory))
        self._list = part("list", RootList(config))
        self._variation = part("variation", Variation(config))

    def _show_killers(self, m: Module, r: Registers) -> None:
        """Give the killers to the walk."""
        m.d.comb += [
            self._walk.first.eq(self._killers.first),
            self._walk.second.eq(self._killers.second),
        ]

    def _may_walk(self, r: Registers) -> Value:
        """Whether the next placement may be looked for."""
        return r.state.as_value().matches(State.OPEN, State.CHOOSE, State.CHOOSE_PLACE, State.SEEK)

    def _makes(self, r: Registers) -> Value:
        """Whether a turn of the path is made."""
        return r.state == State.MAKING

    def _count(self, m: Module) -> None:
        """Count a node."""
        m.d.sync += self.nodes.eq(self.nodes + 1)

    def _drive_unit(self, m: Module, r: Registers) -> None:
        """Offer the turn unit's command, and take its outcome in the cycle in which it comes."""
        core, command = self.core, self.core.commands.payload
        # The turn that the walk has found, which stays; or that of the variation.
        found, told = self._walk.results.payload.turn, self._variation.results.payload.move
        m.d.comb += [
            core.commands.valid.eq(r.offered),
            command.op.eq(r.op),
            command.x.eq(found.x),
            command.y.eq(found.y),
            command.symbol.eq(found.symbol),
            core.outcomes.ready.eq(1),
        ]
        with m.If(self._variation.results.valid):
            m.d.comb += [
                command.x.eq(told.place.x),
                command.y.eq(told.place.y),
                command.symbol.eq(told.symbol),
            ]
        with m.If(core.commands.valid & core.commands.ready):
            m.d.sync += r.offered.eq(0)
        with m.If(core.outcomes.valid):
            m.d.sync += r.busy.eq(0)

    def _show(self, m: Module, r: Registers) -> None:
        grid = self._config.grid
        labels = Memory(shape=line_layout(grid), depth=self._config.line, init=[])
        m.submodules.labels = labels
        self._label = labels.write_port()
        read, move = labels.read_port(), self._variation.results.payload.move
        m.d.comb += [
            read.addr.eq(self.line_index),
            self._label.addr.eq(r.number),
            self._label.data.symbol.eq(move.symbol),
            self._label.data.column.eq(
                (move.place.x - self.reader.edges.beside[Side.WEST])[: grid.coord_bits]
            ),
            self._label.data.row.eq(
                (move.place.y - self.reader.edges.beside[Side.NORTH])[: grid.coord_bits]
            ),
            self.line_turn.eq(read.data),
            self.best.found.eq(r.best.found),
            self.best.turn.eq(r.best.turn),
            self.best.score.eq(r.scores.points(r.best.score)),
            self.best.depth.eq(r.best.depth),
            self.busy.eq((r.state != State.IDLE) | self._dropped),
        ]

    def _show_activity(self, m: Module, r: Registers) -> None:
        m.d.comb += self.activity.eq(Activity.ROOT)
        with m.Switch(r.state):
            for activity, states in _ACTIVITIES.items():
                with m.Case(*states):
                    m.d.comb += self.activity.eq(activity)
        waits = (r.state == State.CHOOSE) | (r.state == State.DECIDE) | (r.state == State.VALUE)
        with m.If(waits & r.busy):
            m.d.comb += self.activity.eq(Activity.UNMAKE)

    def _give_up(self, m: Module, r: Registers) -> None:
        """A job that is abandoned is dropped between two commands of the turn unit and two of the
        table, whose memory has one answer for each read."""
        waits = self._has_request()
        under_way = (r.state != State.IDLE) & (r.state != State.ANSWER)
        with m.If(self.abandon & ~r.busy & ~waits & under_way):
            m.d.sync += [self._dropped.eq(1), r.state.eq(State.IDLE), r.offered.eq(0)]

    def _has_request(self) -> Value:
        """Whether there is one that must not be dropped."""
        return self._table.requests.valid | self._table.answers.valid

    # Helpers, which return statements for ``sync``.

    @staticmethod
    def _make(r: Registers) -> list:
        """Make ``turn``."""
        return [r.op.eq(TurnOp.MAKE), r.offered.eq(1), r.busy.eq(1)]

    @staticmethod
    def _unmake(r: Registers) -> list:
        """Unmake the last turn."""
        return [r.op.eq(TurnOp.UNMAKE), r.offered.eq(1), r.busy.eq(1)]

    @staticmethod
    def _note_best(r: Registers, move: data.View) -> list:
        """This move is the best one."""
        best = r.best.turn
        return [
            r.best.found.eq(1),
            best.x.eq(move.place.x),
            best.y.eq(move.place.y),
            best.symbol.eq(move.symbol),
        ]

    def _completes(self, outcome: data.View, mover: Value) -> TurnWorth:
        return TurnWorth(self.rules, outcome.loops | outcome.lines, mover)

    def _mover(self, r: Registers) -> Value:
        """The side to move in the frame's node."""
        return self.jobs.payload.mover ^ r.ply[0]

    def _seek_then(self, r: Registers, state: State) -> list:
        """Find out whether there is a legal turn, and go on in ``state``."""
        return [r.sought.eq(state), r.index.eq(0), r.symbol.eq(0), r.state.eq(State.SEEK)]

    # The root.

    def _idle(self, m: Module, r: Registers) -> None:
        m.d.comb += self.jobs.ready.eq(~self._dropped)
        m.d.sync += [
            r.busy.eq(0),
            r.offered.eq(0),
            r.stopped.eq(0),
            r.better.eq(0),
            r.ply.eq(0),
            r.at_root.eq(1),
            r.iteration.eq(0),
        ]
        with m.If(self.jobs.valid & self.jobs.ready):
            m.d.sync += [
                r.best.eq(0),
                self.nodes.eq(0),
                self.line_count.eq(0),
                r.state.eq(State.CLEAR),
            ]
            with m.If(self.jobs.payload.probe):
                m.d.sync += self._seek_then(r, State.ANSWER)
            with m.Elif(self.reader.box.empty):
                # A game's first turn is always the same.
                m.d.comb += [
                    self._label.en.eq(1),
                    self._label.data.column.eq(0),
                    self._label.data.row.eq(0),
                    self._label.data.symbol.eq(ShapeCode.SLASH),
                ]
                m.d.sync += [
                    r.best.found.eq(1),
                    r.best.turn.symbol.eq(ShapeCode.SLASH),
                    self.line_count.eq(1),
                    r.state.eq(State.ANSWER),
                ]

    def _clear(self, m: Module, r: Registers) -> None:
        requests, ops = self._table.requests, self._list.ops
        m.d.comb += [
            requests.valid.eq(1),
            requests.payload.op.eq(TableOp.CLEAR),
        ]
        with m.If(requests.ready):
            m.d.comb += [
                self._killers.clear.eq(1),
                ops.valid.eq(1),
                ops.payload.op.eq(ListOp.CLEAR),
            ]
            m.d.sync += r.state.eq(State.CLEARED)
        self._empty_variation(m, r)

    def _cleared(self, m: Module, r: Registers) -> None:
        """The table is empty: it keeps its request until then. The killers may take longer."""
        m.d.sync += [r.index.eq(0), r.symbol.eq(0)]
        with m.If(~self._killers.busy):
            m.d.sync += r.state.eq(State.OPEN)

    def _walk_every(self, m: Module, r: Registers, following: State) -> None:
        """Find the next placement of all."""
        jobs = self._walk.jobs
        m.d.comb += [
            jobs.valid.eq(~r.busy),
            jobs.payload.every.eq(1),
            jobs.payload.index.eq(r.index),
            jobs.payload.symbol.eq(r.symbol),
        ]
        with m.If(jobs.valid & jobs.ready):
            m.d.sync += r.state.eq(following)

    def _open(self, m: Module, r: Registers) -> None:
        self._walk_every(m, r, State.OPEN_FOUND)

    def _take_found(self, m: Module, r: Registers, making: State, none: State) -> None:
        """Make the placement that was found."""
        results = self._walk.results
        found = results.payload
        m.d.comb += results.ready.eq(1)
        with m.If(results.valid):
            m.d.sync += [
                r.index.eq(found.turn.index),
                r.symbol.eq(found.turn.symbol.as_value() + 1),
            ]
            with m.If(found.found):
                m.d.sync += [*self._make(r), r.state.eq(making)]
            with m.Else():
                m.d.sync += r.state.eq(none)

    def _open_found(self, m: Module, r: Registers) -> None:
        found = self._walk.results.payload.turn
        made = r.f.made
        m.d.sync += [
            made.place.x.eq(found.x),
            made.place.y.eq(found.y),
            made.symbol.eq(found.symbol),
        ]
        self._take_found(m, r, State.OPEN_MAKING, State.OPENED)

    def _open_making(self, m: Module, r: Registers) -> None:
        outcome = self.core.outcomes.payload
        verdict = self._completes(outcome, self.jobs.payload.mover)
        middle = 1 << (self._config.widths.root_order - 1)
        with m.If(self.core.outcomes.valid):
            with m.If(outcome.status != Status.LEGAL):
                m.d.sync += r.state.eq(State.OPEN)
            with m.Elif(verdict.wins):
                # The answer: a search ends before it has begun.
                m.d.sync += [
                    *self._note_best(r, r.f.made),
                    r.best.score.eq(r.scores.mate - 1),
                    r.best.depth.eq(1),
                    r.stopped.eq(1),
                    *self._unmake(r),
                    r.state.eq(State.OPEN_WON),
                ]
            with m.Elif(verdict.draws | verdict.loses):
                m.d.sync += [
                    r.rank.eq(Mux(verdict.draws, middle, 0)),
                    *self._unmake(r),
                    r.state.eq(State.OPEN_INSERT),
                ]
            with m.Else():
                self._count(m)
                m.d.sync += r.state.eq(State.OPEN_SCAN)

    def _open_scan(self, m: Module, r: Registers) -> None:
        jobs = self._scan.jobs
        m.d.comb += [
            jobs.valid.eq(1),
            jobs.payload.mover.eq(~self.jobs.payload.mover),
            jobs.payload.whole.eq(1),
        ]
        with m.If(jobs.ready):
            m.d.sync += r.state.eq(State.OPEN_SCANNED)

    def _open_scanned(self, m: Module, r: Registers) -> None:
        """The turn's order number: by its evaluation, and whether the opponent has an attack."""
        results = self._scan.results
        result = results.payload
        middle = 1 << (self._config.widths.root_order - 1)
        rank = Signal(self._config.widths.root_order)
        m.d.comb += [results.ready.eq(1), rank.eq(middle - result.evaluation)]
        m.d.sync += r.rank.eq(Mux(result.own, rank >> 2, rank))
        with m.If(results.valid):
            with m.If(is_limited(self.rules) & ~result.own):
                # Where the root's next placement is looked for waits in the frame.
                m.d.sync += [
                    r.f.index.eq(r.index),
                    r.f.symbol.eq(r.symbol),
                    *self._seek_then(r, State.OPEN_SOUGHT),
                ]
            with m.Else():
                m.d.sync += [*self._unmake(r), r.state.eq(State.OPEN_INSERT)]

    def _open_sought(self, m: Module, r: Registers) -> None:
        """A turn after which there is no legal turn is a draw."""
        with m.If(~r.legal):
            m.d.sync += r.rank.eq(1 << (self._config.widths.root_order - 1))
        with m.If(~r.busy):
            m.d.sync += [
                r.index.eq(r.f.index),
                r.symbol.eq(r.f.symbol),
                *self._unmake(r),
                r.state.eq(State.OPEN_INSERT),
            ]

    def _open_insert(self, m: Module, r: Registers) -> None:
        ops = self._list.ops
        m.d.comb += [
            ops.valid.eq(1),
            ops.payload.op.eq(ListOp.INSERT),
            ops.payload.rank.eq(r.rank),
            ops.payload.index.eq(r.index),
            # Already that of the next placement.
            ops.payload.symbol.eq(r.symbol - 1),
        ]
        with m.If(ops.ready):
            full = self._list.count == self._config.root_turns - 1
            m.d.sync += r.state.eq(Mux(self.stop | full, State.OPENED, State.OPEN))

    def _open_won(self, m: Module, r: Registers) -> None:
        """The turn is the whole variation."""
        self._put_variation(m, r)
        with m.If(self._variation.ops.ready):
            m.d.sync += r.state.eq(State.TELL)

    def _opened(self, m: Module, r: Registers) -> None:
        with m.If(~r.busy):
            m.d.sync += r.state.eq(State.ITERATE)
            with m.If(self._list.count == 0):
                m.d.sync += [r.legal.eq(0), r.state.eq(State.ANSWER)]

    def _iterate(self, m: Module, r: Registers) -> None:
        f, pruning = r.f, self._config.pruning
        m.d.sync += [
            r.iteration.eq(r.iteration + 1),
            r.number.eq(0),
            f.alpha.eq(-r.scores.infinite),
            f.beta.eq(r.scores.infinite),
            f.best.eq(-r.scores.infinite),
            f.raised.eq(0),
            f.tried.eq(0),
            f.move.valid.eq(0),
            f.table.valid.eq(0),
            f.count.eq(0),
            f.depth.eq(r.iteration + 1),
            f.extensions.eq(pruning.extensions),
            f.under.eq(0),
            f.leaf.eq(0),
            f.turns[0].valid.eq(0),
            f.turns[1].valid.eq(0),
            f.hash.eq(0),
            r.state.eq(State.CHOOSE),
        ]

    # The next turn of a node.

    def _choose(self, m: Module, r: Registers) -> None:
        f = r.f
        ops, jobs = self._list.ops, self._walk.jobs
        with m.If(r.at_root):
            m.d.comb += [
                ops.valid.eq(r.number != self._list.count),
                ops.payload.op.eq(ListOp.READ),
                ops.payload.number.eq(r.number),
            ]
            with m.If(r.number == self._list.count):
                m.d.sync += r.state.eq(State.ITERATED)
            with m.Elif(ops.ready):
                m.d.sync += r.state.eq(State.CHOOSE_LISTED)
        with m.Else():
            m.d.comb += [
                jobs.valid.eq(~r.busy & self._knows_killers()),
                jobs.payload.stage.eq(f.stage),
                jobs.payload.index.eq(f.index),
                jobs.payload.symbol.eq(f.symbol),
                jobs.payload.answers.eq(f.leaf),
            ]
            with m.If(jobs.valid & jobs.ready):
                m.d.sync += r.state.eq(State.CHOSEN)

    def _knows_killers(self) -> Value:
        return self._killers.ready

    def _choose_listed(self, m: Module, r: Registers) -> None:
        results = self._list.results
        m.d.comb += results.ready.eq(1)
        m.d.sync += [r.index.eq(results.payload.index), r.symbol.eq(results.payload.symbol)]
        with m.If(results.valid):
            m.d.sync += r.state.eq(State.CHOOSE_PLACE)

    def _choose_place(self, m: Module, r: Registers) -> None:
        """The list has no places: the first placement from this one on is this one."""
        self._walk_every(m, r, State.CHOSEN)

    def _chosen(self, m: Module, r: Registers) -> None:
        f, results = r.f, self._walk.results
        found = results.payload
        walked = found.stage >= FIRST_WALK
        m.d.comb += results.ready.eq(1)
        with m.If(results.valid):
            m.d.sync += [
                f.made.place.x.eq(found.turn.x),
                f.made.place.y.eq(found.turn.y),
                f.made.symbol.eq(found.turn.symbol),
                f.stage.eq(Mux(walked, found.stage, found.stage + 1)),
                f.index.eq(Mux(walked, found.turn.index, 0)),
                f.symbol.eq(Mux(walked, found.turn.symbol.as_value() + 1, 0)),
            ]
            with m.If(r.at_root):
                m.d.sync += [r.points.eq(0), r.noise.eq(0)]
            with m.If(~found.found):
                self._no_turn(m, r)
            with m.Else():
                self._begin_turn(m, r)

    def _no_turn(self, m: Module, r: Registers) -> None:
        m.d.sync += r.state.eq(State.FINISH)

    def _begin_turn(self, m: Module, r: Registers) -> None:
        job = self.jobs.payload
        with m.If(r.at_root & job.seeded & (job.turns < VARIED_TURNS)):
            m.d.comb += self._hash.draw.eq(1)
            m.d.sync += r.state.eq(State.VARY)
        with m.Else():
            m.d.comb += [self._hash.start.eq(1), self._span.start.eq(1)]
            m.d.sync += [*self._make(r), r.state.eq(State.MAKING)]

    def _vary(self, m: Module, r: Registers) -> None:
        hashed = self._hash
        with m.If(hashed.ready):
            m.d.comb += [hashed.start.eq(1), self._span.start.eq(1)]
            m.d.sync += [r.points.eq(hashed.points), r.noise.eq(hashed.points)]
            m.d.sync += [*self._make(r), r.state.eq(State.MAKING)]

    def _making(self, m: Module, r: Registers) -> TurnWorth:
        """Return what the turn ends, if it is legal."""
        f = r.f
        outcome = self.core.outcomes.payload
        verdict = self._completes(outcome, self._mover(r))
        zero, reduced = self._first_try(m, r)
        # The outcome arrives late, so that ``later`` does not depend on it.
        m.d.comb += r.later.eq(1)
        won = ~r.scores.loss(r.ply)
        # After a turn that is refused, these are of no use.
        m.d.sync += self._child(r, zero, reduced)
        with m.If(self.core.outcomes.valid):
            with m.If(outcome.status != Status.LEGAL):
                m.d.sync += r.state.eq(State.CHOOSE)
                with m.If(r.at_root):
                    m.d.sync += r.number.eq(r.number + 1)
            with m.Else():
                m.d.sync += [
                    f.reduced.eq(reduced),
                    f.zero.eq(zero),
                    f.count.eq(f.count + (f.count != self._config.counted)),
                    r.fresh.eq(1),
                    r.state.eq(State.ENTER),
                ]
                with m.If(~r.best.found):
                    # The first turn of the root is the best one until there is a value.
                    m.d.sync += self._note_best(r, f.made)
                with m.If(verdict.wins | verdict.loses | verdict.draws):
                    m.d.sync += [
                        # From the side to move there, as of any child.
                        r.value.eq(Mux(verdict.draws, 0, Mux(verdict.wins, r.loss, won))),
                        f.zero.eq(0),
                        r.state.eq(State.COMPLETED),
                    ]
        return verdict

    def _first_try(self, m: Module, r: Registers) -> tuple[Signal, Signal]:
        """Whether the child is first searched with a zero window, and how much less deep."""
        f, pruning = r.f, self._config.pruning
        one = (f.count >= pruning.reduce_after) & (f.depth >= pruning.reduce_depth)
        two = (f.count >= pruning.reduce_more_after) & (f.depth >= pruning.reduce_more_depth)
        reduced = Signal(2)
        zero = Signal()
        can_reduce = bool(pruning.reduce_after) & ~r.at_root & ~f.under
        can_reduce_more = bool(pruning.reduce_more_after)
        m.d.comb += [
            reduced.eq(Mux(can_reduce, Mux(can_reduce_more & two, 2, one), 0)),
            zero.eq(bool(pruning.zero_windows) & (f.count != 0) & (f.depth > 1)),
        ]
        return zero, reduced

    def _child(self, r: Registers, zero: Value, reduced: Value) -> list:
        """Set the child's window, depth and extensions."""
        f = r.f
        less = reduced + 1
        none_left = f.leaf | (f.depth <= less)
        return [
            r.alpha.eq(Mux(zero, r.noise - f.alpha - 1, -f.beta)),
            r.beta.eq(r.noise - f.alpha),
            r.depth.eq(Mux(none_left, 0, f.depth - less)),
            r.extensions.eq(f.extensions),
        ]

    def _completed(self, m: Module, r: Registers) -> None:
        """The variation after a turn that ends the game is empty."""
        self._empty_variation(m, r)
        with m.If(self._variation.ops.ready):
            m.d.sync += r.state.eq(State.VALUE)

    def _empty_variation(self, m: Module, r: Registers) -> None:
        ops = self._variation.ops
        m.d.comb += [
            ops.valid.eq(1),
            ops.payload.op.eq(VariationOp.EMPTY),
            ops.payload.ply.eq(r.ply + 1),
        ]

    def _put_variation(self, m: Module, r: Registers) -> None:
        """The frame's turn begins its variation; that of the child follows."""
        ops = self._variation.ops
        m.d.comb += [
            ops.valid.eq(1),
            ops.payload.op.eq(VariationOp.PUT),
            ops.payload.ply.eq(r.ply),
            ops.payload.move.eq(r.f.made),
        ]

    # A child.

    def _enter(self, m: Module, r: Registers) -> None:
        jobs = self._scan.jobs
        with m.If(self.freeze):
            m.d.comb += self.frozen.eq(1)
        with m.Elif(r.ends):
            m.d.sync += [r.stopped.eq(1), r.state.eq(State.UNWIND)]
        with m.Else():
            m.d.comb += [jobs.valid.eq(1), jobs.payload.mover.eq(~self._mover(r))]
            with m.If(jobs.ready):
                # The variation takes its operation while the position is scanned.
                self._count(m)
                m.d.sync += r.state.eq(State.EMPTY)

    def _empty(self, m: Module, r: Registers) -> None:
        self._empty_variation(m, r)
        with m.If(self._variation.ops.ready):
            m.d.sync += r.state.eq(State.SCANNING)

    def _scanning(self, m: Module, r: Registers) -> None:
        results = self._scan.results
        result = results.payload
        m.d.comb += [results.ready.eq(self._hash.ready), r.later.eq(1)]
        m.d.sync += [
            r.evaluation.eq(result.evaluation),
            r.leaf.eq(r.depth == 0),
            r.value.eq(~r.loss),
        ]
        with m.If(r.fresh):
            m.d.sync += r.hash.eq(self._hash.hash)
        with m.If(results.valid & results.ready):
            m.d.sync += r.fresh.eq(0)
            with m.If(result.own):
                m.d.sync += r.state.eq(State.VALUE)
            with m.Elif(is_limited(self.rules)):
                m.d.sync += self._seek_then(r, State.DECIDE)
            with m.Else():
                m.d.sync += [r.legal.eq(1), r.state.eq(State.DECIDE)]

    def _decide(self, m: Module, r: Registers) -> None:
        """No legal turn is a draw. A node without depth has its evaluation, unless it is under
        attack. No win is nearer than the next turn, and no loss nearer than the one after."""
        quiet = r.leaf & (~self._scan.results.payload.other | (r.extensions == 0))
        most = ~r.scores.loss(r.ply + 1)
        m.d.comb += r.later.eq(2)
        m.d.sync += [
            r.value.eq(Mux(r.legal, r.evaluation, 0)),
            r.state.eq(State.BOUND),
        ]
        with m.If(r.alpha < r.loss):
            m.d.sync += r.alpha.eq(r.loss)
        with m.If(r.beta > most):
            m.d.sync += r.beta.eq(most)
        with m.If(~r.busy), m.If(~r.legal | quiet | (r.ply + 1 == self._config.plies - 1)):
            m.d.sync += r.state.eq(State.VALUE)
        with m.Else():
            m.d.sync += r.state.eq(State.DECIDE)

    def _bound(self, m: Module, r: Registers) -> None:
        pruning, under = self._config.pruning, self._scan.results.payload.other
        # Larger depths do not count.
        deepest = pruning.reverse_futility_depth
        depth = r.depth[: deepest.bit_length()]
        margin = depth * pruning.reverse_futility_margin
        futile = ~under & (r.depth <= deepest)
        extends = under & (r.extensions != 0)
        m.d.sync += [
            r.extensions.eq(r.extensions - extends),
            r.depth.eq(r.depth + (extends & ~r.leaf)),
            r.state.eq(State.PROBE if self._config.uses_table else State.EXPAND),
        ]
        with m.If(r.alpha >= r.beta):
            m.d.sync += [r.value.eq(r.alpha), r.state.eq(State.VALUE)]
        with m.Elif(futile & (r.evaluation - margin >= r.beta)):
            m.d.sync += r.state.eq(State.VALUE)

    def _probe(self, m: Module, r: Registers) -> None:
        requests = self._table.requests
        m.d.comb += [
            requests.valid.eq(1),
            requests.payload.op.eq(TableOp.PROBE),
            requests.payload.hash.eq(r.hash),
        ]
        with m.If(requests.ready):
            m.d.sync += r.state.eq(State.PROBED)

    def _probed(self, m: Module, r: Registers) -> None:
        """A value settles the node if it was found at this depth or a larger one, or is a forced
        win or loss; and if it is exact, or a bound outside of the window."""
        answers = self._table.answers
        found, entry = answers.payload.found, answers.payload.entry
        score = entry.score[: r.scores.shape.width].as_signed()
        wins, loses = r.scores.forced(score)
        value = Signal(r.scores.shape)
        deepest = (1 << ENTRY_DEPTH_BITS) - 1
        m.d.comb += value.eq(score + Mux(wins, -r.child_ply, Mux(loses, r.child_ply, 0)))
        deep = (entry.depth >= r.depth) | (entry.depth == deepest)
        settles = (
            (entry.bound == Bound.EXACT)
            | ((entry.bound == Bound.AT_LEAST) & (value >= r.beta))
            | ((entry.bound == Bound.AT_MOST) & (value <= r.alpha))
        )
        with m.If(answers.valid):
            m.d.sync += [r.value.eq(value), r.state.eq(State.EXPAND)]
            with m.If(found & settles & (deep | wins | loses)):
                m.d.sync += r.state.eq(State.VALUE)

    def _expand(self, m: Module, r: Registers) -> None:
        """The answer of the table, if there is one, stays on offer until here."""
        f, stack, answers = r.f, self._stack, self._table.answers
        scanned, known = self._scan.results.payload, answers.payload
        m.d.comb += r.later.eq(3)
        with m.If(~stack.busy):
            m.d.comb += [stack.push.eq(1), answers.ready.eq(1)]
            m.d.sync += [
                f.alpha.eq(r.alpha),
                f.beta.eq(r.beta),
                # In quiescence a turn that is not tried loses.
                f.best.eq(Mux(r.leaf, r.loss, r.evaluation)),
                f.tried.eq(r.leaf),
                f.raised.eq(0),
                f.move.valid.eq(0),
                f.table.eq(known.entry.move),
                f.table.valid.eq(answers.valid & known.found & known.entry.move.valid),
                f.stage.eq(0),
                f.index.eq(0),
                f.symbol.eq(0),
                f.count.eq(0),
                f.depth.eq(r.depth),
                f.extensions.eq(r.extensions),
                f.under.eq(scanned.other),
                f.leaf.eq(r.leaf),
                f.near.eq(scanned.near),
                f.turns[0].eq(self._span.span),
                f.turns[1].eq(f.turns[0]),
                f.hash.eq(r.hash),
                r.ply.eq(r.ply + 1),
                r.at_root.eq(0),
                r.noise.eq(0),
                r.state.eq(State.CHOOSE),
            ]

    # A value.

    def _value(self, m: Module, r: Registers) -> Value:
        """Return whether the child is searched again."""
        f = r.f
        value = Signal(r.scores.shape)
        wins, loses = r.scores.forced(r.value)
        m.d.comb += value.eq(Mux(wins | loses, 0, r.noise) - r.value)
        again = f.zero & (value > f.alpha) & ((f.reduced != 0) | (value < f.beta))
        # The table's answer has done its work.
        m.d.comb += self._table.answers.ready.eq(1)
        with m.If(~r.busy):
            # ``again`` arrives late. What it does not decide is of no use in the other case.
            m.d.sync += [f.zero.eq(0), *self._child(r, 0, 0), r.value.eq(value)]
            m.d.sync += [
                r.op.eq(TurnOp.UNMAKE),
                r.offered.eq(~again),
                r.busy.eq(~again),
                r.state.eq(Mux(again, State.ENTER, State.TAKE)),
            ]
        return again

    def _take(self, m: Module, r: Registers) -> None:
        """Take the value, while the turn is unmade. A value that raises alpha begins the node's
        variation; one that reaches beta ends the node."""
        f, ops = r.f, self._variation.ops
        raises, cuts = r.value > f.alpha, r.value >= f.beta
        with m.If(raises & ~cuts):
            self._put_variation(m, r)
        with m.If(~raises | Mux(cuts, self._killers.ready, ops.ready)):
            m.d.sync += [
                r.number.eq(r.number + r.at_root),
                r.state.eq(Mux(raises & cuts, State.FINISH, State.CHOOSE)),
            ]
            self._merge(m, r, raises)
            with m.If(raises):
                m.d.comb += self._killers.note.eq(cuts & ~f.leaf)

    def _merge(self, m: Module, r: Registers, raises: Value) -> None:
        """Take the value into the frame."""
        f = r.f
        m.d.sync += f.tried.eq(1)
        with m.If(~f.tried | (r.value > f.best)):
            m.d.sync += [f.best.eq(r.value), f.move.move.eq(f.made), f.move.valid.eq(1)]
            with m.If(r.at_root):
                m.d.sync += r.best_number.eq(r.number)
        with m.If(raises):
            m.d.sync += [f.alpha.eq(r.value), f.raised.eq(1)]

    def _finish(self, m: Module, r: Registers) -> None:
        """Return the node's best value, or without a legal turn its evaluation."""
        f, requests = r.f, self._table.requests
        entry, score = requests.payload.entry, f.best
        wins, loses = r.scores.forced(score)
        deepest = (1 << ENTRY_DEPTH_BITS) - 1
        m.d.comb += [
            requests.valid.eq(f.tried & ~f.leaf & bool(self._config.uses_table)),
            requests.payload.op.eq(TableOp.STORE),
            requests.payload.hash.eq(f.hash),
            entry.score.eq(score + Mux(wins, r.ply, Mux(loses, -r.ply, 0))),
            entry.move.eq(f.move),
            entry.depth.eq(Mux(f.depth > deepest, deepest, f.depth)),
            entry.bound.eq(
                Mux(score >= f.beta, Bound.AT_LEAST, Mux(f.raised, Bound.EXACT, Bound.AT_MOST))
            ),
        ]
        # The child is not new: a turn that ended the game may have been made since it was.
        m.d.sync += [
            r.value.eq(score),
            r.hash.eq(f.hash),
            r.fresh.eq(False),
        ]
        m.d.comb += self._span.back.eq(1)
        with m.If(~requests.valid | requests.ready):
            m.d.comb += self._stack.pop.eq(1)
            m.d.sync += r.state.eq(State.FINISHED)

    def _finished(self, m: Module, r: Registers) -> None:
        with m.If(~self._stack.busy):
            m.d.sync += [*self._return(r), r.state.eq(State.VALUE)]

    def _return(self, r: Registers) -> list:
        """Get the frame before."""
        at_root = r.ply == 1
        return [
            r.f.eq(self._stack.top),
            r.ply.eq(r.ply - 1),
            r.at_root.eq(at_root),
            r.noise.eq(Mux(at_root, r.points, 0)),
        ]

    def _unwind(self, m: Module, r: Registers) -> None:
        f = r.f
        with m.If(~r.busy):
            m.d.sync += self._unmake(r)
            with m.If(r.at_root):
                self._empty_variation(m, r)
                m.d.sync += r.state.eq(State.ITERATED)
                with m.If(self._is_better(f)):
                    m.d.sync += [r.better.eq(1), f.move.move.eq(f.made)]
            with m.Else():
                m.d.comb += self._stack.pop.eq(1)
                m.d.sync += r.state.eq(State.UNWOUND)

    def _is_better(self, f: data.View) -> Value:
        """Whether the root's turn, which is given up, was being searched again: it is not the first
        one, and had a zero window."""
        again = f.tried & f.depth[1:].any() & ~f.zero
        return bool(self._config.pruning.zero_windows) & again

    def _unwound(self, m: Module, r: Registers) -> None:
        with m.If(~self._stack.busy):
            m.d.sync += [*self._return(r), r.state.eq(State.UNWIND)]

    # Is there a legal turn?

    def _seek(self, m: Module, r: Registers) -> None:
        self._walk_every(m, r, State.SEEK_FOUND)

    def _seek_found(self, m: Module, r: Registers) -> None:
        m.d.sync += r.legal.eq(0)
        self._take_found(m, r, State.SEEK_MAKING, r.sought)

    def _seek_making(self, m: Module, r: Registers) -> None:
        with m.If(self.core.outcomes.valid):
            m.d.sync += r.state.eq(State.SEEK)
            with m.If(self.core.outcomes.payload.status == Status.LEGAL):
                m.d.sync += [r.legal.eq(1), *self._unmake(r), r.state.eq(r.sought)]

    # The result.

    def _iterated(self, m: Module, r: Registers) -> None:
        """The best turn of the iteration, so far as it went, is the best one; or the one after it
        that has beaten its value. That is then the least value, unless it is a forced loss."""
        f, ops = r.f, self._list.ops
        _, loses = r.scores.forced(f.best)
        least = 1 - (1 << (self._config.widths.evaluation - 1))
        complete = ~r.stopped
        # Stopped before there was a value: the root's first turn is the whole variation.
        alone = r.better | (~f.tried & (r.iteration == 1))
        with m.If(alone):
            self._put_variation(m, r)
        m.d.comb += [
            ops.valid.eq(complete & ~r.busy),
            ops.payload.op.eq(ListOp.FRONT),
            ops.payload.number.eq(r.best_number),
        ]
        with m.If(~r.busy & (r.stopped | ops.ready) & (~alone | self._variation.ops.ready)):
            m.d.sync += [r.number.eq(0), r.state.eq(State.TELL)]
            with m.If(f.tried):
                m.d.sync += self._note_best(r, f.move.move)
                m.d.sync += r.best.score.eq(Mux(r.better & loses, least, f.best))
            with m.If(complete):
                m.d.sync += r.best.depth.eq(r.iteration)

    def _tell(self, m: Module, r: Registers) -> None:
        ops = self._variation.ops
        whole = r.number == self._config.line
        m.d.comb += [
            ops.valid.eq(~r.busy & ~whole),
            ops.payload.op.eq(VariationOp.READ),
            ops.payload.ply.eq(0),
            ops.payload.number.eq(r.number),
        ]
        with m.If(whole):
            m.d.sync += [self.line_count.eq(r.number), r.state.eq(State.TELL_UNMAKE)]
        with m.Elif(ops.valid & ops.ready):
            m.d.sync += r.state.eq(State.TELL_READ)

    def _tell_read(self, m: Module, r: Registers) -> None:
        """The turn stays on offer until it has been made."""
        results = self._variation.results
        with m.If(results.valid):
            with m.If(results.payload.valid):
                m.d.sync += [*self._make(r), r.state.eq(State.TELL_MAKING)]
            with m.Else():
                m.d.comb += results.ready.eq(1)
                m.d.sync += [self.line_count.eq(r.number), r.state.eq(State.TELL_UNMAKE)]

    def _tell_making(self, m: Module, r: Registers) -> None:
        # The box is that before the turn while its command is on offer.
        m.d.comb += self._label.en.eq(r.offered)
        with m.If(self.core.outcomes.valid):
            m.d.comb += self._variation.results.ready.eq(1)
            m.d.sync += [r.number.eq(r.number + 1), r.state.eq(State.TELL)]

    def _tell_unmake(self, m: Module, r: Registers) -> None:
        with m.If(~r.busy):
            with m.If(r.number == 0):
                m.d.sync += r.state.eq(State.TOLD)
            with m.Else():
                m.d.sync += [r.number.eq(r.number - 1), *self._unmake(r)]

    def _told(self, m: Module, r: Registers) -> None:
        """Go on with the next iteration, unless the search has come to its end."""
        config, limits = self._config, self.limits
        # A limit of 0 is no iteration.
        deepest = (r.iteration == config.deepest) | ((r.iteration == limits.depth) & ~limits.free)
        ends = r.stopped | r.decided | deepest
        m.d.comb += self.iteration.eq(~r.stopped)
        m.d.sync += r.state.eq(Mux(ends, State.ANSWER, State.ITERATE))

    def _answer(self, m: Module, r: Registers) -> None:
        m.d.comb += [
            self.answers.valid.eq(~r.busy),
            self.answers.payload.eq(Mux(self.jobs.payload.probe, r.legal, r.best.found)),
        ]
        with m.If(self.answers.valid & self.answers.ready):
            m.d.sync += r.state.eq(State.IDLE)
