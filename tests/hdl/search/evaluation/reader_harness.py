"""A turn unit and a unit that reads its position, behind one stream of commands."""

from __future__ import annotations

import random
from collections.abc import Iterator

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out, connect

from loopline.engine.board.position import EnginePosition
from loopline.engine.evaluation.scan import (
    NEAR_EAST,
    NEAR_NORTH,
    NEAR_SOUTH,
    NEAR_WEST,
    OTHER_ATTACKS,
    OWN_ATTACKS,
    Scanner,
)
from loopline.game import DELUXE, LIMITED, LOOP, MINI, STANDARD, Position, Turn, Variant
from loopline.hdl.config import GridConfig
from loopline.hdl.core.rules import rules_layout, rules_of
from loopline.hdl.core.types import Status, TurnOp, command_layout
from loopline.hdl.core.unit import TurnUnit
from loopline.hdl.search.evaluation.weights import GROUPS
from loopline.sim.probe.probe import Probe

GRID = GridConfig(size=64)
VARIANTS = (STANDARD, LIMITED, DELUXE, LOOP, MINI)


class ReaderHarness(wiring.Component):
    """Set a position up by core commands, then give jobs to a unit that reads it.

    A command with ``job`` is one for ``part``, any other is the turn unit's ``core``. Both come
    with ``rules``. The part has the streams ``jobs`` and ``results`` and the port ``reader``, and
    may have ``rules``, and ``may_begin``, which is high whenever the turn unit has no command.
    """

    def __init__(self, part: wiring.Component):
        self._part = part
        members = part.signature.members
        command = {
            "job": 1,
            "rules": rules_layout(GRID),
            "core": command_layout(GRID),
            "of": members["jobs"].signature.members["payload"].shape,
        }
        outcome = {
            "status": Status,
            "result": members["results"].signature.members["payload"].shape,
        }
        super().__init__(
            {
                "commands": In(stream.Signature(data.StructLayout(command))),
                "outcomes": Out(stream.Signature(data.StructLayout(outcome))),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        part = self._part
        m.submodules.unit = unit = TurnUnit(GRID, reader=True)
        m.submodules.part = part
        connect(m, part.reader, unit.reader)
        command, outcome = self.commands.payload, self.outcomes.payload
        rules = Signal(rules_layout(GRID))
        at_work, busy = Signal(), Signal()
        if "rules" in part.signature.members:
            m.d.comb += part.rules.eq(rules)
        if "may_begin" in part.signature.members:
            m.d.comb += part.may_begin.eq(~busy & ~(self.commands.valid & ~command.job))
        m.d.comb += [
            unit.rules.eq(rules),
            unit.commands.payload.eq(command.core),
            part.jobs.payload.eq(command.of),
            unit.commands.valid.eq(self.commands.valid & ~command.job & ~busy),
            part.jobs.valid.eq(self.commands.valid & command.job & ~busy),
            self.commands.ready.eq(~busy & Mux(command.job, part.jobs.ready, unit.commands.ready)),
            outcome.status.eq(unit.outcomes.payload.status),
            outcome.result.eq(part.results.payload),
            self.outcomes.valid.eq(busy & Mux(at_work, part.results.valid, unit.outcomes.valid)),
            unit.outcomes.ready.eq(busy & ~at_work & self.outcomes.ready),
            part.results.ready.eq(busy & at_work & self.outcomes.ready),
        ]
        with m.If(self.commands.valid & self.commands.ready):
            m.d.sync += [busy.eq(1), at_work.eq(command.job), rules.eq(command.rules)]
        with m.If(self.outcomes.valid & self.outcomes.ready):
            m.d.sync += busy.eq(0)
        return m


class ReaderGame:
    """A game on the gateware and on the engine's board.

    Attributes
    ----------
    position, here
        The position, as the rules and as the engine have it.
    """

    def __init__(self, probe: Probe, variant: Variant) -> None:
        self.probe = probe
        self._rules = rules_of(variant, GRID).as_bits() << probe.commands.fields["rules__area"][0]
        self.position, self.here = Position(variant), EnginePosition(variant, GRID)
        self._core(op=TurnOp.CLEAR)

    def _core(self, **fields: int) -> None:
        fields = {f"core__{name}": value for name, value in fields.items()}
        word = self.probe.commands.pack(**fields) | self._rules
        outcome = self.probe.outcomes.unpack(self.probe.call(word))
        assert outcome.status == Status.LEGAL.value

    def make(self, turn: object) -> None:
        first, size = self.position.play(turn).tiles[0], GRID.size
        x, y, shape = first.x % size, first.y % size, first.tile.shape
        self._core(op=TurnOp.MAKE, x=x, y=y, symbol=shape.code)
        self.here.make(y << 6 | x, shape)

    def commit(self) -> None:
        self._core(op=TurnOp.COMMIT)
        self.here.commit()

    def unmake(self) -> None:
        self.position.undo()
        self._core(op=TurnOp.UNMAKE)
        self.here.unmake()

    def job(self, **fields: int):
        """Give the part a job; return its result, by field."""
        fields = {f"of__{name}": value for name, value in fields.items()}
        word = self.probe.commands.pack(job=1, **fields) | self._rules
        return self.probe.outcomes.unpack(self.probe.call(word))

    def __str__(self) -> str:
        return " ".join(str(played.turn) for played in self.position.history)


def long_game(chance: random.Random, variant: Variant, turns: int) -> list[Turn]:
    """Turns of a game that neither player ends while there is another turn, so lines come near."""
    position = Position(variant)
    while position.turns < turns:
        legal = position.legal_turns()
        chance.shuffle(legal)
        for turn in legal:
            position.play(turn)
            if not position.ending:
                break
            position.undo()
        else:
            break
    return [played.turn for played in position.history]


def play_games(
    probe: Probe, variant: Variant, chance: random.Random, *lengths: int
) -> Iterator[ReaderGame]:
    """Play a long game of each of these lengths; yield it after each turn."""
    for turns in lengths:
        game = ReaderGame(probe, variant)
        for turn in long_game(chance, variant, turns):
            game.make(turn)
            yield game
            game.commit()


def engine_attacks(scanner: Scanner) -> tuple[int, ...]:
    """What the engine's last scan has found: attacks of both sides, and where the other one's are,
    in the order of :func:`gateware_attacks`."""
    found = [int(number) for number in scanner.found]
    near = (found[name] for name in (NEAR_WEST, NEAR_EAST, NEAR_NORTH, NEAR_SOUTH))
    return int(found[OWN_ATTACKS] > 0), int(found[OTHER_ATTACKS] > 0), *near


def gateware_attacks(result: object, scope: str) -> tuple[int, ...]:
    """The same fields of a job's result, whose names begin with ``scope``."""
    sides = ("west", "east", "north", "south")
    names = ("own", "other", *(f"near__{side}" for side in sides))
    return tuple(getattr(result, scope + name) for name in names)


def random_weights() -> dict[str, list[int]]:
    """Weights that have nothing in common: any other class shows in the sum."""
    chance = random.Random(5)
    return {
        name: [chance.randrange(-512, 512) for _ in range(size)] for name, size in GROUPS.items()
    }
