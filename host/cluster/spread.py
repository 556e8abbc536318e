"""One function and many tasks, done here, on all processors or on a Dask cluster.

A task whose process dies starts again on another process. A task may therefore run twice or three
times; its result is yielded once. Dask is imported only when it is used.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import TypeVar

from loopline.tools.extras import has_extra

__all__ = ["Workers", "dask_setup", "processors", "spread"]

Task = TypeVar("Task")
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Workers:
    """Where tasks run.

    Parameters
    ----------
    concurrency : int or None
        How many tasks run at one time. None: one per processor, of this machine or of the cluster;
        one without the extra ``cluster``. Without a cluster, 1 means this process.
    scheduler : str or None
        The address of a Dask scheduler, such as ``tcp://10.0.0.1:8786``. Its workers need Loopline
        of the same version. None: processes on this machine.
    """

    concurrency: int | None = None
    scheduler: str | None = None

    @property
    def here(self) -> bool:
        """Whether this process does the work itself."""
        return self.scheduler is None and self.local == 1

    @property
    def local(self) -> int:
        """The number of processes on this machine where no scheduler is named."""
        return self.concurrency or (processors() if has_extra("cluster") else 1)


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def spread(
    function: Callable[[Task], Answer],
    tasks: Iterable[Task],
    workers: Workers,
    *,
    name: Callable[[Task], str] = repr,
) -> Generator[tuple[Task, Answer]]:
    """Do all tasks; yield each with its answer as soon as it is known, in any order.

    A task is taken from the iterable when it starts. Closing the generator drops unfinished tasks.

    Parameters
    ----------
    function : callable
        What to do: a function of a module, since other processes import it. Its exceptions are
        raised here.
    tasks : iterable
        Its arguments, anything that can be pickled.
    workers : Workers
        Where tasks run.
    name : callable
        Returns what an error message calls a task.

    Raises
    ------
    UsageError
        If the scheduler's address is not valid.
    ClusterError
        If the scheduler does not answer or goes away, if it has no workers or they have another
        version, or if a task ends every process that tries it.
    """
    if workers.here:
        for task in tasks:
            yield task, function(task)
        return
    # Dask takes a moment to load.
    from loopline.host.cluster.pool import worker_pool

    with worker_pool(workers.scheduler, workers.local, workers.concurrency) as pool:
        yield from pool.run(function, tasks, name)


def dask_setup(_worker: object) -> None:
    """Ignore Ctrl-C in a process that Dask starts here: only the main process handles it.

    The terminal sends the signal to all processes. Dask calls this function since the pool names
    this module as a preload module.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
