"""The boards that Loopline is built for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from amaranth.build import Platform
from amaranth_boards.ice40_hx8k_b_evn import ICE40HX8KBEVNPlatform

from loopline.hdl.config import Banks, GridConfig
from loopline.hdl.design import DesignConfig, FrameSet
from loopline.hdl.search.config import Pruning, SearchConfig, Widths

__all__ = [
    "BOARDS",
    "PRESETS",
    "UNSUPPORTED",
    "Board",
    "Preset",
    "Unsupported",
    "find_board",
    "find_preset",
    "table_rows",
]


@dataclass(frozen=True)
class Preset:
    """What a kind of FPGA has room for.

    Parameters
    ----------
    name : str
        Its name on the command line.
    parts : str
        The FPGAs.
    family : str
        The name of the family for which the preset is measured, one of ``FAMILIES``.
    clock_hz : int
        The clock that it should reach.
    search : SearchConfig
        The search, with the largest grid and tables that fit.
    frames : FrameSet
        The framed commands that fit.
    """

    name: str
    parts: str
    family: str
    clock_hz: int
    search: SearchConfig
    frames: FrameSet = FrameSet.FULL

    @property
    def design(self) -> DesignConfig:
        """The whole design."""
        return DesignConfig(clock_hz=self.clock_hz, search=self.search, frames=self.frames)


_SMALL = replace(
    SearchConfig(),
    plies=32,
    widths=Widths(evaluation=12),
    pruning=Pruning(killers=0),
)
"""A search that leaves out what is worth least for its cells; see docs/search.md."""

PRESETS = {
    preset.name: preset
    for preset in (
        Preset(
            name="hx8k",
            parts="iCE40-HX8K",
            family="hx8k",
            clock_hz=48_000_000,
            search=replace(_SMALL, grid=GridConfig(size=32, frontier_entries=128), table_bits=8),
            frames=FrameSet.CONTEST,
        ),
        Preset(
            name="ecp5",
            parts="ECP5 12F, 25F",
            family="ecp5",
            clock_hz=75_000_000,
            search=SearchConfig(grid=GridConfig(size=64, journal=512), table_bits=10),
        ),
        Preset(
            name="up5k",
            parts="iCE40UP5K",
            family="up5k",
            clock_hz=24_000_000,
            search=replace(
                _SMALL,
                grid=GridConfig(size=16, banks=Banks.SINGLE_PORT),
                table_bits=6,
                line=4,
                root_turns=64,
                pruning=Pruning(killers=0, locality=0),
            ),
            frames=FrameSet.CONTEST,
        ),
    )
}
"""All presets by name, one for each kind of FPGA."""


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
    search : SearchConfig
        The search, with the largest grid and tables that fit.
    frames : FrameSet
        The framed commands that fit.
    """

    name: str
    title: str
    part: str
    platform: Callable[[], Platform]
    clock_resource: str
    reference_hz: int
    clock_hz: int
    serial: str
    search: SearchConfig
    frames: FrameSet = FrameSet.FULL

    @property
    def grid(self) -> GridConfig:
        """The turn unit's memories."""
        return self.search.grid


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
            clock_hz=PRESETS["hx8k"].clock_hz,
            serial="USB, second channel of the FTDI chip",
            search=PRESETS["hx8k"].search,
            frames=PRESETS["hx8k"].frames,
        ),
    )
}
"""All boards by name."""


class Unsupported(NamedTuple):
    """Boards that Loopline is not built for: their names, their FPGAs, and why not."""

    title: str
    part: str
    reason: str


_ECHO = "no entry yet; an echo fits"
_PLAYER = "no entry yet; a player fits"

UNSUPPORTED = (
    Unsupported("Alchitry Cu", "iCE40HX8K", _ECHO),
    Unsupported("TinyFPGA BX", "iCE40LP8K", _ECHO),
    Unsupported("ULX3S", "ECP5 12F to 85F", _PLAYER),
    Unsupported("Colorlight i5, i9", "ECP5 25F, 45F", _ECHO),
    Unsupported("icepi-zero", "ECP5 25F", _ECHO),
    Unsupported("ECP5-5G-EVN", "ECP5-5G 85F", _ECHO),
    Unsupported("ECPIX-5", "ECP5-5G 85F", _ECHO),
    Unsupported("iCESugar-pro", "ECP5 25F", _ECHO),
    Unsupported("OrangeCrab", "ECP5 25F, 85F", _ECHO),
    Unsupported(
        "Colorlight 5A-75B",
        "ECP5 25F",
        f"{_ECHO}; its LED and the serial output share a pin",
    ),
    Unsupported("Tang Nano 9K", "GW1NR-9C", _PLAYER),
    Unsupported("Tang Nano 20K", "GW2AR-18C", _PLAYER),
    Unsupported("Tang Primer 20K", "GW2A-18", _ECHO),
    Unsupported("Tang Primer 25K", "GW5A-25A", _ECHO),
    Unsupported(
        "iCEBreaker, iCESugar, UPduino",
        "iCE40UP5K",
        "too small: a 16 × 16 grid takes 7343 of 5280 cells",
    ),
    Unsupported(
        "iCEstick, iCESugar-nano, Go board, Tang Nano 1K",
        "iCE40HX1K, LP1K; GW1NZ-1",
        "too small",
    ),
    Unsupported(
        "Arty A7, DE10-Nano",
        "Artix-7; Cyclone V",
        "pip has no place and route for these FPGAs",
    ),
    Unsupported(
        "boards with Nexus, MachXO2, GateMate",
        "",
        "Amaranth has no platform for these FPGAs or boards",
    ),
)
"""Popular boards, as they were tried with the tools that pip installs.

A design that fits has been built for the board, and not been run on it: a serial echo, or the
player of an earlier day.
"""


def table_rows() -> list[tuple[str, str, str, str]]:
    """Return name, title, FPGA and state of every board, the supported ones first."""
    return [
        *(
            (
                board.name,
                board.title,
                board.part,
                f"supported: {board.clock_hz / 1e6:g} MHz, {board.grid.size} × {board.grid.size}",
            )
            for board in BOARDS.values()
        ),
        *(("", *other) for other in UNSUPPORTED),
    ]


def find_board(name: str) -> Board:
    """Return the board of this name. Raises ``ValueError``, which lists all names."""
    try:
        return BOARDS[name]
    except KeyError:
        raise ValueError(f"no board {name!r}; there are: {', '.join(sorted(BOARDS))}") from None


def find_preset(name: str) -> Preset:
    """Return the preset of this name. Raises ``ValueError``, which lists all names."""
    try:
        return PRESETS[name]
    except KeyError:
        raise ValueError(f"no preset {name!r}; there are: {', '.join(PRESETS)}") from None
