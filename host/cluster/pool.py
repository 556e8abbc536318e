"""A Dask cluster as a pool of workers."""

from __future__ import annotations

import logging
import math
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from importlib.metadata import version
from queue import Empty, SimpleQueue
from types import FrameType
from typing import Any, Final, TypeVar

import dask

from loopline.host.errors import ClusterError, UsageError
from loopline.host.render.wording import plural
from loopline.tools.signals import handled

_SILENT: Final = logging.CRITICAL + 1
"""A level of the log that no message has."""

# Errors are raised here. Dask's log, which the import sets up, would write over the progress.
with dask.config.set(
    logging=dict.fromkeys(("distributed", "distributed.client", "distributed.gc"), _SILENT)
):
    from distributed import CancelledError, Client, Future, LocalCluster, Status
    from distributed.scheduler import KilledWorker

__all__ = ["WorkerPool", "worker_pool"]

Task = TypeVar("Task")
Answer = TypeVar("Answer")

# Times in seconds.
_CONNECTING: Final = 15.0
"""How long a scheduler has to answer."""

_WORKERLESS: Final = 60.0
"""How long tasks wait for a worker where there is none."""

_LOOK: Final = 2.0
"""How long a result is waited for before the cluster's state is checked."""

_PAUSE: Final = 0.2
"""How long to wait before the next check where there is no worker."""

_SETTLING: Final = 10.0
"""How long the cluster waits, before it closes, for processes that are starting."""

_AHEAD: Final = 2
"""Tasks per process: one that runs, and one to start next without delay."""

_ADDRESS: Final = re.compile(r"(?:(?:tcp|tls|ws|wss)://)?(?:[\w.-]+|\[[0-9a-fA-F:.]+\]):[0-9]{1,5}")


@contextmanager
def worker_pool(scheduler: str | None, local: int, limit: int | None) -> Iterator[WorkerPool]:
    """Connect to a cluster, or start ``local`` processes here; drop unfinished tasks at exit.

    At most ``limit`` tasks run at one time; None: one per thread of the workers. Raises UsageError
    and ClusterError as :func:`loopline.host.cluster.spread.spread` does.
    """
    with (
        _client(scheduler, local) as client,
        closing(WorkerPool(client, scheduler, limit)) as pool,
        _noting_interrupts(pool),
    ):
        yield pool


@contextmanager
def _client(scheduler: str | None, local: int) -> Iterator[Client]:
    """Connect to a scheduler, or to a cluster of processes that are started here."""
    environment = "distributed.nanny.pre-spawn-environ"
    settings = {
        # What Dask samples for its dashboard takes 5 % of a processor in each process.
        "distributed.admin.tick.interval": "1s",
        "distributed.admin.tick.limit": "1h",
        "distributed.worker.profile.enabled": False,
        "distributed.comm.timeouts.connect": "5s",
        "distributed.scheduler.http.routes": [],
        "distributed.worker.http.routes": [],
        environment: {**dask.config.get(environment), "DASK_LOGGING__DISTRIBUTED": "critical"},
    }
    with ExitStack() as stack:
        stack.enter_context(dask.config.set(settings))
        if scheduler is None:
            cluster = stack.enter_context(_local_cluster(local))
            stack.callback(_settle, cluster)
            yield stack.enter_context(Client(cluster))
            return
        # Dask waits for an answer from some addresses that are not valid.
        if not _ADDRESS.fullmatch(scheduler):
            raise UsageError(
                f"{scheduler!r} is not a scheduler's address: use HOST:PORT, as in tcp://10.0.0.1:8786"
            )
        try:
            client = Client(scheduler, timeout=_CONNECTING)
        except OSError as error:
            raise ClusterError(f"no Dask scheduler answers at {scheduler}") from error
        yield stack.enter_context(client)


@contextmanager
def _blocked(number: signal.Signals) -> Iterator[None]:
    """Let a signal wait until the context ends; threads and processes that it starts never see it.

    Python's helper of a new process would end at a SIGHUP.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {number})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _local_cluster(processes: int) -> LocalCluster:
    # New processes inherit this, until their preload module ignores interrupts for good.
    with handled(signal.SIGINT, signal.SIG_IGN), _blocked(signal.SIGHUP):
        return LocalCluster(
            n_workers=processes,
            threads_per_worker=1,
            processes=True,
            memory_limit=0,
            # Without an address Dask takes a fixed port, and warns if that is taken.
            dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"dashboard": False},
            silence_logs=_SILENT,
            preload=["loopline.host.cluster.spread"],
        )


def _settle(cluster: LocalCluster) -> None:
    """Wait until no nanny is replacing its process.

    A nanny that is closed while it starts a process fails at an assertion of its own (Dask 2026.8,
    ``AsyncProcess.join``).
    """
    end = time.monotonic() + _SETTLING
    while time.monotonic() < end and any(
        nanny.status is Status.running
        and (
            nanny.process is None
            or nanny.process.status is not Status.running
            or _has_ended(nanny.process.pid)
        )
        for nanny in cluster.workers.values()
    ):
        time.sleep(0.02)


def _has_ended(pid: int | None) -> bool:
    """Whether a child has ended, also where its nanny has not noticed; it stays a zombie."""
    if pid is None:
        return True
    try:
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True


@contextmanager
def _noting_interrupts(pool: WorkerPool) -> Iterator[None]:
    """Note an interrupt from the keyboard in the pool, and raise it.

    Python drops a KeyboardInterrupt that is raised while Dask's objects are collected, and would
    print where.
    """
    report = sys.unraisablehook

    def note(_number: int, _frame: FrameType | None) -> None:
        pool.interrupted = True
        raise KeyboardInterrupt

    def drop(dropped: sys.UnraisableHookArgs) -> None:
        if not issubclass(dropped.exc_type, KeyboardInterrupt):
            report(dropped)

    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        # A program that ignores interrupts, or handles them, goes on to do so.
        yield
        return
    with handled(signal.SIGINT, note):
        sys.unraisablehook = drop
        try:
            yield
        finally:
            sys.unraisablehook = report


def _own_version() -> str:
    return version("loopline")


class WorkerPool:
    """The processes of a cluster at work.

    Parameters
    ----------
    client : Client
        The connection to the cluster.
    scheduler : str or None
        The scheduler's address; None: the processes are those of this machine.
    limit : int or None
        How many tasks run at one time; None: one per thread of the workers.

    Attributes
    ----------
    interrupted : bool
        Set by an interrupt: :meth:`run` raises KeyboardInterrupt before it goes on.
    """

    def __init__(self, client: Client, scheduler: str | None, limit: int | None) -> None:
        self.interrupted = False
        self._client = client
        self._limit = limit or math.inf
        self._shared = scheduler is not None
        self._where = scheduler or "this machine"
        self._done: SimpleQueue[Future[Any]] = SimpleQueue()
        self._begun: dict[Future[Any], Any] = {}
        self._checked: set[str] = set()
        self._threads = 0
        self._looked = -math.inf
        self._alone_since: float | None = None

    def close(self) -> None:
        """Drop unfinished tasks."""
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
            while more and len(self._begun) < min(self._limit, self._threads * _AHEAD):
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

    def _answer(self, future: Future[Any], task: str) -> Any:
        """Return the answer to a task, or raise what the task raised."""
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
        """Check, at most every few seconds, whether the cluster is there and how large it is."""
        now = time.monotonic()
        if now - self._looked < _LOOK:
            return
        self._looked = now
        if self._client.status == "connecting":
            # The scheduler is lost. If it does not come back, Dask cancels the tasks.
            return
        if self._client.status != "running":
            raise ClusterError(f"the scheduler at {self._where} has gone")
        try:
            threads: dict[str, int] = self._client.nthreads()
            self._check_versions(set(threads))
        except OSError:
            # Part of the cluster is going down; the next check tells what.
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
        """Refuse workers that have another version of Loopline, or none."""
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
