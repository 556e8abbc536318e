"""The subcommands of ``loopline``: which module has which, and what a command is.

Each module has a table ``COMMANDS`` of its commands by name. In ``programs``, the table names the
packages that are started as programs. A new command is a new entry in a module's table and a line
in ``SUBCOMMANDS``.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

__all__ = ["HEADINGS", "SUBCOMMANDS", "Command", "Subcommand"]


class Subcommand(NamedTuple):
    """The module of a command, and its line in the help of ``loopline``."""

    module: str
    summary: str


SUBCOMMANDS: Final = {
    "play": Subcommand("play", "play against a device in the terminal"),
    "puzzle": Subcommand("puzzle", "win positions by force, in the terminal"),
    "page": Subcommand("programs", "write the page that plays in a browser"),
    "serve": Subcommand("serve", "serve that page, with devices of this machine"),
    "demo": Subcommand("play", "watch a device play against a device"),
    "player": Subcommand("player", "let a device play over standard input and output"),
    "ugi": Subcommand("ugi", "let a player speak the Universal Game Interface (UGI)"),
    "referee": Subcommand("referee", "let two players play a game by the contest's rules"),
    "match": Subcommand("match", "play many games between two players and compare their strength"),
    "tournament": Subcommand("match", "play many games between three or more players"),
    "replay": Subcommand("replay", "play recorded games and say how each ended"),
    "analyse": Subcommand("analyse", "analyse every turn of recorded games"),
    "convert": Subcommand("convert", "write recorded games anew, in either notation"),
    "show": Subcommand("show", "draw a position or a whole game, as text or as a picture"),
    "moves": Subcommand("moves", "list the legal turns after some turns"),
    "perft": Subcommand("perft", "count the legal turn sequences"),
    "sim": Subcommand("programs", "run the simulated board as a serial device, until interrupted"),
    "trace": Subcommand("programs", "make turns in simulation, with a waveform"),
    "devices": Subcommand("devices", "list the serial ports and the devices there"),
    "info": Subcommand("info", "show a device's design, size, clock and features"),
    "stats": Subcommand("info", "show what a device has counted"),
    "selftest": Subcommand("info", "test whether a device works and plays by the rules"),
    "boards": Subcommand("programs", "list the boards"),
    "build": Subcommand("programs", "build the bitstream for a board, or fail"),
    "flash": Subcommand("programs", "write a bitstream to a board"),
    "tune": Subcommand("programs", "find a board's preset and clock by trying"),
    "verilog": Subcommand("programs", "write a design or a unit of it as plain Verilog"),
    "report": Subcommand("programs", "measure area and clock of single units of the gateware"),
    "presets": Subcommand("programs", "measure the designs that FPGAs have room for"),
    "bench": Subcommand("programs", "measure the gateware"),
}
"""The subcommands by name, as the help lists them."""

HEADINGS: Final = {
    "play": "play in the terminal",
    "player": "other programs, contests and matches",
    "replay": "games and positions",
    "sim": "simulated boards",
    "devices": "boards at serial ports",
    "boards": "bitstreams and gateware",
}
"""The headings in the help, by the command below each."""


@dataclass(frozen=True)
class Command:
    """One subcommand.

    Parameters
    ----------
    description : str
        What the help says, in paragraphs.
    examples : tuple of str
        Whole command lines, shown at the end of the help.
    configure : callable
        Adds the command's arguments to its parser.
    run : callable
        Does the work and returns the exit status.
    """

    description: str
    examples: tuple[str, ...]
    configure: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]
