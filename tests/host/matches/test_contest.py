"""Matches and tournaments: every pair once, in whatever order, and again after a crash."""

import errno
import itertools
import os
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from loopline.game import MINI
from loopline.host.cluster.spread import Workers
from loopline.host.errors import UsageError
from loopline.host.matches.contest import Contest
from loopline.host.matches.elo import Pentanomial
from loopline.host.matches.journal import Journal
from loopline.host.matches.openings import GeneratedOpenings
from loopline.host.matches.pairs import GameResult, PairResult, play_pair
from loopline.host.matches.plan import Plan, gauntlet, names_of, round_robin
from loopline.host.matches.sprt import Sprt, Verdict
from tests.host.positions import records_of

PLAN = Plan(("random", "random"), ("one", "two"), round_robin(2), 6, GeneratedOpenings(2, 3))
SETTINGS = {"players": 2}


def play(
    folder: Path, plan: Plan = PLAN, sprt: Sprt | None = None, *, resume: bool = False
) -> tuple[Contest, list[int]]:
    """Play here, and return the contest and what had been played when it was watched."""
    watched: list[int] = []
    with Journal(folder / "journal", SETTINGS, resume=resume) as journal:
        contest = Contest(plan, journal, folder / "games", "Test", sprt)
        contest.run(Workers(1), lambda contest: watched.append(contest.played), print)
    return contest, watched


def save(folder: Path, results: Sequence[PairResult]) -> None:
    with Journal(folder / "journal", SETTINGS) as journal:
        for result in results:
            journal.add(result)


def test_a_match_is_played_and_saved(tmp_path: Path) -> None:
    contest, watched = play(tmp_path)
    assert watched == [0, 1, 2, 3, 4, 5, 6]
    assert contest.is_over()
    assert contest.standing.games == 12
    records = records_of(tmp_path / "games")
    assert len(records) == 12
    points = 0.0
    for number, record in enumerate(records):
        round_, game = divmod(number, 2)
        assert record.ending is not None
        assert record.tags["Event"] == "Test"
        assert record.tags["Round"] == f"{round_ + 1}.{game + 1}"
        assert record.tags["White"] == ("one", "two")[game]
        assert record.tags["Red"] == ("two", "one")[game]
        assert record.tags["Clock"] == "1 s"
        opening = PLAN.openings[round_]
        assert record.tags["Opening"] == str(len(opening))
        assert record.turns[: len(opening)] == opening
        points += (record.ending.score == "1-0") == (game == 0)
    assert contest.standing.tallies[0].points == points
    assert contest.standing.tallies[1].points == 12 - points
    assert contest.standing.pairings[0, 1].pairs == 6


def test_whatever_was_played_before_a_crash_the_games_are_the_same(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    whole.mkdir()
    play(whole)
    results = [play_pair(PLAN.task(number)) for number in range(1, 7)]
    for played in (), (1, 2), (4, 2), (6, 5, 4, 3, 2, 1):
        folder = tmp_path / f"played{len(played)}{sum(played)}"
        folder.mkdir()
        save(folder, [results[number - 1] for number in played])
        contest, watched = play(folder, resume=True)
        assert watched == list(range(len(played), 7))
        assert (folder / "games").read_bytes() == (whole / "games").read_bytes()
        assert contest.standing.games == 12


@pytest.mark.parametrize("played", [(1, 2), (1, 3)], ids=["in order", "behind a gap"])
@pytest.mark.parametrize("damage", ["turn", "ending"])
def test_a_journal_with_a_wrong_game_leaves_the_file_of_games(
    tmp_path: Path, played: Sequence[int], damage: str
) -> None:
    results = [play_pair(PLAN.task(number)) for number in played]
    first, second = results[1].games
    wrong = (
        replace(first, turns=(*first.turns[:1], "A9+", *first.turns[2:]))
        if damage == "turn"
        else replace(first, turns=first.turns[:-1])
    )
    save(tmp_path, [results[0], PairResult(played[1], (wrong, second))])
    games = tmp_path / "games"
    games.write_text("all games", encoding="utf-8")
    with Journal(tmp_path / "journal", SETTINGS, resume=True) as journal:
        contest = Contest(PLAN, journal, games, "Test")
        with pytest.raises(UsageError, match=f"^{journal.path}, pair {played[1]}: "):
            contest.run(Workers(1), lambda contest: None, print)
    assert contest.played == 0
    assert games.read_text(encoding="utf-8") == "all games"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games", "journal"]


def test_the_file_of_games_keeps_its_place_and_permissions(tmp_path: Path) -> None:
    save(tmp_path, [play_pair(PLAN.task(1))])
    target = tmp_path / "target"
    target.write_text("old", encoding="utf-8")
    target.chmod(0o640)
    (tmp_path / "games").symlink_to(target)
    play(tmp_path, resume=True)
    assert (tmp_path / "games").is_symlink()
    assert len(records_of(target)) == 12
    assert target.stat().st_mode & 0o777 == 0o640


def test_what_a_killed_match_of_the_same_number_left_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / f".loopline-{os.getpid()}.part").write_text("half", encoding="utf-8")
    play(tmp_path)
    assert len(records_of(tmp_path / "games")) == 12


def test_an_interrupt_leaves_all_games_that_were_played(tmp_path: Path) -> None:
    results = [play_pair(PLAN.task(number)) for number in (5, 2)]
    save(tmp_path, results)

    def interrupt(contest: Contest) -> None:
        if contest.played == 3:
            raise KeyboardInterrupt

    with Journal(tmp_path / "journal", SETTINGS, resume=True) as journal:
        contest = Contest(PLAN, journal, tmp_path / "games", "Test")
        with pytest.raises(KeyboardInterrupt):
            contest.run(Workers(1), interrupt, print)
    records = records_of(tmp_path / "games")
    assert [record.tags["Round"] for record in records] == [
        "1.1",
        "1.2",
        "2.1",
        "2.2",
        "5.1",
        "5.2",
    ]


@pytest.mark.parametrize("moment", ["_count", "_write", "_record"])
@pytest.mark.parametrize("when", range(2, 6))
def test_an_interrupt_in_the_middle_of_a_pair(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str, when: int
) -> None:
    """Every game is written once, and counted, wherever the signal comes."""
    does, times = getattr(Contest, moment), itertools.count(1)

    def interrupted(*arguments: object) -> object:
        if next(times) == when:
            raise KeyboardInterrupt
        return does(*arguments)

    monkeypatch.setattr(Contest, moment, interrupted)
    with Journal(tmp_path / "journal", SETTINGS) as journal:
        contest = Contest(PLAN, journal, tmp_path / "games", "Test")
        with pytest.raises(KeyboardInterrupt):
            contest.run(Workers(1), lambda contest: None, print)
        played = sorted(journal.results)
    records = records_of(tmp_path / "games")
    assert [record.tags["Round"] for record in records] == [
        f"{number}.{game}" for number in played for game in (1, 2)
    ]
    assert contest.standing.games == len(records) > 0


@pytest.mark.parametrize("when", range(4, 7))
def test_a_second_interrupt_leaves_the_file_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: int
) -> None:
    """The first one comes after three pairs; the other one while all games are written again."""
    text, times = Contest._text, itertools.count(1)

    def interrupted(contest: Contest, result: PairResult) -> str:
        if next(times) == when:
            raise KeyboardInterrupt
        return text(contest, result)

    def interrupt(contest: Contest) -> None:
        if contest.played == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(Contest, "_text", interrupted)
    with Journal(tmp_path / "journal", SETTINGS) as journal:
        contest = Contest(PLAN, journal, tmp_path / "games", "Test")
        with pytest.raises(KeyboardInterrupt):
            contest.run(Workers(1), interrupt, print)
    assert next(times) > when
    assert len(records_of(tmp_path / "games")) == 6


def test_a_match_can_be_made_longer(tmp_path: Path) -> None:
    short = Plan(PLAN.specs, PLAN.names, PLAN.pairings, 2, PLAN.openings)
    play(tmp_path, short)
    contest, watched = play(tmp_path, resume=True)
    assert watched == [2, 3, 4, 5, 6]
    play(tmp_path / ".", short, resume=True)
    assert contest.standing.games == 12


def results_of(points: Sequence[float]) -> list[PairResult]:
    """Pairs with these points of the first player, without turns on the board."""
    games = {0.0: 1, 0.5: None, 1.0: 0}
    results = []
    for number, both in enumerate(points, start=1):
        first = min(both, 1.0) if both != 1 else 0.5
        made = [
            GameResult(white, ("@0/",), 0, games[point], "unstated", "", (0.0, 0.0))
            for white, point in ((0, first), (1, both - first))
        ]
        results.append(PairResult(number, (made[0], made[1])))
        assert results[-1].points == both
    return results


def test_the_test_ends_with_the_same_pair_in_whatever_order_pairs_are_played(
    tmp_path: Path,
) -> None:
    test = Sprt(0, 100)
    choice = random.Random(4)
    results = results_of(choice.choices([0.5, 1, 1.5, 2], k=60))
    pairs = next(
        number
        for number in range(1, 61)
        if test.verdict(Pentanomial.of(r.points for r in results[:number])) is Verdict.H1
    )
    assert 5 < pairs < 50
    plan = Plan(PLAN.specs, PLAN.names, PLAN.pairings, 60)
    texts = set()
    for number in range(3):
        folder = tmp_path / str(number)
        folder.mkdir()
        save(folder, results)
        contest, _ = play(folder, plan, test, resume=True)
        assert contest.verdict is Verdict.H1
        assert contest.is_over()
        assert contest.played == contest.in_order.pairs == pairs
        assert contest.standing.pairings[0, 1] == contest.in_order
        assert contest.ratio >= test.upper
        texts.add((folder / "games").read_text(encoding="utf-8"))
        choice.shuffle(results)
    assert len(texts) == 1
    assert texts.pop().count("[Round ") == 2 * pairs


def test_a_test_without_a_verdict_plays_all(tmp_path: Path) -> None:
    contest, _ = play(tmp_path, sprt=Sprt(-1, 1))
    assert contest.verdict is Verdict.OPEN
    assert contest.played == 6


def test_a_tournament(tmp_path: Path) -> None:
    specs = ("random:1", "random:2", "random:3")
    plan = Plan(specs, specs, round_robin(3), 2, GeneratedOpenings(2, 4, variant=MINI), MINI)
    assert plan.pairs == 6
    contest, _ = play(tmp_path, plan)
    standing = contest.standing
    assert sorted(standing.pairings) == [(0, 1), (0, 2), (1, 2)]
    assert [tally.games for tally in standing.tallies] == [8, 8, 8]
    assert sum(tally.points for tally in standing.tallies) == 12
    assert standing.reasons.total() == standing.colours.total() == 12
    assert standing.against(2, 0) == standing.pairings[0, 2].reversed
    records = records_of(tmp_path / "games")
    for number in range(1, 7):
        # All pairings of a round begin with the same opening.
        round_ = plan.place(number)[0]
        assert (
            records[2 * number - 1].turns[: len(plan.openings[round_ - 1])]
            == (plan.openings[round_ - 1])
        )
        assert records[2 * number - 1].variant == MINI


def test_who_meets_whom() -> None:
    assert round_robin(4) == ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
    assert gauntlet(4) == ((0, 1), (0, 2), (0, 3))
    plan = Plan(("sim", "random", "human"), ("a", "b", "c"), gauntlet(3), 2)
    assert [plan.place(number) for number in range(1, 5)] == [
        (1, (0, 1)),
        (1, (0, 2)),
        (2, (0, 1)),
        (2, (0, 2)),
    ]
    assert plan.exclusive
    assert not PLAN.exclusive


def test_names() -> None:
    assert names_of(("sim", "sim", "random", "sim")) == ("sim", "sim (2)", "random", "sim (3)")
    assert names_of(("sim", "sim", "random"), ("new", "old")) == ("new", "old", "random")
    assert names_of(("b", "a"), ("a",)) == ("a", "a (2)")


def test_a_disk_that_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said names the file. The pairs of the journal are there for the next run."""

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(Contest, "_write", full)
        with pytest.raises(UsageError, match="^cannot write .*/games: No space left on device$"):
            play(tmp_path)
    contest, _ = play(tmp_path, resume=True)
    assert contest.played == PLAN.pairs


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal", SETTINGS) as journal:
        contest = Contest(PLAN, journal, tmp_path, "Test")
        with pytest.raises(UsageError, match="^cannot write .*: it is no plain file$"):
            contest.run(Workers(1), lambda contest: None, print)
