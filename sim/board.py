"""The simulated board: a design compiled together with ``board.cc``, a program of its own.

The program offers the design's ``rx`` and ``tx`` pins, driven and sampled at the true bit timing,
as a pseudo-terminal. It ends on SIGTERM, SIGINT and SIGHUP and when its parent dies, and leaves no
file behind. While the design is idle (its ``idle`` pin is high and both lines are at rest) its
clock stands still and the program waits without using the processor.
"""

from __future__ import annotations

import os
from pathlib import Path

from amaranth.lib import wiring

from loopline.hdl.config import DesignConfig

from .native import compile_native

__all__ = ["PACES", "build", "build_board", "command"]

PACES = ("free", "real")
"""As fast as the processor can, or slowed down to the board's own clock."""


def build_board(component: wiring.Component) -> Path:
    """Compile the simulated board of any component with the pins ``rx``, ``tx`` and ``idle``."""
    announce = "building the simulated board (once) ..."
    return compile_native(component, "board.cc", announce=announce)


def build(config: DesignConfig) -> Path:
    """Compile the simulated board of a player, or find it in the cache; return the program."""
    from loopline.hdl.top import Loopline

    return build_board(Loopline(config))


def command(
    program: Path,
    *,
    clock: int,
    baud: int,
    pace: str = "free",
    link: str | None = None,
    stats: bool = False,
    log: bool = False,
    parent: int | None = None,
) -> list[str]:
    """The command line that runs a board.

    Parameters
    ----------
    program : Path
        What :func:`build` returned.
    clock, baud : int
        The design's clock in Hz and the rate of its serial line.
    pace : str
        One of :data:`PACES`.
    link : str or None
        Path of a symbolic link to the pseudo-terminal, which exists as long as the board runs.
    stats : bool
        At the end print one line of JSON: cycles, bytes, answers and the slowest of them.
    log : bool
        Print a line for each answer, with the cycles from the end of the stop bit of the last byte
        of the line that it answers to its first start bit.
    parent : int or None
        The process whose death ends the board; by default the one that starts it.
    """
    if pace not in PACES:
        raise ValueError(f"pace must be {' or '.join(PACES)}, not {pace!r}")
    words = [str(program), "--clock", str(clock), "--baud", str(baud), "--pace", pace]
    words += ["--link", link] if link else []
    words += ["--stats"] if stats else []
    words += ["--log"] if log else []
    return [*words, "--parent", str(os.getpid() if parent is None else parent)]
