"""What is wrong with a record, and where."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopline.game import RecordError, parse_game, read_records, split_games
from tests.game.records.record_texts import LOOP_GAME, refusal

WRONG = r"""
@0/ B1x | 1:7 | turn 2: 'B1x': expected a tile, '+', '/' or '\', at character 3: found 'x'
⏎  @0/ A1+ | 2:7 | turn 2: A1+: A1 is occupied
@0/ B1C | 1:7 | turn 2: 'B1C': expected S or D or U in this space, at character 3: found 'C'
1. @0/ 3. B1+ | 1:8 | expected the number 2., found 3.
1. @0/ 2.B1x | 1:12 | turn 2: 'B1x': expected a tile, '+', '/' or '\', at character 3: found 'x'
@0/ * B1+ | 1:7 | expected nothing after *, found 'B1+'
@0/ 1-0 1-0 | 1:9 | expected nothing after 1-0, found '1-0'
LOOP B1+ | 1:17 | turn 5: B1+: the game is over, white has won by a loop
LOOP 0-1 | 1:17 | expected the result 1-0, found 0-1
LOOP * | 1:17 | expected the result 1-0, found *
LOOP RESIGN | 1:17 | expected nothing, or 1-0: white wins by a loop; found 'RESIGN'
@0/ (A1+) | 1:6 | A1+ is not among the forced plays of @0/: none
@0+ B1+ A2\ (C2/) | 1:14 | C2/ is not among the forced plays of A2\: B2/
@0+ B1+ A2\ (B2+) | 1:14 | the forced tile at B2 is /, not B2+
@0+ B1+ A2\ (B2 | 1:16 | 'B2': expected a tile, '+', '/' or '\', at character 3: the text ends
@0+ B1+ A2\ (B2/ | 1:13 | expected ')' after the forced tiles, before the end or a comment
@0+ B1+ A2\ (B2/ # ) | 1:13 | expected ')' after the forced tiles, before the end or a comment
( @0+ | 1:1 | forced tiles stand behind the turn that forces them
@0/ ) | 1:5 | turn 2: ')': expected a column, '@' or capital letters, at character 1: found ')'
[White] | 1:1 | expected a tag such as [White "name"]
⏎ [White "a" ] | 2:2 | expected a tag such as [White "name"]
[White "a"] @0/ | 1:1 | expected a tag such as [White "name"]
[White "a"b"] | 1:1 | expected a tag such as [White "name"]
[White "a"]⏎[White "b"] | 2:2 | the tag White is given twice
[Date "20.11.2026"]⏎@0/ | 1:8 | expected a date such as 2016-12-07, 2016-12 or 2016, found ...
[Variant "trax"]⏎@0/ | 1:11 | 'trax' is not a variant: use standard, limited, deluxe, loop, ...
@0/⏎[White "a⇥b"] | 2:9 | expected a value without control characters
[Result "white"]⏎@0/ | 1:10 | expected a result, 1-0, 0-1, 1/2-1/2, *, found 'white'
[Result "1-0"]⏎@0/ 0-1 | 1:10 | expected the result 0-1, found 1-0
[Result "1-0"]⏎@0/ * | 1:10 | expected the result *, found 1-0
[Result "1-0"]⏎@0/ B1+ resign | 1:10 | expected the result 0-1, found 1-0
[Termination "boredom"]⏎LOOP | 1:15 | expected one of loop, line, ...
[Termination "line"]⏎LOOP | 1:15 | expected 'loop': white wins by a loop; found 'line'
[Termination "time"]⏎@0/ | 1:15 | there is a reason for the end, but the game is not finished
[Termination "time"]⏎@0/ 1/2-1/2 | 1:15 | 'time' is not a reason for a draw
[Termination "agreement"]⏎@0/ 1-0 | 1:15 | 'agreement' is not a reason for a win
[Termination "loop"]⏎@0/ 1-0 | 1:15 | white wins by a loop, it says, but not after these turns
[Variant "mini"]⏎@0/ B1+ C1+ D1+ | 2:13 | turn 4: D1+: D1 lies outside the area of 3 x 3 spaces
"""
"""A text with ⏎ and ⇥ for line ends and tabs, and what is wrong with it where; dots are any rest.

LOOP is a game that is won."""


@pytest.mark.parametrize("row", WRONG.strip().splitlines())
def test_what_is_wrong(row: str) -> None:
    text, place, reason = row.split(" | ")
    text = text.replace("⏎", "\n").replace("⇥", "\t").replace("LOOP", LOOP_GAME)
    line, column, found = refusal(text)
    assert f"{line}:{column}" == place
    assert found.startswith(reason.removesuffix("..."))
    assert found == reason or reason.endswith("...")


@pytest.mark.parametrize(
    "text", ["@0/ * {}", '[Date "{}"]', '[Variant "{}"]', '[Result "{}"]', '[Termination "{}"]']
)
def test_a_long_word_is_shortened_in_the_reason(text: str) -> None:
    assert len(refusal(text.format("x" * 1000))[2]) < 200


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
