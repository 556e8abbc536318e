"""cocotb test of the candidate evaluator in the turn unit, against the reference model.

Settings as for the turn unit's bench.
"""

from __future__ import annotations

from typing import Any

import cocotb

from loopline.hdl.core.types import Status, TurnOp
from loopline.sim.benches.settings import count
from loopline.sim.benches.streams import start
from loopline.sim.benches.turn_unit import TurnUnitDriver, check, random_games


@cocotb.test()
async def evaluates_every_position_of_random_games(dut: Any) -> None:
    """Each candidate has one outcome, that of the rules; a legal turn has one, too."""
    await start(dut)
    unit = TurnUnitDriver(dut)
    async for board, turn in random_games(unit):
        if board.position.turns:
            places = {c.turn__index: c for c in await unit.candidates()}
            legal = set()
            outcomes = await unit.evaluate()
            for outcome in outcomes:
                place = places[outcome.turn__index]
                found = board.turn(place.turn__x, place.turn__y, outcome.turn__symbol)
                if check(board, found, outcome).status is Status.LEGAL:
                    legal.add(found)
            assert legal == set(board.position.legal_turns())
            count(positions=1, candidates=len(outcomes))
        await unit.do(TurnOp.MAKE, **board.place(turn))
