"""A Dask cluster at work: what :mod:`.cluster` does on more than one process."""

from __future__ import annotations

import logging
import math
import os
import re
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from importlib.metadata import version
from queue import Empty, SimpleQueue
from types import FrameType
from typing import Any, Final, TypeVar

import dask

from loopline.host.cluster.spread import ClusterError, Workers
from loopline.host.errors import UsageError
from loopline.host.render.wording import plural
from loopline.host.signals import handled

_SILENT: Final = logging.CRITICAL + 1
"""A level of the log that no message has."""

# What goes wrong is raised here; the log, which the import sets up, would write over the progress.
with dask.config.set(
    logging=dict.fromkeys(("distributed", "distributed.client", "distributed.gc"), _SILENT)
):
    from distributed import CancelledError, Client, Future, LocalCluster, Status
    from distributed.scheduler import KilledWorker

__all__ = ["WorkerPool", "worker_pool"]

Task = TypeVar("Task")
Answer = TypeVar("Answer")

_CONNECTING: Final = 15.0
"""How many seconds a scheduler has to answer."""

_WORKERLESS: Final = 60.0
"""How many seconds tasks wait for a worker while there is none."""

_LOOK: Final = 2.0
"""After how many seconds without a result the cluster is looked at."""

_PAUSE: Final = 0.2
"""After how many seconds it is looked at while there is no worker."""

_SETTLING: Final = 10.0
"""How many seconds a process that is being started has to be up before the cluster is closed."""

_AHEAD: Final = 2
"""How many tasks each process is given: one to do, and one to go on with at once."""


@contextmanager
def worker_pool(workers: Workers) -> Iterator[WorkerPool]:
    """Connect to a cluster, or start one here; what is not done at the end is dropped.

    Raises UsageError or ClusterError as :func:`loopline.host.cluster.spread.spread` says.
    """
    with (
        _client(workers) as client,
        closing(WorkerPool(client, workers)) as pool,
        _noting_interrupts(pool),
    ):
        yield pool


@contextmanager
def _client(workers: Workers) -> Iterator[Client]:
    """A connection to the cluster, which is started here if none is named."""
    environment = "distributed.nanny.pre-spawn-environ"
    settings = {
        "distributed.admin.tick.limit": "1h",
        "distributed.comm.timeouts.connect": "5s",
        "distributed.scheduler.http.routes": [],
        "distributed.worker.http.routes": [],
        environment: {**dask.config.get(environment), "DASK_LOGGING__DISTRIBUTED": "critical"},
    }
    with ExitStack() as stack:
        stack.enter_context(dask.config.set(settings))
        if workers.scheduler is None:
            # Processes that are started begin like this, too, and go on so by themselves, see
            # :mod:`.cluster_worker`; this is for the time until then.
            with handled(signal.SIGINT, signal.SIG_IGN):
                cluster = LocalCluster(
                    n_workers=workers.local,
                    threads_per_worker=1,
                    processes=True,
                    memory_limit=0,
                    # Without an address it takes a fixed port, and warns if that is taken.
                    dashboard_address="127.0.0.1:0",
                    scheduler_kwargs={"dashboard": False},
                    silence_logs=_SILENT,
                    preload=["loopline.host.cluster.worker"],
                )
                stack.enter_context(cluster)
            stack.callback(_settle, cluster)
            yield stack.enter_context(Client(cluster))
            return
        try:
            client = Client(_address(workers.scheduler), timeout=_CONNECTING)
        except OSError as error:
            raise ClusterError(f"no Dask scheduler answers at {workers.scheduler}") from error
        yield stack.enter_context(client)


def _settle(cluster: LocalCluster) -> None:
    """Wait for processes that take the place of others: a guard that is told to end while it starts
    one fails at an assertion of its own (Dask 2026.8, ``AsyncProcess.join``)."""
    end = time.monotonic() + _SETTLING
    while time.monotonic() < end and any(
        guard.status is Status.running
        and (
            guard.process is None
            or guard.process.status is not Status.running
            or _has_ended(guard.process.pid)
        )
        for guard in cluster.workers.values()
    ):
        time.sleep(0.02)


def _has_ended(pid: int | None) -> bool:
    """Whether a child has ended, which its guard may not have noticed yet; it is left to the guard
    to be waited for."""
    if pid is None:
        return True
    try:
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True


@contextmanager
def _noting_interrupts(pool: WorkerPool) -> Iterator[None]:
    """Tell the pool of an interrupt from the keyboard: as an exception alone it is lost where it
    comes while Dask's objects are collected, since nothing can be raised there."""

    def note(_number: int, _frame: FrameType | None) -> None:
        pool.interrupted = True
        raise KeyboardInterrupt

    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        # Whoever ignores interrupts, or handles them otherwise, goes on to do so.
        yield
        return
    with handled(signal.SIGINT, note):
        yield


def _own_version() -> str:
    return version("loopline")


def _address(text: str) -> str:
    """The address of a scheduler, checked: Dask waits for some that cannot be."""
    if not re.fullmatch(
        r"(?:(?:tcp|tls|ws|wss)://)?(?:[\w.-]+|\[[0-9a-fA-F:.]+\]):[0-9]{1,5}", text
    ):
        raise UsageError(
            f"{text!r} is no scheduler's address: use HOST:PORT, as in tcp://10.0.0.1:8786"
        )
    return text


class WorkerPool:
    """The processes of a cluster at work.

    Parameters
    ----------
    client : Client
        The way to the cluster.
    workers : Workers
        Who they are.

    Attributes
    ----------
    interrupted : bool
        Somebody wants an end: :meth:`run` raises KeyboardInterrupt before it goes on.
    """

    def __init__(self, client: Client, workers: Workers) -> None:
        self.interrupted = False
        self._client = client
        self._limit = workers.concurrency or math.inf
        self._shared = workers.scheduler is not None
        self._where = workers.scheduler or "this machine"
        self._done: SimpleQueue[Future[Any]] = SimpleQueue()
        self._begun: dict[Future[Any], Any] = {}
        self._checked: set[str] = set()
        self._threads = 0
        self._looked = -math.inf
        self._alone_since: float | None = None

    def close(self) -> None:
        """Drop what is not done."""
        if self._begun and self._client.status == "running":
            self._client.cancel(list(self._begun), force=True)
        self._begun.clear()

    def run(
        self,
        function: Callable[[Task], Answer],
        tasks: Iterable[Task],
        name: Callable[[Task], str],
    ) -> Iterator[tuple[Task, Answer]]:
        """Do all tasks; as :func:`loopline.host.cluster.spread.spread`."""
        waiting = iter(tasks)
        more = True
        while more or self._begun:
            if self.interrupted:
                raise KeyboardInterrupt
            self._look()
            while more and len(self._begun) < self._room():
                begun = next(waiting, None)
                if begun is None:
                    more = False
                    break
                future = self._client.submit(function, begun, pure=False)
                self._begun[future] = begun
                future.add_done_callback(self._done.put)
            if not self._begun:
                if more:
                    # There is no worker yet.
                    time.sleep(_PAUSE)
                    self._looked = -math.inf
                continue
            try:
                future = self._done.get(timeout=_LOOK)
            except Empty:
                self._looked = -math.inf
                continue
            task: Task = self._begun.pop(future)
            answer: Answer = self._answer(future, name(task))
            future.release()
            yield task, answer

    def _room(self) -> float:
        """How many tasks may be under way."""
        return min(self._limit, self._threads * _AHEAD)

    def _answer(self, future: Future[Any], task: str) -> Any:
        """The answer to a task, or what was raised instead."""
        try:
            return future.result()
        except KilledWorker as error:
            raise ClusterError(
                f"{task} is given up: it has ended every process that tried it, "
                f"{error.allowed_failures + 1} of them"
            ) from error
        except CancelledError as error:
            raise ClusterError(f"the scheduler at {self._where} has gone") from error

    def _look(self) -> None:
        """Look at the cluster now and then: is it there, and how large is it?"""
        now = time.monotonic()
        if now - self._looked < _LOOK:
            return
        self._looked = now
        if self._client.status == "connecting":
            # It has lost the scheduler. If that does not come back, what was begun is cancelled.
            return
        if self._client.status != "running":
            raise ClusterError(f"the scheduler at {self._where} has gone")
        try:
            threads: dict[str, int] = self._client.nthreads()
            self._check_versions(set(threads))
        except OSError:
            # Something is on its way down; the next look tells what.
            return
        self._threads = sum(threads.values())
        if threads:
            self._alone_since = None
        elif self._alone_since is None:
            self._alone_since = now
        elif now - self._alone_since > _WORKERLESS:
            raise ClusterError(
                f"{self._where} has had no worker for {plural(int(_WORKERLESS), 'second')}"
            )

    def _check_versions(self, addresses: set[str]) -> None:
        """Refuse workers on which Loopline is another one, or none."""
        if not self._shared or addresses <= self._checked:
            return
        ours = _own_version()
        found = self._client.run(
            version, "loopline", workers=sorted(addresses - self._checked), on_error="return"
        )
        for address, theirs in found.items():
            if isinstance(theirs, OSError):
                # The worker has gone in the meantime.
                continue
            if theirs != ours:
                what = theirs if isinstance(theirs, str) else "missing"
                raise ClusterError(
                    f"the worker {address} needs Loopline {ours}; there it is {what}"
                )
            self._checked.add(address)
