"""The turns of a game beside the best ones: values, losses, marks and summaries."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from loopline.game import Colour, Turn, parse_turn, play_game
from loopline.host.players.analyst import Analysis, Value
from loopline.host.players.assessment import Assessment, assess, summarise

WON = "@0/ B1\\ A0\\ C2\\ B3\\ C1+ C3\\ @1\\ E1+ D0/"


def analysis(turn: str, score: int, mate: int | None = None) -> Analysis:
    line = (parse_turn(turn),)
    return Analysis(line[0], score, mate, 1, 1, 1, 0.0, line)


def assessed(text: str, **found: Analysis) -> list[Assessment]:
    """Assess a game whose searches find what is played, but for the last turn.

    ``found`` has what searches find before it, after it, and after the best one; a search without
    an entry must not take place.
    """
    game = play_game(text.split())
    played = [made.turn for made in game.history]

    def analyse(turns: Sequence[Turn]) -> Analysis:
        if len(turns) < len(played) - 1:
            return analysis(str(played[len(turns)]), 0)
        last = "after" if tuple(turns) == tuple(played) else "after_best"
        return found["before" if len(turns) < len(played) else last]

    return list(assess(analyse, game))


WIN_IN_3, LOSS_IN_2, LOSS_IN_4 = (Value.forced(mate) for mate in (3, -2, -4))


@pytest.mark.parametrize(
    ("before", "after", "after_best", "loss", "mark"),
    [
        pytest.param(WIN_IN_3, LOSS_IN_4, None, 0, "", id="a win in 5 instead of in 3"),
        pytest.param(LOSS_IN_4, WIN_IN_3, None, 0, "", id="a forced loss either way"),
        pytest.param(Value(0), WIN_IN_3, Value(0), 0.5, "??", id="into a forced loss"),
        pytest.param(Value(900), Value(0), LOSS_IN_2, 0.5, "??", id="a win let go"),
        pytest.param(Value(900), Value(60), Value(-60), 0.23, "?", id="searched alike"),
        pytest.param(Value(0), Value(52), Value(0), 0.1, "?!", id="just"),
        pytest.param(Value(0), Value(51), Value(0), 0.099, "", id="just not"),
        pytest.param(Value(0), Value(108), Value(0), 0.199, "?!", id="not 20 %"),
        pytest.param(Value(0), Value(-52), Value(0), 0, "!", id="better than the search"),
        pytest.param(Value(0), LOSS_IN_4, WIN_IN_3, 0, "!", id="the only win"),
    ],
)
def test_loss_and_mark(
    before: Value, after: Value, after_best: Value | None, loss: float, mark: str
) -> None:
    found = {"before": analysis("A0/", *before), "after": analysis("D1+", *after)}
    if after_best:
        found["after_best"] = analysis("A0/", *after_best)
    *_, turn, to_come = assessed("@0/ B1+ C1+", **found)
    assert (turn.number, turn.mover, str(turn.played)) == (3, Colour.WHITE, "C1+")
    assert turn.value == after.before
    assert turn.best == (after_best.before if after_best else before)
    assert turn.loss == pytest.approx(loss, abs=0.005)
    assert turn.mark == mark
    # What is shown is below the next mark, as the loss is.
    assert (int(turn.loss_text.split()[0]) >= 20) == (mark in ("?", "??"))
    assert (to_come.played, to_come.value) == (None, after)


def test_the_best_turn_is_searched_once_and_loses_nothing() -> None:
    *_, turn, _ = assessed("@0/ B1+ C1+", before=analysis("C1+", 900), after=analysis("D1+", 900))
    assert turn.best == turn.value == Value(-900)
    assert (turn.loss, turn.mark) == (0, "")


def test_no_turn_holds_a_position_that_is_lost() -> None:
    found = {"before": analysis("A0/", *LOSS_IN_4), "after": analysis("D1+", -52)}
    *_, turn, _ = assessed("@0/ B1+ C1+", **found)
    assert turn.best == turn.value == LOSS_IN_4
    assert (turn.loss, turn.mark) == (0, "")


def test_the_end_on_the_board_needs_no_search() -> None:
    *_, turn = assessed(WON, before=analysis("@1+", 0), after_best=analysis("@1+", 0))
    assert turn.value == Value.forced(1)
    assert turn.mark == "!"
    # White completes Red's loop.
    found = {"before": analysis("A0/", 0), "after_best": analysis("A0/", 0)}
    *_, turn = assessed("@0/ A2\\ B1\\", **found)
    assert (turn.value, turn.mark) == (Value.forced(-1), "??")


def test_values_from_both_sides() -> None:
    assert [str(value) for value in (Value(0), WIN_IN_3, LOSS_IN_4)] == [
        *("+0", "win in 3", "loss in 4")
    ]
    assert WIN_IN_3.before == LOSS_IN_4
    assert LOSS_IN_4.before == Value.forced(5)
    assert Value(128).expected == pytest.approx(1 - Value(128).before.expected)
    assert (WIN_IN_3.score, LOSS_IN_4.score) == (29_997, -29_996)


def test_a_summary_for_each_player() -> None:
    """The accuracy is the mean over a player's turns; a turn without a loss has 100 %."""
    found = {"before": analysis("A0/", 0), "after": analysis("D1+", *WIN_IN_3)}
    turns = assessed("@0/ B1+ C1+", **found, after_best=analysis("A0/", 0))
    white, red = summarise(turns)
    assert (white.player, white.turns, white.worst) == (Colour.WHITE, 2, turns[2])
    assert white.marks == {"!": 0, "?!": 0, "?": 0, "??": 1}
    assert white.accuracy == pytest.approx((100 + 8.53) / 2, abs=0.01)
    assert str(white) == "white: accuracy 54.3 %, 0 ! 0 ?! 0 ? 1 ??, largest loss 50 % (3. C1+)"
    assert str(red) == "red: accuracy 100.0 %, 0 ! 0 ?! 0 ? 0 ??"
