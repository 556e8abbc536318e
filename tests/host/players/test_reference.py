"""The reference player's search against a plain one, and its points against the gateware's."""

from __future__ import annotations

import random

import pytest
from hypothesis import given

from loopline.game import DELUXE, MINI, STANDARD, VARIANTS, Colour, Position, Turn, Variant
from loopline.hdl.core import score
from loopline.host.players.evaluation import DISTANCE_POINTS, LINE_POINTS, evaluate
from loopline.host.players.reference import Found, Limits, Rank, search
from loopline.host.players.trial_board import TrialBoard
from tests.game.strategies import examples, games
from tests.hdl.core.unit import evaluation


def rank_of(position: Position, turn: Turn) -> Rank:
    """What a turn is worth, by making it and all replies."""
    mover = position.to_move
    played = position.play(turn)
    if played.draw:
        rank = Rank.DRAW
    elif played.result:
        rank = Rank.WIN if played.result.winner is mover else Rank.SUICIDE
    else:
        rank = Rank.LOSING if winning_replies(position) else Rank.SAFE
    position.undo()
    return rank


def winning_replies(position: Position) -> list[Turn]:
    """The turns with which the player to move wins."""
    winning = []
    for turn in position.legal_turns():
        result = position.play(turn).result
        position.undo()
        if result and result.winner is position.to_move:
            winning.append(turn)
    return winning


def worth(position: Position, turn: Turn) -> int:
    """The gateware's evaluation after a turn, for the player who makes it."""
    position.play(turn)
    points = evaluation.evaluate(position)
    position.undo()
    return points if position.to_move is Colour.WHITE else -points


def random_position(seed: int, turns: int, variant: Variant = STANDARD) -> Position:
    """A game that goes on, of so many turns or, where it is hard to survive, fewer."""
    rng = random.Random(seed)
    position = Position(variant)
    while position.turns < turns:
        position.play(rng.choice(position.legal_turns()))
        if position.ending:
            position.undo()
            break
    return position


def test_the_points_are_those_of_the_gateware() -> None:
    assert DISTANCE_POINTS == score.DISTANCE_POINTS
    assert LINE_POINTS == score.LINE_POINTS


@examples(60)
@given(position=games(finished=False))
def test_evaluates_as_the_gateware(position: Position) -> None:
    assert evaluate(TrialBoard(position).board) == evaluation.evaluate(position)


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=str)
@pytest.mark.parametrize("turns", [0, 1, 3, 6, 9, 13])
@pytest.mark.parametrize("seed", range(3))
def test_finds_a_turn_of_the_best_rank_and_evaluation(
    variant: Variant, turns: int, seed: int
) -> None:
    position = random_position(100 * seed + turns, turns, variant)
    before = [str(played.turn) for played in position.history]
    ranks = {turn: rank_of(position, turn) for turn in position.legal_turns()}
    best = max(ranks.values())
    found = search(position, random.Random(seed))
    assert found.rank is best
    assert ranks[found.turn] is best
    assert [str(played.turn) for played in position.history] == before
    if best in (Rank.SAFE, Rank.LOSING) and variant.line_length:
        worths = [worth(position, turn) for turn, rank in ranks.items() if rank is best]
        assert worth(position, found.turn) + 3 >= max(worths)
        assert 0 <= found.points - worth(position, found.turn) <= 3
    if best is Rank.LOSING:
        position.play(found.turn)
        assert found.reply in winning_replies(position)
    else:
        assert found.reply is None


def test_takes_a_draw_rather_than_lose() -> None:
    drawn = 0
    for seed in range(40):
        position = random_position(seed, 6, MINI)
        found = search(position, random.Random(seed))
        drawn += found.rank is Rank.DRAW
        assert found.rank is max(rank_of(position, turn) for turn in position.legal_turns())
    assert drawn > 0


def test_both_colours_at_once_are_no_win_where_they_draw() -> None:
    for seed in range(300):
        standard = random_position(seed, 12)
        if standard.width > 7 or standard.height > 7:
            continue
        both = []
        for turn in standard.legal_turns():
            played = standard.play(turn)
            standard.undo()
            if len(played.loops | played.lines) == 2:
                both.append(turn)
        if both:
            deluxe = Position(DELUXE)
            for played in standard.history:
                deluxe.play(played.turn)
            found = search(deluxe, random.Random(1))
            assert rank_of(deluxe, both[0]) is Rank.DRAW
            assert found.rank is not Rank.WIN or found.turn not in both
            return
    raise AssertionError("no position in which a turn completes both colours")


def test_the_same_seed_gives_the_same_turns() -> None:
    def game(seed: int) -> list[str]:
        chance, position = random.Random(seed), Position()
        while position.turns < 12 and not position.ending:
            position.play(search(position, chance).turn)
        return [str(played.turn) for played in position.history]

    assert game(3) == game(3)
    assert len({tuple(game(seed)) for seed in range(6)}) > 1


@pytest.mark.parametrize("nodes", [1, 7, 60, 200, 100_000])
def test_tries_no_more_turns_than_it_may(nodes: int) -> None:
    for seed in range(6):
        position = random_position(seed, 10)
        found = search(position, random.Random(seed), Limits(nodes=nodes))
        assert 1 <= found.nodes <= nodes
        assert position.is_legal(found.turn)
        if found.rank is not Rank.UNKNOWN:
            assert rank_of(position, found.turn) is found.rank


def test_stopped_at_once_it_still_has_a_turn() -> None:
    for seed in range(6):
        position = random_position(seed, 10)
        for limits, stopped in ((Limits(seconds=0.0), False), (Limits(), True)):
            found = search(position, random.Random(1), limits, lambda stopped=stopped: stopped)
            assert position.is_legal(found.turn)
            assert found.rank is not Rank.SUICIDE
            assert found.rank in (Rank.WIN, Rank.UNKNOWN)


def test_reports_each_depth() -> None:
    reports: list[Found] = []
    found = search(random_position(1, 6), random.Random(1), report=reports.append)
    assert [report.depth for report in reports] == [1, 2]
    assert reports[-1] == found
    assert reports[0].nodes < reports[1].nodes
    reports.clear()
    search(random_position(1, 6), random.Random(1), Limits(depth=1), report=reports.append)
    assert [report.depth for report in reports] == [1]
