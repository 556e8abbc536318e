"""``loopline moves``: the legal turns of a position."""

from __future__ import annotations

import argparse
import json

from loopline.game import format_old_turn, format_turn
from loopline.host.cli.commands import Command
from loopline.host.cli.options.notations import OLD, add_notation
from loopline.host.cli.options.positions import add_turns, position_after
from loopline.host.cli.options.variants import add_variant

__all__ = ["COMMAND"]


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


COMMAND = Command(
    name="moves",
    summary="list the legal turns after some turns",
    description=(
        "List the legal turns after some turns (none: the empty board), one per line, sorted by\n"
        "column, row and shape. After the end of a game there are none. Exit status 1 if a TURN\n"
        "is illegal, 2 if it cannot be read."
    ),
    examples=(
        "loopline moves",
        "loopline moves --json @0/ B1+",
        "loopline moves --variant mini --notation old A1C B1S",
    ),
    configure=_configure,
    run=_run,
)
