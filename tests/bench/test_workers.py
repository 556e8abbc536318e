"""The processes of benches: they end with what started them."""

import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from loopline.bench.workers import spread
from tests.host.leftovers import ends

LONG = """
import time
from loopline.bench.workers import spread
with spread(time.sleep, [0, 100, 100], 2) as done:
    next(done)
    print("begun", flush=True)
    list(done)
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_are_in_order(jobs):
    with spread(abs, [-3, 2, -1], jobs) as done:
        assert list(done) == [3, 2, 1]


def test_an_exception_ends_them_at_once():
    begin = time.monotonic()
    with suppress(KeyboardInterrupt), spread(time.sleep, [0, 100, 100], 2) as done:
        next(done)
        raise KeyboardInterrupt
    assert time.monotonic() - begin < 50


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_they_end_with_the_program(number):
    with subprocess.Popen([sys.executable, "-c", LONG], stdout=subprocess.PIPE) as program:
        assert program.stdout.readline() == b"begun\n"
        tasks = Path(f"/proc/{program.pid}/task").glob("*/children")
        children = [int(pid) for task in tasks for pid in task.read_text().split()]
        program.send_signal(number)
    assert len(children) >= 2
    assert all(ends(child, 10) for child in children)
