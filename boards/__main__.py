"""The command line of the boards: ``python -m loopline.boards list|build|report``."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from loopline.boards.bitstream import BuildError, build
from loopline.boards.families import FAMILIES, find_family
from loopline.boards.history import draw_history, read_results
from loopline.boards.table import BOARDS, Board, find_board
from loopline.boards.unit_report import Row, as_json, jobs_of, measure, save, sources, table
from loopline.boards.units import UNITS, find_units
from loopline.game import STANDARD, variant_named
from loopline.hdl.config import GridConfig

_SIZES = (64,)


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m loopline.boards", description="Real boards and their bitstreams."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    listing = commands.add_parser(
        "list",
        prog="loopline boards",
        help="the boards that there are",
        epilog="example: loopline boards --json",
    )
    listing.add_argument("--json", action="store_true", help="as a JSON list")
    listing.set_defaults(parser=listing)

    building = commands.add_parser(
        "build",
        prog="loopline build",
        help="make a bitstream",
        epilog="example: loopline build hx8k --dir build/hx8k --seed 3",
    )
    building.add_argument("board", metavar="BOARD", help=", ".join(BOARDS))
    building.add_argument(
        "--dir", type=Path, metavar="DIR", help="where the files go (default: build/BOARD)"
    )
    building.add_argument("--seed", type=int, default=1, help="of place and route (default: 1)")
    building.add_argument(
        "--baud", type=int, default=115_200, help="of the contest link (default: 115200)"
    )
    building.add_argument("--mhz", type=float, help="the player's clock (default: the board's)")
    building.add_argument("--grid", type=int, help="8, 16, 32 or 64 (default: the board's)")
    building.add_argument(
        "--variant",
        metavar="NAME",
        default=STANDARD.name,
        help="what it plays: standard, limited, deluxe, loop, mini or limited-N "
        "(default: %(default)s)",
    )
    building.set_defaults(parser=building)
    _add_report(commands)
    return parser


def _add_report(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    width = max(map(len, UNITS))
    listed = "\n".join(f"  {unit.name:{width}}  {unit.summary}" for unit in UNITS.values())
    reporting = commands.add_parser(
        "report",
        prog="loopline report",
        help="LUTs, flip-flops, RAMs and clock of units alone",
        description="Synthesise, place and route units of the gateware alone, their ports behind\n"
        "registers, and print what they take. What has been done is kept and not done again.\n\n"
        f"units:\n{listed}",
        epilog="example: loopline report turn-unit --size 32 --family hx8k --seeds 5",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    reporting.add_argument("unit", nargs="+", metavar="UNIT", help="one of these, or all")
    reporting.add_argument(
        "--size",
        type=int,
        action="append",
        metavar="N",
        help="the grid's: 8, 16, 32 or 64 (default: 64); may be given again",
    )
    reporting.add_argument(
        "--family",
        action="append",
        metavar="NAME",
        help=f"{', '.join(FAMILIES)} (default: all); may be given again",
    )
    reporting.add_argument(
        "--seeds",
        type=int,
        default=1,
        metavar="N",
        help="place and route with seeds 1 to N and print medians (default: 1)",
    )
    reporting.add_argument(
        "--units",
        type=int,
        default=1,
        metavar="N",
        help="so many of each unit side by side (default: 1)",
    )
    reporting.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        metavar="N",
        help="tools at a time (default: %(default)s)",
    )
    reporting.add_argument(
        "--dir",
        type=Path,
        default=Path("build") / "report",
        metavar="DIR",
        help="where finished steps are kept (default: %(default)s)",
    )
    reporting.add_argument(
        "--save",
        type=Path,
        metavar="DIR",
        help="add the result to those in a folder, and draw history.svg there",
    )
    reporting.add_argument("--json", action="store_true", help="print one JSON object")
    reporting.set_defaults(parser=reporting)


def _report(arguments: argparse.Namespace) -> None:
    for option in ("seeds", "units", "jobs"):
        if (number := getattr(arguments, option)) < 1:
            raise ValueError(f"--{option} must be at least 1, not {number}")
    families = [find_family(name) for name in arguments.family or FAMILIES]
    jobs = jobs_of(
        find_units(arguments.unit),
        list(dict.fromkeys(arguments.size or _SIZES)),
        list(dict.fromkeys(families)),
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


def _list(as_json: bool) -> None:
    rows = [_row(board) for board in BOARDS.values()]
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    for row in rows:
        print(
            f"{row['name']:8} {row['title']}: {row['part']}, {row['clock_mhz']:g} MHz, "
            f"grid {row['grid']} x {row['grid']}, serial port on {row['serial']}"
        )


def _row(board: Board) -> dict[str, str | int | float]:
    return {
        "name": board.name,
        "title": board.title,
        "part": board.part,
        "clock_mhz": board.clock_hz / 1e6,
        "grid": board.grid.size,
        "serial": board.serial,
    }


def _build(arguments: argparse.Namespace) -> None:
    board = find_board(arguments.board)
    folder = arguments.dir or Path("build") / board.name
    grid = None if arguments.grid is None else GridConfig(size=arguments.grid)
    clock_hz = None if arguments.mhz is None else arguments.mhz * 1e6
    variant = variant_named(arguments.variant)
    print(f"{board.name}: synthesis, place and route; a minute or so ...", file=sys.stderr)
    built = build(
        board,
        folder,
        seed=arguments.seed,
        baud=arguments.baud,
        clock_hz=clock_hz,
        grid=grid,
        variant=variant,
    )
    print(f"{board.name}: {built.report}")
    print(f"{board.name}: {built.bitstream} (and with manifest and report: {built.archive})")


_RUN = {
    "list": ("boards", lambda arguments: _list(arguments.json)),
    "build": ("build", _build),
    "report": ("report", _report),
}
"""By command what it is called as a command of ``loopline``, and what runs it."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command: 0 when done, 1 when a build fails, 2 for wrong use, 130 when interrupted."""
    arguments, unknown = _parser().parse_known_args(argv)
    if unknown:
        # By the command's own parser, which names the command.
        arguments.parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    name, run = _RUN[arguments.command]
    # So that the tools that run are ended, too; but nohup is obeyed.
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda number, _: sys.exit(128 + number))
    try:
        run(arguments)
    except (ValueError, BuildError, OSError) as error:
        print(f"loopline {name}: {error}", file=sys.stderr)
        return 2 if isinstance(error, ValueError) else 1
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
