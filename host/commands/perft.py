"""``loopline perft``: counts of legal turn sequences, the usual check of a rules engine."""

from __future__ import annotations

import argparse

from loopline.game import perft
from loopline.host.commands import Command
from loopline.host.commands.positions import add_turns, position_after

__all__ = ["COMMAND"]


def _depth(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no depth: use a number from 1")
    return int(text)


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("depth", type=_depth, metavar="DEPTH", help="how many turns deep, from 1")
    add_turns(parser)


def _run(arguments: argparse.Namespace) -> int:
    position = position_after(arguments.turns)
    for depth in range(1, arguments.depth + 1):
        print(depth, perft(position, depth), flush=True)
    return 0


COMMAND = Command(
    name="perft",
    summary="count the legal turn sequences",
    description=(
        "Count the sequences of legal turns from a position: one line 'depth count' for each\n"
        "depth up to DEPTH, as soon as it is known. Finished games are not continued."
    ),
    examples=("loopline perft 4", "loopline perft 2 @0/ B1+"),
    configure=_configure,
    run=_run,
)
