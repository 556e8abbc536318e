"""``loopline show``: a position as text or as a picture."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path

from loopline.game import GameRecord, Position, RecordError, parse_game, split_games
from loopline.host.board_ascii import board_ascii
from loopline.host.board_svg import board_svg
from loopline.host.board_text import board_text
from loopline.host.commands import Command
from loopline.host.commands.positions import position_after
from loopline.host.errors import RefusalError, UsageError
from loopline.host.terminal import terminal_width, wants_colour
from loopline.host.theme import THEMES
from loopline.host.words import plural

__all__ = ["COMMAND"]

_FORMATS = ("text", "ascii", "svg")
_UNLIMITED = sys.maxsize
"""The width of text in a file: tiles are drawn in full, and none is cut."""


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of turns: use 0 or more")
    return int(text)


def _game_number(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of a game: use 1 or more")
    return int(text)


def _configure(parser: argparse.ArgumentParser) -> None:
    source = parser.add_mutually_exclusive_group()
    source.add_argument(
        "file", nargs="?", metavar="FILE", help="recorded games; - for standard input"
    )
    source.add_argument("--turns", metavar="TURNS", help="the game itself, such as '@0/ B1+'")
    parser.add_argument(
        "--game", type=_game_number, metavar="N", help="which game of FILE, from 1 (the default)"
    )
    parser.add_argument("--at", type=_number, metavar="N", help="after N turns; default: after all")
    parser.add_argument(
        "--format", choices=_FORMATS, help="what to write; default: by OUT's ending, or text"
    )
    yes_or_no = argparse.BooleanOptionalAction
    parser.add_argument("--last", action=yes_or_no, default=True, help="mark the last turn")
    parser.add_argument(
        "--labels", action=yes_or_no, default=None, help="name columns and rows (text always does)"
    )
    parser.add_argument(
        "--numbers", action="store_true", help="write the numbers of turns on tiles (svg)"
    )
    parser.add_argument("--theme", choices=sorted(THEMES), help="the colours (svg; default: light)")
    parser.add_argument(
        "-o", "--output", metavar="OUT", help="the file to write; default: the terminal"
    )


def _reason(error: OSError) -> str:
    return os.strerror(error.errno or 0)


def _recorded(name: str, number: int) -> GameRecord:
    """Return a game of a file. Bytes that are no text become signs of no turn."""
    source: str | int = sys.stdin.fileno() if name == "-" else name
    try:
        with open(
            source, encoding="utf-8-sig", errors="backslashreplace", closefd=name != "-"
        ) as lines:
            games = list(split_games(lines))
    except OSError as error:
        raise UsageError(f"cannot read {name}: {_reason(error)}") from error
    if number > len(games):
        raise UsageError(f"{name} holds {plural(len(games), 'game')}: there is no game {number}")
    try:
        return parse_game(games[number - 1])
    except RecordError as error:
        where = "standard input" if name == "-" else name
        raise RefusalError(f"{where}, {error}") from error


def _position(arguments: argparse.Namespace) -> Position:
    """Return the position that the command line asks for."""
    at: int | None = arguments.at
    if arguments.file is None:
        if arguments.game is not None:
            raise UsageError("--game picks a game of FILE, but there is no FILE")
        texts = (arguments.turns or "").split()
        _check(at, len(texts))
        return position_after(texts[:at])
    record = _recorded(arguments.file, arguments.game or 1)
    _check(at, len(record.turns))
    return replace(record, turns=record.turns[:at]).position()


def _check(at: int | None, turns: int) -> None:
    """Refuse to go on after the end."""
    if at is not None and at > turns:
        raise UsageError(f"--at {at}: the game has only {plural(turns, 'turn')}")


def _output(arguments: argparse.Namespace) -> Path | None:
    """Return the file to write; none means standard output."""
    return None if arguments.output in (None, "-") else Path(arguments.output)


def _format(arguments: argparse.Namespace) -> str:
    """Return the format, given or told by the output's name."""
    output = _output(arguments)
    by_name = "svg" if output and output.suffix.lower() == ".svg" else "text"
    chosen: str = arguments.format or by_name
    if chosen != "svg":
        for given, option in (
            (arguments.numbers, "--numbers"),
            (arguments.labels is False, "--no-labels"),
            (arguments.theme is not None, "--theme"),
        ):
            if given:
                raise UsageError(f"{option} is for --format svg, not for {chosen}")
    return chosen


def _draw(arguments: argparse.Namespace, position: Position, style: str) -> str:
    """Return the drawing, ended by a line feed."""
    last = position.history[-1] if arguments.last and position.turns else None
    if style == "svg":
        return board_svg(
            position,
            last=last,
            numbers=arguments.numbers,
            labels=arguments.labels is not False,
            theme=THEMES[arguments.theme or "light"],
        )
    to_file = _output(arguments) is not None
    width = _UNLIMITED if to_file else terminal_width()
    if style == "ascii":
        return board_ascii(position, last=last, width=width)
    colour = not to_file and wants_colour()
    return board_text(position, last=last, colour=colour, width=width)


def _run(arguments: argparse.Namespace) -> int:
    output = _output(arguments)
    drawing = _draw(arguments, _position(arguments), _format(arguments))
    if output is None:
        sys.stdout.write(drawing)
        return 0
    try:
        output.write_text(drawing, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {output}: {_reason(error)}") from error
    return 0


COMMAND = Command(
    name="show",
    summary="draw a position, as text or as a picture",
    description=(
        "Draw the position after a game's last turn, or after N turns; without a game, the empty\n"
        "board. FILE holds one game per line, or whole records as docs/records.md describes them.\n"
        "The last turn is marked, its own tile and those that it forced, and so is the winner's\n"
        "loop or line.\n\n"
        "text: box drawing characters, in colour on a terminal; ascii: plain characters; svg: a\n"
        "picture. Exit status 1 if a turn is illegal or FILE holds no proper game, 2 if TURNS,\n"
        "FILE or an option cannot be used."
    ),
    examples=(
        "loopline show --turns '@0/ B1\\ A2\\'",
        "loopline show game.txt --at 12 --numbers --theme dark -o game.svg",
    ),
    configure=_configure,
    run=_run,
)
