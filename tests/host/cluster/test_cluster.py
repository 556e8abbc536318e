"""Work that is shared between processes, here and on a real Dask cluster."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import dask
import pytest

from loopline.host.cluster.pool import _noting_interrupts, _settle
from loopline.host.cluster.spread import Workers, processors, spread
from loopline.host.errors import ClusterError, UsageError
from tests.host.cluster.dask_cluster import Cluster, cluster
from tests.host.leftovers import is_running
from tests.host.program import environment

pytestmark = pytest.mark.xdist_group("dask")


@pytest.fixture(scope="module")
def idle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A scheduler without workers."""
    with cluster(tmp_path_factory.mktemp("dask")) as started:
        yield started


def test_one_at_a_time_is_done_here() -> None:
    workers = Workers(1)
    assert workers.here
    assert list(spread(abs, iter([-1, 2, -3]), workers)) == [(-1, 1), (2, 2), (-3, 3)]
    tasks = iter([1, 2, 3])
    with closing(spread(abs, tasks, workers)) as answers:
        assert next(answers) == (1, 1)
    assert list(tasks) == [2, 3]
    with pytest.raises(TypeError):
        list(spread(len, [1], workers))  # type: ignore[arg-type]


def test_as_many_as_there_are_processors() -> None:
    assert Workers().local == processors() >= 1
    assert Workers(3).local == 3
    assert not Workers(1, "tcp://127.0.0.1:1").here


def test_processes_on_this_machine() -> None:
    answers = dict(spread(abs, range(-50, 0), Workers(2)))
    assert answers == {number: -number for number in range(-50, 0)}


def test_processes_that_are_left_end() -> None:
    with closing(spread(os.readlink, ["/proc/self"] * 1000, Workers(2))) as answers:
        pids = {int(next(answers)[1]) for _ in range(10)}
    assert os.getpid() not in pids
    assert not any(is_running(pid) for pid in pids)


def test_what_a_task_raises_is_raised_here() -> None:
    with pytest.raises(ValueError, match=r"^invalid literal for int\(\) with base 10: 'x'$"):
        list(spread(int, ["1", "x"], Workers(2)))


class _Interrupting:
    """Raises an interrupt while it is collected."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupt_that_can_not_be_raised_where_it_comes_is_not_lost() -> None:
    answers = spread(abs, range(1000), Workers(2), name=lambda _: str(_Interrupting()))
    with pytest.raises(KeyboardInterrupt):
        list(answers)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_task_that_ends_every_process_is_given_up() -> None:
    answers = spread(os._exit, [3], Workers(2), name=lambda task: f"the {task}")  # type: ignore[arg-type]
    message = "^the 3 is given up: it has ended every process that tried it, 2 of them$"
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        pytest.raises(ClusterError, match=message),
    ):
        list(answers)


def test_a_process_that_has_ended_unnoticed_is_waited_for() -> None:
    """Its nanny is about to start another process, and must not be closed meanwhile."""
    from distributed import Status

    child = subprocess.Popen([sys.executable, "-c", ""])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    process = SimpleNamespace(status=Status.running, pid=child.pid)
    nanny = SimpleNamespace(status=Status.running, process=process)
    steps = []

    def start_another() -> None:
        steps.append("noticed")
        process.pid = None
        time.sleep(0.1)
        with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
            steps.append("started")
            process.pid = other.pid
            settled.wait(10)

    settled = threading.Event()
    thread = threading.Timer(0.1, start_another)
    thread.start()
    # Its nannies are all that is asked of a cluster.
    _settle(SimpleNamespace(workers={0: nanny}))  # type: ignore[arg-type]
    before = list(steps)
    settled.set()
    thread.join()
    child.wait()
    assert before == ["noticed", "started"]


@pytest.mark.parametrize(
    "address", ["", "127.0.0.1", "a b:1", "x://127.0.0.1:1", "tcp://:1", "h:-1"]
)
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(
        UsageError, match="is not a scheduler's address: use HOST:PORT, as in tcp://"
    ):
        list(spread(abs, [1], Workers(scheduler=address)))


def test_a_scheduler_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loopline.host.cluster.pool._CONNECTING", 1.0)
    with pytest.raises(ClusterError, match=r"^no Dask scheduler answers at tcp://127\.0\.0\.1:9$"):
        list(spread(abs, [1], Workers(scheduler="tcp://127.0.0.1:9")))


def test_a_scheduler_without_workers(idle: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loopline.host.cluster.pool._WORKERLESS", 1.0)
    monkeypatch.setattr("loopline.host.cluster.pool._LOOK", 0.1)
    with pytest.raises(ClusterError, match="has had no worker for 1 second$"):
        list(spread(abs, [1], Workers(scheduler=idle.address)))


def test_a_worker_of_another_version(idle: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    idle.add_worker()
    monkeypatch.setattr("loopline.host.cluster.pool._own_version", lambda: "99")
    with pytest.raises(ClusterError, match=r"^the worker tcp://.* needs Loopline 99; there it is "):
        list(spread(abs, [1], Workers(scheduler=idle.address)))
    monkeypatch.undo()
    assert list(spread(abs, [-1], Workers(scheduler=idle.address))) == [(-1, 1)]


def test_a_scheduler_that_goes_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # It is waited for as long as for one that does not answer at first.
    monkeypatch.setattr("loopline.host.cluster.pool._CONNECTING", 2.0)
    with cluster(tmp_path, workers=1) as started:
        answers = spread(abs, range(10_000), Workers(1, started.address))
        assert next(answers) == (0, 0)
        started.end()
        with pytest.raises(ClusterError, match=r"^the scheduler at tcp://.* has gone$"):
            list(answers)


def test_dask_is_loaded_only_where_it_is_used() -> None:
    program = (
        "import sys\n"
        "import loopline.host.cli.main, loopline.host.cluster.spread\n"
        "import loopline.host.matches.contest\n"
        "loopline.host.cli.main.main(['perft', '3', '--processes', '1'])\n"
        "print(*({'dask', 'distributed', 'tornado', 'rich'} & set(sys.modules)))\n"
        "import loopline.host.cli.commands.match\n"
        "print(*({'dask', 'distributed', 'tornado'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env=environment(),
    )
    assert done.stdout.splitlines() == ["1 2", "2 24", "3 432", "", ""]


def test_an_interrupt_while_objects_are_collected_is_noted_without_a_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Python drops what is raised there, and says where."""
    said: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", said.append)
    pool = SimpleNamespace(interrupted=False)

    def collected(phase: str, _info: object) -> None:
        if phase == "start":
            os.kill(os.getpid(), signal.SIGINT)

    def fails(_phase: str, _info: object) -> None:
        raise ZeroDivisionError

    for callback in (collected, fails):
        gc.callbacks.append(callback)
        try:
            with _noting_interrupts(pool):
                gc.collect()
        finally:
            gc.callbacks.remove(callback)
    assert pool.interrupted
    assert {type(each.exc_value) for each in said} == {ZeroDivisionError}
