"""cocotb test of the candidate evaluator in the turn unit, against the reference model.

Settings as for the turn unit's bench.
"""

from __future__ import annotations

import random
from typing import Any

import cocotb

from loopline.hdl.core.types import Status, TurnOp
from loopline.sim.benches.settings import count
from loopline.sim.benches.streams import start
from loopline.sim.benches.turn_unit import GAMES, GRID, TURNS, VARIANT, TurnUnitDriver, check
from loopline.sim.probe.turn_unit import Scoreboard


@cocotb.test()
async def evaluates_every_position_of_random_games(dut: Any) -> None:
    """Each candidate has one outcome, that of the model; a legal turn has one, too."""
    await start(dut)
    unit = TurnUnitDriver(dut, GRID, VARIANT)
    for _ in range(GAMES):
        board = Scoreboard(GRID, VARIANT)
        await unit.do(TurnOp.CLEAR)
        while not board.position.ending and board.position.turns < TURNS:
            turns = board.position.legal_turns()
            if board.position.turns:
                places = {c.turn__index: c for c in await unit.candidates()}
                legal = []
                outcomes = await unit.evaluate()
                for outcome in outcomes:
                    place = places[outcome.turn__index]
                    turn = board.turn(place.turn__x, place.turn__y, outcome.turn__symbol)
                    if check(board, turn, outcome).status is Status.LEGAL:
                        legal.append(turn)
                assert set(legal) == set(turns)
                count(positions=1, candidates=len(outcomes))
            turn = random.choice(turns)
            await unit.do(TurnOp.MAKE, **board.place(turn))
            await unit.do(TurnOp.COMMIT)
            board.position.play(turn)
            if max(board.position.width, board.position.height) > GRID.limit - 2:
                break
        count(games=1)
