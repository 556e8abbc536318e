"""Turns, endings and rules as sentences."""

import pytest

from loopline.game import DELUXE, MINI, STANDARD, Colour, Ending, Variant, limited, play_game
from loopline.host.render.wording import describe_end, describe_rules, describe_turn, plural
from tests.host.positions import BOTH_GAME, WON_GAME, position_after


@pytest.mark.parametrize(
    ("turns", "text"),
    [
        ("@0/", "Turn 1: white plays @0/ (now at A1)."),
        ("@0+ B1+", "Turn 2: red plays B1+."),
        ("@0+ B1+ B2/", "Turn 3: white plays B2/, which forces A2\\."),
        ("@0+ B1+ B2/ B0\\", "Turn 4: red plays B0\\ (now at B1), which forces A1/."),
    ],
)
def test_turn(turns: str, text: str) -> None:
    position = position_after(turns)
    assert describe_turn(position, position.history[-1]) == text


@pytest.mark.parametrize(
    ("turns", "text"),
    [
        (WON_GAME, "Red wins by a loop after 3 turns."),
        ("@0+ B1+ C1+ D1+ E1+ F1+ G1+ H1+", "Red wins by a line after 8 turns."),
        (
            BOTH_GAME,
            "Red wins by a loop after 10 turns; white has completed one too, "
            "but red made the turn.",
        ),
        ("@0/", "No one has won after 1 turn."),
    ],
)
def test_end_on_the_board(turns: str, text: str) -> None:
    assert describe_end(position_after(turns)) == text


@pytest.mark.parametrize(
    ("ending", "text"),
    [
        (Ending(Colour.WHITE, "resignation"), "White wins by resignation after 1 turn."),
        (Ending(Colour.RED, "time"), "Red wins on time after 1 turn."),
        (
            Ending(Colour.RED, "illegal turn"),
            "Red wins after 1 turn, as the opponent made an illegal turn.",
        ),
        (Ending(Colour.RED, "unstated"), "Red wins after 1 turn."),
        (
            Ending(None, "turn limit"),
            "A draw after 1 turn, as the most turns allowed have been made.",
        ),
        (Ending(None, "agreement"), "A draw by agreement after 1 turn."),
    ],
)
def test_end_that_the_board_does_not_show(ending: Ending, text: str) -> None:
    assert describe_end(position_after("@0/"), ending) == text


@pytest.mark.parametrize(
    ("variant", "turns", "text"),
    [
        (limited(1), "@0/", "A draw after 1 turn, as no legal turn is left."),
        (
            DELUXE,
            BOTH_GAME,
            "A draw after 10 turns, as both colours have completed a loop or line.",
        ),
    ],
)
def test_draws_on_the_board(variant: Variant, turns: str, text: str) -> None:
    assert describe_end(play_game(turns.split(), variant)) == text


def test_rules() -> None:
    both = "If both colours complete one in one turn, "
    assert describe_rules(STANDARD) == (
        "You win with a loop of your colour, or with a line of it from edge to opposite edge of a "
        f"formation at least 8 long in that direction. {both}the player who made it wins."
    )
    assert describe_rules(MINI) == (
        f"You win with a loop of your colour; lines do not count. {both}the player who made it "
        "wins. The formation keeps within 3 columns and rows; if no turn is left, it is a draw."
    )
    assert f"{both}it is a draw." in describe_rules(DELUXE)


def test_plural() -> None:
    assert (plural(0, "tile"), plural(1, "tile"), plural(2, "tile")) == (
        "0 tiles",
        "1 tile",
        "2 tiles",
    )
