"""``loopline trace``: a waveform of turns that the turn unit makes in simulation."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from loopline.game import (
    STANDARD,
    NotationError,
    Position,
    TraxError,
    Turn,
    read_turn,
    variant_named,
)
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status, TurnOp
from loopline.sim.waves.trace import Trace
from loopline.sim.waves.turn_unit import make_command, make_commands, simulate
from loopline.tools.arguments import Parser, checked, power_of_two

__all__ = ["main"]

_PROGRAM = "loopline trace"
_STEPS = "placer.state"


def _parser() -> Parser:
    parser = Parser(
        prog=_PROGRAM,
        description="Make turns on the turn unit in Amaranth's simulator. Write a waveform (VCD) "
        "of the last one with every signal of the unit, and print the cycles of its steps. In "
        "the waveform, x and y are columns and rows as they are numbered before the last turn.",
        examples=[
            "loopline trace @0/ B1+ -o turn.vcd       then: gtkwave turn.vcd",
            'loopline trace --all --grid 32 "@0+ B1/ @1\\ D1+ A0/" -o turns.vcd',
        ],
    )
    add = parser.add_argument
    add("turns", nargs="+", metavar="TURN", help="turns from the empty board, in either notation")
    add("-o", "--output", type=Path, required=True, metavar="FILE", help="the waveform's file")
    add("--all", action="store_true", help="all turns in the waveform, not only the last one")
    parser.add_value(
        "--grid", power_of_two(8, 64), "columns and rows of the grid: 8, 16, 32 or 64", default=16
    )
    parser.add_value(
        "--variant",
        checked(variant_named),
        "standard, limited, deluxe, loop, mini or limited-N",
        default=STANDARD,
        metavar="NAME",
        shown="standard",
    )
    return parser


def _read(texts: Sequence[str], position: Position, grid: GridConfig) -> list[Turn]:
    """Read turns and make them. Raises ``ValueError`` for wrong notation, :exc:`TraxError` for an
    illegal turn and for one that the grid has no room for."""
    turns = []
    # One argument may hold several turns.
    for number, text in enumerate(" ".join(texts).split(), 1):
        try:
            turn = read_turn(position, text)
            position.play(turn)
        except NotationError as error:
            raise ValueError(f"turn {number}: {error}") from None
        except TraxError as error:
            raise TraxError(f"turn {number} is illegal: {error}") from None
        if max(position.width, position.height) > grid.limit:
            raise TraxError(
                f"turn {number}, {text}, needs a larger grid: "
                f"{grid.size} has room for {grid.limit} columns and rows"
            )
        turns.append(turn)
    return turns


def _summary(turn: Turn, trace: Trace, cycles: slice, tiles: int) -> str:
    """Return how many cycles a turn took, and which steps they went to, in the order of these."""
    states = [state for state in trace[_STEPS][cycles] if state != "IDLE"]
    steps = ", ".join(f"{state} {count}" for state, count in Counter(states).items())
    return f"{turn}: {tiles} tile{'s' * (tiles != 1)} in {len(states)} cycles: {steps}"


def main(words: Sequence[str] | None = None) -> int:
    """Run with these arguments; return the exit status."""
    parser = _parser()
    options = parser.parse_args(words)
    try:
        grid = GridConfig(size=options.grid)
        position = Position(options.variant)
        turns = _read(options.turns, position, grid)
        if not options.output.parent.is_dir():
            raise ValueError(f"there is no folder {options.output.parent}")
    except TraxError as error:
        print(f"{_PROGRAM}: {error}", file=sys.stderr)
        return 1
    except ValueError as error:
        parser.error(str(error))
    return _write(turns, grid, Position(position.variant), options.output, every=options.all)


def _write(turns: list[Turn], grid: GridConfig, start: Position, path: Path, *, every: bool) -> int:
    """Simulate the turns from an empty board, print what the shown ones took, write the file."""
    last = turns[-1]
    makes = [
        *make_commands(turns[:-1], start, grid),
        make_command(last, last.column, last.row, grid),
    ]
    commands = [{"op": TurnOp.CLEAR}]
    for make in makes:
        commands += [make, {"op": TurnOp.COMMIT}]  # so that the journal has room for any game
    trace, begun, outcomes = simulate(grid, commands, start)
    for number, outcome in enumerate(outcomes[1::2], 1):
        if outcome.status != Status.LEGAL:
            status = outcome.status.name
            print(f"{_PROGRAM}: the unit answers turn {number} with {status}", file=sys.stderr)
            return 1
    begin = 0 if every else len(turns) - 1
    for number in range(begin, len(turns)):
        place = 1 + 2 * number
        cycles = slice(begun[place], begun[place + 1])
        print(_summary(turns[number], trace, cycles, outcomes[place].tiles))
    first = begun[1 + 2 * begin] - 1
    end = begun[-2] + 1
    try:
        path.write_text(trace.excerpt(first, end), encoding="utf-8")
    except OSError as error:
        print(f"{_PROGRAM}: {path}: {error.strerror}", file=sys.stderr)
        return 1
    print(f"{path}: {end - first} cycles of 1 us each")
    return 0


if __name__ == "__main__":
    sys.exit(main())
