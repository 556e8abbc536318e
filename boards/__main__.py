"""The command line of the boards: ``python -m loopline.boards list|build``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from loopline.game import STANDARD, variant_named
from loopline.hdl.config import GridConfig

from .bitstream import BuildError, build
from .table import BOARDS, Board, find_board


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
    return parser


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
    clock_hz = None if arguments.mhz is None else round(arguments.mhz * 1e6)
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


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command: 0 when done, 1 when a build fails, 2 for wrong use, 130 when interrupted."""
    arguments = _parser().parse_args(argv)
    listing = arguments.command == "list"
    try:
        if listing:
            _list(arguments.json)
        else:
            _build(arguments)
    except (ValueError, BuildError, OSError) as error:
        print(f"loopline {'boards' if listing else 'build'}: {error}", file=sys.stderr)
        return 2 if isinstance(error, ValueError) else 1
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
