"""Whole files of games, read."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopline.game import (
    MINI,
    STANDARD,
    Colour,
    Ending,
    GameRecord,
    NotationError,
    OccupiedError,
    Position,
    format_record,
    parse_game,
    parse_turn,
    read_game,
    read_records,
    space_name,
    split_games,
)
from tests.game.records.record_texts import LOOP_GAME, read_one, refusal
from tests.game.rules.test_variants import BOTH
from tests.game.strategies import examples, games

WHITE, RED = Colour.WHITE, Colour.RED


def test_a_game_with_everything() -> None:
    record = read_one(
        '# A heading\n[White "A \\"quick\\" player"]\n  [Red "C:\\\\trax"]  # their spelling\n'
        '[Date "1997-03"]\n[Variant "standard"]\n[Result "1-0"]\n[Termination "loop"]\n\n'
        "1. @0/ 2.A0\\  # an attack\n\n# and more\n3. B1+\n4. @1/\n1-0\n# done"
    )
    assert record == GameRecord(
        tuple(map(parse_turn, LOOP_GAME.split())),
        STANDARD,
        Ending(WHITE, "loop"),
        {"White": 'A "quick" player', "Red": "C:\\trax", "Date": "1997-03"},
        {0: ("A heading", "their spelling"), 2: ("an attack", "and more"), 4: ("done",)},
    )
    assert record.line == 2
    assert record.position().result


def test_plain_files_have_one_game_per_line() -> None:
    text = "# heading\n@0/ B1+\n\n# second\n@0+   # and this\nA1C B1S RESIGN\n  1. @0/ *\n"
    records = list(read_records(text.splitlines()))
    assert [len(record.turns) for record in records] == [2, 1, 2, 1]
    assert [record.line for record in records] == [2, 5, 6, 7]
    assert [dict(record.comments) for record in records] == [
        {0: ("heading",)},
        {0: ("second",), 1: ("and this",)},
        {},
        {},
    ]
    assert [record.ending for record in records] == [None, None, Ending(RED, "resignation"), None]


def test_a_numbered_game_goes_on_to_the_next_line() -> None:
    text = "1. @0/\n2. B1+\n# remark\n3. C1/\n1. @0+\n@0/"
    records = list(read_records(text.splitlines()))
    assert [len(record.turns) for record in records] == [3, 1, 1]
    assert records[0].comments == {2: ("remark",)}


def test_tags_begin_a_game_wherever_they_stand() -> None:
    text = '@0/\n[White "a"]\n@0/\nB1+\n[White "b"]\n[Red "c"]\n@0+ B1+\nRESIGN\n@0+\n[Red "d"]'
    records = list(read_records(text.splitlines()))
    assert [len(record.turns) for record in records] == [1, 2, 2, 1, 0]
    assert [dict(record.tags) for record in records] == [
        {},
        {"White": "a"},
        {"White": "b", "Red": "c"},
        {},
        {"Red": "d"},
    ]


def test_games_without_the_tag_are_of_the_variant_that_the_caller_names() -> None:
    text = '[Variant "standard"]\n@0/ B1+ C1+ D1+\n[White "a"]\n@0/ *\n@0+'
    records = list(read_records(text.splitlines(), MINI))
    assert [record.variant for record in records] == [STANDARD, MINI, MINI]
    assert [len(record.turns) for record in records] == [4, 1, 1]


def test_control_characters_in_comments_count_as_blanks() -> None:
    record = read_one("@0/ #\tone\ttwo\x00\n")
    assert record.comments == {1: ("one two",)}
    assert read_one(format_record(record)) == record


def test_names_in_any_script_are_kept() -> None:
    record = read_one('[White "Zoë \u200d\xa0\u4e2d\U0001f469\u200d\U0001f52c"]\n@0/ # \xa0\u2069')
    assert record.tags["White"] == "Zoë \u200d\xa0\u4e2d\U0001f469\u200d\U0001f52c"
    assert read_one(format_record(record)) == record


@pytest.mark.parametrize(
    ("text", "turns", "cause"),
    [
        ("@0/ B1+", 2, None),
        ("@0/ B1+ B1+ C1/", 2, OccupiedError),
        ("@0/ nothing", 1, NotationError),
        ("1. @0/ 3. B1+", 1, type(None)),
        ('[Date "today"]\n@0/', 0, type(None)),
        ('[Result "1-0"]\n@0/ 0-1', 1, type(None)),
    ],
)
def test_a_game_is_read_as_far_as_it_goes(text: str, turns: int, cause: type | None) -> None:
    [game] = split_games(text.splitlines())
    reading = read_game(game)
    assert reading.position.turns == turns
    if cause is None:
        assert (reading.record, reading.error) == (parse_game(game), None)
    else:
        assert reading.record is None
        assert reading.error is not None
        assert isinstance(reading.error.__cause__, cause)


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n  \n#"])
def test_files_without_games(text: str) -> None:
    assert list(read_records(text.split("\n"))) == []


@pytest.mark.parametrize(
    "text", [f"Trax\na{' ' * 200_000}b\n", "#a\n" * 80_000 + "@0/\n"], ids=["blanks", "comments"]
)
def test_the_largest_games_take_no_minutes(text: str) -> None:
    begun = time.process_time()
    [game] = split_games(text.splitlines())
    read_game(game)
    assert time.process_time() - begun < 5


def test_line_ends_do_not_matter() -> None:
    text = f'[White "a"]\n{LOOP_GAME}\n# end\n'
    expected = list(read_records(text.splitlines()))
    assert list(read_records(text.replace("\n", "\r\n").splitlines(keepends=True))) == expected
    assert list(read_records(text.splitlines(keepends=True))) == expected


def test_both_notations_in_one_game() -> None:
    assert read_one("A1C 1AL B1+ A1D").turns == read_one(LOOP_GAME).turns


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("@0/ B1+", None),
        ("@0/ B1+ *", None),
        ("@0/ B1+ 1-0", Ending(WHITE, "unstated")),
        ("@0/ B1+ 0-1", Ending(RED, "unstated")),
        ("@0/ B1+ 1/2-1/2", Ending(None, "unstated")),
        ("@0/ B1+ RESIGN", Ending(RED, "resignation")),
        ("@0/ resign", Ending(WHITE, "resignation")),
        ("@0/ B1+ time", Ending(RED, "time")),
        ("@0/ B1+ Illegal", Ending(RED, "illegal turn")),
        ("@0/ B1+ DRAW", Ending(None, "agreement")),
        ("RESIGN", Ending(RED, "resignation")),
        (LOOP_GAME, Ending(WHITE, "loop")),
        (LOOP_GAME + " 1-0", Ending(WHITE, "loop")),
        ('[Result "0-1"]\n@0/', Ending(RED, "unstated")),
        ('[Result "0-1"]\n[Termination "fault"]\n@0/ 0-1', Ending(RED, "fault")),
        ('[Result "0-1"]\n@0/ B1+ RESIGN', Ending(RED, "resignation")),
        ('[Result "1/2-1/2"]\n[Termination "turn limit"]\n@0/', Ending(None, "turn limit")),
        ('[Result "*"]\n@0/ *', None),
        (f'[Variant "deluxe"]\n{BOTH}', Ending(None, "both")),
        (f'[Variant "loop"]\n{BOTH}', Ending(WHITE, "loop")),
    ],
)
def test_endings(text: str, ending: Ending | None) -> None:
    assert read_one(text).ending == ending


def test_forced_tiles_may_be_listed() -> None:
    plain = read_one("@0+ B1+ A2\\ C1/").turns
    for text in ("A2\\ (B2/)", "A2\\(B2/)", "A2\\ ( B2/ )", "A2\\ ()", "A2\\ (\nB2/\n)"):
        assert read_one(f'[White "a"]\n@0+ B1+ {text} C1/').turns == plain


@examples(60)
@given(games(), st.randoms(use_true_random=False))
def test_listed_forced_tiles_are_compared(end: Position, order: object) -> None:
    position = Position()
    words = []
    for played in end.history:
        forced = [
            f"{space_name(*position.label(x, y))}{tile.shape.value}"
            for x, y, tile in played.tiles[1:]
        ]
        order.shuffle(forced)  # type: ignore[attr-defined]
        words.append(f"{played.turn} ({' '.join(forced)})")
        position.play(played.turn)
    if words:
        assert read_one(" ".join(words)).position().history == end.history
        assert refusal(" ".join(words).removesuffix(")"))[2].startswith("expected ')'")
