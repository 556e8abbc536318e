"""cocotb tests of the turn unit by its streams, against the reference model.

Settings: ``grid`` (its size), ``variant``, ``games`` and ``turns`` (of a game, at most).
"""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from typing import Any

import cocotb

from loopline.game import Turn, variant_named
from loopline.hdl.config import GridConfig
from loopline.hdl.core.rules import rules_of
from loopline.hdl.core.types import Status, TurnOp, command_layout, outcome_layout
from loopline.sim.benches.settings import count, setting
from loopline.sim.benches.streams import StreamDriver, StreamMonitor, start
from loopline.sim.probe.turn_unit import Evaluation, Scoreboard, evaluation_of

__all__ = ["TurnUnitDriver", "check", "random_games"]

GRID = GridConfig(size=int(setting("grid", "16")))
VARIANT = variant_named(setting("variant", "standard"))
GAMES = int(setting("games", "1"))
TURNS = int(setting("turns", "10"))


class TurnUnitDriver:
    """Give the turn unit one command after the other, with pauses on both streams.

    Its grid and its rules are those of the settings.
    """

    def __init__(self, dut: Any) -> None:
        self._commands = StreamDriver(dut, "commands", command_layout(GRID), pause=0.2)
        self._outcomes = StreamMonitor(dut, "outcomes", outcome_layout(GRID), pause=0.2)
        dut.rules.value = rules_of(VARIANT, GRID).as_bits()

    async def do(self, op: TurnOp, **fields: int) -> Any:
        """Return the outcome of a command, its fields flattened as by :class:`Packing`."""
        await self._commands.send(op=op.value, **fields)
        return await self._outcomes.receive()

    async def candidates(self) -> list[Any]:
        """Return the candidates in the unit's order: ``turn__x``, ``turn__y``, ``turn__index``."""
        found, index, shape = [], 0, 0
        while True:
            outcome = await self.do(TurnOp.NEXT, index=index, symbol=shape)
            if outcome.status == Status.END.value:
                return found
            found.append(outcome)
            index, shape = outcome.turn__index, outcome.turn__symbol + 1

    async def evaluate(self) -> list[Any]:
        """Return the outcome of each candidate, from a unit with the candidate evaluator."""
        outcomes = [await self.do(TurnOp.EVALUATE)]
        while outcomes[-1].status != Status.END.value:
            outcomes.append(await self._outcomes.receive())
        return outcomes[:-1]


def check(board: Scoreboard, turn: Turn, outcome: Any) -> Evaluation:
    """Compare an outcome of the unit with what the rules say; return that."""
    found, expected = evaluation_of(outcome), board.expect(turn)
    assert found == expected, f"{turn} in {board.position}: {found}, expected {expected}"
    return expected


async def random_games(unit: TurnUnitDriver) -> AsyncIterator[tuple[Scoreboard, Turn]]:
    """Yield the rules before each turn of random games, and the turn, which the caller makes."""
    for _ in range(GAMES):
        board = Scoreboard(GRID, VARIANT)
        position = board.position
        await unit.do(TurnOp.CLEAR)
        while not position.ending and position.turns < TURNS:
            turn = random.choice(position.legal_turns())
            yield board, turn
            await unit.do(TurnOp.COMMIT)
            position.play(turn)
            if max(position.width, position.height) > GRID.limit - 2:
                break
        count(games=1)


@cocotb.test()
async def plays_random_games(dut: Any) -> None:
    """Each turn is made, unmade and made again; before it an illegal one is refused."""
    await start(dut)
    unit = TurnUnitDriver(dut)
    async for board, turn in random_games(unit):
        candidates = await unit.candidates() if board.position.turns else []
        turns = board.position.legal_turns()
        found = [board.turn(c.turn__x, c.turn__y, c.turn__symbol) for c in candidates]
        illegal = [turn for turn in found if turn not in turns]
        assert not candidates or len(found) - len(illegal) == len(turns)
        for refused in random.sample(illegal, min(len(illegal), 1)):
            check(board, refused, await unit.do(TurnOp.MAKE, **board.place(refused)))
        command = board.place(turn)
        check(board, turn, await unit.do(TurnOp.MAKE, **command))
        assert (await unit.do(TurnOp.UNMAKE)).status == Status.LEGAL.value
        check(board, turn, await unit.do(TurnOp.MAKE, **command))
        count(turns=1, candidates=len(candidates))
