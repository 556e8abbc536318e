"""A lane with its turn unit at native speed: searches as the engine's."""

from __future__ import annotations

from typing import Any, NamedTuple

from amaranth.hdl import Array, Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.wiring import In, Out, connect

from loopline.game import SHAPE_OF_CODE, Colour, Position, Turn
from loopline.hdl.arbiter import core_port
from loopline.hdl.config import SEED_BITS, GridConfig
from loopline.hdl.core.rules import rules_layout, rules_of
from loopline.hdl.core.types import Status, TurnOp, command_layout
from loopline.hdl.core.unit import TurnUnit
from loopline.hdl.search.config import SearchConfig
from loopline.hdl.search.evaluation.weights import read_groups
from loopline.hdl.search.lane import Activity, Lane
from loopline.hdl.search.lanes.crew import Crew
from loopline.hdl.search.lanes.units import UnitSwitch
from loopline.hdl.search.table import BlockTableMemory
from loopline.hdl.search.types import best_layout, search_limits_layout
from loopline.sim.probe.packing import Packing
from loopline.sim.probe.probe import Probe
from loopline.sim.probe.turn_unit import Scoreboard

__all__ = ["LaneResult", "NativeLane"]


class _Kind(enum.Enum, shape=3):
    """What a command is."""

    UNIT = 0
    """A command to the turn unit, and the rules."""
    LIMIT = 1
    """Limits of the searches from here on."""
    SEARCH = 2
    LINE = 3
    """Read a turn of the last search's line."""
    COUNT = 4
    """Read how many cycles of all searches so far went to an activity, or what is watched."""
    DISTURB = 5
    """From here on hold turn units back, and freeze the search, at random."""


_WATCHED = len(Activity)
"""What ``COUNT`` reads beyond the activities."""


def _unit_layout(config: SearchConfig) -> data.StructLayout:
    return data.StructLayout(
        {"command": command_layout(config.grid), "rules": rules_layout(config.grid)}
    )


def _limit_layout() -> data.StructLayout:
    return data.StructLayout({"limits": search_limits_layout(), "seeded": 1, "seed": SEED_BITS})


def _search_layout() -> data.StructLayout:
    return data.StructLayout(
        {"mover": 1, "probe": 1, "turns": 16, "after": 24, "abandons": 1, "index": 4}
    )


class _SlowUnit(wiring.Component):
    """A turn unit whose commands, and outcomes, wait for a random number of cycles."""

    def __init__(self, grid: GridConfig, number: int) -> None:
        self._number = number
        port = core_port(grid)
        super().__init__(
            {"seeds": In(1), "seed": In(16), "bits": Out(16), "port": In(port), "unit": Out(port)}
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        port, unit = self.port, self.unit
        # A shift register with feedback, x^31 + x^28 + 1, which does as many steps in a cycle as it
        # shows bits. From 0 on it stays 0, and nothing waits.
        state = Signal(31)
        following = list(state)
        for _ in range(len(self.bits)):
            following = [following[30] ^ following[27], *following[:30]]
        first = self.seed * (0x51AB + 2 * self._number)
        m.d.sync += state.eq(Mux(self.seeds, first, Cat(following)))
        m.d.comb += self.bits.eq(state)
        ends = ((port.commands, unit.commands), (unit.outcomes, port.outcomes))
        for name, (source, sink) in zip(("command", "outcome"), ends, strict=True):
            left = Signal(8, name=f"{name}_left")
            m.d.comb += [
                sink.payload.eq(source.payload),
                sink.valid.eq(source.valid & (left == 0)),
                source.ready.eq(sink.ready & (left == 0)),
            ]
            with m.If(source.valid & (left != 0)):
                m.d.sync += left.eq(left - 1)
            with m.If(source.valid & source.ready):
                # Mostly a few cycles, now and then many.
                m.d.sync += left.eq(self.bits[:8] >> self.bits[8:11])
        return m


class _ProbedLane(wiring.Component):
    """Commands of all kinds behind one stream."""

    def __init__(self, config: SearchConfig, watched: Value) -> None:
        self._config = config
        self._watched = watched
        grid = config.grid
        outcome = data.StructLayout(
            {
                "status": Status,
                "answered": 1,
                "best": best_layout(grid),
                "nodes": 32,
                "line_count": 5,
                "cycles": 40,
                "changed": 1,
            }
        )
        super().__init__(
            {
                "commands": In(stream.Signature(data.StructLayout({"kind": _Kind, "body": 61}))),
                "outcomes": Out(stream.Signature(outcome)),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        config, grid = self._config, self._config.grid
        rules = Signal(rules_layout(grid))
        lane: Lane | Crew
        if config.lanes == 1:
            lane = Lane(config, read_groups())
            ports = [(lane.core, lane.reader, lane.laid)]
        else:
            lane = Crew(config, read_groups())
            ports = list(zip(lane.cores, lane.readers, lane.laid, strict=True))
        m.submodules.lane = lane
        m.submodules.switch = switch = UnitSwitch(grid, config.lanes)
        # The seed of what disturbs the search.
        seeds, seed = Signal(), Signal(16)
        for i, (core, reader, laid) in enumerate(ports):
            unit, slow = TurnUnit(grid, reader=True), _SlowUnit(grid, i)
            m.submodules[f"unit_{i}" if i else "unit"] = unit
            m.submodules[f"slow_{i}"] = slow
            connect(m, core, switch.lanes[i])
            connect(m, switch.cores[i], slow.port)
            connect(m, slow.unit.commands, unit.commands)
            connect(m, slow.unit.outcomes, unit.outcomes)
            connect(m, reader, unit.reader)
            m.d.comb += [laid.eq(unit.laid), unit.rules.eq(rules)]
            m.d.comb += [slow.seeds.eq(seeds), slow.seed.eq(seed)]
            if i == 0:
                bits = slow.bits
        unit = switch.common
        if config.table_bits:
            m.submodules.memory = memory = BlockTableMemory(config)
            connect(m, lane.memory, memory.port)
        command, outcome = self.commands.payload, self.outcomes.payload
        body = command.body
        to_unit = data.View(_unit_layout(config), body[: _unit_layout(config).size])
        to_limit = data.View(_limit_layout(), body[: _limit_layout().size])
        search = data.View(_search_layout(), body[: _search_layout().size])
        limits = Signal(_limit_layout())
        after, abandons = Signal(24), Signal()
        elapsed = Signal(40)
        counts = Array(Signal(40, name=f"count_{each.name.lower()}") for each in Activity)

        class State(enum.Enum, shape=3):
            IDLE = 0
            UNIT = 1
            SEARCH = 2
            LINE = 3
            DONE = 4

        state = Signal(State)
        searching = state == State.SEARCH
        job = lane.jobs.payload
        late = (after != 0) & (elapsed >= after)
        # A freeze ends some cycles after the search stands still. Until then nothing changes.
        freeze, was_frozen, changed = Signal(), Signal(), Signal()
        shown = Cat(lane.best, lane.nodes, lane.line_count)
        before = Signal.like(shown)
        m.d.sync += [
            freeze.eq(searching & Mux(freeze, ~lane.frozen | bits[:5].any(), bits[:11].all())),
            was_frozen.eq(lane.frozen),
            before.eq(shown),
        ]
        with m.If(lane.frozen & was_frozen & (shown != before)):
            m.d.sync += changed.eq(1)
        m.d.comb += [
            seed.eq(body),
            lane.freeze.eq(freeze),
            lane.rules.eq(rules),
            switch.searches.eq(searching),
            lane.limits.eq(limits.limits),
            lane.stop.eq(late & ~abandons),
            lane.abandon.eq(late & abandons & searching),
            job.mover.eq(search.mover),
            job.probe.eq(search.probe),
            job.turns.eq(search.turns),
            job.seeded.eq(limits.seeded),
            job.seed.eq(limits.seed),
            lane.line_index.eq(search.index),
            unit.commands.payload.eq(to_unit.command),
        ]
        with m.Switch(state):
            with m.Case(State.IDLE), m.If(self.commands.valid):
                m.d.sync += [after.eq(search.after), abandons.eq(search.abandons), elapsed.eq(0)]
                with m.Switch(command.kind):
                    with m.Case(_Kind.UNIT):
                        m.d.comb += unit.commands.valid.eq(1)
                        m.d.sync += rules.eq(to_unit.rules)
                        with m.If(unit.commands.ready):
                            m.d.comb += self.commands.ready.eq(1)
                            m.d.sync += state.eq(State.UNIT)
                    with m.Case(_Kind.LIMIT):
                        m.d.comb += self.commands.ready.eq(1)
                        m.d.sync += [limits.eq(to_limit), state.eq(State.DONE)]
                    with m.Case(_Kind.SEARCH):
                        # The job stays until the answer.
                        m.d.comb += lane.jobs.valid.eq(1)
                        with m.If(lane.jobs.ready):
                            m.d.sync += state.eq(State.SEARCH)
                    with m.Case(_Kind.LINE):
                        m.d.comb += self.commands.ready.eq(1)
                        m.d.sync += state.eq(State.LINE)
                    with m.Case(_Kind.COUNT):
                        m.d.comb += self.commands.ready.eq(1)
                        m.d.sync += [
                            outcome.cycles.eq(
                                Mux(search.index == _WATCHED, self._watched, counts[search.index])
                            ),
                            state.eq(State.DONE),
                        ]
                    with m.Case(_Kind.DISTURB):
                        m.d.comb += [self.commands.ready.eq(1), seeds.eq(1)]
                        m.d.sync += state.eq(State.DONE)
            with m.Case(State.UNIT):
                m.d.comb += unit.outcomes.ready.eq(1)
                with m.If(unit.outcomes.valid):
                    m.d.sync += [
                        outcome.status.eq(unit.outcomes.payload.status),
                        state.eq(State.DONE),
                    ]
            with m.Case(State.SEARCH):
                m.d.comb += lane.answers.ready.eq(1)
                m.d.sync += [
                    elapsed.eq(elapsed + 1),
                    counts[lane.activity].eq(counts[lane.activity] + 1),
                    outcome.best.eq(lane.best),
                    outcome.nodes.eq(lane.nodes),
                    outcome.line_count.eq(lane.line_count),
                    outcome.cycles.eq(elapsed),
                    outcome.answered.eq(lane.answers.payload & lane.answers.valid),
                    outcome.changed.eq(changed),
                ]
                with m.If(lane.answers.valid | (late & ~lane.busy)):
                    m.d.comb += self.commands.ready.eq(1)
                    m.d.sync += state.eq(State.DONE)
            with m.Case(State.LINE):
                m.d.sync += [
                    outcome.best.turn.x.eq(lane.line_turn.column),
                    outcome.best.turn.y.eq(lane.line_turn.row),
                    outcome.best.turn.symbol.eq(lane.line_turn.symbol),
                    state.eq(State.DONE),
                ]
            with m.Case(State.DONE):
                m.d.comb += self.outcomes.valid.eq(1)
                with m.If(self.outcomes.ready):
                    m.d.sync += state.eq(State.IDLE)
        return m


class LaneResult(NamedTuple):
    """The result of a search.

    ``found`` says whether there is a turn. The other fields are those of the engine's ``Found``,
    with the clock cycles of the lane.
    """

    found: bool
    turn: Turn | None
    score: int
    depth: int
    nodes: int
    line: tuple[Turn, ...]
    cycles: int


class NativeLane:
    """A :class:`Lane` compiled to native code.

    ``watched`` are up to 40 bits of signals within it, for :meth:`read_watched`. A search that
    takes more than ``limit`` cycles, 32 bits at most, raises :exc:`.ProbeTimeoutError`.
    """

    def __init__(
        self, config: SearchConfig, *, watched: Value | None = None, limit: int = 1 << 24
    ) -> None:
        self.config = config
        component = _ProbedLane(config, Const(0) if watched is None else watched)
        self.probe = Probe(component, limit=limit)
        self._unit = Packing(_unit_layout(config))
        self._limit = Packing(_limit_layout())
        self._search = Packing(_search_layout())
        self._rules = 0
        self._board: Scoreboard | None = None

    def _do(self, kind: _Kind, body: int) -> Any:
        word = self.probe.commands.pack(kind=kind, body=body)
        return self.probe.outcomes.unpack(self.probe.call(word))

    def _command(self, op: TurnOp, **fields: int) -> Any:
        names = {f"command__{name}": value for name, value in fields.items()}
        return self._do(_Kind.UNIT, self._unit.pack(command__op=op, **names) | self._rules)

    def set_up(self, position: Position) -> None:
        """Empty the board, and make the turns of a game."""
        self._board = board = Scoreboard(self.config.grid, position.variant)
        self._rules = (
            rules_of(position.variant, self.config.grid).as_bits()
            << self._unit.fields["rules__area"][0]
        )
        self._command(TurnOp.CLEAR)
        for played in position.history:
            if self._command(TurnOp.MAKE, **board.place(played.turn)).status != Status.LEGAL.value:
                raise ValueError(f"the unit refuses {played.turn}")
            board.position.play(played.turn)
            self._command(TurnOp.COMMIT)

    def limit(
        self, *, nodes: int = 0, depth: int = 0, seed: int | None = None, free: bool = False
    ) -> None:
        """Limit the searches from here on; 0 for no limit. With ``free`` neither counts."""
        words = {"limits__nodes": nodes, "limits__depth": depth, "limits__free": free}
        self._do(
            _Kind.LIMIT,
            self._limit.pack(**words, seeded=seed is not None, seed=seed or 0),
        )

    def search(self, *, probe: bool = False, after: int = 0, abandons: bool = False) -> LaneResult:
        """Search in the present position; stop, or abandon the search, ``after`` so many cycles."""
        assert self._board is not None
        position = self._board.position
        outcome = self._do(
            _Kind.SEARCH,
            self._search.pack(
                mover=position.to_move is Colour.RED,
                probe=probe,
                turns=position.turns,
                after=after,
                abandons=abandons,
            ),
        )
        if outcome.changed:
            raise AssertionError("a search that stood still has gone on")
        line = []
        for index in range(outcome.line_count):
            read = self._do(_Kind.LINE, self._search.pack(index=index))
            line.append(
                Turn(
                    read.best__turn__x,
                    read.best__turn__y,
                    SHAPE_OF_CODE[read.best__turn__symbol],
                )
            )
        turn = None
        if outcome.best__found:
            best = outcome.best__turn__x, outcome.best__turn__y, outcome.best__turn__symbol
            turn = self._board.turn(*best) if position.turns else line[0]
        score = outcome.best__score
        return LaneResult(
            bool(outcome.answered),
            turn,
            score - (1 << 16) if score >> 15 else score,
            outcome.best__depth,
            outcome.nodes,
            tuple(line),
            outcome.cycles,
        )

    def counts(self) -> dict[Activity, int]:
        """Return the cycles of all searches so far by what they went to."""
        return {
            each: self._do(_Kind.COUNT, self._search.pack(index=each.value)).cycles
            for each in Activity
        }

    def read_watched(self) -> int:
        """Return what is watched, as it is now."""
        return int(self._do(_Kind.COUNT, self._search.pack(index=_WATCHED)).cycles)

    def disturb(self, seed: int) -> None:
        """Hold each turn unit back, and freeze the search, at random from now on; 0 ends that."""
        self._do(_Kind.DISTURB, seed)

    def close(self) -> None:
        """Free the compiled design."""
        self.probe.close()
