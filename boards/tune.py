"""Find a board's preset and clock by trying, ``loopline tune``.

::

    presets, the largest first ──► clock ──► a build for each seed ──► all fast enough ──► record
                                     ▲                  │                    │
                                     ├── a slower one ◄─┘ the first that is not
                                     └── a faster one, if they have room for it ◄─┘

``tuned.json`` has what was found, by board; :mod:`.table` reads it.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from loopline.boards.bitstream import (
    BuildError,
    BuiltBoard,
    MachineError,
    MissedClockError,
    build,
)
from loopline.boards.board import Board
from loopline.boards.families import MHZ, Family
from loopline.boards.presets import PRESETS, Preset
from loopline.boards.report import Report
from loopline.boards.table import BOARDS, TUNED, find_board
from loopline.tools.arguments import Parser, checked, decimal_number, whole_number
from loopline.tools.extras import MissingExtraError, require
from loopline.tools.messages import tell
from loopline.tools.sources import BITSTREAM, commit

__all__ = ["Tuned", "parse_tune", "record", "run_tune", "tune"]

_SEEDS = 3
_ORDER = ("ecp5", "hx8k")
"""The presets that a board may have if not its own one alone, the largest first."""

_LARGER = {
    "-12F": ("ecp5-25f",),
    "-25F": ("ecp5-25f",),
    "-45F": ("ecp5-45f", "ecp5-25f"),
    "-85F": ("ecp5-85f", "ecp5-45f", "ecp5-25f"),
    "GW2A": ("gw2a-18",),
    "GW5A": ("gw5a-25",),
}
"""Larger ones that come before them, by what the name of the FPGA has in it. A 12F is a 25F of
which the vendor's tool uses half."""

_UNROUTED = {"orangecrab-85f": ("ecp5-85f",)}
"""Presets that fit a board and whose wires nextpnr does not route, or not within an hour: see
``docs/log/synthesis.md``."""


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
    margin_percent: float | None = None,
    highest_hz: float | None = None,
    build: Callable[..., BuiltBoard] = build,
    tell: Callable[[str], None] = lambda _text: None,
) -> Tuned:
    """Return the largest preset and the highest clock for a board.

    A clock is a whole number of MHz that the PLL makes, and no faster than ``highest_hz`` if that
    is given; the preset's clock is the first one to be tried if not. All ``seeds`` reach it, and
    ``margin_percent`` more, the family's unless given; at a clock that one has missed no other is
    built. ``folder`` is where the builds go, one over the other. ``tell`` takes a line for each
    build. Raises ``ValueError`` if the PLL makes no clock up to ``highest_hz``, and
    :class:`BuildError` if there is none that is met, or if the machine ends a build.
    """
    assert isinstance(board.family, Family)
    if highest_hz is not None and _clock(board, highest_hz) is None:
        raise ValueError(
            f"the PLL of {board.name} makes no whole number of MHz up to {highest_hz / MHZ:g}"
        )
    if margin_percent is None:
        margin_percent = board.family.margin_percent
    for preset in (PRESETS[name] for name in _presets(board)):
        trial = replace(board, preset=preset)
        try:
            tuned = _fastest(trial, highest_hz, folder, seeds, margin_percent, build, tell)
        except MachineError:
            raise  # A smaller preset would be taken for the largest.
        except BuildError as error:
            tell(f"{preset.name}: {error}")
            continue
        if tuned is not None:
            return tuned
    raise BuildError(f"{board.name}: no preset fits and meets a clock")


def _presets(board: Board) -> tuple[str, ...]:
    """Return the names of the presets to try, the largest first."""
    largest = [names for part, names in _LARGER.items() if part in board.part]
    if board.preset.name not in {*_ORDER, *itertools.chain(*largest)}:
        return (board.preset.name,)
    names = (*itertools.chain(*largest), *_ORDER)
    return tuple(each for each in names if each not in _UNROUTED.get(board.name, ()))


def _fastest(
    board: Board,
    highest_hz: float | None,
    folder: Path,
    seeds: int,
    margin_percent: float,
    build: Callable[..., BuiltBoard],
    tell: Callable[[str], None],
) -> Tuned | None:
    """Return the highest clock for the board's preset; None if there is none.

    It begins with ``highest_hz``, or with the preset's clock and goes up from there as long as
    there is room; between a clock that is met and one that is missed the one in the middle is next.
    A seed that cannot be built at a clock has missed it, once a slower clock was met. Raises
    :class:`BuildError` for a design that cannot be built before that.
    """
    found: Tuned | None = None
    limit = highest_hz or board.preset.clock_hz
    missed = math.inf
    while (clock_hz := _clock(board, min(limit, missed - MHZ))) is not None:
        if found is not None and clock_hz <= found.clock_hz:
            break
        reached: list[float] = []
        for seed in range(1, seeds + 1):
            trial = f"{board.preset.name}, {clock_hz / MHZ:g} MHz, seed {seed}"
            try:
                reached.append(_reached(board, clock_hz, folder, seed, build))
            except MachineError:
                raise
            except BuildError as error:
                if found is None:
                    raise
                tell(f"{trial}: {error}")
                reached.append(0.0)
            else:
                tell(f"{trial}: {reached[-1]:.1f} MHz")
            limit = min(reached) * MHZ / (1 + margin_percent / 100)
            if limit < clock_hz:
                missed = clock_hz
                if found is not None:
                    limit = (found.clock_hz + missed) / 2
                break
        else:
            found = Tuned(board.preset, clock_hz, tuple(reached))
            if highest_hz is not None:
                break
    return found


def _clock(board: Board, limit_hz: float) -> int | None:
    """Return the highest clock of whole MHz that the PLL makes exactly; None if there is none."""
    for mhz in range(int(limit_hz / MHZ), 0, -1):
        try:
            pll = board.pll(board.reference_hz, float(mhz * MHZ))
        except ValueError:
            continue
        if abs(pll.output_hz - mhz * MHZ) < 1:
            return mhz * MHZ
    return None


def _reached(
    board: Board, clock_hz: int, folder: Path, seed: int, build: Callable[..., BuiltBoard]
) -> float:
    """Build with a seed; return the MHz that the player's clock reaches."""
    try:
        report: Report = build(board, folder, seed=seed, clock_hz=float(clock_hz)).report
    except MissedClockError as error:
        report = error.report
    clock = report.slowest
    return round(clock.achieved_mhz / clock.wanted_mhz * clock_hz / MHZ, 2)


def record(board: Board, tuned: Tuned, source: str | None, path: Path = TUNED) -> None:
    """Write what was found to the file that the table of boards reads, with the commit ``source``
    of the files before it was written to. The file is replaced as a whole: no command starts with
    half of it."""
    found = json.loads(path.read_text()) if path.exists() else {}
    found[board.name] = {
        "preset": tuned.preset.name,
        "clock_hz": tuned.clock_hz,
        "mhz_by_seed": list(tuned.mhz_by_seed),
        "commit": source,
    }
    part = path.with_suffix(".part")
    try:
        part.write_text(json.dumps(dict(sorted(found.items())), indent=2) + "\n")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def parse_tune(words: Sequence[str]) -> argparse.Namespace:
    """Parse the arguments of ``loopline tune``."""
    parser = Parser(
        prog="loopline tune",
        description="Find the largest preset and the highest clock for boards, one after the "
        "other, by building with several seeds, and record them for loopline build. That takes "
        "from five minutes to some hours for each.",
        examples=["loopline tune hx8k", "loopline tune ulx3s-12f ulx3s-25f --seeds 5 --dry-run"],
    )
    parser.add_argument(
        "boards",
        nargs="+",
        type=checked(_find_boards),
        metavar="BOARD",
        help="one that loopline boards lists, or all",
    )
    parser.add_value("--seeds", whole_number(1, 99), "build with seeds 1 to N", default=_SEEDS)
    parser.add_value(
        "--margin",
        decimal_number(0, 100),
        "how much faster than the clock each seed has to be, in percent",
        metavar="PERCENT",
        shown="5; for Gowin 50",
    )
    parser.add_value(
        "--clock",
        decimal_number(1, 1000),
        "the highest clock to try, which saves the time for faster ones",
        metavar="MHZ",
        shown="from the preset's upwards",
    )
    parser.add_value(
        "--dir",
        Path,
        "where the builds go; for several boards each has a folder in it",
        metavar="DIR",
        shown="build/tune/BOARD",
    )
    parser.add_argument("--dry-run", action="store_true", help="do not record what is found")
    return parser.parse_args(words)


def _find_boards(name: str) -> tuple[Board, ...]:
    """Return the board of this name, or ``all`` that can be tuned. Raises ``ValueError``."""
    if name == "all":
        return tuple(board for board in BOARDS.values() if board.status == "bitstream")
    return (find_board(name),)


def run_tune(arguments: argparse.Namespace) -> None:
    """Find what the arguments ask for, print and record it.

    Raises :class:`BuildError` if a board failed, after the turns of all others.
    """
    named = {board.name: board for boards in arguments.boards for board in boards}
    source = commit(*BITSTREAM)
    folder = arguments.dir or Path("build") / "tune"
    if len(named) == 1:
        ((name, board),) = named.items()
        _tune_one(board, arguments.dir or folder / name, arguments, source)
        return
    failed = []
    for name, board in named.items():
        try:
            _tune_one(board, folder / name, arguments, source)
        except (BuildError, MissingExtraError, ValueError) as error:
            tell(f"loopline tune: {error}")
            failed.append(name)
    if failed:
        raise BuildError(f"{len(failed)} of {len(named)} boards failed: {', '.join(failed)}")


def _tune_one(
    board: Board, folder: Path, arguments: argparse.Namespace, source: str | None
) -> None:
    """Find, print and record what one board can do."""
    if not isinstance(board.family, Family):
        raise BuildError(f"{board.name} can be tuned with {board.family.tool} only")
    if board.too_small:
        raise BuildError(f"{board.name} is too small: {board.too_small}")
    require(f"the board {board.name}", board.family.extra)
    tuned = tune(
        board,
        folder,
        seeds=arguments.seeds,
        margin_percent=arguments.margin,
        highest_hz=arguments.clock and arguments.clock * MHZ,
        tell=lambda text: print(f"{board.name}: {text}", flush=True),
    )
    clock = f"{tuned.clock_hz / MHZ:g} MHz"
    print(f"{board.name}: preset {tuned.preset.name} at {clock}", flush=True)
    if not arguments.dry_run:
        record(board, tuned, source)
