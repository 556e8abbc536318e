"""The variants: what is legal, what wins, what is drawn."""

from __future__ import annotations

import dataclasses
import pickle
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopline.game import (
    DELUXE,
    LIMITED,
    LOOP,
    MINI,
    STANDARD,
    VARIANTS,
    Colour,
    Draw,
    GameOverError,
    OutsideAreaError,
    Position,
    Result,
    Variant,
    limited,
    play_game,
    variant_named,
)
from tests.game.positions import play_as_far_as_it_goes
from tests.game.rules.test_against_naive import assert_same_turns
from tests.game.rules.test_winning import EAST
from tests.game.rules.variants import RULES, naive_game, naive_outcome, outcome
from tests.game.shared_games import human_games, outcome_of
from tests.game.strategies import examples, games

ALL = [variant_named(name) for name in RULES]
BOTH = "@0+ B1\\ B2/ A2+ A3/ A0\\ @3+ @3\\ B2+"
"""White completes a loop and red one too."""


def random_game(variant: Variant, seed: int) -> list[str]:
    """A game in which nobody completes anything, as long as that can be helped."""
    choose = random.Random(seed)
    position = Position(variant)
    while not position.ending and position.turns < 60:
        turns = position.legal_turns()
        choose.shuffle(turns)
        for turn in turns:
            if not position.play(turn).result:
                break
            position.undo()
        else:
            position.play(turns[0])
    return [str(played.turn) for played in position.history]


def test_the_table() -> None:
    table = {v.name: (v.size, v.line_length, v.both == "draw") for v in VARIANTS.values()}
    assert table == {name: rules for name, rules in RULES.items() if "-" not in name}
    assert all(variant_named(name) is variant for name, variant in VARIANTS.items())
    assert [str(variant) for variant in VARIANTS.values()] == list(VARIANTS)


def test_variants_are_values() -> None:
    assert pickle.loads(pickle.dumps(DELUXE)) == DELUXE
    assert len({*VARIANTS.values(), limited(8), limited(9), variant_named("limited-9")}) == 6
    with pytest.raises(dataclasses.FrozenInstanceError):
        STANDARD.size = 8  # type: ignore[misc]


def test_any_limited_size() -> None:
    assert limited(8) is LIMITED
    assert limited(10) == variant_named("limited-10") == Variant("limited-10", size=10)
    assert variant_named("limited-8") is LIMITED


@pytest.mark.parametrize(
    "name", ["", "Standard", "limited-", "limited-0", "limited-08", "limited-1000", "limited 9"]
)
def test_unknown_names(name: str) -> None:
    with pytest.raises(
        ValueError, match="is not a variant: use standard, limited, .* or limited-N"
    ):
        variant_named(name)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": "two words"}, "a variant's name is one word, not 'two words'"),
        ({"name": ""}, "a variant's name is one word, not ''"),
        ({"name": "none", "size": 0}, "an area has 1 row and column or more, not 0"),
        ({"name": "short", "line_length": 1}, "a line is 2 or longer, not 1"),
        ({"name": "odd", "both": "nobody"}, "'mover' or 'draw', not 'nobody'"),
    ],
)
def test_what_makes_no_game(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Variant(**arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [0, 1000])
def test_sizes_without_a_name(size: int) -> None:
    with pytest.raises(ValueError, match=f"is from 1 to 999, not {size}"):
        limited(size)


def test_a_position_says_its_variant() -> None:
    assert Position().variant is STANDARD
    assert Position(MINI).copy().variant is MINI
    assert [v.name for v in VARIANTS.values() if not Position(v).lines] == ["loop", "mini"]


def test_a_ninth_column_or_row_lies_outside() -> None:
    position = play_game(["@0+", *EAST[:-1], "H1/"], LIMITED)
    assert position.width == 8
    for turn in ("I1+", "@1/"):
        assert not position.is_legal(turn)
        with pytest.raises(OutsideAreaError) as caught:
            position.play(turn)
        assert str(caught.value) == f"{turn}: {turn[:2]} lies outside the area of 8 x 8 spaces"
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    assert {turn.column for turn in position.legal_turns()} == set(range(1, 9))
    assert position.is_legal("A0+")
    down = play_game(["@0+", *(f"A{row}+" for row in range(2, 8)), "A8/"], LIMITED)
    assert {turn.row for turn in down.legal_turns()} == set(range(1, 9))


@pytest.mark.parametrize("variant", [LIMITED, DELUXE, limited(10), STANDARD], ids=str)
def test_a_line_of_eight_wins_where_lines_win(variant: Variant) -> None:
    assert play_game(["@0+", *EAST], variant).result == Result(Colour.RED, "line", both=False)


def test_no_line_in_loop_trax_and_none_fits_a_smaller_area() -> None:
    assert play_game(["@0+", *EAST], LOOP).result is None
    small = play_game(["@0+", *EAST[:3]], limited(4))
    assert small.ending is None
    assert not small.is_legal("E1+")


def test_both_on_one_turn() -> None:
    """White moves, and both complete a loop: the mover wins, but in Deluxe Trax nobody does."""
    for variant in (STANDARD, LIMITED, LOOP):
        assert play_game(BOTH.split(), variant).result == Result(Colour.WHITE, "loop", both=True)
    position = play_game(BOTH.split(), DELUXE)
    last = position.history[-1]
    assert position.result is None
    assert position.draw == position.ending == last.draw == Draw("both")
    assert last.ends_game
    assert last.loops == {Colour.WHITE, Colour.RED}
    assert set(position.winning_tracks()) == {Colour.WHITE, Colour.RED}
    assert position.legal_turns() == []
    assert position.count_legal_turns() == 0
    assert str(position.draw) == "a draw, as both colours have completed a loop or line"
    with pytest.raises(GameOverError) as caught:
        position.play("A0+")
    assert str(caught.value) == f"A0+: the game is over, {position.draw}"
    position.undo()
    assert position.ending is None
    assert position.legal_turns()


def test_no_legal_turn_left_is_a_draw() -> None:
    """Nine tiles without a loop, and every legal turn before the last leaves another."""
    drawn = 0
    for seed in range(20):
        turns = random_game(MINI, seed)
        position = play_game(turns, MINI)
        assert position.ending
        if position.draw:
            drawn += 1
            assert position.draw == Draw("blocked")
            assert repr(position).endswith("a draw, as no legal turn is left>")
            assert not any(played.ends_game for played in position.history[:-1])
            assert position.legal_turns() == []
            assert play_game(turns, LOOP).legal_turns() != []
    assert drawn > 3


@pytest.mark.parametrize("variant", ALL, ids=str)
@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2))])
def test_games_agree_with_the_slow_implementation(variant: Variant, seed: int) -> None:
    position, game = Position(variant), naive_game(variant)
    for turn in random_game(variant, seed)[:40]:
        assert_same_turns(position, game)
        mover = position.to_move.letter
        position.play(turn)
        game.play(turn)
        assert outcome(position) == naive_outcome(game, mover)
    assert_same_turns(position, game)


@pytest.mark.parametrize(
    ("name", "ends"),
    [
        ("standard", "- R:line R:loop W:loop W:loop:both"),
        ("limited", "- R:line R:loop W:loop:both"),
        ("limited-4", "- W:loop:both draw:blocked"),
        ("limited-10", "- R:line R:loop W:loop W:loop:both"),
        ("deluxe", "- R:line R:loop draw:both"),
        ("loop", "- R:loop W:loop W:loop:both"),
        ("mini", "- draw:blocked"),
    ],
)
def test_every_end_agrees_with_the_slow_implementation(name: str, ends: str) -> None:
    """Each turn that may be the last of a random game, of one before a line, and before both."""
    variant, found = variant_named(name), set()
    for turns in (random_game(variant, 2)[:20][:-1], ["@0+", *EAST[:-1]], BOTH.split()[:-1]):
        position, game = Position(variant), naive_game(variant)
        for turn in turns:
            if position.is_legal(turn):
                position.play(turn)
                game.play(turn)
        mover = position.to_move.letter
        for last in position.legal_turns():
            after = naive_game(variant)
            after.board = game.board
            after.play(str(last))
            position.play(last)
            assert outcome(position) == naive_outcome(after, mover), str(last)
            found.add(outcome(position))
            position.undo()
    assert found == set(ends.split())


@pytest.mark.parametrize("variant", ALL, ids=str)
@examples(8)
@given(data=st.data())
def test_random_games_agree_with_the_slow_implementation(
    variant: Variant, data: st.DataObject
) -> None:
    end = data.draw(games(variant=variant))
    position, game = Position(variant), naive_game(variant)
    for played in end.history:
        game.play(str(played.turn))
        assert position.play(played.turn) == played
    if end.turns:
        assert outcome(end) == naive_outcome(game, end.history[-1].colour.letter)
    for turn in ("@0+", "@1/", "A1+", "B0\\", "I1/", "H9+", "D4/"):
        assert end.is_legal(turn) == (game.refusal(turn) is None)
    while position.turns:
        position.undo()
        assert position.ending is None


def test_human_games_on_eight_rows_and_columns() -> None:
    """All but one stay inside. That one, of 1997, was won by a tile in a ninth row: the table
    that it was played at cannot have been limited, and the rules here refuse the turn."""
    outside = {}
    checked = 0
    for game in human_games():
        if game.variant != "8x8 Trax":
            continue
        for variant in (LIMITED, DELUXE):
            position, error = play_as_far_as_it_goes(game.moves, variant)
            if error is None:
                assert (outcome_of(position), position.tiles) == (game.outcome, game.tiles), game
                checked += 1
            else:
                assert isinstance(error, OutsideAreaError)
                outside[game.name] = (position.turns, str(error))
    assert checked >= 10
    assert outside == {"19": (18, "F0/: F0 lies outside the area of 8 x 8 spaces")}
    [number_19] = [game for game in human_games() if game.name == "19"]
    longer = play_game(number_19.moves, limited(9))
    assert outcome_of(longer) == number_19.outcome == "W:loop"
    assert (longer.height, longer.turns) == (9, 19)
