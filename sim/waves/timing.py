"""``python -m loopline.sim.waves.timing``: timing diagrams of the turn unit, from simulations.

A position is built up by turns; then turns are made and unmade in it, and all candidates are
evaluated. Each diagram shows what the signals were in the cycles of one of these commands.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loopline.game import Position, parse_turn
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import TurnOp
from loopline.sim.waves.timing_rows import Window, evaluator_groups, turn_groups
from loopline.sim.waves.turn_unit import make_command, make_commands, simulate
from loopline.sim.waves.wavejson import diagram
from loopline.sim.waves.wavesvg import timing_svg
from loopline.tools.arguments import Parser
from loopline.tools.json_lines import json_lines

__all__ = ["DIAGRAMS", "OPENING", "Diagram", "Run", "main"]

_GRID = GridConfig(size=16, frontier_entries=64, journal=128)

OPENING = "@0+ B1/ @1\\ D1+ A0/ E2/ F2\\ E1+ A0+ D1\\".split()
"""The turns that lead to the position of all diagrams."""

_PLAIN, _CHAIN, _ILLEGAL = "C4\\", "B4\\", "B1/"
"""Turns in that position: one that forces nothing, one of three tiles, an illegal one."""


@dataclass(frozen=True)
class Diagram:
    """One of the diagrams.

    Parameters
    ----------
    name : str
        Its files' names, but for what comes after.
    title : str
        What it shows.
    command : int
        Which of the commands that follow the opening.
    most : int
        Cycles that are shown: the first of the command if it takes longer.
    evaluator : bool
        Whether the evaluator is shown, instead of the placer.
    """

    name: str
    title: str
    command: int
    most: int = 64
    evaluator: bool = False


_COMMANDS: tuple[str | TurnOp, ...] = (
    *(_PLAIN, TurnOp.UNMAKE, _CHAIN, TurnOp.UNMAKE, _ILLEGAL, TurnOp.EVALUATE),
)
"""What follows the opening: turns that are made, and operations."""

DIAGRAMS = (
    Diagram("plain", f"A turn that forces nothing: {_PLAIN}", 0),
    Diagram("chain", f"A turn of three tiles: {_CHAIN}", 2),
    Diagram("unmake", "The turn of three tiles is unmade", 3),
    Diagram("illegal", f"An illegal turn: {_ILLEGAL}", 4),
    Diagram(
        "evaluate", "All candidates are evaluated: the first cycles", 5, most=32, evaluator=True
    ),
)
"""All of them."""


class Run:
    """A simulation of all commands.

    Members
    -------
    trace : Trace
        Each signal in each cycle.
    """

    def __init__(self) -> None:
        position = Position()
        opening = make_commands(map(parse_turn, OPENING), position, _GRID)
        commands = [
            {"op": TurnOp.CLEAR},
            *opening,
            # The first EVALUATE empties the evaluator's memories.
            {"op": TurnOp.EVALUATE},
            {"op": TurnOp.COMMIT},
            *map(_command, _COMMANDS),
        ]
        self.trace, begun, _ = simulate(_GRID, commands, position, evaluator=True)
        self._begun = begun[-len(_COMMANDS) - 1 :]

    def window(self, shown: Diagram) -> Window:
        """Return the cycles of a diagram: one before its command to one after its last outcome."""
        first, end = self._begun[shown.command] - 1, self._begun[shown.command + 1]
        return Window(self.trace, first, min(end, first + shown.most))

    def wave(self, shown: Diagram) -> dict[str, Any]:
        """Return a diagram as WaveDrom describes it."""
        window = self.window(shown)
        if shown.evaluator:
            groups = evaluator_groups(window, self.trace)
        else:
            groups = turn_groups(window, _GRID.frontier_entries)
        return diagram(shown.title, *groups, first=-1)


def _command(shown: str | TurnOp) -> dict[str, Any]:
    if isinstance(shown, TurnOp):
        return {"op": shown}
    turn = parse_turn(shown)
    return make_command(turn, turn.column, turn.row, _GRID)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run with these arguments; returns the exit status."""
    parser = Parser(
        prog="python -m loopline.sim.waves.timing",
        description="Draw timing diagrams of the turn unit, from simulations of it: for each a "
        "file for WaveDrom (.json) and a picture for light and dark pages (.svg).",
        examples=["python -m loopline.sim.waves.timing docs/timing"],
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="where the files go")
    folder: Path = parser.parse_args(arguments).folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
        run = Run()
        for shown in DIAGRAMS:
            wave = run.wave(shown)
            text = json_lines(wave)
            (folder / f"{shown.name}.json").write_text(text, encoding="utf-8")
            (folder / f"{shown.name}.svg").write_text(timing_svg(wave), encoding="utf-8")
    except OSError as error:
        print(f"{parser.prog}: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
