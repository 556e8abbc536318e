"""Find a board's preset and clock by trying, ``loopline tune``.

::

    presets, the largest first ──► clock ──► a build for each seed ──► all fast enough ──► record
                                     ▲                                       │
                                     └────────────── a slower one ◄──────────┘

``tuned.json`` has what was found, by board; :mod:`.table` reads it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from loopline.boards.bitstream import BuildError, BuiltBoard, MissedClockError, build
from loopline.boards.board import Board
from loopline.boards.families import Family
from loopline.boards.presets import PRESETS, Preset
from loopline.boards.report import Report
from loopline.boards.table import TUNED, find_board
from loopline.tools.arguments import Parser, checked, decimal_number, whole_number
from loopline.tools.sources import BITSTREAM, commit

__all__ = ["Tuned", "parse_tune", "record", "run_tune", "tune"]

_MHZ = 1_000_000
_SEEDS = 3
_MARGIN_PERCENT = 5.0
_ORDER = ("ecp5", "hx8k")
"""The presets that a board may have if not its own one alone, the largest first."""


@dataclass(frozen=True)
class Tuned:
    """What a board can do.

    Parameters
    ----------
    preset : Preset
        The largest that fits and has a clock.
    clock_hz : int
        The highest clock that all seeds reach with the margin.
    mhz_by_seed : tuple of float
        What the seeds, from 1 on, reach at that clock.
    """

    preset: Preset
    clock_hz: int
    mhz_by_seed: tuple[float, ...]


def tune(
    board: Board,
    folder: Path,
    *,
    seeds: int = _SEEDS,
    margin_percent: float = _MARGIN_PERCENT,
    build: Callable[..., BuiltBoard] = build,
    tell: Callable[[str], None] = lambda _text: None,
) -> Tuned:
    """Return the largest preset and the highest clock for a board.

    A clock is a whole number of MHz that the PLL makes, and no faster than the preset's. All
    ``seeds`` reach it, and ``margin_percent`` more. ``folder`` is where the builds go, one over the
    other. ``tell`` takes a line for each build. Raises :class:`BuildError` if there is none.
    """
    order = _ORDER if board.preset.name in _ORDER else (board.preset.name,)
    for preset in (PRESETS[name] for name in order):
        trial = replace(board, preset=preset)
        limit = float(preset.clock_hz)
        while (clock_hz := _clock(trial, limit)) is not None:
            try:
                reached = list(_reached(trial, clock_hz, folder, seeds, build, tell))
            except BuildError as error:
                tell(f"{preset.name}: {error}")
                break
            allowed = min(reached) * _MHZ / (1 + margin_percent / 100)
            if clock_hz <= allowed:
                return Tuned(preset, clock_hz, tuple(reached))
            limit = min(allowed, clock_hz - _MHZ)
    raise BuildError(f"{board.name}: no preset fits and meets a clock")


def _clock(board: Board, limit_hz: float) -> int | None:
    """Return the highest clock of whole MHz that the PLL makes exactly; None if there is none."""
    for mhz in range(int(limit_hz / _MHZ), 0, -1):
        try:
            pll = board.pll(board.reference_hz, float(mhz * _MHZ))
        except ValueError:
            continue
        if abs(pll.output_hz - mhz * _MHZ) < 1:
            return mhz * _MHZ
    return None


def _reached(
    board: Board,
    clock_hz: int,
    folder: Path,
    seeds: int,
    build: Callable[..., BuiltBoard],
    tell: Callable[[str], None],
) -> Iterator[float]:
    """Build with each seed; yield the MHz that the player's clock reaches.

    Raises :class:`BuildError` for a design that cannot be built.
    """
    for seed in range(1, seeds + 1):
        try:
            report: Report = build(board, folder, seed=seed, clock_hz=float(clock_hz)).report
        except MissedClockError as error:
            report = error.report
        clock = report.slowest
        reached = round(clock.achieved_mhz / clock.wanted_mhz * clock_hz / _MHZ, 2)
        wanted = f"{clock_hz / _MHZ:g} MHz"
        tell(f"{board.preset.name}, {wanted}, seed {seed}: {reached:.1f} MHz")
        yield reached


def record(board: Board, tuned: Tuned, path: Path = TUNED) -> None:
    """Write what was found to the file that the table of boards reads."""
    found = json.loads(path.read_text()) if path.exists() else {}
    found[board.name] = {
        "preset": tuned.preset.name,
        "clock_hz": tuned.clock_hz,
        "mhz_by_seed": list(tuned.mhz_by_seed),
        "commit": commit(*BITSTREAM),
    }
    path.write_text(json.dumps(dict(sorted(found.items())), indent=2) + "\n")


def parse_tune(words: Sequence[str]) -> argparse.Namespace:
    """Parse the arguments of ``loopline tune``."""
    parser = Parser(
        prog="loopline tune",
        description="Find the largest preset and the highest clock for a board, by building with "
        "several seeds, and record them for loopline build. That takes an hour or more.",
        examples=["loopline tune hx8k", "loopline tune ulx3s-12f --seeds 5 --dry-run"],
    )
    parser.add_argument(
        "board", type=checked(find_board), metavar="BOARD", help="one that loopline boards lists"
    )
    parser.add_value("--seeds", whole_number(1, 99), "build with seeds 1 to N", default=_SEEDS)
    parser.add_value(
        "--margin",
        decimal_number(0, 100),
        "how much faster than the clock each seed has to be, in percent",
        metavar="PERCENT",
        default=_MARGIN_PERCENT,
        shown=f"{_MARGIN_PERCENT:g}",
    )
    parser.add_value("--dir", Path, "where the builds go", metavar="DIR", shown="build/tune/BOARD")
    parser.add_argument("--dry-run", action="store_true", help="do not record what is found")
    return parser.parse_args(words)


def run_tune(arguments: argparse.Namespace) -> None:
    """Find what the arguments ask for, print and record it. Raises :class:`BuildError`."""
    board: Board = arguments.board
    if not isinstance(board.family, Family):
        raise BuildError(f"{board.name} can be tuned with {board.family.tool} only")
    if board.too_small:
        raise BuildError(f"{board.name} is too small: {board.too_small}")
    tuned = tune(
        board,
        arguments.dir or Path("build") / "tune" / board.name,
        seeds=arguments.seeds,
        margin_percent=arguments.margin,
        tell=lambda text: print(f"{board.name}: {text}", flush=True),
    )
    if not arguments.dry_run:
        record(board, tuned)
    print(f"{board.name}: preset {tuned.preset.name} at {tuned.clock_hz / _MHZ:g} MHz")
