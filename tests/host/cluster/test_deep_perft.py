"""Perft that is shared: the same counts as without sharing, here and on a cluster."""

from pathlib import Path

import pytest

from loopline.game import STANDARD, VARIANTS, Position, Variant, perft, play_game
from loopline.host.cli.main import main
from loopline.host.cluster.perft import PerftTask, count_task, deep_perft, perft_tasks
from loopline.host.cluster.spread import Workers
from tests.host.cluster.dask_cluster import cluster
from tests.host.program import loopline

GAMES = ("", "@0+ B1+", "@0/ B1+ A0/ B3\\ C2+", "@0+ @1+ C1\\ C2\\ B3\\ D2+")


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=str)
@pytest.mark.parametrize("turns", GAMES)
def test_shared_counts_are_those_of_perft(turns: str, variant: Variant) -> None:
    position = Position(variant)
    for turn in turns.split():
        if position.is_legal(turn):
            position.play(turn)
    for depth in range(4):
        assert deep_perft(position, depth, Workers(1)) == perft(position, depth)


def test_tasks_stand_for_all_sequences() -> None:
    tasks = perft_tasks(Position(), 5)
    assert {task.depth for task in tasks} == {2}
    # Of the 432 sequences of three turns, eight close a loop.
    assert sum(task.times for task in tasks) == 424
    # Sixteen symmetries, and other orders of the same turns.
    assert 432 / 16 <= len(tasks) < 432 / 8
    assert sum(task.times * count_task(task) for task in tasks) == 246888


def test_enough_tasks_are_enough() -> None:
    tasks = perft_tasks(Position(), 20)
    assert 100 <= len(tasks) < 1000
    assert perft_tasks(Position(), 2) == [PerftTask((), 2, 1, STANDARD)]
    over = play_game("@0/ B1\\ A2\\".split())
    assert perft_tasks(over, 9) == []
    assert deep_perft(over, 9, Workers(1)) == 0
    assert deep_perft(over, 1, Workers(1)) == 0


def test_it_says_how_far_it_is() -> None:
    seen: list[tuple[int, int]] = []
    deep_perft(Position(), 4, Workers(1), lambda done, total: seen.append((done, total)))
    tasks = len(perft_tasks(Position(), 4))
    assert seen == [(done, tasks) for done in range(tasks + 1)]


def test_the_command_counts_every_variant() -> None:
    done = loopline("perft", "4", "--variant", "mini", "--processes", "1")
    position = Position(VARIANTS["mini"])
    assert done.stderr == ""
    assert done.stdout.splitlines() == [f"{n} {perft(position, n)}" for n in (1, 2, 3, 4)]


@pytest.mark.xdist_group("dask")
def test_the_command_shares_deep_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("loopline.host.cli.commands.perft._QUICK", 100)
    counts = "1 2\n2 24\n3 432\n4 9568\n"
    assert main(["perft", "4", "--processes", "2"]) == 0
    assert capsys.readouterr() == (counts, "")
    with cluster(tmp_path, workers=1) as workers:
        assert main(["perft", "4", "--scheduler", workers.address]) == 0
    assert capsys.readouterr() == (counts, "")
    assert main(["perft", "4", "--scheduler", "nowhere"]) == 2
    error = "loopline perft: 'nowhere' is not a scheduler's address: use HOST:PORT, as in "
    assert capsys.readouterr().err.startswith(error)
