"""``loopline convert``: rewrite recorded games as whole records, in one notation."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from loopline.game import GameRecord, RecordError, Variant, format_records, parse_game, split_games
from loopline.host.cli.commands import Command
from loopline.host.cli.options.files import (
    add_record_variant,
    file_name,
    open_games,
    replace_file,
)
from loopline.host.cli.options.positions import OLD, add_notation
from loopline.host.errors import RefusalError
from loopline.tools.messages import tell

__all__ = ["COMMANDS"]

_DESCRIPTION = """
Read games as loopline replay does and write them as whole records, with tags, turn numbers,
comments and the result, all turns in one notation (docs/notation.md). Exit status 1 if a game is
illegal or cannot be read: then nothing is written, or with --keep-going all games but the wrong
ones.
"""


def _configure(parser: argparse.ArgumentParser) -> None:
    add_notation(parser)
    add_record_variant(parser)
    parser.add_argument(
        "-k", "--keep-going", action="store_true", help="leave out wrong games, and name them"
    )
    parser.add_argument(
        "-o", "--output", default="-", metavar="OUT", help="the file to write; default: stdout"
    )
    parser.add_argument("file", metavar="FILE", help="the file to read, - for standard input")


class _Games:
    """The games of a file. A wrong game is reported and left out, or ends the program."""

    def __init__(self, name: str, variant: Variant, keep_going: bool) -> None:
        self.wrong = 0
        self._name = name
        self._variant = variant
        self._keep_going = keep_going

    def __iter__(self) -> Iterator[GameRecord]:
        with open_games(self._name) as lines:
            for text in split_games(lines):
                try:
                    yield parse_game(text, self._variant)
                except RecordError as error:
                    message = f"{file_name(self._name)}, {error}"
                    if not self._keep_going:
                        raise RefusalError(message) from error
                    tell(f"loopline convert: {message}")
                    self.wrong += 1


def _run(arguments: argparse.Namespace) -> int:
    games = _Games(arguments.file, arguments.variant, arguments.keep_going)
    # All games are read before the first is written: OUT may be FILE, and stays as it is after an
    # error.
    data = format_records(games, old_notation=arguments.notation == OLD).encode()
    if arguments.output == "-":
        sys.stdout.buffer.write(data)
    else:
        replace_file(Path(arguments.output), data)
    return 1 if games.wrong else 0


COMMANDS = {
    "convert": Command(
        description=_DESCRIPTION,
        examples=(
            "loopline convert --notation old games.txt",
            "loopline convert games.txt -o games.txt",
            "loopline convert --keep-going --variant limited - < lines.txt",
        ),
        configure=_configure,
        run=_run,
    )
}
