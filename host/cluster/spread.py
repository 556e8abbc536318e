"""Work that is shared: one function, many tasks, on this machine or on others, through Dask.

A task that was begun on a process which dies is begun again on another one. Its result may so come
from its second or third try, but it comes once: whoever waits for it hears of one. Dask is loaded
only when it is used.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import TypeVar

from loopline.host.errors import DeviceError

__all__ = ["ClusterError", "Workers", "processors", "spread"]

Task = TypeVar("Task")
Answer = TypeVar("Answer")


class ClusterError(DeviceError):
    """The processes that share the work cannot be used. The text is one line."""


@dataclass(frozen=True)
class Workers:
    """Who does the work.

    Parameters
    ----------
    concurrency : int or None
        How many tasks are done at one time. None: as many as there are processors, here or in the
        cluster. Without a cluster, 1 means this very process.
    scheduler : str or None
        The address of a Dask scheduler, such as ``tcp://10.0.0.1:8786``, whose workers do it; they
        need Loopline of the same version. None: processes on this machine.
    """

    concurrency: int | None = None
    scheduler: str | None = None

    @property
    def here(self) -> bool:
        """Whether this process does the work itself."""
        return self.scheduler is None and self.local == 1

    @property
    def local(self) -> int:
        """How many processes work on this machine, if no scheduler is named."""
        return self.concurrency or processors()


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def spread(
    function: Callable[[Task], Answer],
    tasks: Iterable[Task],
    workers: Workers,
    *,
    name: Callable[[Task], str] = repr,
) -> Generator[tuple[Task, Answer]]:
    """Do all tasks, and yield each with its answer as soon as it is known, in any order.

    Tasks are taken from the iterable as they are begun. Closing the generator drops those that are
    not done.

    Parameters
    ----------
    function : callable
        What to do: a function of a module, for it is called elsewhere. What it raises is raised
        here.
    tasks : iterable
        What to do it with: whatever can be pickled.
    workers : Workers
        Who does it.
    name : callable
        What to call a task in an error.

    Raises
    ------
    UsageError
        If the address of the scheduler is none.
    ClusterError
        If there is no such scheduler or it goes away, if it has no workers or these have another
        version, or if a task ends every process that tries it.
    """
    if workers.here:
        for task in tasks:
            yield task, function(task)
        return
    # Dask takes a moment to load.
    from loopline.host.cluster.pool import worker_pool

    with worker_pool(workers) as pool:
        yield from pool.run(function, tasks, name)
