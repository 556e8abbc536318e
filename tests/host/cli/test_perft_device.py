"""``loopline perft --device``."""

from __future__ import annotations

from tests.host.program import loopline


def test_the_counts_of_a_device() -> None:
    done = loopline("perft", "3", "@0+", "@1+", "--device", "engine")
    assert done.stdout.splitlines() == loopline("perft", "3", "@0+", "@1+").stdout.splitlines()
    assert len(done.stdout.splitlines()) == 3


def test_other_processes_do_not_count_for_a_device() -> None:
    done = loopline("perft", "1", "--device", "engine", "--processes", "2")
    assert done.returncode == 2
    assert "nothing for other processes" in done.stderr
