"""The game that ``show`` draws: from the command line, or one of a file."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from typing import NamedTuple

from loopline.game import (
    Ending,
    GameRecord,
    GameText,
    Position,
    RecordError,
    Variant,
    ending_of,
    parse_game,
    split_games,
)
from loopline.host.cli.options.files import file_name, open_games
from loopline.host.cli.options.positions import position_after
from loopline.host.cli.options.variants import add_variant
from loopline.host.errors import RefusalError, UsageError
from loopline.host.render.wording import plural

__all__ = ["Shown", "add_game", "reason", "shown_game"]


class Shown(NamedTuple):
    """A position with the game that led to it, and how that ended; none if it goes on there."""

    position: Position
    ending: Ending | None


def add_game(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that :func:`shown_game` reads."""
    source = parser.add_mutually_exclusive_group()
    source.add_argument(
        "file", nargs="?", metavar="FILE", help="recorded games; - for standard input"
    )
    source.add_argument("--turns", metavar="TURNS", help="the game itself, such as '@0/ B1+'")
    parser.add_argument(
        "--game", type=_game_number, metavar="N", help="which game of FILE, from 1 (the default)"
    )
    parser.add_argument("--at", type=_number, metavar="N", help="after N turns; default: after all")
    add_variant(parser, "what is played where no record says so")


def shown_game(arguments: argparse.Namespace) -> Shown:
    """Return what the command line asks for.

    Raises
    ------
    UsageError
        If there is no such file, game or turn, or a turn of the command line cannot be read.
    RefusalError
        If the record is wrong or a turn is illegal.
    """
    at: int | None = arguments.at
    variant: Variant = arguments.variant
    if arguments.file is None:
        if arguments.game is not None:
            raise UsageError("--game picks a game of FILE, but there is no FILE")
        texts = (arguments.turns or "").split()
        _check(at, len(texts))
        position = position_after(texts[:at], variant)
        return Shown(position, ending_of(position))
    record = _recorded(arguments.file, arguments.game or 1, variant)
    _check(at, len(record.turns))
    position = replace(record, turns=record.turns[:at]).position()
    whole = at is None or at == len(record.turns)
    return Shown(position, record.ending if whole else None)


def reason(error: OSError) -> str:
    """What the operating system says of a file."""
    return os.strerror(error.errno or 0)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of turns: use 0 or more")
    return int(text)


def _game_number(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of a game: use 1 or more")
    return int(text)


def _recorded(name: str, number: int, variant: Variant) -> GameRecord:
    """Return a game of a file. Bytes that are no text become signs of no turn."""
    count = 0
    with open_games(name) as lines:
        for count, game in enumerate(split_games(lines), start=1):
            if count == number:
                return _read(name, game, variant)
    raise UsageError(f"{name} holds {plural(count, 'game')}: there is no game {number}")


def _read(name: str, game: GameText, variant: Variant) -> GameRecord:
    try:
        return parse_game(game, variant)
    except RecordError as error:
        raise RefusalError(f"{file_name(name)}, {error}") from error


def _check(at: int | None, turns: int) -> None:
    """Refuse to go on after the end."""
    if at is not None and at > turns:
        raise UsageError(f"--at {at}: the game has only {plural(turns, 'turn')}")
