"""``loopline perft``: counts of legal turn sequences, the usual check of a rules engine."""

from __future__ import annotations

import argparse

from loopline.game import Position, perft
from loopline.host.cli.commands import Command
from loopline.host.cli.options.positions import add_turns, add_variant, position_after
from loopline.host.cli.options.workers import add_workers, workers_of
from loopline.tools.arguments import whole_number

__all__ = ["COMMANDS"]

_QUICK = 50_000
"""Up to this count, the next depth is counted in this process: sharing would take longer."""

_DESCRIPTION = """
Count the sequences of legal turns from a position: one line 'depth count' for each depth up to
DEPTH, as soon as it is known. Finished games are not continued.

Large counts are shared between all processors, or the workers of a Dask scheduler; positions that
are equal when moved, turned, mirrored or with the colours exchanged are then counted once. With
--processes 1 each sequence is counted by itself.
"""


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "depth", type=whole_number(1, 99), metavar="DEPTH", help="how many turns deep, from 1"
    )
    add_turns(parser)
    add_variant(parser, "the variant to count")
    add_workers(parser, "processes")


def _run(arguments: argparse.Namespace) -> int:
    position = position_after(arguments.turns, arguments.variant)
    alone = arguments.scheduler is None and arguments.concurrency == 1
    count = 1
    for depth in range(1, arguments.depth + 1):
        if alone or count <= _QUICK:
            count = perft(position, depth)
        else:
            count = _share(position, depth, arguments)
        print(depth, count, flush=True)
    return 0


def _share(position: Position, depth: int, arguments: argparse.Namespace) -> int:
    """Count on many processes, with a progress bar."""
    # Imported here: shallow counts start without the libraries.
    from loopline.host.cluster.perft import deep_perft
    from loopline.host.ui.progress import console, progress

    with progress(console(error=True), f"depth {depth}", "tasks", lines=0) as update:
        return deep_perft(position, depth, workers_of(arguments), update)


COMMANDS = {
    "perft": Command(
        description=_DESCRIPTION,
        examples=(
            "loopline perft 4",
            "loopline perft 2 @0/ B1+",
            "loopline perft 6 --variant mini",
            "loopline perft 7 --scheduler tcp://10.0.0.1:8786",
        ),
        configure=_configure,
        run=_run,
    )
}
