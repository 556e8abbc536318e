"""What is said about a turn that may not be made."""

from __future__ import annotations

import pickle
from itertools import product

import pytest
from hypothesis import given

from loopline.game import (
    Colour,
    ColourMismatchError,
    FirstTurnError,
    ForcedPlayError,
    GameOverError,
    IllegalTurnError,
    NotAdjacentError,
    NotationError,
    OccupiedError,
    Position,
    Result,
    Shape,
    Side,
    TraxError,
    Turn,
    parse_turn,
    play_game,
)
from tests.game.strategies import examples, games

CROWDED = "@0/ B1+ C1/ C2\\ @1+ A2/ A3/ D3\\"
"""After these turns, B3\\ brings a third red track into C2."""
CROWDED_SWAPPED = "@0/ @1+ @1/ A0\\ D2+ D1/ D0/ A1\\"
"""The same, turned by half a turn and with colours swapped."""


def refusal(turns: str, turn: str) -> TraxError:
    """The error that the last turn raises, after checking what holds for all errors."""
    position = play_game(turns.split())
    before = (list(position.cells()), position.turns, position.result, position.legal_turns())
    with pytest.raises(TraxError) as caught:
        position.play(turn)
    assert before == (
        list(position.cells()),
        position.turns,
        position.result,
        position.legal_turns(),
    )
    error = caught.value
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)
    if isinstance(error, IllegalTurnError):
        assert error.turn == parse_turn(turn)
        assert not position.is_legal(turn)
    return error


WON = "@0/ A0\\ B1+ @1/"
LINE = "@0+ B1+ C1+ D1+ E1+ F1+ G1+ H1+"
FORCED, CROWD = "the forced play at", "cannot be made, three {} tracks enter there"


@pytest.mark.parametrize(
    ("turns", "turn", "kind", "reason"),
    [
        ("", "@0\\", FirstTurnError, "the first turn is @0/ or @0+"),
        ("", "A1+", FirstTurnError, "the first turn is @0/ or @0+"),
        ("", "@1+", FirstTurnError, "the first turn is @0/ or @0+"),
        ("@0+", "A1+", OccupiedError, "A1 is occupied"),
        ("@0+ @1+", "B1/", OccupiedError, "B1 is occupied"),
        ("@0+", "@0+", NotAdjacentError, "@0 is not adjacent to any tile"),
        ("@0+", "B2+", NotAdjacentError, "B2 is not adjacent to any tile"),
        ("@0+", "C1+", NotAdjacentError, "C1 is not adjacent to any tile"),
        ("@0+", "AA100+", NotAdjacentError, "AA100 is not adjacent to any tile"),
        (WON, "C1+", GameOverError, "the game is over, white has won by a loop"),
        (WON, "A1+", GameOverError, "the game is over, white has won by a loop"),
        (LINE, "@1+", GameOverError, "the game is over, red has won by a line"),
        (CROWDED, "B3\\", ForcedPlayError, f"{FORCED} C2 {CROWD.format('red')}"),
        (CROWDED_SWAPPED, "C1\\", ForcedPlayError, f"{FORCED} B2 {CROWD.format('white')}"),
    ],
)
def test_messages(turns: str, turn: str, kind: type[TraxError], reason: str) -> None:
    error = refusal(turns, turn)
    assert type(error) is kind
    assert str(error) == f"{turn}: {reason}"


def test_a_turn_that_cannot_be_read() -> None:
    expected = "expected a column, '@' or capital letters, at character 1: found 'a'"
    assert str(refusal("@0+", "a1+")) == f"'a1+': {expected}"


@pytest.mark.parametrize(
    ("turns", "turn", "side", "colour"),
    [
        ("@0+ A0/ @2+", "A1/", Side.SOUTH, Colour.WHITE),
        ("@0/ A2+ @2+", "A1/", Side.SOUTH, Colour.RED),
        ("@0/ @1+ A2/", "B2/", Side.WEST, Colour.WHITE),
        ("@0+ @1+ A2/", "B2/", Side.WEST, Colour.RED),
        ("@0+ @1/ B2/", "A2\\", Side.EAST, Colour.WHITE),
        ("@0+ A0/ @1\\", "A2\\", Side.EAST, Colour.RED),
        ("@0/ B1/ A0/", "B1\\", Side.WEST, Colour.WHITE),
        ("@0/ @1\\ A0+", "B1\\", Side.WEST, Colour.RED),
    ],
)
def test_colour_mismatch(turns: str, turn: str, side: Side, colour: Colour) -> None:
    error = refusal(turns, turn)
    assert isinstance(error, ColourMismatchError)
    assert (error.side, error.colour) == (side, colour)
    names = (side.name.lower(), colour.other.name.lower(), colour.name.lower())
    assert str(error) == "{}: the {} edge would be {} but the neighbour's edge is {}".format(
        turn, *names
    )


@examples(60)
@given(games(finished=False))
def test_a_mismatch_names_an_edge_that_is_wrong(position: Position) -> None:
    """Turned to fit the first neighbour, the tile fits up to the side named, and not there."""
    for (x, y), shape in product(position.frontier(), Shape):
        sockets = position.sockets(x, y)
        first = next(iter(sockets))
        tile = next(tile for tile in shape.tiles if tile.colour(first) is sockets[first])
        wrong = [side for side in sockets if tile.colour(side) is not sockets[side]]
        if wrong:
            with pytest.raises(ColourMismatchError) as caught:
                position.play(Turn(*position.label(x, y), shape))
            assert caught.value.side is wrong[0]
            assert caught.value.colour is sockets[wrong[0]]


def test_facts_of_a_forced_play() -> None:
    error = refusal(CROWDED, "B3\\")
    assert isinstance(error, ForcedPlayError)
    assert (error.label, error.colour) == ("C2", Colour.RED)


def test_facts_of_a_game_that_is_over() -> None:
    error = refusal("@0/ A0\\ B1+ @1/", "C1+")
    assert isinstance(error, GameOverError)
    assert error.result == Result(Colour.WHITE, "loop", both=False)


def test_all_errors_have_one_base() -> None:
    for kind in (
        OccupiedError,
        NotAdjacentError,
        ColourMismatchError,
        ForcedPlayError,
        GameOverError,
        FirstTurnError,
    ):
        assert issubclass(kind, IllegalTurnError)
    assert issubclass(IllegalTurnError, TraxError)
    assert issubclass(NotationError, TraxError)
    assert not issubclass(NotationError, IllegalTurnError)


def test_a_label_below_zero_is_a_programming_error() -> None:
    position = play_game(["@0+"])
    for turn in (Turn(-1, 1, Shape.CROSS), Turn(1, -1, Shape.CROSS)):
        with pytest.raises(ValueError, match="a column and a row are 0 or more, not"):
            position.play(turn)
    assert position.turns == 1


def test_nothing_to_take_back() -> None:
    with pytest.raises(IndexError, match="there is no turn to take back"):
        Position().undo()
