"""Pairs of games: fair, repeatable, and lost by the player that fails."""

import pickle
from dataclasses import replace

import pytest

from loopline.game import MINI, Colour, Position
from loopline.host.contest import link
from loopline.host.errors import DeviceError, UsageError
from loopline.host.matches.pairs import GameResult, PairResult, PairTask, PlayerCache, play_pair
from loopline.host.players.base import Player
from loopline.host.players.software import RandomPlayer
from loopline.host.transport.engine import ENGINE
from tests.host.contestant import contestant

TASK = PairTask(3, (0, 1), ("random", "random"), ("@0/", "B1+"), seed=7)


def turns_of(result: PairResult) -> list[tuple[str, ...]]:
    return [game.turns for game in result.games]


def test_both_games_have_the_opening_and_exchange_colours() -> None:
    result = play_pair(TASK)
    assert result.number == 3
    assert [game.white for game in result.games] == [0, 1]
    for game in result.games:
        assert game.turns[:2] == ("@0/", "B1+")
        assert game.opening == 2
        position = Position()
        for turn in game.turns:
            position.play(turn)
        assert position.result is not None
        assert game.winning_colour is position.result.winner
        assert game.reason == position.result.kind
        assert game.winner == (
            game.white if position.result.winner is Colour.WHITE else 1 - game.white
        )
        assert game.fault is None
        assert max(game.slowest) < 1
    assert result.points == sum(game.winner == 0 for game in result.games)


def test_a_pair_is_the_same_whenever_and_wherever_it_is_played() -> None:
    task = pickle.loads(pickle.dumps(TASK))
    assert task == TASK
    assert turns_of(play_pair(task)) == turns_of(play_pair(TASK))
    with PlayerCache() as cache:
        play_pair(replace(TASK, number=1), cache)
        assert turns_of(play_pair(TASK, cache)) == turns_of(play_pair(TASK))


@pytest.mark.parametrize(
    "change", [{"number": 4}, {"seed": 8}, {"specs": ("random:1", "random")}], ids=str
)
def test_another_number_seed_or_player_makes_other_games(change: dict[str, object]) -> None:
    other = play_pair(replace(TASK, **change))  # type: ignore[arg-type]
    for one, same in zip(turns_of(play_pair(TASK)), turns_of(other), strict=True):
        assert one != same


def test_both_games_of_a_pair_differ_though_the_players_are_the_same() -> None:
    first, second = play_pair(TASK).games
    assert first.turns != second.turns


def test_the_engine_gets_a_seed_for_each_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games without openings therefore differ; a seed in the spec is kept."""
    opened: list[str] = []

    def get(_cache: PlayerCache, _place: int, spec: str, _task: PairTask) -> Player:
        opened.append(spec)
        return RandomPlayer(1)

    monkeypatch.setattr(PlayerCache, "get", get)
    for number in (1, 2):
        specs = (f"{ENGINE}:nodes=60", f"{ENGINE}:nodes=60,seed=5")
        play_pair(replace(TASK, number=number, specs=specs))
    one, two = opened[0], opened[4]
    assert opened == [one, specs[1]] * 2 + [two, specs[1]] * 2
    assert one != two
    for spec in one, two:
        start, _, seed = spec.rpartition("=")
        assert start == f"{ENGINE}:nodes=60,seed"
        assert seed.isdecimal()
    opened.clear()
    play_pair(replace(TASK, specs=(ENGINE, ENGINE)))
    assert len(set(opened)) == 2
    assert all(spec.startswith(f"{ENGINE}:seed=") for spec in opened)


def test_a_variant_is_played() -> None:
    result = play_pair(replace(TASK, variant=MINI, opening=()))
    for game in result.games:
        position = Position(MINI)
        for turn in game.turns:
            position.play(turn)
        assert position.ending is not None


def test_points() -> None:
    def game(winner: int | None) -> GameResult:
        return GameResult(0, (), 0, winner, "unstated", "", (0.0, 0.0))

    for first, second, points in (0, 0, 2), (0, None, 1.5), (None, None, 1), (1, 0, 1), (1, 1, 0):
        assert PairResult(1, (game(first), game(second))).points == points
    assert game(None).winning_colour is None


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("noise", "illegal turn"),
        ("illegal", "illegal turn"),
        ("dies-thinking", "fault"),
        ("floods", "fault"),
        ("hangs", "time"),
    ],
)
def test_who_fails_loses_and_is_opened_anew(fault: str, reason: str) -> None:
    task = replace(TASK, specs=(contestant(fault), "random"), opening=(), seed=12)
    result = play_pair(task)
    assert result.points == 0
    for game in result.games:
        assert (game.winner, game.reason, game.fault) == (1, reason, 0)
        assert len(game.turns) in (2, 3)
        assert game.explanation


def test_a_program_that_plays_well() -> None:
    task = replace(TASK, specs=("random", contestant()), opening=())
    assert all(game.fault is None for game in play_pair(task).games)


def test_a_program_that_cannot_begin_after_an_opening(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "_PROBE_SECONDS", 0.3)
    with pytest.raises(UsageError, match="with --no-openings games begin on the empty board$"):
        play_pair(replace(TASK, specs=("random", contestant())))


def test_a_player_that_is_not_there() -> None:
    with pytest.raises(DeviceError, match="No such file"):
        play_pair(replace(TASK, specs=("cmd:./not-there", "random")))
    with pytest.raises(UsageError, match="a seed is a number"):
        PlayerCache().get(0, "random:x", TASK)


def test_cached_players_stay_and_dropped_ones_are_opened_anew() -> None:
    with PlayerCache() as cache:
        first = cache.get(0, "random:1", TASK)
        assert cache.get(0, "random:1", TASK) is first
        assert cache.get(1, "random:1", TASK) is not first
        assert cache.get(0, "random:2", TASK) is not first
        again = cache.get(0, "random:2", TASK)
        cache.drop(0)
        cache.drop(0)
        assert cache.get(0, "random:2", TASK) is not again
