"""The simulated board: a design compiled together with ``board.cc``, a program of its own.

The program offers the design's ``rx`` and ``tx`` pins, driven and sampled at the true bit timing,
as a pseudo-terminal. It ends on SIGTERM, SIGINT and SIGHUP, and with its parent if that is given,
and leaves no file behind. While the design is idle (its ``idle`` pin is high and both lines are at
rest) its clock stands still and the program waits without using the processor.
"""

from __future__ import annotations

import importlib.metadata
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import loopline.game
import loopline.hdl
from loopline.hdl.design import DesignConfig
from loopline.hdl.search.evaluation.weights import DEFAULT_WEIGHTS
from loopline.sim.native import compile_native, compile_wasm, to_rtlil
from loopline.tools.cache import cached

if TYPE_CHECKING:
    from amaranth.lib import wiring

__all__ = ["PACES", "build", "build_board", "build_module", "command", "player_rtlil"]

PACES = ("wall", "free", "real")
"""How fast the board is: as fast as the processor allows, with a limit on the time of a turn by the
PC's clock; as fast as the processor allows; or at most as fast as its own clock."""


_ANNOUNCE = "building the simulated board (once) ..."


def build_board(design: wiring.Component | str) -> Path:
    """Compile the simulated board of any design with the pins ``rx``, ``tx`` and ``idle``."""
    return compile_native(design, "board/board.cc", announce=_ANNOUNCE)


def build(config: DesignConfig) -> Path:
    """Compile the simulated board of a player, or take it from the cache; return the program."""
    return build_board(player_rtlil(config))


def build_module(config: DesignConfig) -> Path:
    """Compile a player's board to a WebAssembly module; return the file. See ``reactor.cc``."""
    announce = "building the simulated board for browsers (once) ..."
    return compile_wasm(player_rtlil(config), "board/reactor.cc", announce=announce)


def player_rtlil(config: DesignConfig) -> str:
    """Return a player's RTLIL, from the cache if neither configuration nor sources have changed.

    The build number is an input: a board is not compiled anew for each commit.
    """
    config = replace(config, build=None)

    def make(folder: Path, finished: Path) -> None:
        from loopline.hdl.top import Loopline

        (finished / "design.il").write_text(to_rtlil(Loopline(config)))

    folders = [Path(path) for package in (loopline.game, loopline.hdl) for path in package.__path__]
    sources = [path for folder in folders for path in sorted(folder.rglob("*.py"))]
    versions = [f"amaranth {importlib.metadata.version('amaranth')}", f"Python {sys.version}"]
    texts = [path.read_text() for path in (*sources, DEFAULT_WEIGHTS)]
    ingredients = [repr(config), *versions, *texts]
    return (cached(ingredients, make) / "design.il").read_text()


def command(
    program: Path,
    *,
    clock: int,
    baud: int,
    pace: str = "free",
    build_number: int = 0,
    link: str | None = None,
    stats: bool = False,
    log: bool = False,
    think_ms: int = 0,
    seed: int = 0,
    parent: int | None = None,
) -> list[str]:
    """Return the command line that runs a board.

    Parameters
    ----------
    program : Path
        From :func:`build`.
    clock, baud : int
        The design's clock in Hz and the rate of its serial line.
    pace : str
        One of :data:`PACES`.
    build_number : int
        The number of the build that a player says.
    link : str or None
        Path of a symbolic link to the pseudo-terminal, which exists as long as the board runs.
    stats : bool
        At the end print one line of JSON: cycles, bytes, answers and the slowest of them.
    log : bool
        Print a line for each answer, with the cycles from the end of the stop bit of the last byte
        of the line that it answers to its first start bit.
    think_ms : int
        The time for a turn with pace ``wall``.
    seed : int
        What the design's ``seed`` is.
    parent : int or None
        The process that starts the board, and whose end ends it. None: the board outlives it, and
        says how it is used and ended.
    """
    if pace not in PACES:
        raise ValueError(f"pace must be {', '.join(PACES[:-1])} or {PACES[-1]}, not {pace!r}")
    words = [str(program), "--clock", str(clock), "--baud", str(baud), "--pace", pace]
    words += ["--build", str(build_number)]
    words += ["--link", link] if link else []
    words += ["--stats"] if stats else []
    words += ["--log"] if log else []
    words += ["--think-ms", str(think_ms), "--seed", str(seed)]
    return [*words, *(["--parent", str(parent)] if parent is not None else [])]
