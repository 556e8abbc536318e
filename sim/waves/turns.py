"""``loopline trace``: a waveform of turns, in the turn unit or in the whole design."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from loopline.game import (
    STANDARD,
    VARIANT_NAMES,
    NotationError,
    Position,
    TraxError,
    Turn,
    read_turn,
    variant_named,
)
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status, TurnOp
from loopline.hdl.design import DesignConfig
from loopline.sim.waves.design import simulate_lines, trace_config
from loopline.sim.waves.trace import Groups, Trace
from loopline.sim.waves.turn_unit import make_command, make_commands, simulate
from loopline.sim.waves.views import DESIGN, TURN_UNIT
from loopline.tools.arguments import Parser, checked, power_of_two
from loopline.tools.pipes import lose_output
from loopline.tools.unbuilt import forget_gateware

__all__ = ["main"]

_PROGRAM = "loopline trace"
_STEPS = "placer.state"
_SHOWN = ".gtkw"
"""The file for GTKWave has the waveform's name with this ending."""


def _parser() -> Parser:
    parser = Parser(
        prog=_PROGRAM,
        description="Make turns on the turn unit in Amaranth's simulator. Write a waveform (VCD) "
        "of the last one with every signal of the unit, and print the cycles of its steps. In "
        "the waveform, x and y are columns and rows as they are numbered before the last turn. "
        "Beside it goes a file for GTKWave with the signals to look at first, unless there is one. "
        "With --design, the turns come to the pins of the whole design as the contest lines of a "
        "set-up, and the design answers.",
        examples=[
            "loopline trace @0/ B1+ -o turn.vcd && gtkwave turn.vcd turn.gtkw",
            'loopline trace --all --grid 32 "@0+ B1/ @1\\ D1+ A0/" -o turns.vcd',
            "loopline trace --design @0/ B1+ -o design.vcd",
        ],
    )
    add = parser.add_argument
    add("turns", nargs="+", metavar="TURN", help="turns from the empty board, in either notation")
    add("-o", "--output", type=Path, required=True, metavar="FILE", help="the waveform's file")
    add("--design", action="store_true", help="the whole design with its pins; takes a minute")
    add("--all", action="store_true", help="all turns in the waveform, not only the last one")
    parser.add_value(
        "--grid", power_of_two(8, 64), "columns and rows of the grid: 8, 16, 32 or 64", default=16
    )
    parser.add_value(
        "--variant",
        checked(variant_named),
        VARIANT_NAMES,
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
    if not turns:
        raise ValueError("there is no turn: give one at least, such as @0/")
    return turns


def _check_output(path: Path) -> None:
    """Refuse a file that could not be written after the simulation, which may take a minute."""
    if path.is_dir():
        raise ValueError(f"cannot write {path}: it is a folder")
    if not path.parent.is_dir():
        raise ValueError(f"cannot write {path}: there is no folder {path.parent}")
    if path.suffix == _SHOWN:
        raise ValueError(f"cannot write {path}: {_SHOWN} is for the file beside the waveform")


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
        _check_output(options.output)
    except OSError as error:
        parser.error(f"cannot write {options.output}: {error.strerror}")
    except TraxError as error:
        print(f"{_PROGRAM}: {error}", file=sys.stderr)
        return 1
    except ValueError as error:
        parser.error(str(error))
    start = Position(position.variant)
    try:
        if options.design:
            over = position.ending is not None
            shown = _design(turns, trace_config(grid, position.variant), over, options.all)
        else:
            shown = _turn_unit(turns, grid, start, options.all)
        _write(options.output, *shown)
        sys.stdout.flush()
    except TraxError as error:
        print(f"{_PROGRAM}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        forget_gateware()
        print("\ninterrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        return lose_output()
    except OSError as error:
        # A full disk has no name.
        name = error.filename or options.output
        print(f"{_PROGRAM}: {name}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


def _turn_unit(
    turns: list[Turn], grid: GridConfig, start: Position, every: bool
) -> tuple[Trace, int, int, Groups]:
    """Simulate turns from an empty board, and print what the last one or each took.

    Returns the trace, its first cycle to show, the one after the last, and the signals.
    """
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
            raise TraxError(f"the unit answers turn {number} with {outcome.status.name}")
    begin = 0 if every else len(turns) - 1
    for number in range(begin, len(turns)):
        place = 1 + 2 * number
        cycles = slice(begun[place], begun[place + 1])
        print(_summary(turns[number], trace, cycles, outcomes[place].tiles))
    return trace, begun[1 + 2 * begin] - 1, begun[-2] + 1, TURN_UNIT


def _design(
    turns: list[Turn], config: DesignConfig, over: bool, every: bool
) -> tuple[Trace, int, int, Groups]:
    """Have the design set up the position after some turns and move; print the lines of both sides.

    Returns as :func:`_turn_unit`.
    """
    lines = ["-S", *map(str, turns), *([] if over else ["-G"])]
    print("host   ", *lines, flush=True)
    trace, begun, sent = simulate_lines(config, lines)
    print("design ", *sent.split())
    if trace["error"][-1]:
        raise TraxError("the design refuses a line, or has no turn that fits into its grid")
    return trace, 0 if every else begun[len(turns)], trace.cycles, DESIGN


def _write(path: Path, trace: Trace, first: int, end: int, groups: Groups) -> None:
    """Write a waveform, and if there is none a file that has GTKWave show its main signals."""
    path.write_text(trace.excerpt(first, end), encoding="utf-8")
    print(f"{path}: {end - first} cycles of 1 us each")
    shown = path.with_suffix(_SHOWN)
    if shown.exists():
        print(f"{shown}: kept; GTKWave shows the signals that it names")
    else:
        # The path, which it names, may be any bytes.
        text = trace.save_file(str(path), groups)
        shown.write_text(text, encoding="utf-8", errors="surrogateescape")
        print(f"{shown}: the main signals for GTKWave")


if __name__ == "__main__":
    sys.exit(main())
