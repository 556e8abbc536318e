"""How the turns of a position are shared out, and which answer is the best."""

import pytest

from loopline.game import Turn, parse_turn
from loopline.game.wire import WIN_SCORE, Verdict
from loopline.host.device import SearchReport
from loopline.host.device.shares import Share, Shares, before

A, B, C, D, E = (parse_turn(text) for text in ("A1/", "B1/", "C1/", "D1/", "E1/"))


def _report(score: int, depth: int, *line: Turn) -> SearchReport:
    return SearchReport(Verdict.SAFE, score, depth, 100, 1000, line)


def _take(shares: Shares, turn: Turn, depth: int, score: int) -> None:
    """The search that looks so far ahead has this score for the side that makes the turn."""
    shares.take(Share(turn, depth), _report(-score, depth - 1, A))


@pytest.mark.parametrize(
    ("after", "score", "verdict"),
    [
        (40, -40, Verdict.SAFE),
        (WIN_SCORE - 3, 4 - WIN_SCORE, Verdict.LOSING),
        (2 - WIN_SCORE, WIN_SCORE - 3, Verdict.WIN),
    ],
)
def test_a_turn_is_worth_what_its_position_is_not(after: int, score: int, verdict: Verdict) -> None:
    found = before(B, _report(after, 3, C, D))
    assert (found.score, found.verdict, found.depth) == (score, verdict, 4)
    assert found.variation == (B, C, D)


def test_each_round_has_the_better_half() -> None:
    shares = Shares([A, B, C, D, E], most=9)
    scores = {A: -9, B: 5, C: 30, D: 7, E: 1}
    assert [shares.next() for _ in scores] == [Share(turn, 2) for turn in scores]
    for turn, score in scores.items():
        _take(shares, turn, 2, score)
    # The best of the whole search is among them, although it was the last.
    shares.note(_report(8, 2, A, B))
    third = [shares.next() for _ in range(4)]
    assert third == [Share(turn, 3) for turn in (A, C, D, B)]
    # That search is farther now than a round is.
    shares.note(_report(8, 5, C))
    assert [shares.next(), shares.next()] == [Share(C, 6), Share(D, 6)]
    # What is put back is the next, but not in another round.
    shares.put_back(Share(D, 6))
    assert shares.next() == Share(D, 6)
    shares.put_back(Share(B, 3))
    assert shares.next() == Share(C, 7)


def test_no_turn_is_searched_beyond_its_end_or_the_limit() -> None:
    shares = Shares([A, B], most=3)
    assert [shares.next(), shares.next()] == [Share(A, 2), Share(B, 2)]
    _take(shares, A, 2, 4 - WIN_SCORE)
    _take(shares, B, 2, 0)
    assert [shares.next(), shares.next()] == [Share(B, 3), None]
    assert Shares([], most=3).next() is None


def test_the_best_answer() -> None:
    whole = _report(10, 4, A, B)
    shares = Shares([A, B, C], most=9)
    assert shares.best(whole) is whole
    # Others at the same depth, or deeper without the turn of the whole, say nothing.
    _take(shares, B, 4, 50)
    _take(shares, B, 5, 50)
    assert shares.best(whole) is whole
    _take(shares, A, 5, 20)
    assert shares.best(whole).variation[0] == B
    _take(shares, A, 6, 15)
    best = shares.best(whole)
    assert (best.variation[0], best.score, best.depth) == (A, 15, 6)
    # One that is not complete.
    shares.take(Share(C, 6), _report(-90, 4, B))
    assert shares.best(whole) == best
    _take(shares, C, 6, 15)
    assert shares.best(whole) == best
    _take(shares, C, 6, 16)
    assert shares.best(whole).variation[0] == C
    assert shares.best(_report(10, 6, A, B)).score == 10


def test_wins_and_losses_count_at_any_depth() -> None:
    whole = _report(10, 4, A, B)
    shares = Shares([A, B, C], most=9)
    _take(shares, B, 2, -5)
    _take(shares, A, 5, 6 - WIN_SCORE)
    assert shares.best(whole).variation[0] == B
    # Only the turns so far lose; then all do.
    shares.take(Share(C, 7), _report(4 - WIN_SCORE, 3, A))
    assert shares.best(whole).variation[0] == B
    shares.take(Share(C, 7), _report(4 - WIN_SCORE, 4, A))
    best = shares.best(whole)
    assert (best.variation[0], best.score) == (C, WIN_SCORE - 5)
    assert shares.best(_report(WIN_SCORE - 3, 3, A)).variation[0] == A
    nothing = _report(0, 0)
    assert shares.best(nothing) is nothing
