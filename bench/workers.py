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
from multiprocessing.synchronize import Event
from typing import TypeVar

__all__ = ["processes", "spread", "stopped"]

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
    with processes(jobs) as (pool, _):
        yield pool.map(work, items)


@contextmanager
def processes(jobs: int) -> Iterator[tuple[ProcessPoolExecutor, Event]]:
    """Yield a pool of so many processes, and the event that :func:`stopped` tells them. They leave
    Ctrl-C to this one.

    When the context ends with an exception, or this process in any way, they end at once.
    """
    context = multiprocessing.get_context("spawn")
    reader, writer = context.Pipe(duplex=False)
    stop = context.Event()
    with reader, writer, ProcessPoolExecutor(jobs, context, _begin, (reader, stop)) as pool:
        try:
            yield pool, stop
        except BaseException:
            writer.close()
            raise


def stopped() -> bool:
    """Return whether this process is one of :func:`processes`, and is to come to an end."""
    return _stop is not None and _stop.is_set()


_stop: Event | None = None


def _begin(reader: Connection, stop: Event) -> None:
    """Begin a process that ends when the other end of a pipe is closed."""
    global _stop
    _stop = stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def end() -> None:
        with suppress(EOFError):
            reader.recv()
        os._exit(1)

    threading.Thread(target=end, daemon=True).start()
