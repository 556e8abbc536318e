"""Spread a bench's work over processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from typing import TypeVar

__all__ = ["processes", "spread"]

Item = TypeVar("Item")
Result = TypeVar("Result")


@contextmanager
def spread(
    work: Callable[[Item], Result], items: Sequence[Item], jobs: int
) -> Iterator[Iterator[Result]]:
    """Yield an iterator over the results of ``work`` for each item, in order.

    Several jobs are as many :func:`processes`, and one job is this process.
    """
    if jobs == 1:
        yield map(work, items)
        return
    with processes(jobs) as pool:
        yield pool.map(work, items)


@contextmanager
def processes(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of so many processes. They leave Ctrl-C to this one.

    When the context ends with an exception, or this process in any way, they end at once.
    """
    context = multiprocessing.get_context("spawn")
    reader, writer = context.Pipe(duplex=False)
    with reader, writer, ProcessPoolExecutor(jobs, context, _begin, (reader,)) as pool:
        try:
            yield pool
        except BaseException:
            writer.close()
            raise


def _begin(reader: Connection) -> None:
    """Begin a process that ends when the other end of a pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def end() -> None:
        with suppress(EOFError):
            reader.recv()
        os._exit(1)

    threading.Thread(target=end, daemon=True).start()
