"""Openings: different, legal, undecided, and the same again from the same seed."""

import random
from pathlib import Path

import pytest

from loopline.game import (
    LOOP,
    MINI,
    STANDARD,
    VARIANTS,
    Colour,
    Position,
    Turn,
    Variant,
    attacks,
    parse_turn,
    position_hash,
)
from loopline.host.errors import UsageError
from loopline.host.matches import openings
from loopline.host.matches.openings import (
    GeneratedOpenings,
    GivenOpenings,
    is_balanced,
    read_openings,
)
from loopline.host.referee.referee import TURN_LIMIT


def after(turns: tuple[Turn, ...], variant: Variant = STANDARD) -> Position:
    position = Position(variant)
    for turn in turns:
        position.play(turn)
    return position


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=str)
def test_nobody_has_won_or_can_win_at_once_and_no_two_are_the_same(variant: Variant) -> None:
    openings = GeneratedOpenings(3, 7, seed=5, variant=variant)
    made = [openings[number] for number in range(60)]
    positions = [after(opening, variant) for opening in made]
    assert {3, 4, 5, 6} <= {len(opening) for opening in made} <= {3, 4, 5, 6, 7}
    assert len({position_hash(position) for position in positions}) == 60
    for position in positions:
        assert position.ending is None
        assert not attacks(position, Colour.WHITE)
        assert not attacks(position, Colour.RED)


def test_a_seed_makes_the_same_openings_in_any_order() -> None:
    one, same, other = GeneratedOpenings(seed=1), GeneratedOpenings(seed=1), GeneratedOpenings()
    last = one[20]
    assert [one[n] for n in range(21)] == [same[n] for n in range(21)]
    assert same[20] == last == other[20]
    assert [GeneratedOpenings(seed=2)[n] for n in range(5)] != [one[n] for n in range(5)]
    assert {len(one[n]) for n in range(21)} == {4, 5, 6}


def test_where_there_are_no_more_they_begin_again() -> None:
    # The two first turns, and the six positions that are different games after the second.
    for turns, count in (1, 2), (2, 6):
        openings = GeneratedOpenings(turns, turns)
        made = [openings[number] for number in range(3 * count)]
        assert made == made[:count] * 3
        assert len(set(made)) == count


def test_no_opening_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openings, "_MOST_FAILURES", 100)
    with pytest.raises(UsageError, match="^in mini Trax no opening of 40 to 40 turns leaves"):
        GeneratedOpenings(40, 40, variant=MINI)


@pytest.mark.parametrize(
    ("turns", "balanced"),
    [
        ("", True),
        ("@0/ B1\\", False),  # red closes a loop
        ("@0/ B1\\ A2\\", False),  # and has
        ("@0/ B1+", True),
    ],
)
def test_balance(turns: str, balanced: bool) -> None:
    position = after(tuple(map(parse_turn, turns.split())))
    before = position.turns
    assert is_balanced(position) is balanced
    assert position.turns == before


def test_balance_counts_either_players_wins() -> None:
    # All positions one turn after an opening, judged by the threats of both players.
    verdicts = set()
    openings = GeneratedOpenings(7, 7, seed=9)
    for number in range(3):
        position = after(openings[number])
        for turn in position.legal_turns():
            position.play(turn)
            quiet = position.ending is None and not any(attacks(position, c) for c in Colour)
            assert is_balanced(position) is quiet
            verdicts.add(quiet)
            position.undo()
    assert verdicts == {True, False}


def test_openings_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("@0/ B1+\n@0+  # the other one\n", encoding="utf-8")
    read = read_openings(path)
    assert [[str(turn) for turn in opening] for opening in read] == [["@0/", "B1+"], ["@0+"]]
    given = GivenOpenings(read)
    assert [given[n] for n in range(5)] == [*read, *read, read[0]]
    assert GivenOpenings()[7] == ()
    assert read_openings(path, MINI) == read


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# nothing\n", " has no games to take openings from"),
        ("@0/\n@0/ Z9+\n", ", line 2, column 5: turn 2: Z9+"),
        ("@0/ B1\\ A2\\\n", ", line 1: red has won by a loop: no game is left to play"),
        ('[Variant "mini"]\n\n1. @0/ *\n', ", line 1: this game is mini Trax, not standard"),
    ],
)
def test_what_is_no_file_of_openings(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "openings.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as error:
        read_openings(path)
    assert str(error.value).startswith(f"{path}{message}")
    assert "\n" not in str(error.value)


def test_an_opening_that_leaves_no_turn(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    choice = random.Random(5)
    position = Position(LOOP)
    while position.turns < TURN_LIMIT:
        position.play(choice.choice(position.legal_turns()))
        if position.ending:
            position.undo()
    turns = [str(played.turn) for played in position.history]
    path.write_text(" ".join(turns[:-1]), encoding="utf-8")
    assert len(read_openings(path, LOOP)[0]) == TURN_LIMIT - 1
    path.write_text(" ".join(turns), encoding="utf-8")
    with pytest.raises(UsageError, match=rf"line 1: an opening has less than {TURN_LIMIT} turns"):
        read_openings(path, LOOP)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file or directory$"):
        read_openings(tmp_path / "none.txt")
