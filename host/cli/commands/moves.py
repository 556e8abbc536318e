"""``loopline moves``: the legal turns of a position."""

from __future__ import annotations

import argparse
import json

from loopline.game import format_old_turn, format_turn
from loopline.host.cli.commands import Command
from loopline.host.cli.options.positions import (
    OLD,
    add_notation,
    add_turns,
    add_variant,
    position_after,
)

__all__ = ["COMMANDS"]

_DESCRIPTION = """
List the legal turns after some turns (none: the empty board), one per line, sorted by column, row
and shape. After the end of a game the list is empty. Exit status 1 if a TURN is illegal, 2 if it
cannot be read.
"""


def _configure(parser: argparse.ArgumentParser) -> None:
    add_variant(parser)
    add_notation(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON list of strings")
    add_turns(parser)


def _run(arguments: argparse.Namespace) -> int:
    position = position_after(arguments.turns, arguments.variant)
    old = arguments.notation == OLD
    turns = [
        format_old_turn(position, turn) if old else format_turn(turn)
        for turn in position.legal_turns()
    ]
    if arguments.json:
        print(json.dumps(turns))
    else:
        for turn in turns:
            print(turn)
    return 0


COMMANDS = {
    "moves": Command(
        description=_DESCRIPTION,
        examples=(
            "loopline moves",
            "loopline moves --json @0/ B1+",
            "loopline moves --variant mini --notation old A1C B1S",
        ),
        configure=_configure,
        run=_run,
    )
}
