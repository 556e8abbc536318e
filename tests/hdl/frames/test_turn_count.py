# amaranth: UnusedElaboratable=no
"""The counter of turn sequences, with the engine's board in the place of the turn unit."""

from __future__ import annotations

import random

import pytest

from loopline.engine.board.position import Candidate, EnginePosition
from loopline.game import (
    LOOP,
    MINI,
    SHAPE_OF_CODE,
    STANDARD,
    Position,
    Variant,
    perft,
    play_game,
)
from loopline.game.wire import ANSWERS, COUNT_DEPTH, Command, answer_code
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status, TurnOp, command_layout
from loopline.hdl.frames.pieces import ABANDONED
from loopline.hdl.frames.turn_count import TurnCounter
from loopline.sim.probe.packing import Packing
from tests.hdl.support import Stalls, pulse, simulate, stream_get, stream_put

GRID = GridConfig()
COMMAND = Packing(command_layout(GRID))
LOOPED = "@0+ @1+ A0/"


class Model:
    """A turn unit, by the engine's board. So many turns are ``refused`` at first, for lack of
    room."""

    def __init__(self, position: Position, seed: int, refused: int) -> None:
        self.refused = refused
        self.here = EnginePosition(position.variant, GRID)
        self.here.follow(position)
        self._random = random.Random(seed)

    def outcomes(self, command) -> list[dict]:
        """Return the outcomes of a command."""
        here, command = self.here, COMMAND.unpack(command.as_bits())
        op = command.op
        listed = list(here.candidates())
        if op == TurnOp.NEXT.value:
            at = command.index, command.symbol
            found = [each for each in listed if (each.index, each.shape.code) >= at]
            ended = [{"status": Status.END}]
            return [{"status": Status.LEGAL, "turn": self._turn(found[0])}] if found else ended
        if op == TurnOp.MAKE.value:
            self.refused -= 1
            if self.refused >= 0:
                return [{"status": Status.BOUNDS}]
            return [self._made(command.y << 6 | command.x, command.symbol)]
        if op == TurnOp.UNMAKE.value:
            here.unmake()
            return [{"status": Status.LEGAL}]
        assert op == TurnOp.EVALUATE.value
        self._random.shuffle(listed)
        evaluated = [self._evaluated(each) for each in listed if here.tiles]
        return [*evaluated, {"status": Status.END, "box": {"empty": not here.tiles}}]

    @staticmethod
    def _turn(found: Candidate) -> dict:
        place = {"x": found.cell & 63, "y": found.cell >> 6}
        return {"symbol": found.shape.code, "index": found.index, **place}

    def _made(self, cell: int, symbol: int) -> dict:
        status, completed = self.here.make(cell, SHAPE_OF_CODE[symbol])
        return {"status": status, "loops": completed}

    def _evaluated(self, found: Candidate) -> dict:
        made = self._made(found.cell, found.shape.code)
        if made["status"] is Status.LEGAL:
            self.here.unmake()
        return made


async def answer(ctx, dut, stalls) -> bytes:
    """Return the payload of the answer, or nothing if there is none."""
    octets = bytearray()
    while True:
        piece = await stream_get(ctx, dut.pieces, stalls=stalls)
        if piece.ends:
            assert piece.byte in (answer_code(Command.COUNT), ABANDONED)
            return bytes(octets) if piece.byte != ABANDONED else b""
        octets.append(piece.byte)


def counted(position: Position, depth: int, seed: int, refused: int = 0) -> dict:
    """Return what a count says, and check that the position is what it was."""
    dut = TurnCounter(GRID)
    stalls, model = Stalls(seed), Model(position, seed, refused)
    found, ended = {}, []

    async def unit(ctx):
        while not ended:
            if not ctx.get(dut.core.commands.valid):
                await ctx.tick()
                continue
            command = await stream_get(ctx, dut.core.commands, stalls=stalls)
            for outcome in model.outcomes(command):
                await stream_put(ctx, dut.core.outcomes, outcome, stalls=stalls)

    async def ask(ctx):
        ctx.set(dut.core.granted, 1)
        ctx.set(dut.depth, depth)
        await ctx.tick()
        await pulse(ctx, dut.start)
        found.update(ANSWERS[answer_code(Command.COUNT)].unpack(await answer(ctx, dut, stalls)))
        ended.append(True)

    simulate(dut, ask, unit, cycles=200_000, check=[dut.core.commands, dut.pieces])
    assert model.here.turns == 0
    return found


@pytest.mark.parametrize(
    ("turns", "variant", "depth"),
    [
        *(("", STANDARD, depth) for depth in range(1, COUNT_DEPTH + 1)),
        (LOOPED, STANDARD, 1),
        (LOOPED, STANDARD, 2),
        ("@0+ @1+ @1+", MINI, COUNT_DEPTH),
        ("", LOOP, 2),
    ],
)
def test_sequences_are_counted(turns: str, variant: Variant, depth: int) -> None:
    position = play_game(turns.split(), variant)
    expected = {"sequences": perft(position, depth), "beyond": 0}
    assert counted(position, depth, seed=depth) == expected


def test_a_turn_that_does_not_fit_is_told() -> None:
    position = play_game(["@0+"])
    left = perft(position, 2) - perft(play_game(["@0+", "A0+"]), 1)
    found = counted(position, 2, seed=5, refused=1)
    assert found == {"sequences": left, "beyond": 1}
