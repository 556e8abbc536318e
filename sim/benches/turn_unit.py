"""cocotb tests of the turn unit by its streams, against the reference model.

Settings: ``grid`` (its size), ``variant``, ``games`` and ``turns`` (of a game, at most).
"""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import cocotb

from loopline.game import (
    Colour,
    ForcedPlayError,
    IllegalTurnError,
    OutsideAreaError,
    Position,
    Shape,
    Turn,
    Variant,
    variant_named,
)
from loopline.hdl.config import GridConfig
from loopline.hdl.core.rules import rules_of
from loopline.hdl.core.types import Status, TurnOp, command_layout, outcome_layout
from loopline.sim.benches.settings import count, setting
from loopline.sim.benches.streams import StreamDriver, StreamMonitor, start

__all__ = ["GAMES", "GRID", "TURNS", "VARIANT", "Expected", "Scoreboard", "TurnUnitDriver"]

GRID = GridConfig(size=int(setting("grid", "16")))
VARIANT = variant_named(setting("variant", "standard"))
GAMES = int(setting("games", "1"))
TURNS = int(setting("turns", "10"))


class TurnUnitDriver:
    """Give the turn unit one command after the other, with pauses on both streams."""

    def __init__(self, dut: Any, grid: GridConfig, variant: Variant, *, pause: float = 0.2) -> None:
        self._commands = StreamDriver(dut, "commands", command_layout(grid), pause=pause)
        self._outcomes = StreamMonitor(dut, "outcomes", outcome_layout(grid), pause=pause)
        dut.rules.value = rules_of(variant, grid).as_bits()

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


class Expected(NamedTuple):
    """What the reference model says of a turn; the colours as masks, the box on the torus."""

    status: Status
    tiles: int = 0
    loops: int = 0
    lines: int = 0
    box: tuple[int, ...] = ()


class Scoreboard:
    """The reference model beside the unit. The first tile lies at (0, 0) for both."""

    def __init__(self, grid: GridConfig, variant: Variant) -> None:
        self.position = Position(variant)
        self._mask = grid.size - 1

    def place(self, turn: Turn) -> dict[str, int]:
        """Return where the turn's first tile lies on the torus, and its shape, as a command."""
        x, y = self.position.locate(turn) if self.position.turns else (0, 0)
        return {"x": x & self._mask, "y": y & self._mask, "symbol": turn.shape.code}

    def turn(self, x: int, y: int, symbol: int) -> Turn:
        """Return the turn that begins at this place of the torus."""
        west, north = self.position.west - 1, self.position.north - 1
        label = self.position.label(
            west + ((x - west) & self._mask), north + ((y - north) & self._mask)
        )
        return Turn(*label, next(shape for shape in Shape if shape.code == symbol))

    def expect(self, turn: Turn) -> Expected:
        """Return what the model says of a turn, which is not made."""
        position = self.position
        try:
            played = position.play(turn)
        except ForcedPlayError:
            return Expected(Status.FORCED)
        except OutsideAreaError:
            return Expected(Status.AREA)
        except IllegalTurnError:
            return Expected(Status.MISMATCH)
        box = position.west, position.north, position.east, position.south
        position.undo()
        return Expected(
            Status.LEGAL,
            len(played.tiles),
            _mask_of(played.loops),
            _mask_of(played.lines),
            tuple(edge & self._mask for edge in box),
        )

    def check(self, turn: Turn, outcome: Any) -> Expected:
        """Compare an outcome of the unit with what the model says; return that."""
        expected = self.expect(turn)
        found = Expected(Status(outcome.status))
        if found.status is Status.LEGAL:
            box = outcome.box__west, outcome.box__north, outcome.box__east, outcome.box__south
            found = Expected(found.status, outcome.tiles, outcome.loops, outcome.lines, box)
        assert found == expected, f"{turn} in {self.position}: {found}, expected {expected}"
        return expected


def _mask_of(colours: Any) -> int:
    return sum(1 << Colour(colour) for colour in colours)


@cocotb.test()
async def plays_random_games(dut: Any) -> None:
    """Each turn is made, unmade and made again; before it an illegal one is refused."""
    await start(dut)
    unit = TurnUnitDriver(dut, GRID, VARIANT)
    for _ in range(GAMES):
        board = Scoreboard(GRID, VARIANT)
        await unit.do(TurnOp.CLEAR)
        while not board.position.ending and board.position.turns < TURNS:
            candidates = await unit.candidates() if board.position.turns else []
            turns = board.position.legal_turns()
            found = [board.turn(c.turn__x, c.turn__y, c.turn__symbol) for c in candidates]
            illegal = [turn for turn in found if turn not in turns]
            assert not candidates or len(found) - len(illegal) == len(turns)
            for turn in random.sample(illegal, min(len(illegal), 1)):
                board.check(turn, await unit.do(TurnOp.MAKE, **board.place(turn)))
            turn = random.choice(turns)
            command = board.place(turn)
            board.check(turn, await unit.do(TurnOp.MAKE, **command))
            assert (await unit.do(TurnOp.UNMAKE)).status == Status.LEGAL.value
            board.check(turn, await unit.do(TurnOp.MAKE, **command))
            await unit.do(TurnOp.COMMIT)
            board.position.play(turn)
            if max(board.position.width, board.position.height) > GRID.limit - 2:
                break
            count(turns=1, candidates=len(candidates))
        count(games=1)
