"""``python -m loopline.sim``: build the simulated board, then become it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from loopline.game import variant_named
from loopline.hdl.config import DesignConfig, GridConfig
from loopline.sim.board import board
from loopline.sim.native import BuildError

_EXAMPLE = """example:
  python -m loopline.sim --link /tmp/trax --stats
  python -m serial.tools.miniterm /tmp/trax        (in another terminal: type -T, then Enter)
  python -m loopline.sim --variant limited-10 --think-ms 100"""


class _Parser(argparse.ArgumentParser):
    """Says in one line what was wrong."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def _parser() -> argparse.ArgumentParser:
    design = DesignConfig()
    parser = _Parser(
        prog="python -m loopline.sim",
        description="Run the gateware as a simulated board behind a pseudo-terminal.",
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--link", metavar="PATH", help="symbolic link to the pseudo-terminal while the board runs")
    add("--pace", choices=board.PACES, default="free", help="default: %(default)s")
    add("--clock", metavar="HZ", type=int, default=design.clock_hz, help="default: %(default)s")
    add("--baud", metavar="N", type=int, default=design.baud, help="default: %(default)s")
    add("--grid", metavar="N", type=int, default=design.grid.size, help="default: %(default)s")
    add(
        "--variant",
        metavar="NAME",
        default=design.variant.name,
        help="what it plays: standard, limited, deluxe, loop, mini or limited-N; "
        "default: %(default)s",
    )
    add(
        "--think-ms",
        metavar="N",
        type=int,
        default=design.think_ms,
        help="time for a turn, by the board's own clock, 1 to 900; default: %(default)s",
    )
    add("--stats", action="store_true", help="print a line of JSON at the end")
    add("--log", action="store_true", help="print the cycles of each answer")
    return parser


def _check_link(path: str | None) -> None:
    """The board checks that, too; here it is before a build that may take its time."""
    if path is None:
        return
    if not Path(path).parent.is_dir():
        raise ValueError(f"--link {path}: there is no folder {Path(path).parent}")
    if os.path.lexists(path) and not Path(path).is_symlink():
        raise ValueError(f"--link {path}: exists and is not a symbolic link")


def main(words: Sequence[str] | None = None) -> int:
    """Run with these arguments; returns only after an error, with the exit status."""
    parent = os.getppid()
    parser = _parser()
    options = parser.parse_args(words)
    try:
        _check_link(options.link)
        grid = GridConfig(size=options.grid)
        config = DesignConfig(
            clock_hz=options.clock,
            baud=options.baud,
            grid=grid,
            think_ms=options.think_ms,
            variant=variant_named(options.variant),
        )
    except ValueError as error:
        parser.error(str(error))
    try:
        program = board.build(config)
    except BuildError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    command = board.command(
        program,
        clock=config.clock_hz,
        baud=config.baud,
        pace=options.pace,
        link=options.link,
        stats=options.stats,
        log=options.log,
        parent=parent,
    )
    os.execv(program, command)


if __name__ == "__main__":
    sys.exit(main())
