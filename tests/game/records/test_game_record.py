"""Games written, and read back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopline.game import (
    DELUXE,
    LOOP,
    REASONS,
    STANDARD,
    VARIANTS,
    Colour,
    Ending,
    GameRecord,
    TraxError,
    Variant,
    ending_of,
    format_record,
    format_records,
    parse_turn,
    play_game,
    read_game,
    read_records,
    record_of,
    split_games,
)
from tests.game.records.record_texts import LOOP_GAME, read_one
from tests.game.rules.test_variants import BOTH
from tests.game.shared_games import human_games
from tests.game.strategies import examples, games

WHITE, RED = Colour.WHITE, Colour.RED


TAGS = st.dictionaries(
    st.sampled_from(["White", "Red", "Event", "Clock", "Site", "X1"]),
    st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), max_size=20).filter(
        str.isprintable
    ),
)
REMARKS = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=20)


PIECES = (
    *(
        '[White "a"]',
        '[Red "b\\"\\\\c"]',
        '[Variant "mini"]',
        '[Result "1-0"]',
        '[Termination "time"]',
    ),
    *("@0/", "@0+", "B1+", "A2\\", "@1/", "B1S", "A1C", "1AL", "(", "B2/", ")", "1.", "2. ", "3."),
    *("# x\t\x0c y", "#\u2028z", "RESIGN", "draw", "1-0", "*", "\n", "\n", "\n", "\n", "\n"),
)
"""What a file of records may hold, in any order."""


@examples(300)
@given(st.lists(st.sampled_from(PIECES), max_size=12), st.sampled_from([*VARIANTS.values()]))
def test_whatever_can_be_read_can_be_written(pieces: list[str], variant: Variant) -> None:
    for text in split_games(" ".join(pieces).replace(" \n ", "\n").split("\n")):
        record = read_game(text, variant).record
        for old in (False, True) if record else ():
            assert read_one(format_record(record, old_notation=old)) == record


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=str)
@examples(20)
@given(data=st.data(), old=st.booleans())
def test_what_is_written_reads_back(variant: Variant, data: st.DataObject, old: bool) -> None:
    end = data.draw(games(variant=variant, longest=20))
    reasons = [
        Ending(winner, reason)
        for reason in REASONS
        for winner in (WHITE, RED, None)
        if reason not in ("loop", "line", "loop+line", "both", "blocked")
        and (winner is None) <= (reason in ("turn limit", "agreement", "unstated"))
        and (winner is not None) <= (reason not in ("turn limit", "agreement"))
    ]
    ending = ending_of(end) or data.draw(st.none() | st.sampled_from(reasons))
    comments = data.draw(
        st.dictionaries(st.integers(0, end.turns), st.lists(REMARKS, min_size=1).map(tuple))
    )
    turns = tuple(played.turn for played in end.history)
    record = GameRecord(turns, variant, ending, data.draw(TAGS), comments)
    text = format_record(record, old_notation=old)
    assert read_one(text) == record
    assert format_record(read_one(text), old_notation=old) == text
    assert all(len(line) <= 80 for line in text.splitlines() if line[:1] not in ("[", "#"))
    assert list(read_records(format_records([record] * 3).splitlines())) == [record] * 3
    assert record.position().history == end.history


def test_the_text_of_a_game() -> None:
    record = record_of(play_game(LOOP_GAME.split()), tags={"White": "W", "Red": 'a "b"'})
    text = (
        '[White "W"]\n[Red "a \\"b\\""]\n[Variant "standard"]\n[Result "1-0"]\n'
        '[Termination "loop"]\n\n1. {} 2. {} 3. {} 4. {} 1-0\n'
    )
    assert format_record(record) == text.format(*LOOP_GAME.split())
    assert format_record(record, old_notation=True) == text.format("A1C", "1AL", "B1S", "A1D")


def test_an_unfinished_game_and_a_resigned_one() -> None:
    position = play_game(["@0/", "B1+"])
    assert format_record(record_of(position)).endswith('[Result "*"]\n\n1. @0/ 2. B1+ *\n')
    resigned = record_of(position, Ending(RED, "resignation"))
    assert '[Result "0-1"]\n[Termination "resignation"]\n' in format_record(resigned)
    assert "Termination" not in format_record(record_of(position, Ending(None, "unstated")))


def test_human_games_in_both_notations() -> None:
    for game in human_games():
        position = play_game(game.moves, LOOP if game.variant == "Loop Trax" else STANDARD)
        given = None
        if game.ended == "resign":
            given = Ending(position.to_move.other, "resignation")
        record = record_of(position, given, {"Event": game.name})
        for old in (False, True):
            assert read_one(format_record(record, old_notation=old)) == record
        assert read_one(" ".join(game.moves[:5])).turns == record.turns[:5]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (GameRecord((parse_turn("@0+"),), ending=Ending(WHITE, "loop")), "the record ends with"),
        (GameRecord((), tags={"Result": "1-0"}), "'Result' cannot be the name of a tag"),
        (GameRecord((), tags={"two words": ""}), "'two words' cannot be the name of a tag"),
        (GameRecord((), tags={"": ""}), "'' cannot be the name of a tag"),
        (GameRecord((), tags={"White": "a\nb"}), "the value of the tag White is not one line"),
        (GameRecord((), Variant("odd", 4)), "'odd' is not a variant"),
        (GameRecord((), Variant("limited", 4)), "the variant limited is not the one of that name"),
        (GameRecord((), comments={1: ("x",)}), "a comment stands after more turns"),
        (GameRecord((), comments={0: ("a\nb",)}), "a comment is one line"),
        (GameRecord((), comments={0: ("",)}), "a comment is one line"),
        (GameRecord((), comments={0: ("a\u2028b",)}), "a comment is one line"),
        (GameRecord((), tags={"White": "\udcff"}), "the value of the tag White is not one line"),
    ],
)
def test_what_cannot_be_written(record: GameRecord, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        format_record(record)


@pytest.mark.parametrize("old", [False, True])
def test_an_illegal_turn_cannot_be_written(old: bool) -> None:
    with pytest.raises(TraxError, match="A1 is occupied"):
        format_record(GameRecord((parse_turn("@0+"), parse_turn("A1+"))), old_notation=old)


def test_a_win_that_the_record_does_not_tell_cannot_be_written() -> None:
    turns = tuple(map(parse_turn, BOTH.split()))
    with pytest.raises(ValueError, match="but the board with a draw as both colours"):
        format_record(GameRecord(turns, DELUXE, Ending(WHITE, "loop")))
