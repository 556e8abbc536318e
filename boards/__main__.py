"""``loopline boards`` and its like; ``python -m loopline.boards``."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, replace
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress, TimeElapsedColumn
from rich.table import Table

from loopline.boards.bitstream import BuildError, build, built_before
from loopline.boards.board import Board
from loopline.boards.figures.history import draw_history, read_results
from loopline.boards.figures.parts import PARTS, find_part
from loopline.boards.figures.unit_report import Row, as_json, jobs_of, measure, save, sources, table
from loopline.boards.figures.units import UNITS, find_units
from loopline.boards.flash import FlashError, parse_flash, run_flash
from loopline.boards.pins import LIGHTS
from loopline.boards.presets import PRESET_COLUMNS, preset_rows
from loopline.boards.programs import run_side_by_side
from loopline.boards.project import write_project
from loopline.boards.report import Report
from loopline.boards.table import BOARDS, COLUMNS, UNSUPPORTED, find_board, table_rows
from loopline.boards.tune import parse_tune, run_tune
from loopline.boards.verilog import parse_verilog, run_verilog
from loopline.game import STANDARD, VARIANT_NAMES, variant_named
from loopline.tools.arguments import (
    Parser,
    checked,
    choose_command,
    decimal_number,
    power_of_two,
    seed,
    whole_number,
)
from loopline.tools.extras import MissingExtraError, require
from loopline.tools.messages import tell
from loopline.tools.pipes import lose_output
from loopline.tools.signals import handled_endings
from loopline.tools.unbuilt import forget_gateware, leave_gateware

_SIZES = (64,)


def _parse_list(words: Sequence[str]) -> argparse.Namespace:
    parser = Parser(
        prog="loopline boards",
        description="List the boards that Loopline is built for, and others that it is not.",
        examples=["loopline boards ulx3s-85f", "loopline boards --json"],
    )
    parser.add_argument(
        "board",
        nargs="?",
        type=checked(find_board),
        metavar="BOARD",
        help="this one alone",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print a JSON list")
    form.add_argument("--markdown", action="store_true", help="print the tables of docs/boards.md")
    arguments = parser.parse_args(words)
    if arguments.board and arguments.markdown:
        parser.error("--markdown is for all boards")
    return arguments


def _list(arguments: argparse.Namespace) -> None:
    chosen = arguments.board
    if arguments.json:
        boards = [chosen] if chosen else BOARDS.values()
        print(json.dumps([_row(board) for board in boards], indent=2))
    elif chosen:
        (row,) = (row for row in table_rows() if row[0] == chosen.name)
        facts = [*zip(COLUMNS, row, strict=True), ("too small", chosen.too_small)]
        print("\n".join(f"{name:14}{fact}" for name, fact in facts if fact))
    elif arguments.markdown:
        print(_markdown(COLUMNS, table_rows()))
        print()
        print(_markdown(("other boards", "FPGA", "why not"), UNSUPPORTED))
        print()
        print(_markdown(PRESET_COLUMNS, preset_rows()))
    else:
        # Rich has an exit status of its own where the reader has gone.
        print(_as_text(), end="")


def _row(board: Board) -> dict[str, object]:
    fits, speed = not board.too_small, board.nodes_per_second
    return {
        "name": board.name,
        "title": board.title,
        "part": board.part,
        "family": board.family.name,
        "status": board.status,
        "reason": board.too_small,
        "preset": board.preset.name if fits else None,
        "mhz": board.clock_hz / 1e6 if fits else None,
        "grid": board.grid.size if fits else None,
        "lanes": board.preset.search.lanes if fits else None,
        "nodes_per_second": speed and round(speed),
        "serial": board.serial,
        "leds": min(len(board.leds), len(LIGHTS)),
        "button": board.button is not None,
        "programmer": asdict(board.programmer),
    }


def _markdown(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(re.sub(" +", " ", f"| {' | '.join(line)} |") for line in lines)


def _as_text() -> str:
    """Return the list for a terminal of 80 columns, without what has no room there."""
    shown = ("name", "FPGA", "status", "MHz", "lanes", "nodes/s", "contest link", "flashed with")
    numbers = ("MHz", "lanes", "nodes/s")
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for name in shown:
        table.add_column(
            "UART" if name == "contest link" else name,
            justify="right" if name in numbers else "left",
        )
    for row in table_rows():
        cells = dict(zip(COLUMNS, row, strict=True))
        cells["contest link"] = "USB" if cells["contest link"].startswith("USB") else "pins"
        # In thousands: millions have no room.
        cells["nodes/s"] = re.sub(",000$", "k", cells["nodes/s"])
        table.add_row(*(cells[name] for name in shown))
    others = Table("other boards", "FPGA", "why not", box=None, pad_edge=False)
    for other in UNSUPPORTED:
        others.add_row(*other)
    screen = Console(highlight=False, markup=False, emoji=False)
    with screen.capture() as text:
        screen.print(table)
        screen.print(
            "\nThe name is for loopline build. It makes the bitstream, or a project for the "
            "vendor's tools. The UART is on a USB connector or on pins; docs/boards.md says where, "
            "and more of each board. None of these bitstreams has run on a board.\n"
        )
        screen.print(others)
    return text.get()


@contextmanager
def _steps(name: str) -> Iterator[Callable[[str], None]]:
    """Yield a function that is called when a step begins.

    It shows the steps and their times on standard error: on a terminal they run, elsewhere a step
    has a line at its beginning and one at its end.
    """
    screen = Console(stderr=True, highlight=False, markup=False)
    bar = Progress("{task.description}", TimeElapsedColumn(), console=screen)
    step, since = "", time.monotonic()

    def end() -> None:
        if bar.disable and step:
            print(f"{name}: {step}: {time.monotonic() - since:.0f} s", file=sys.stderr, flush=True)
        for task in bar.task_ids[-1:]:
            bar.stop_task(task)

    def begin(next_step: str) -> None:
        nonlocal step, since
        end()
        step, since = next_step, time.monotonic()
        if bar.disable:
            print(f"{name}: {step} ...", file=sys.stderr, flush=True)
        else:
            bar.add_task(f"{name}: {step}", total=None)

    bar.disable = not screen.is_terminal
    with bar:
        yield begin
        end()


def _parse_build(words: Sequence[str]) -> argparse.Namespace:
    parser = Parser(
        prog="loopline build",
        description="Build the bitstream for a board, or for all of them. A build that misses the "
        "clock fails. Boards that only their vendor has tools for get a project for these.",
        examples=["loopline build hx8k --dir build/hx8k --seed 3", "loopline build all"],
    )
    parser.add_argument(
        "board",
        type=checked(_find_boards),
        metavar="BOARD",
        help="one that loopline boards lists, or all",
    )
    parser.add_value(
        "--dir",
        Path,
        "where the files go; for all boards each has a folder in it",
        metavar="DIR",
        shown="build/BOARD",
    )
    parser.add_value("--seed", seed, "the seed of place and route; projects need none", default=1)
    parser.add_value(
        "--baud", whole_number(1, 10**8), "the rate of the contest link", default=115_200
    )
    parser.add_value(
        "--mhz",
        decimal_number(0.001, 1000),
        "the player's clock; it is the nearest one that the PLL makes",
        metavar="MHZ",
        shown="the board's",
    )
    parser.add_value(
        "--grid",
        power_of_two(8, 64),
        "columns and rows of the grid: 8, 16, 32 or 64",
        shown="the board's",
    )
    parser.add_value(
        "--variant",
        checked(variant_named),
        f"what the board plays: {VARIANT_NAMES}",
        default=STANDARD,
        metavar="NAME",
        shown="standard",
    )
    parser.add_argument(
        "--evaluator",
        choices=("off", "on"),
        help="on: the board counts turns, for loopline perft; for boards with room (as its preset)",
    )
    parser.add_argument(
        "--ponder",
        choices=("off", "on"),
        help="on: the board thinks on the opponent's time, too (as its preset does)",
    )
    parser.add_value("--jobs", whole_number(1, 999), "boards at a time, for all of them", default=1)
    arguments = parser.parse_args(words)
    if arguments.board is not None and arguments.jobs > 1:
        parser.error("--jobs is for all boards: one board is one job")
    return arguments


def _find_boards(name: str) -> Board | None:
    """Return the board of this name, None for ``all``. Raises ``ValueError``."""
    return None if name == "all" else find_board(name)


def _build(arguments: argparse.Namespace) -> None:
    if arguments.board is None:
        _build_all(arguments)
    else:
        board = arguments.board
        _build_one(board, arguments.dir or Path("build") / board.name, arguments)


def _build_one(board: Board, folder: Path, arguments: argparse.Namespace) -> str:
    """Build for a board; return what came of it."""
    require(f"the board {board.name}", board.family.extra)
    if board.too_small:
        raise BuildError(f"{board.name} is too small: {board.too_small}")
    options = _options(board, arguments)
    if board.status == "project":
        written = write_project(board, folder, **options)
        print(f"{board.name}: {written.folder} (and as {written.archive})")
        outcome = f"a project, not yet built: run {written.command} in {written.folder}"
        print(f"{board.name}: {outcome}")
        return outcome
    with _steps(board.name) as begin:
        built = build(board, folder, seed=arguments.seed, **options, begin=begin)
    print(f"{board.name}: {built.bitstream} (and with manifest and report: {built.archive})")
    print(f"{board.name}: {built.report}")
    return str(built.report)


def _options(board: Board, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the options of a build or a project, but for a build's seed."""
    evaluator, ponder = (
        None if switch is None else switch == "on"
        for switch in (arguments.evaluator, arguments.ponder)
    )
    return {
        "baud": arguments.baud,
        "clock_hz": None if arguments.mhz is None else arguments.mhz * 1e6,
        "grid": None if arguments.grid is None else replace(board.grid, size=arguments.grid),
        "variant": arguments.variant,
        "evaluator": evaluator,
        "ponder": ponder,
    }


def _build_all(arguments: argparse.Namespace) -> None:
    """Build for every board that is large enough and was not built before; at the end print what
    came of each.

    Raises :class:`BuildError` if one failed.
    """
    outcomes, places, failed = {}, [], []
    for board in BOARDS.values():
        folder = (arguments.dir or Path("build")) / board.name
        if board.too_small:
            outcomes[board.name] = f"too small: {board.too_small}"
        elif report := _report_before(board, folder, arguments):
            outcomes[board.name] = str(report)
            print(f"{board.name}: was built before, in {folder}", flush=True)
        else:
            places.append((board, folder))
    for name, outcome in (_in_turn if arguments.jobs == 1 else _side_by_side)(arguments, places):
        if isinstance(outcome, Exception):
            outcomes[name] = f"failed: {outcome}"
            failed.append(name)
        else:
            outcomes[name] = outcome
    width = max(map(len, BOARDS))
    print("\n".join(["", *(f"{name:{width}}  {outcomes[name]}" for name in BOARDS)]))
    if failed:
        raise BuildError(f"{len(failed)} of {len(BOARDS)} boards failed: {', '.join(failed)}")


def _in_turn(
    arguments: argparse.Namespace, places: Sequence[tuple[Board, Path]]
) -> Iterator[tuple[str, str | Exception]]:
    """Build for one board after the other; yield the name of each, and what came of it."""
    for board, folder in places:
        try:
            yield board.name, _build_one(board, folder, arguments)
        except (BuildError, MissingExtraError, ValueError) as error:
            tell(f"loopline build: {error}")
            yield board.name, error


def _side_by_side(
    arguments: argparse.Namespace, places: Sequence[tuple[Board, Path]]
) -> Iterator[tuple[str, str | Exception]]:
    """Build for several boards at a time, each in a process of its own; yield the name of each, and
    what came of it. What a process prints is shown when it ends. The largest begin, so that no
    processor waits at the end for one of them."""
    options = [
        *("--seed", str(arguments.seed), "--baud", str(arguments.baud)),
        *("--variant", arguments.variant.name),
        *(() if arguments.evaluator is None else ("--evaluator", arguments.evaluator)),
        *(() if arguments.mhz is None else ("--mhz", str(arguments.mhz))),
        *(() if arguments.grid is None else ("--grid", str(arguments.grid))),
        *(() if arguments.ponder is None else ("--ponder", arguments.ponder)),
    ]
    program = (sys.executable, "-m", "loopline.boards", "build")
    places = sorted(places, key=lambda place: -place[0].preset.search.lanes)
    commands = [(*program, board.name, "--dir", str(folder), *options) for board, folder in places]
    with closing(run_side_by_side(commands, arguments.jobs)) as all_ended:
        for place, status, output, errors in all_ended:
            name = places[place][0].name
            print(errors, end="", file=sys.stderr, flush=True)
            print(output, end="", flush=True)
            said = (errors if status else output).splitlines()
            last = said[-1] if said else f"status {status}"
            if status:
                yield name, BuildError(last.removeprefix("loopline build: "))
            else:
                yield name, last.removeprefix(f"{name}: ")


def _report_before(board: Board, folder: Path, arguments: argparse.Namespace) -> Report | None:
    """Return the report of a bitstream that is there already; None also where a build will say what
    is wrong."""
    if board.status == "project":
        return None
    with suppress(ValueError, PackageNotFoundError):
        return built_before(board, folder, seed=arguments.seed, **_options(board, arguments))
    return None


def _parse_report(words: Sequence[str]) -> argparse.Namespace:
    width = max(map(len, UNITS))
    listed = "\n".join(f"  {unit.name:{width}}  {unit.summary}" for unit in UNITS.values())
    parser = Parser(
        prog="loopline report",
        description="Synthesise, place and route single units of the gateware, their ports behind "
        "registers, and print LUTs, flip-flops, RAMs and clock. Finished steps are kept and not "
        f"repeated.\n\nunits:\n{listed}",
        examples=["loopline report turn-unit --size 32 --family hx8k --seeds 5"],
    )
    add = parser.add_argument
    add("unit", nargs="+", metavar="UNIT", help="one of these, or all")
    add(
        "--size",
        type=power_of_two(8, 64),
        action="append",
        metavar="N",
        help="columns and rows of the grid: 8, 16, 32 or 64 (64); may be given again",
    )
    add(
        "--family",
        type=checked(find_part),
        action="append",
        metavar="NAME",
        help=f"{', '.join(PARTS)} (all); may be given again",
    )
    parser.add_value(
        "--seeds",
        whole_number(1, 999),
        "place and route with seeds 1 to N and print medians",
        default=1,
    )
    parser.add_value(
        "--units", whole_number(1, 999), "how many of each unit side by side", default=1
    )
    parser.add_value(
        "--jobs",
        whole_number(1, 999),
        "tools at a time",
        default=os.cpu_count() or 1,
        shown="as many as processors",
    )
    parser.add_value(
        "--dir",
        Path,
        "where finished steps are kept",
        default=Path("build") / "report",
        metavar="DIR",
    )
    parser.add_value(
        "--save",
        Path,
        "add the result to those in a folder, and draw history.svg there",
        metavar="DIR",
    )
    add("--json", action="store_true", help="print one JSON object")
    return parser.parse_args(words)


def _report(arguments: argparse.Namespace) -> None:
    parts = arguments.family or [find_part(name) for name in PARTS]
    jobs = jobs_of(
        find_units(arguments.unit),
        list(dict.fromkeys(arguments.size or _SIZES)),
        list(dict.fromkeys(parts)),
        arguments.units,
    )
    seeds = range(1, arguments.seeds + 1)

    def tell(row: Row) -> None:
        print(table([row]).splitlines()[-1], flush=True)

    if not arguments.json:
        print(table(()), flush=True)
    made_of = sources()
    rows = measure(
        jobs,
        seeds,
        arguments.dir,
        workers=arguments.jobs,
        tell=(lambda row: None) if arguments.json else tell,
    )
    result = as_json(rows, seeds, made_of)
    if arguments.json:
        print(json.dumps(result, indent=2))
    if arguments.save is not None:
        saved = save(result, arguments.save)
        picture = arguments.save / "history.svg"
        picture.write_text(draw_history(read_results(arguments.save)))
        print(f"saved as {saved}, drawn as {picture}", file=sys.stderr)


_COMMANDS = {
    "list": ("boards", "list the boards", _parse_list, _list),
    "build": ("build", "build the bitstream for a board", _parse_build, _build),
    "flash": ("flash", "write a bitstream to a board", parse_flash, run_flash),
    "tune": ("tune", "find a board's preset and clock by trying", parse_tune, run_tune),
    "verilog": ("verilog", "write a design or a unit as Verilog", parse_verilog, run_verilog),
    "report": ("report", "area and clock of single units", _parse_report, _report),
}
"""For each command: its name after ``loopline``, its summary, its parser, and its function."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command. Return 0 when done, 1 when a build or a programmer fails, 2 for wrong use, 130
    when interrupted, and 141 when the reader of the output has gone."""
    command, words = choose_command(
        "python -m loopline.boards",
        "Real boards and their bitstreams.",
        {name: summary for name, (_, summary, _, _) in _COMMANDS.items()},
        sys.argv[1:] if argv is None else argv,
        "python -m loopline.boards build hx8k",
    )
    name, _, parse, run = _COMMANDS[command]
    arguments = parse(words)
    try:
        # The tools that run are ended, too.
        with handled_endings(leave_gateware):
            run(arguments)
            sys.stdout.flush()
    except BrokenPipeError:
        return lose_output()
    except (ValueError, MissingExtraError, BuildError, FlashError, OSError) as error:
        tell(f"loopline {name}: {error}")
        return 2 if isinstance(error, ValueError | MissingExtraError) else 1
    except KeyboardInterrupt:
        forget_gateware()
        print("\ninterrupted", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
