"""The track scan against that of the engine, in positions of games of all variants."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from loopline.engine.board.position import EnginePosition
from loopline.engine.evaluation.scan import (
    NEAR_EAST,
    NEAR_NORTH,
    NEAR_SOUTH,
    NEAR_WEST,
    OTHER_ATTACKS,
    OWN_ATTACKS,
    scan,
)
from loopline.engine.search.searcher import Searcher
from loopline.game import DELUXE, LIMITED, LOOP, MINI, STANDARD, Position, Turn, Variant
from loopline.hdl.config import GridConfig
from loopline.hdl.core.rules import rules_of
from loopline.hdl.core.types import Status, TurnOp
from loopline.sim.probe.probe import Probe
from tests.hdl.search.scan_harness import ScanHarness

pytestmark = pytest.mark.xdist_group("track-scan")  # Compiled once.

GRID = GridConfig(size=64)
NEAR = (NEAR_WEST, NEAR_EAST, NEAR_NORTH, NEAR_SOUTH)


@pytest.fixture(scope="module")
def probe() -> Iterator[Probe]:
    with Probe(ScanHarness(GRID), optimise="-O1") as probe:
        yield probe


class Compared:
    """A game on the gateware and on the engine's board."""

    def __init__(self, probe: Probe, variant: Variant) -> None:
        self.probe, self.scanner = probe, Searcher().scanner
        self.rules = rules_of(variant, GRID).as_bits() << probe.commands.fields["rules__area"][0]
        self.position, self.here = Position(variant), EnginePosition(variant, GRID)
        self.attacks = 0
        self.core(op=TurnOp.CLEAR)

    def core(self, **fields: int) -> None:
        fields = {f"core__{name}": value for name, value in fields.items()}
        word = self.probe.commands.pack(**fields) | self.rules
        outcome = self.probe.outcomes.unpack(self.probe.call(word))
        assert outcome.status == Status.LEGAL.value

    def play(self, turn: object) -> None:
        first = self.position.play(turn).tiles[0]
        x, y, shape = first.x % GRID.size, first.y % GRID.size, first.tile.shape
        self.core(op=TurnOp.MAKE, x=x, y=y, symbol=shape.code)
        self.core(op=TurnOp.COMMIT)
        self.here.make(y << 6 | x, shape)
        self.here.commit()

    def compare(self) -> None:
        """Scan for both sides."""
        for mover in range(2):
            scan(self.here.board, self.scanner, mover)
            found = self.scanner.found
            expected = [bool(found[OWN_ATTACKS])]
            if not expected[0]:
                expected += [bool(found[OTHER_ATTACKS]), *(int(found[name]) for name in NEAR)]
            word = self.probe.commands.pack(scan=1, mover=mover) | self.rules
            outcome = self.probe.outcomes.unpack(self.probe.call(word))
            seen = [bool(outcome.found__own)]
            if not seen[0]:
                seen += [
                    bool(outcome.found__other),
                    outcome.found__near__west,
                    outcome.found__near__east,
                    outcome.found__near__north,
                    outcome.found__near__south,
                ]
            assert seen == expected, (
                mover,
                " ".join(str(each.turn) for each in self.position.history),
            )
            self.attacks += expected[0]


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


@pytest.mark.parametrize("variant", [STANDARD, LIMITED, DELUXE, LOOP, MINI], ids=str)
@pytest.mark.parametrize("stall", [0, 7])
def test_attacks_are_those_of_the_engine(probe: Probe, variant: Variant, stall: int) -> None:
    chance, attacks = random.Random(f"{variant}{stall}"), 0
    probe.stall(stall)
    for turns in (5, 10, 20, 30, 60, 60):
        game = Compared(probe, variant)
        for turn in long_game(chance, variant, turns):
            game.play(turn)
            game.compare()
        attacks += game.attacks
    assert attacks or variant is MINI
