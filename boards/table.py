"""The boards that Loopline is built for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from amaranth.build import Platform
from amaranth_boards.ice40_hx8k_b_evn import ICE40HX8KBEVNPlatform

from loopline.hdl.config import GridConfig

__all__ = ["BOARDS", "Board", "find_board"]


@dataclass(frozen=True)
class Board:
    """A board: what a build has to know of it.

    Parameters
    ----------
    name : str
        Its name on the command line.
    title : str
        Its maker's name for it.
    part : str
        Its FPGA.
    platform : callable
        Makes Amaranth's platform, with resources ``uart`` 0 and ``led`` 0 to 7.
    clock_resource : str
        The clock pin that feeds the PLL, and ``reference_hz``, its frequency.
    clock_hz : int
        The player's clock, unless the builder asks for another.
    serial : str
        Where the contest link is.
    grid : GridConfig
        The largest that fits.
    """

    name: str
    title: str
    part: str
    platform: Callable[[], Platform]
    clock_resource: str
    reference_hz: int
    clock_hz: int
    serial: str
    grid: GridConfig = field(default_factory=GridConfig)


BOARDS = {
    board.name: board
    for board in (
        Board(
            name="hx8k",
            title="Lattice iCE40-HX8K breakout board (ICE40HX8K-B-EVN)",
            part="iCE40HX8K-CT256",
            platform=ICE40HX8KBEVNPlatform,
            clock_resource="clk12",
            reference_hz=12_000_000,
            clock_hz=48_000_000,
            serial="USB, second channel of the FTDI chip",
        ),
    )
}
"""All boards by name."""


def find_board(name: str) -> Board:
    """Return the board of this name. Raises ``ValueError``, which lists all names."""
    try:
        return BOARDS[name]
    except KeyError:
        raise ValueError(f"no board {name!r}; there are: {', '.join(sorted(BOARDS))}") from None
