"""The processes that share long work, on the command line."""

from __future__ import annotations

import argparse

from loopline.host.cluster.spread import Workers
from loopline.tools.arguments import whole_number
from loopline.tools.extras import require

__all__ = ["add_workers", "workers_of"]


def add_workers(parser: argparse.ArgumentParser, what: str) -> None:
    """Add ``--concurrency`` and ``--scheduler``; ``what`` names what is done at one time."""
    parser.add_argument(
        "--concurrency",
        "--processes",
        type=whole_number(1, 1_000_000),
        metavar="N",
        help=f"how many {what} at one time (one per processor, 1 without the extra cluster)",
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="use the workers of this Dask scheduler, such as tcp://10.0.0.1:8786",
    )


def workers_of(arguments: argparse.Namespace) -> Workers:
    """Return the workers that the arguments name.

    Raises :exc:`MissingExtraError` if they need the extra ``cluster``, and it is not installed.
    """
    workers = Workers(arguments.concurrency, arguments.scheduler)
    if not workers.here:
        require("work on several processes", "cluster")
    return workers
