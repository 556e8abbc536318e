"""The boards that Loopline is built for."""

from __future__ import annotations

from typing import NamedTuple

from amaranth_boards.ice40_hx8k_b_evn import ICE40HX8KBEVNPlatform

from loopline.boards.board import Board, Programmer
from loopline.boards.families import ice40
from loopline.boards.pins import Led
from loopline.boards.presets import PRESETS

__all__ = ["BOARDS", "UNSUPPORTED", "Unsupported", "find_board", "table_rows"]


def _leds(count: int) -> tuple[Led, ...]:
    """Return the resources ``led`` 0 to ``count - 1``."""
    return tuple(Led("led", number) for number in range(count))


BOARDS = {
    board.name: board
    for board in (
        Board(
            name="hx8k",
            title="Lattice iCE40-HX8K breakout board (ICE40HX8K-B-EVN)",
            part="iCE40HX8K-CT256",
            platform=ICE40HX8KBEVNPlatform,
            family=ice40.ICE40,
            pll=ice40.find_pll,
            clock_resource="clk12",
            clock_hz=48_000_000,
            preset=PRESETS["hx8k"],
            serial="USB, second channel of the FTDI chip",
            leds=_leds(8),
            programmer=Programmer("iceprog", sram=("-S",), flash=()),
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
