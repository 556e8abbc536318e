"""``python -m loopline.sim.waves.timing``: the timing diagrams of the documentation.

They are drawn from two simulations. In one a position is built up by turns; then turns are made and
unmade in it, and all candidates are evaluated. Each diagram shows what the signals were in the
cycles of one of these commands. In the other one a position is searched, and the diagrams show
nodes of the search.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loopline.game import Position, parse_turn
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import TurnOp
from loopline.hdl.search.config import SearchConfig
from loopline.sim.waves.lane import simulate_nodes
from loopline.sim.waves.lane_rows import node_groups
from loopline.sim.waves.timing_rows import Window, evaluator_groups, turn_groups
from loopline.sim.waves.turn_unit import make_command, make_commands, simulate
from loopline.sim.waves.wavejson import diagram
from loopline.sim.waves.wavesvg import timing_svg
from loopline.tools.arguments import Parser
from loopline.tools.json_lines import json_lines

__all__ = ["NODE_OPENING", "OPENING", "PAGES", "draw", "main"]

_GRID = GridConfig(size=16, frontier_entries=64, journal=128)

OPENING = "@0+ B1/ @1\\ D1+ A0/ E2/ F2\\ E1+ A0+ D1\\".split()
"""The turns that lead to the position of all diagrams of the turn unit."""

NODE_OPENING = "@0/ A2+ B2\\ C2/ A0+ B4\\ @2+".split()
"""The turns that lead to the position that is searched."""

_PLAIN, _CHAIN, _ILLEGAL = "C4\\", "B4\\", "B1/"
"""Turns in that position: one that forces nothing, one of three tiles, an illegal one."""


@dataclass(frozen=True)
class _Diagram:
    """A diagram of the turn unit.

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

_DIAGRAMS = (
    _Diagram("plain", f"A turn that forces nothing: {_PLAIN}", 0),
    _Diagram("chain", f"A turn of three tiles: {_CHAIN}", 2),
    _Diagram("unmake", "The turn of three tiles is unmade", 3),
    _Diagram("illegal", f"An illegal turn: {_ILLEGAL}", 4),
    _Diagram(
        "evaluate", "All candidates are evaluated: the first cycles", 5, most=32, evaluator=True
    ),
)


def _turn_unit_waves() -> Iterator[tuple[str, dict[str, Any]]]:
    """The diagrams of the turn unit, by name, as WaveDrom describes them."""
    position = Position()
    commands = [
        {"op": TurnOp.CLEAR},
        *make_commands(map(parse_turn, OPENING), position, _GRID),
        # The first EVALUATE empties the evaluator's memories.
        {"op": TurnOp.EVALUATE},
        {"op": TurnOp.COMMIT},
        *map(_command, _COMMANDS),
    ]
    trace, begun, _ = simulate(_GRID, commands, position, evaluator=True)
    begun = begun[-len(_COMMANDS) - 1 :]
    for shown in _DIAGRAMS:
        # One cycle before the command to one after its last outcome.
        first, end = begun[shown.command] - 1, begun[shown.command + 1]
        window = Window(trace, first, min(end, first + shown.most))
        if shown.evaluator:
            groups = evaluator_groups(window, trace)
        else:
            groups = turn_groups(window, _GRID.frontier_entries)
        yield shown.name, diagram(shown.title, *groups, first=-1)


def _command(shown: str | TurnOp) -> dict[str, Any]:
    if isinstance(shown, TurnOp):
        return {"op": shown}
    turn = parse_turn(shown)
    return make_command(turn, turn.column, turn.row, _GRID)


def _node_waves() -> Iterator[tuple[str, dict[str, Any]]]:
    """The diagrams of nodes of a search, likewise."""
    config = SearchConfig(grid=_GRID, plies=8, root_turns=64, table_bits=6)
    trace = simulate_nodes(config, map(parse_turn, NODE_OPENING), 6)
    states = trace["lane.state"]
    expands = states.index("EXPAND")

    def begins(state: str) -> list[int]:
        """The cycles from there on in which the lane comes to a state."""
        cycles = range(expands, trace.cycles)
        return [n for n in cycles if states[n] == state != states[n - 1]]

    chosen, enter = begins("CHOSEN"), begins("ENTER")
    settled = max(n for n in range(expands) if states[n] == "SCANNING")
    for name, title, first, end in (
        ("node", "A node that is evaluated", expands, chosen[1]),
        ("node-attack", "A turn that loses: the opponent has an attack", enter[1] - 1, chosen[2]),
        ("node-expanded", "A node whose turns are tried", settled, chosen[0]),
    ):
        groups = node_groups(Window(trace, first, end + 1), config.widths.evaluation)
        yield name, diagram(title, *groups, first=-1)


PAGES: dict[str, Callable[[], Iterator[tuple[str, dict[str, Any]]]]] = {
    "core": _turn_unit_waves,
    "search-gateware": _node_waves,
}
"""By the page that shows them: functions that yield the diagrams, each with its name."""


def draw(page: str, folder: Path) -> None:
    """Write the diagrams of a page into a folder, in both formats."""
    for name, wave in PAGES[page]():
        (folder / f"{name}.json").write_text(json_lines(wave), encoding="utf-8")
        (folder / f"{name}.svg").write_text(timing_svg(wave), encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run with these arguments; returns the exit status."""
    parser = Parser(
        prog="python -m loopline.sim.waves.timing",
        description="Draw timing diagrams of the turn unit and of the search lane, from "
        "simulations of them: for each a file for WaveDrom (.json) and a picture for light and "
        "dark pages (.svg).",
        examples=["python -m loopline.sim.waves.timing docs/timing"],
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="where the files go")
    folder: Path = parser.parse_args(arguments).folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for page in PAGES:
            draw(page, folder)
    except OSError as error:
        print(f"{parser.prog}: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
