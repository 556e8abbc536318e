"""The section "Winning" of the rules: loops, lines, and who wins by them."""

from __future__ import annotations

import pytest
from hypothesis import given

from loopline.game import LOOP, Colour, Position, Result, play_game
from tests.game.strategies import examples, games

WHITE, RED = Colour.WHITE, Colour.RED
EAST = [f"{column}1+" for column in "BCDEFGH"]
SOUTH = [f"A{row}+" for row in range(2, 9)]


def test_the_smallest_loop() -> None:
    position = play_game(["@0/", "A0\\"])
    played = position.play("@1+")
    assert played.result is None
    position.undo()
    position.play("B1+")
    played = position.play("@1/")
    assert played.loops == {WHITE}
    assert played.lines == frozenset()
    assert played.result == Result(WHITE, "loop", both=False)


def test_a_turn_for_the_opponent_wins_for_the_opponent() -> None:
    """Red closes white's loop; the last tile is forced."""
    position = play_game(["@0/", "A0\\", "B1+", "@1/"])
    assert position.history[-1].colour is RED
    assert len(position.history[-1].tiles) == 2
    assert position.result == Result(WHITE, "loop", both=False)


def test_a_straight_line_of_eight_wins() -> None:
    position = play_game(["@0+", *EAST])
    assert position.width == 8
    assert position.result == Result(RED, "line", both=False)
    assert str(position.result) == "red has won by a line"


def test_a_line_of_seven_does_not() -> None:
    position = play_game(["@0+", *EAST[:-1]])
    assert position.width == 7
    assert position.result is None


def test_lines_may_run_in_both_directions() -> None:
    assert play_game(["@0+", *SOUTH]).result == Result(WHITE, "line", both=False)
    assert play_game(["@0+", *SOUTH[:-1]]).result is None
    assert play_game(["@0+", *["@1+"] * 7]).result == Result(RED, "line", both=False)
    assert play_game(["@0+", *["A0+"] * 7]).result == Result(WHITE, "line", both=False)


def test_both_ends_have_to_be_outermost() -> None:
    """Eight columns are crossed, but the box has a ninth beyond the end."""
    ahead = (
        "@0/ B1\\ C1/ D1+ E1\\ F1\\ G1/ A2/ B2+ C2\\ D2\\ E2\\ F2+ G2+ H2/ A3\\ B3\\ C3+ F3\\ H3+"
    )
    assert play_game([*ahead.split(), "H1/"]).result == Result(RED, "line", both=False)
    assert play_game([*ahead.split(), "I3/", "H1/"]).result is None


def test_both_ends_have_to_leave_on_opposite_sides() -> None:
    """The track runs through the outermost columns, but one end leaves to the south."""
    position = play_game(["@0+", *EAST[:-1], "H1\\"])
    assert position.width == 8
    assert position.result is None


def test_a_line_may_wind() -> None:
    position = play_game(["@0+", "B1+", "C1+", "D1+", "E1\\", "E2\\", "@1/", "A2/", "@2+", "@2+"])
    assert position.result == Result(RED, "line", both=False)
    assert position.height == 2


@pytest.mark.parametrize(
    ("turns", "result"),
    [
        ("@0+ B1\\ B2/ A2+ A3/ A0\\ @3+ @3\\ B2+", Result(WHITE, "loop", both=True)),
        (
            "@0+ A0+ B2\\ A3+ @2\\ D2\\ E2\\ A0/ D2+ @1\\ A0\\ C1+ @2+ E0/ F3+ G2\\ H5\\ F7/ G8+"
            " G1/ E7/",
            Result(WHITE, "line", both=True),
        ),
        ("@0/ A0\\ B1\\ B3/ A3/ @3\\ B0\\ A3+ @3\\ A2/", Result(RED, "loop", both=True)),
    ],
)
def test_the_mover_wins_if_both_colours_complete(turns: str, result: Result) -> None:
    position = play_game(turns.split())
    assert position.result == result
    last = position.history[-1]
    assert last.colour is result.winner
    assert last.loops | last.lines == {WHITE, RED}


@examples(100)
@given(games())
def test_the_result_follows_from_what_was_completed(position: Position) -> None:
    """Also: only the last turn of a game completes anything."""
    for played in position.history[:-1]:
        assert not played.loops | played.lines
        assert played.result is None
    if not position.turns:
        return
    last = position.history[-1]
    assert position.result == last.result
    completed = last.loops | last.lines
    if not completed:
        assert last.result is None
        return
    assert last.result is not None
    assert last.result.winner is (last.colour if last.colour in completed else last.colour.other)
    assert last.result.both == (len(completed) == 2)
    kinds = last.result.kind.split("+")
    assert ("loop" in kinds) == (last.result.winner in last.loops)
    assert ("line" in kinds) == (last.result.winner in last.lines)
    assert position.legal_turns() == []
    assert position.count_legal_turns() == 0
    assert not position.is_legal("A0+")


def test_lines_do_not_count_in_loop_trax() -> None:
    position = play_game(["@0+", *EAST, "I1+", "J1+"], LOOP)
    assert not position.lines
    assert position.result is None
    assert position.winning_tracks() == {}
    assert all(played.lines == frozenset() for played in position.history)
    loop = play_game(["@0/", "A0\\", "B1+", "@1/"], LOOP)
    assert loop.result == Result(WHITE, "loop", both=False)


def test_a_loop_and_a_line_at_once() -> None:
    """White's turn completes both for red."""
    turns = (
        "@0+ @1/ B2/ B3\\ C2/ @1+ A2\\ @1\\ C4/ D5+ F1/ D6+ @1/ C5\\ B2+ F3\\ C6/ F0\\ @2\\ C1\\"
    )
    position = play_game([*turns.split(), "F0\\"])
    assert position.history[-1].colour is WHITE
    assert position.result == Result(RED, "loop+line", both=False)
    assert str(position.result) == "red has won by a loop and a line"


def test_a_loop_against_a_line() -> None:
    turns = "@0+ A0/ A3\\ B1\\ B3\\ C1+ B0\\ D1/ A5/ E1/ E0\\ A7+ A8+ D1\\"
    position = play_game(turns.split())
    last = position.history[-1]
    assert last.colour is RED
    assert last.loops == {RED}
    assert last.lines == {WHITE}
    assert position.result == Result(RED, "loop", both=True)
