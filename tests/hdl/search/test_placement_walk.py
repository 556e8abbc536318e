"""The walk over placements against the engine's list."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from loopline.engine.board.board import (
    HIGH,
    SPAN_HEIGHT,
    SPAN_NORTH,
    SPAN_WEST,
    SPAN_WIDTH,
    TURNS,
    WEST,
)
from loopline.engine.board.position import EnginePosition
from loopline.engine.board.tables import NO_MOVE
from loopline.engine.evaluation.scan import NEAR_EAST, NEAR_NORTH, NEAR_SOUTH, NEAR_WEST, TRACKS
from loopline.engine.search.frames import LOCALITY, new_memory
from loopline.engine.search.order import list_placements
from loopline.engine.search.searcher import Searcher
from loopline.game import DELUXE, LIMITED, LOOP, MINI, STANDARD, Position, Variant
from loopline.hdl.config import GridConfig
from loopline.hdl.core.rules import rules_of
from loopline.hdl.core.types import ShapeCode, Status, TurnOp
from loopline.hdl.search.config import FIRST_WALK, Pruning, SearchConfig
from loopline.sim.probe.probe import Probe
from tests.engine.reference import random_position
from tests.hdl.search.evaluation.reader_harness import long_game
from tests.hdl.search.placement_harness import Kind, PlacementHarness, bits_layout

pytestmark = pytest.mark.xdist_group("placement-walk")  # Compiled once.

OCCUPIED, EMPTY = 1, (15 << 6 | 15) << 2
"""Moves into the cell of the first tile, and into one that nothing comes near."""

SETTINGS = {
    "default": SearchConfig(),
    "small": SearchConfig(
        grid=GridConfig(size=32, frontier_entries=128),
        pruning=Pruning(locality=4, quiescence_radius=3),
    ),
    "plain": SearchConfig(pruning=Pruning(locality=0, quiescence_radius=0)),
}
NEAR = {"west": NEAR_WEST, "east": NEAR_EAST, "north": NEAR_NORTH, "south": NEAR_SOUTH}


SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in SETTINGS if name != "default"]


@pytest.fixture(scope="module", params=["default", *SLOW])
def walks(request) -> Iterator[Walks]:
    config = SETTINGS[request.param]
    with Probe(PlacementHarness(config)) as probe:
        yield Walks(probe, config)


class Walks:
    """A node on the gateware and on the engine's board."""

    def __init__(self, probe: Probe, config: SearchConfig) -> None:
        self.probe, self.config = probe, config
        # Memories have one size in a process.
        self.memory, self.scanner = new_memory(SearchConfig()), Searcher().scanner
        self.memory.settings[LOCALITY] = config.pruning.locality
        self.here = EnginePosition(STANDARD, config.grid)
        self.passed = 0

    def call(self, kind: Kind, fields: object):
        bits = bits_layout(self.config.grid, kind).const(fields).as_bits()
        word = self.probe.commands.pack(kind=kind, bits=bits)
        return self.probe.outcomes.unpack(self.probe.call(word))

    def core(self, op: TurnOp, **fields: object) -> None:
        assert self.call(Kind.CORE, {"op": op, **fields}).status == Status.LEGAL.value

    def place(self, cell: int) -> dict[str, int]:
        """A cell's place in the gateware, whose torus may be smaller."""
        last = self.config.grid.size - 1
        return {"x": cell & last, "y": cell >> 6 & last}

    def follow(self, position: Position, ply: int) -> None:
        """Set up a position whose last ``ply`` turns are the path of a search."""
        self.here = EnginePosition(position.variant, self.config.grid)
        self.call(Kind.NEAR, {"rules": rules_of(position.variant, self.config.grid)})
        self.core(TurnOp.CLEAR)
        for number, turn in enumerate(position.history):
            first = turn.tiles[0]
            if number == position.turns - ply:
                self.here.commit()
                self.core(TurnOp.COMMIT)
            cell, shape = (first.y & 63) << 6 | first.x & 63, first.tile.shape
            assert self.here.make(cell, shape).status is Status.LEGAL
            self.core(TurnOp.MAKE, **self.place(cell), symbol=ShapeCode(shape.code))

    def set_up(self, ply: int, moves: tuple[int, ...], near: list[int]) -> None:
        """Set the inputs of the walk."""
        board, found = self.here.board, self.scanner.found
        self.memory.killers[ply] = moves[1:]
        found[NEAR_WEST:TRACKS] = near
        rules = rules_of(self.here.variant, self.config.grid)
        self.call(
            Kind.NEAR,
            {"near": {name: int(found[at]) for name, at in NEAR.items()}, "rules": rules},
        )
        self.call(
            Kind.MOVES,
            [
                {
                    "valid": move != NO_MOVE,
                    "move": {
                        "place": self.place(move >> 2),
                        "symbol": ShapeCode(move & 3) if move & 3 < 3 else ShapeCode.CROSS,
                    },
                }
                for move in moves
            ],
        )
        turns = board.turns[board.state[TURNS] - min(ply, 2) : board.state[TURNS]]
        last = self.config.grid.size - 1
        spans = [
            {
                "valid": 1,
                "west": int(turn[SPAN_WEST]) & last,
                "north": int(turn[SPAN_NORTH]) & last,
                "width": int(turn[SPAN_WIDTH]),
                "height": int(turn[SPAN_HEIGHT]),
            }
            for turn in turns
        ]
        self.call(Kind.TURNS, [*spans[::-1], {}, {}][:2])

    def expected(self, ply: int, hashed: int, answers: bool) -> list[tuple[int, int, int]]:
        radius = self.config.pruning.quiescence_radius if answers else 0
        board, m = self.here.board, self.memory
        end = list_placements(board, self.scanner, m, ply, 3, hashed, radius)
        return [(entry >> 10, entry >> 2 & 0xFF, entry & 3) for entry in m.listed[3:end].tolist()]

    def next(self, stage: int, index: int, symbol: int, **fields: int):
        return self.call(Kind.WALK, {"stage": stage, "index": index, "symbol": symbol, **fields})

    def walk(self, *, cycles: bool, moves: tuple[int, ...], **fields: int) -> list:
        """All placements, one after the other, by the cursor of the last one."""
        stage, index, symbol, listed = 0, 0, 0, []
        while True:
            outcome = self.next(stage, index, symbol, **fields)
            if cycles:
                self.check_cycles(stage, index, symbol, outcome, moves, **fields)
            if not outcome.found__found:
                return listed
            stage = outcome.found__stage if not fields.get("every") else FIRST_WALK
            index, symbol = outcome.found__turn__index, outcome.found__turn__symbol
            listed.append((stage, index, symbol))
            place = {"x": outcome.found__turn__x, "y": outcome.found__turn__y}
            assert place == self.place(int(self.here.board.place[index]))
            if stage >= FIRST_WALK:
                symbol += 1
            else:
                stage, index, symbol = stage + 1, 0, 0

    def check_cycles(self, stage, index, symbol, outcome, moves, **fields) -> None:
        """The latency is that of the component's description."""
        high, last = int(self.here.board.state[HIGH]), FIRST_WALK + self.config.pruning.locality
        tried = [n for n, move in enumerate(moves) if move != NO_MOVE and n >= stage]
        found, to = outcome.found__stage, outcome.found__turn__index
        rest = high - index
        if fields.get("every"):
            expected = 3 + to - index if outcome.found__found else 2 + rest
        elif outcome.found__found and found < FIRST_WALK:
            expected = 3 + tried.index(found) + 1
        else:
            fresh = stage < FIRST_WALK or (stage, index, symbol) == (FIRST_WALK, 0, 0)
            if fresh:
                stage, rest = FIRST_WALK - 1, len(tried) + 1 if tried else 0
            if not outcome.found__found:
                expected = 2 + rest + (high if stage < last else 0)
            elif found == stage:
                expected = 3 + to - index
            elif found == stage + 1:
                expected = 3 + rest + to
            else:
                expected = 2 + rest + high
        # The driver sees the outcome in the cycle after that of the command, at the soonest.
        assert self.probe.last_cycles == expected + 1, (stage, index, symbol, outcome)


def wide_position(chance: random.Random, wide: int) -> Position:
    """A position as wide as that, after two turns at its west end."""
    while True:
        position = Position(LOOP)
        while position.width < wide and not position.ending:
            legal = position.legal_turns()
            column = legal[-1].column
            position.play(chance.choice([turn for turn in legal if turn.column == column]))
        for _ in range(2):
            legal = [turn for turn in position.legal_turns() if 0 < turn.column < 4]
            if legal:
                position.play(chance.choice(legal))
        if not position.ending and position.history[-1].turn.column < 4:
            return position


def some_moves(chance: random.Random, here: EnginePosition) -> tuple[int, ...]:
    """Three moves: of those that fit, none, one of another shape, of an occupied and an empty
    cell. The killers differ."""
    fitting = [cell << 2 | shape.code for _, cell, shape in here.candidates()]
    pool = chance.choices(fitting, k=5)
    pool += [fitting[0] & ~3 | chance.randrange(3), NO_MOVE, OCCUPIED, EMPTY]
    table, first, second = chance.choices(pool, k=3)
    return table, first, second if second != first else NO_MOVE


@pytest.mark.parametrize("variant", [STANDARD, LIMITED, DELUXE, MINI], ids=str)
@pytest.mark.parametrize("stall", [0, 7])
def test_placements_are_those_of_the_engine(walks: Walks, variant: Variant, stall: int) -> None:
    chance = random.Random(f"{variant}{stall}")
    for number in range(30):
        ply = number % 3 + 1
        if number % 2 and variant is not MINI:
            position = random_position(chance, chance.randint(ply + 1, 20), variant)
        else:
            position = Position(variant)
            for turn in long_game(chance, variant, chance.randint(ply + 1, 40)):
                position.play(turn)
        walks.probe.stall(0)
        walks.follow(position, min(ply, position.turns))
        if not next(walks.here.candidates(), None):
            continue
        walks.probe.stall(stall)
        for answers in range(2):
            moves = some_moves(chance, walks.here)
            walks.set_up(ply, moves, chance.sample(range(14), 4))
            expected = walks.expected(ply, moves[0], answers)
            found = walks.walk(cycles=not stall, moves=moves, answers=answers)
            assert found == expected, (position.history, moves)
        expected = [(FIRST_WALK, index, shape.code) for index, _, shape in walks.here.candidates()]
        assert walks.walk(cycles=not stall, moves=moves, every=1) == expected


def test_no_placement(walks: Walks) -> None:
    walks.probe.stall(0)
    walks.core(TurnOp.CLEAR)
    walks.call(Kind.MOVES, [{}] * 3)
    for every in range(2):
        assert not walks.next(0, 0, 0, every=every).found__found


def test_the_ends_of_a_wide_position_are_far_from_each_other(walks: Walks) -> None:
    """The torus is only two columns wider."""
    chance, config = random.Random(3), walks.config
    moves, wide, seen = (NO_MOVE, NO_MOVE, NO_MOVE), config.grid.limit, set()
    for _ in range(8):
        position = wide_position(chance, wide)
        walks.follow(position, 2)
        walks.set_up(2, moves, [0, 0, 0, 0])
        found = walks.walk(cycles=True, moves=moves)
        assert found == walks.expected(2, moves[0], False)
        west = int(walks.here.board.state[WEST])
        for stage, index, _ in found:
            if (int(walks.here.board.place[index]) - west + 1) % 64 > wide // 2:
                assert stage == FIRST_WALK + config.pruning.locality
                seen.add(index)
    assert seen
