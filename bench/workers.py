"""Spread a bench's work over processes."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

__all__ = ["spread"]

Item = TypeVar("Item")
Result = TypeVar("Result")


@contextmanager
def spread(
    work: Callable[[Item], Result], items: Sequence[Item], jobs: int
) -> Iterator[Iterator[Result]]:
    """Yield an iterator over the results of ``work`` for each item, in order.

    Several jobs are as many processes, and one job is this process. The processes leave Ctrl-C to
    this one. When the context ends with an exception, work that has not begun is dropped.
    """
    if jobs == 1:
        yield map(work, items)
        return
    context = multiprocessing.get_context("spawn")
    ignore = signal.signal, (signal.SIGINT, signal.SIG_IGN)
    with ProcessPoolExecutor(jobs, context, *ignore) as pool:
        try:
            yield pool.map(work, items)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
