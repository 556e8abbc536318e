"""``loopline perft``: counts of legal turn sequences, the usual check of a rules engine."""

from __future__ import annotations

import argparse

from loopline.game import Position, perft
from loopline.host.cli.commands import Command
from loopline.host.cli.options.positions import add_turns, add_variant, position_after
from loopline.host.cli.options.workers import add_workers, workers_of
from loopline.host.errors import UsageError
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

With --device a device counts, which checks its rules. The engine and boards with a candidate
evaluator (loopline sim --evaluator on) count up to three turns of all sequences at once; of others
the last turns are listed, which takes a hundred times as long, and more.
"""


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "depth", type=whole_number(1, 99), metavar="DEPTH", help="how many turns deep, from 1"
    )
    add_turns(parser)
    add_variant(parser, "the variant to count")
    add_workers(parser, "processes")
    parser.add_argument(
        "--device",
        metavar="DEVICE",
        help="count on this device: sim, engine, or a serial port's path, as loopline info has it",
    )


def _run(arguments: argparse.Namespace) -> int:
    position = position_after(arguments.turns, arguments.variant)
    if arguments.device is not None:
        _count_on_device(position, arguments)
        return 0
    alone = arguments.scheduler is None and arguments.concurrency == 1
    count = 1
    for depth in range(1, arguments.depth + 1):
        if alone or count <= _QUICK:
            count = perft(position, depth)
        else:
            count = _share(position, depth, arguments)
        print(depth, count, flush=True)
    return 0


def _count_on_device(position: Position, arguments: argparse.Namespace) -> None:
    """Print the counts of a device."""
    # Imported here, as for many processes.
    from loopline.host.device import open_device
    from loopline.host.device.perft import device_perft

    if arguments.scheduler or arguments.concurrency:
        raise UsageError("with --device there is nothing for other processes to do")
    with open_device(arguments.device) as device:
        for depth in range(1, arguments.depth + 1):
            turns = [played.turn for played in position.history]
            print(depth, device_perft(device, depth, turns, position.variant), flush=True)


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
            "loopline perft 4 --device engine",
        ),
        configure=_configure,
        run=_run,
    )
}
