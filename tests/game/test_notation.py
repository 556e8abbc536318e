"""Turns as text."""

from __future__ import annotations

import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopline.game import (
    NotationError,
    Shape,
    Turn,
    column_name,
    column_number,
    format_turn,
    parse_turn,
    space_name,
)

COLUMNS = {
    "@": 0,
    "A": 1,
    "B": 2,
    "Y": 25,
    "Z": 26,
    "AA": 27,
    "AB": 28,
    "AY": 51,
    "AZ": 52,
    "BA": 53,
    "BK": 63,
    "BZ": 78,
    "CA": 79,
    "ZY": 701,
    "ZZ": 702,
    "AAA": 703,
    "AAB": 704,
}
TURNS = st.builds(Turn, st.integers(0, 10**6), st.integers(0, 10**6), st.sampled_from(Shape))


@pytest.mark.parametrize(("name", "number"), COLUMNS.items())
def test_columns_count_in_letters(name: str, number: int) -> None:
    assert column_name(number) == name
    assert column_number(name) == number


def test_columns_follow_each_other_without_gaps() -> None:
    names = [column_name(number) for number in range(1, 20_000)]
    assert names == sorted(set(names), key=lambda name: (len(name), name))
    assert [column_number(name) for name in names] == list(range(1, 20_000))


@pytest.mark.parametrize("name", ["", "a", "@@", "A@", "@A", "1", "A1", " A", "É"])
def test_what_is_not_a_column(name: str) -> None:
    with pytest.raises(ValueError, match="a column is '@' or capital letters, not"):
        column_number(name)


def test_negative_numbers_have_no_name() -> None:
    with pytest.raises(ValueError, match="a column number is 0 or more, not -1"):
        column_name(-1)
    with pytest.raises(ValueError, match="a row number is 0 or more, not -2"):
        space_name(0, -2)


@given(TURNS)
def test_every_turn_reads_back(turn: Turn) -> None:
    assert parse_turn(format_turn(turn)) == turn
    assert format_turn(turn) == str(turn) == turn.space + turn.shape.value


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("row", ["0", "1", "9", "10", "999"])
@pytest.mark.parametrize("tile", ["+", "/", "\\"])
def test_every_text_is_written_back(column: str, row: str, tile: str) -> None:
    turn = parse_turn(column + row + tile)
    assert turn == (COLUMNS[column], int(row), Shape(tile))
    assert str(turn) == column + row + tile


@pytest.mark.parametrize(
    ("text", "position", "message"),
    [
        ("", 0, "'': expected a column, '@' or capital letters, at character 1: the text ends"),
        ("b1+", 0, "'b1+': expected a column, '@' or capital letters, at character 1: found 'b'"),
        (" B1+", 0, "' B1+': expected a column, '@' or capital letters, at character 1: found ' '"),
        ("1B+", 0, "'1B+': expected a column, '@' or capital letters, at character 1: found '1'"),
        ("B", 1, "'B': expected a row number, at character 2: the text ends"),
        ("@A1+", 1, "'@A1+': expected a row number, at character 2: found 'A'"),
        ("A@1+", 1, "'A@1+': expected a row number, at character 2: found '@'"),
        ("B-1+", 1, "'B-1+': expected a row number, at character 2: found '-'"),
        ("B²+", 1, "'B²+': expected a row number, at character 2: found '²'"),
        ("B01+", 1, "'B01+': a row number has no leading zero, at character 2: found '0'"),
        ("@00/", 1, "'@00/': a row number has no leading zero, at character 2: found '0'"),
        ("AA12", 4, "'AA12': expected a tile, '+', '/' or '\\', at character 5: the text ends"),
        ("B1x", 2, "'B1x': expected a tile, '+', '/' or '\\', at character 3: found 'x'"),
        ("B1S", 2, "'B1S': expected a tile, '+', '/' or '\\', at character 3: found 'S'"),
        ("B1++", 3, "'B1++': expected nothing after the tile, at character 4: found '+'"),
        ("B1+\n", 3, "'B1+\\n': expected nothing after the tile, at character 4: found '\\n'"),
        (
            "A" * 13 + "1+",
            12,
            "'AAAAAAAAAAAAA1+': a column has at most 12 letters, at character 13: found 'A'",
        ),
        (
            "A" + "1" * 5000 + "+",
            13,
            "'A11111111111111111111111...': "
            "a row has at most 12 digits, at character 14: found '1'",
        ),
    ],
)
def test_what_is_not_a_turn(text: str, position: int, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_turn(text)
    assert str(caught.value) == message
    assert (caught.value.text, caught.value.position) == (text, position)
    assert caught.value.reason in message
    assert str(pickle.loads(pickle.dumps(caught.value))) == message


GRAMMAR = r"(@|[A-Z]{1,12})(0|[1-9][0-9]{0,11})[+/\\]"
FITTING = st.from_regex(GRAMMAR, fullmatch=True)
OTHERS = st.text(alphabet="@ABZ019+/\\ \n\0é", max_size=8)


@given(FITTING | st.tuples(FITTING, OTHERS).map("".join) | OTHERS | st.text(max_size=8))
def test_a_text_is_a_turn_exactly_if_the_grammar_says_so(text: str) -> None:
    if re.fullmatch(GRAMMAR, text):
        assert str(parse_turn(text)) == text
    else:
        with pytest.raises(NotationError) as caught:
            parse_turn(text)
        assert str(caught.value).isprintable()
        assert 0 <= caught.value.position <= len(text)
