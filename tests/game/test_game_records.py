"""Whole files of games: reading, writing, and what is wrong with them."""

from __future__ import annotations

import pickle

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
    Position,
    RecordError,
    TraxError,
    Variant,
    ending_of,
    format_record,
    format_records,
    parse_game,
    parse_turn,
    play_game,
    read_records,
    record_of,
    space_name,
    split_games,
)
from tests.game.shared_games import human_games
from tests.game.strategies import examples, games
from tests.game.test_variants import BOTH

WHITE, RED = Colour.WHITE, Colour.RED
LOOP_GAME = "@0/ A0\\ B1+ @1/"
"""Won by white with red's turn."""


def read_one(text: str) -> GameRecord:
    """The only game of a text."""
    [record] = read_records(text.split("\n"))
    return record


def refusal(text: str) -> tuple[int, int, str]:
    """Line, column and reason of what is wrong with a text."""
    with pytest.raises(RecordError) as caught:
        list(read_records(text.split("\n")))
    error = caught.value
    assert isinstance(error, TraxError)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert str(error) == f"line {error.line}, column {error.column}: {error.reason}"
    return error.line, error.column, error.reason


# Reading.


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
        {0: ("A heading",), 2: ("an attack", "and more"), 4: ("done",)},
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


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n  \n#"])
def test_files_without_games(text: str) -> None:
    assert list(read_records(text.split("\n"))) == []


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


# Writing.


TAGS = st.dictionaries(
    st.sampled_from(["White", "Red", "Event", "Clock", "Site", "X1"]),
    st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), max_size=20).filter(
        str.isprintable
    ),
)
REMARKS = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=20)


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
        (GameRecord((), Variant("odd", 4)), "'odd' is no variant"),
        (GameRecord((), Variant("limited", 4)), "the variant limited is not the one of that name"),
        (GameRecord((), comments={1: ("x",)}), "a comment stands after more turns"),
        (GameRecord((), comments={0: ("a\nb",)}), "a comment is one line"),
        (GameRecord((), comments={0: ("",)}), "a comment is one line"),
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


# Errors.


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        (
            "@0/ B1x",
            1,
            7,
            "turn 2: 'B1x': expected a tile, '+', '/' or '\\', at character 3: found 'x'",
        ),
        ("\n  @0/ A1+", 2, 7, "turn 2: A1+: A1 is occupied"),
        (
            "@0/ B1C",
            1,
            7,
            "turn 2: 'B1C': expected S or D or U in this space, at character 3: found 'C'",
        ),
        ("1. @0/ 3. B1+", 1, 8, "expected the number 2., found 3."),
        (
            "1. @0/ 2.B1x",
            1,
            12,
            "turn 2: 'B1x': expected a tile, '+', '/' or '\\', at character 3: found 'x'",
        ),
        ("@0/ * B1+", 1, 7, "expected nothing after *, found 'B1+'"),
        ("@0/ 1-0 1-0", 1, 9, "expected nothing after 1-0, found '1-0'"),
        (LOOP_GAME + " B1+", 1, 17, "turn 5: B1+: the game is over, white has won by a loop"),
        (LOOP_GAME + " 0-1", 1, 17, "expected the result 1-0, found 0-1"),
        (LOOP_GAME + " *", 1, 17, "expected the result 1-0, found *"),
        (
            LOOP_GAME + " RESIGN",
            1,
            17,
            "expected nothing, or 1-0: white wins by a loop; found 'RESIGN'",
        ),
        ("@0/ (A1+)", 1, 6, "A1+ is not among the forced plays of @0/: none"),
        ("@0+ B1+ A2\\ (C2/)", 1, 14, "C2/ is not among the forced plays of A2\\: B2/"),
        ("@0+ B1+ A2\\ (B2+)", 1, 14, "the forced tile at B2 is /, not B2+"),
        (
            "@0+ B1+ A2\\ (B2",
            1,
            16,
            "'B2': expected a tile, '+', '/' or '\\', at character 3: the text ends",
        ),
        (
            "@0+ B1+ A2\\ (B2/",
            1,
            13,
            "expected ')' after the forced tiles, before the end or a comment",
        ),
        (
            "@0+ B1+ A2\\ (B2/ # )",
            1,
            13,
            "expected ')' after the forced tiles, before the end or a comment",
        ),
        ("( @0+", 1, 1, "forced tiles stand behind the turn that forces them"),
        (
            "@0/ )",
            1,
            5,
            "turn 2: ')': expected a column, '@' or capital letters, at character 1: found ')'",
        ),
        ("[White]", 1, 1, 'expected a tag such as [White "name"]'),
        ('\n [White "a" ]', 2, 2, 'expected a tag such as [White "name"]'),
        ('[White "a"] @0/', 1, 1, 'expected a tag such as [White "name"]'),
        ('[White "a"b"]', 1, 1, 'expected a tag such as [White "name"]'),
        ('[White "a"]\n[White "b"]', 2, 2, "the tag White is given twice"),
        (
            '[Date "20.11.2026"]\n@0/',
            1,
            8,
            "expected a date such as 2016-12-07, 2016-12 or 2016, found '20.11.2026'",
        ),
        (
            '[Variant "trax"]\n@0/',
            1,
            11,
            "'trax' is no variant: use standard, limited, deluxe, loop, mini or limited-N, "
            "as in limited-10",
        ),
        (
            '[Result "white"]\n@0/',
            1,
            10,
            "expected a result, 1-0, 0-1, 1/2-1/2, *, found 'white'",
        ),
        ('[Result "1-0"]\n@0/ 0-1', 1, 10, "expected the result 0-1, found 1-0"),
        ('[Result "1-0"]\n@0/ *', 1, 10, "expected the result *, found 1-0"),
        ('[Result "1-0"]\n@0/ B1+ resign', 1, 10, "expected the result 0-1, found 1-0"),
        (
            f'[Termination "boredom"]\n{LOOP_GAME}',
            1,
            15,
            f"expected one of {', '.join(REASONS)}, found 'boredom'",
        ),
        (
            f'[Termination "line"]\n{LOOP_GAME}',
            1,
            15,
            "expected 'loop': white wins by a loop; found 'line'",
        ),
        (
            '[Termination "time"]\n@0/',
            1,
            15,
            "there is a reason for the end, but the game is not finished",
        ),
        ('[Termination "time"]\n@0/ 1/2-1/2', 1, 15, "'time' is no reason for a draw"),
        ('[Termination "agreement"]\n@0/ 1-0', 1, 15, "'agreement' is no reason for a win"),
        (
            '[Termination "loop"]\n@0/ 1-0',
            1,
            15,
            "white wins by a loop, it says, but not after these turns",
        ),
        (
            '[Variant "mini"]\n@0/ B1+ C1+ D1+',
            2,
            13,
            "turn 4: D1+: D1 lies outside the area of 3 x 3 spaces",
        ),
    ],
)
def test_what_is_wrong(text: str, line: int, column: int, reason: str) -> None:
    assert refusal(text) == (line, column, reason)


def test_the_games_after_a_bad_one_can_be_read() -> None:
    text = '@0/ B1+\n@0/ oops\n@0+\n[White]\n@0/\n[Red "b"]\n@0/'
    good, bad = 0, 0
    for game in split_games(text.splitlines()):
        try:
            parse_game(game)
        except RecordError:
            bad += 1
        else:
            good += 1
    assert (good, bad) == (3, 2)
    records = read_records(text.splitlines())
    assert len(next(records).turns) == 2
    with pytest.raises(RecordError):
        next(records)
    assert len(next(records).turns) == 1


@given(st.text(alphabet='@AB01+/\\.()[]" #*-SC\n', max_size=30) | st.text(max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    records = read_records(text.splitlines())
    for _ in range(40):
        try:
            next(records)
        except StopIteration:
            break
        except RecordError as error:
            check_place(text, error)


def check_place(text: str, error: RecordError) -> None:
    """The place exists, or is just behind the end of a line."""
    line = text.splitlines()[error.line - 1]
    assert 1 <= error.column <= len(line) + 1


# Endings.


def test_endings_are_checked() -> None:
    with pytest.raises(ValueError, match="'loop' is no reason for a draw"):
        Ending(None, "loop")
    with pytest.raises(ValueError, match="'both' is no reason for a win"):
        Ending(RED, "both")
    with pytest.raises(ValueError, match="'luck' is no reason: use loop, line"):
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
