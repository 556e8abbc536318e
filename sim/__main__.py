"""``loopline sim``, also ``python -m loopline.sim``: build the simulated board, then become it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from loopline.game import VARIANT_NAMES, variant_named
from loopline.hdl.config import SEED_BITS
from loopline.hdl.design import DesignConfig
from loopline.hdl.search.config import MOST_LANES, SearchConfig
from loopline.sim.board import board
from loopline.sim.native import BuildError
from loopline.tools.arguments import Parser, checked, power_of_two, seed_from_time, whole_number
from loopline.tools.messages import tell
from loopline.tools.signals import handled_endings
from loopline.tools.sources import SIMULATED_BOARD, build_number
from loopline.tools.unbuilt import forget_gateware, leave_gateware


def _parser() -> Parser:
    design = DesignConfig()
    parser = Parser(
        prog="loopline sim",
        description="Run the gateware as a simulated board behind a pseudo-terminal.",
        examples=[
            "loopline sim --link /tmp/trax",
            "loopline play --device /tmp/trax     # in another terminal",
            "loopline sim --variant limited-10 --think-ms 100",
        ],
    )
    add = parser.add_argument
    parser.add_value(
        "--link", Path, "symbolic link to the pseudo-terminal while the board runs", metavar="PATH"
    )
    add(
        "--pace",
        choices=board.PACES,
        default="wall",
        help="wall: as fast as it can, a turn within --think-ms by the PC's clock; "
        "free: by its own clock; real: at most as fast as a real board (%(default)s)",
    )
    parser.add_value(
        "--clock", whole_number(1), "the board's clock", default=design.clock_hz, metavar="HZ"
    )
    parser.add_value("--baud", whole_number(1), "the rate of the contest link", default=design.baud)
    parser.add_value(
        "--grid",
        power_of_two(8, 64),
        "columns and rows of the grid: 8, 16, 32 or 64",
        default=design.grid.size,
    )
    parser.add_value(
        "--lanes",
        whole_number(1, MOST_LANES),
        f"the searches side by side, 1 to {MOST_LANES}",
        default=design.search.lanes,
    )
    parser.add_value(
        "--variant",
        checked(variant_named),
        f"what the board plays: {VARIANT_NAMES}",
        default=design.variant,
        metavar="NAME",
        shown="standard",
    )
    parser.add_value(
        "--think-ms",
        whole_number(1, 900),
        "time for a turn, 1 to 900; see --pace",
        default=design.think_ms,
    )
    parser.add_value(
        "--seed",
        whole_number(0, (1 << SEED_BITS) - 1),
        f"the same games each time, 0 to {(1 << SEED_BITS) - 1}",
        shown="from the time",
    )
    add(
        "--ponder",
        choices=("off", "on"),
        default="off",
        help="on: the board thinks on the opponent's time, too, and so keeps a core busy (off)",
    )
    add(
        "--evaluator",
        choices=("off", "on"),
        default="off",
        help="on: the board evaluates candidates without making them, and counts turns (off)",
    )
    add("--stats", action="store_true", help="print a line of JSON at the end")
    add("--log", action="store_true", help="print the cycles of each answer")
    add("--with-parent", action="store_true", help="end with the program that started it")
    return parser


def _check_link(path: Path) -> None:
    """Refuse what the board would refuse later, after a build that may take minutes, and a link to
    something else than a terminal: the board would take its place. One that was left behind leads
    to nothing, or to another terminal."""
    try:
        if not path.parent.is_dir():
            raise ValueError(f"--link {path}: there is no folder {path.parent}")
        if os.path.lexists(path) and not path.is_symlink():
            raise ValueError(f"--link {path}: exists and is not a symbolic link")
        if path.exists() and not path.is_char_device():
            raise ValueError(f"--link {path}: is a link to {path.resolve()}, which is no terminal")
    except OSError as error:
        raise ValueError(f"--link {path}: {error.strerror}") from error


def main(words: Sequence[str] | None = None) -> int:
    """Run with these arguments; returns only after an error, with the exit status."""
    parent = os.getppid()
    parser, design = _parser(), DesignConfig()
    options = parser.parse_args(words)
    try:
        if options.link is not None:
            _check_link(options.link)
        seed = seed_from_time() if options.seed is None else options.seed
        config = DesignConfig(
            clock_hz=options.clock,
            baud=options.baud,
            search=SearchConfig(grid=replace(design.grid, size=options.grid), lanes=options.lanes),
            # By the PC's clock a turn is limited while the board runs: one board for all limits.
            think_ms=design.think_ms if options.pace == "wall" else options.think_ms,
            variant=options.variant,
            evaluator=options.evaluator == "on",
            ponder=options.ponder == "on",
        )
    except ValueError as error:
        parser.error(str(error))
    try:
        # A build that is ended leaves neither its tools nor its folder.
        with handled_endings(leave_gateware):
            program = board.build(config)
    except BuildError as error:
        tell(f"{parser.prog}: {error}")
        return 1
    except KeyboardInterrupt:
        forget_gateware()
        print("\ninterrupted", file=sys.stderr)
        return 130
    command = board.command(
        program,
        clock=config.clock_hz,
        baud=config.baud,
        pace=options.pace,
        build_number=build_number(*SIMULATED_BOARD),
        link=options.link and str(options.link),
        stats=options.stats,
        log=options.log,
        think_ms=options.think_ms,
        seed=seed,
        parent=parent if options.with_parent else None,
    )
    try:
        os.execv(program, command)
    except OSError as error:
        tell(f"{parser.prog}: {program} does not run: {error.strerror}")
        return 1


if __name__ == "__main__":
    sys.exit(main())
