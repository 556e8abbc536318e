"""How games end."""

from __future__ import annotations

import pytest

from loopline.game import DELUXE, Colour, Ending, Position, ending_of, play_game
from tests.game.rules.test_variants import BOTH

WHITE, RED = Colour.WHITE, Colour.RED


def test_endings_are_checked() -> None:
    with pytest.raises(ValueError, match="'loop' is not a reason for a draw"):
        Ending(None, "loop")
    with pytest.raises(ValueError, match="'both' is not a reason for a win"):
        Ending(RED, "both")
    with pytest.raises(ValueError, match="'luck' is not a reason: use loop, line"):
        Ending(RED, "luck")  # type: ignore[arg-type]


def test_endings_say_what_they_are() -> None:
    assert str(Ending(WHITE, "time")) == "white wins on time"
    assert str(Ending(None, "agreement")) == "a draw by agreement"
    assert str(Ending(RED, "unstated")) == "red wins"
    assert [Ending(winner, "unstated").score for winner in (WHITE, RED, None)] == [
        "1-0",
        "0-1",
        "1/2-1/2",
    ]
    assert ending_of(Position()) is None
    assert ending_of(play_game(BOTH.split(), DELUXE)) == Ending(None, "both")
    assert ending_of(play_game(BOTH.split())) == Ending(WHITE, "loop")
