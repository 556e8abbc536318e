"""The turn unit in Amaranth's simulator: give it commands, record every signal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from loopline.game import Position, Turn
from loopline.hdl.config import GridConfig
from loopline.hdl.core.rules import rules_of
from loopline.hdl.core.types import ShapeCode, TurnOp
from loopline.hdl.core.unit import TurnUnit
from loopline.sim.waves.trace import Trace, record

__all__ = ["make_command", "make_commands", "simulate"]

Command = dict[str, Any]
"""Values of the fields of ``command_layout`` by name."""


def simulate(
    grid: GridConfig, commands: Sequence[Command], position: Position, *, evaluator: bool = False
) -> tuple[Trace, list[int], list[Any]]:
    """Run commands one after the other.

    Parameters
    ----------
    grid : GridConfig
        Size of the unit.
    commands : sequence of dict
        The first one is a ``CLEAR``.
    position : Position
        Its variant is played.
    evaluator : bool
        Whether the unit has the candidate evaluator.

    Returns the trace; for each command the cycle in which the unit takes it, and at the end the
    number of all cycles; and for each command its last outcome.
    """
    unit = TurnUnit(grid, evaluator=evaluator)
    outcomes = []

    async def testbench(ctx: Any) -> None:
        ctx.set(unit.outcomes.ready, 1)
        ctx.set(unit.rules, rules_of(position.variant, grid))
        for command in commands:
            ctx.set(unit.commands.payload, command)
            ctx.set(unit.commands.valid, 1)
            await ctx.tick().until(unit.commands.ready)
            ctx.set(unit.commands.valid, 0)
            while True:
                ticks = ctx.tick().sample(unit.outcomes.payload)
                (outcome,) = await ticks.until(unit.outcomes.valid)
                if command["op"] != TurnOp.EVALUATE or outcome.status.name == "END":
                    break
            outcomes.append(outcome)
            await ctx.tick()

    trace = record(unit, testbench)
    taken = zip(trace["commands__valid"], trace["commands__ready"], strict=True)
    begun = [cycle for cycle, both in enumerate(taken) if all(both)]
    return trace, [*begun, trace.cycles], outcomes


def make_command(turn: Turn, column: int, row: int, grid: GridConfig) -> Command:
    """Return the command that makes a turn whose first tile lies in this column and row."""
    x, y = column % grid.size, row % grid.size
    return {"op": TurnOp.MAKE, "symbol": ShapeCode(turn.shape.code), "x": x, "y": y}


def make_commands(turns: Iterable[Turn], position: Position, grid: GridConfig) -> list[Command]:
    """Make turns in a position and return the commands for them.

    The torus has no edge, so the first tile of the game may lie anywhere: here it lies where
    columns and rows have the numbers that notation gives them in the position at the end.
    """
    first_tiles = [(turn, position.play(turn).tiles[0]) for turn in turns]
    return [make_command(turn, *position.label(x, y), grid) for turn, (x, y, _) in first_tiles]
