"""The walk along the perimeter against that of the engine."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from loopline.engine.board.board import HIGH
from loopline.engine.board.position import EnginePosition
from loopline.engine.evaluation.evaluation import evaluate
from loopline.engine.evaluation.scan import PERIMETER_LENGTH, scan
from loopline.engine.search.searcher import Searcher
from loopline.game import STANDARD, Position
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status, TurnOp
from loopline.sim.probe.probe import Probe
from tests.hdl.search.test_track_scan import long_game
from tests.hdl.search.walk_harness import WalkHarness

pytestmark = pytest.mark.xdist_group("track-scan")

GRID = GridConfig(size=64)


@pytest.fixture(scope="module")
def probe() -> Iterator[Probe]:
    with Probe(WalkHarness(GRID), optimise="-O1") as probe:
        yield probe


def call(probe: Probe, **fields: int):
    return probe.outcomes.unpack(probe.call(probe.commands.pack(**fields)))


def play(probe: Probe, here: EnginePosition, position: Position, turn: object) -> None:
    first = position.play(turn).tiles[0]
    x, y, shape = first.x % GRID.size, first.y % GRID.size, first.tile.shape
    outcome = call(probe, core__op=TurnOp.MAKE, core__x=x, core__y=y, core__symbol=shape.code)
    assert outcome.status == Status.LEGAL.value
    call(probe, core__op=TurnOp.COMMIT)
    here.make(y << 6 | x, shape)
    here.commit()


def walk(probe: Probe, here: EnginePosition, busy: int) -> list[int]:
    """The windows of the first ring, as the engine writes them."""
    board = here.board
    index = next(n for n in range(board.state[HIGH]) if board.sockets[n])
    cell, sockets = int(board.place[index]), int(board.sockets[index])
    side = next(n for n in range(4) if (sockets | sockets >> 4) >> n & 1)
    ring = {"ring__place__x": cell & 63, "ring__place__y": cell >> 6, "ring__side": side}
    outcome, windows = call(probe, walk=1, busy=busy, **ring), []
    while True:
        ends = outcome.window__after << 1 | outcome.window__before
        windows.append(ends << 13 | outcome.window__shapes << 5 | outcome.window__colours)
        if outcome.end:
            return windows
        outcome = call(probe, next=1, busy=busy)


@pytest.mark.parametrize("busy", [0, 1])
@pytest.mark.parametrize("stall", [0, 7])
def test_windows_are_those_of_the_engine(probe: Probe, busy: int, stall: int) -> None:
    chance, scanner, whole = random.Random(f"{busy}{stall}"), Searcher().scanner, 0
    probe.stall(stall)
    for turns in (5, 10, 20, 40):
        position, here = Position(), EnginePosition(STANDARD, GRID)
        call(probe, core__op=TurnOp.CLEAR)
        for turn in long_game(chance, STANDARD, turns):
            play(probe, here, position, turn)
            scan(here.board, scanner, 0)
            evaluate(here.board, scanner, 0)
            length = int(scanner.found[PERIMETER_LENGTH])
            windows = walk(probe, here, busy)
            assert windows == scanner.windows[: len(windows)].tolist(), position.history
            whole += len(windows) == length
    assert whole > 30
