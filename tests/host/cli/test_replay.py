"""``loopline replay``: how each game ended, as text and as JSON."""

import json
from pathlib import Path

import pytest

from tests.host.program import loopline

FIELDS = (
    "line variant status result winner reason kind both turns tiles width height "
    "error error_line error_column tags"
).split()
BOTH = "@0+ B1\\ B2/ A2+ A3/ A0\\ @3+ @3\\ B2+"
LOOP = {"status": "won", "result": "0-1", "winner": "red", "reason": "loop", "kind": "loop"}
LINE = {**LOOP, "reason": "line", "kind": "line"}
WHITE = {"status": "won", "result": "1-0", "winner": "white"}
RED = {"status": "won", "result": "0-1", "winner": "red"}
DRAWN = {"status": "drawn", "result": "1/2-1/2"}


def counts(turns: int, tiles: int, width: int, height: int) -> dict[str, object]:
    return {"turns": turns, "tiles": tiles, "width": width, "height": height}


def wrong(status: str, line: int, column: int, error: str | None = None) -> dict[str, object]:
    place = {"status": status, "error_line": line, "error_column": column}
    return {**place, "error": error} if error else place


ONE, TWO, FOUR, TWELVE = (
    counts(1, 1, 1, 1),
    counts(2, 2, 2, 1),
    counts(3, 4, 2, 2),
    counts(9, 12, 4, 4),
)


def verdicts(text: str | bytes) -> tuple[list[dict[str, object]], int]:
    done = loopline("replay", "--json", "-", stdin=text)
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()], done.returncode


@pytest.mark.parametrize(
    ("game", "outcome"),
    [
        ("@0/", ONE),
        ("@0/ B1\\ A2\\", LOOP | FOUR),
        ("@0+ B1+ C1+ D1+ E1+ F1+ G1+ H1+", LINE | counts(8, 8, 8, 1)),
        (BOTH, WHITE | TWELVE | {"reason": "loop", "kind": "loop", "both": True}),
        ("A1C B1S RESIGN", RED | TWO | {"reason": "resignation"}),
        ("@0/ time", WHITE | ONE | {"reason": "time"}),
        ("@0/ 1/2-1/2", DRAWN | ONE | {"reason": "unstated"}),
        (
            '[Variant "limited-1"]\n[White "a"]\n[Event "b"]\n@0/',
            DRAWN
            | ONE
            | {"variant": "limited-1", "reason": "blocked", "tags": {"White": "a", "Event": "b"}},
        ),
        (
            f'[Variant "deluxe"]\n{BOTH}',
            DRAWN | TWELVE | {"variant": "deluxe", "reason": "both", "both": True},
        ),
        ("@0/ B1+ B1+ @0/", TWO | wrong("illegal", 1, 9, "turn 3: B1+: B1 is occupied")),
        (
            "@0/ B1\\ A2\\ A3+",
            FOUR | wrong("illegal", 1, 13, "turn 4: A3+: the game is over, red has won by a loop"),
        ),
        ("@0/ rubbish", ONE | wrong("error", 1, 5)),
        ("@0/ @0/ rubbish", ONE | wrong("illegal", 1, 5)),
        (
            '[White "a"]\n\n1. @0/\n2. B1+ 3. B1+',
            TWO | wrong("illegal", 4, 11, "turn 3: B1+: B1 is occupied"),
        ),
        (
            "@0/ B1\\ A2\\ 1-0",
            FOUR | wrong("error", 1, 13, "expected the result 0-1, found 1-0"),
        ),
    ],
)
def test_one_game(game: str, outcome: dict[str, object]) -> None:
    [verdict], status = verdicts(game)
    open_game = dict.fromkeys(FIELDS) | {"line": 1, "variant": "standard", "status": "open"}
    expected = open_game | {"result": "*", "both": False, "tags": {}} | outcome
    if "error_line" in outcome and "error" not in outcome:
        expected["error"] = verdict["error"]
    assert verdict == expected
    assert (verdict["error"] is None) == (status == 0)


def test_error_names_the_turn_and_what_is_wrong() -> None:
    [verdict], _ = verdicts("@0/ B1? A2+")
    assert str(verdict["error"]).startswith("turn 2: 'B1?'")


@pytest.mark.parametrize(
    ("text", "states", "status"),
    [
        ("", [], 0),
        (
            "# a comment\n\n@0/ A2+ # and another\n   \t\n@0+\r\n#\n  @0/  B1+  ",
            [(3, "open"), (5, "open"), (7, "open")],
            0,
        ),
        ("@0/\n@0/ @5/\n@0+\n", [(1, "open"), (2, "illegal"), (3, "open")], 1),
        (
            b"\xef\xbb\xbf@0/\n\xff\xfe\x00 @0/\n@0+ \x80\n",
            [(1, "open"), (2, "error"), (3, "error")],
            1,
        ),
    ],
    ids=["no game", "comments and blank lines", "one bad game", "any bytes"],
)
def test_several_games(text: str | bytes, states: list[tuple[int, str]], status: int) -> None:
    games, returned = verdicts(text)
    assert [(game["line"], game["status"]) for game in games] == states
    assert returned == status


def test_text_lines(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text("@0/\n@0/ B1\\ A2\\\n@0/ A3+\n", encoding="utf-8")
    done = loopline("replay", str(file))
    assert done.stdout.splitlines() == [
        "line 1: open after 1 turn, 1 tile, 1 x 1",
        "line 2: red wins by a loop after 3 turns, 4 tiles, 2 x 2",
        "line 3: illegal at line 3, column 5: turn 2: A3+: A3 is not adjacent to any tile; "
        "after 1 turn, 1 tile, 1 x 1",
    ]
    assert done.returncode == 1


def test_text_lines_of_records() -> None:
    text = (
        '[White "Ada"]\n[Red "Bo"]\n@0/ RESIGN\n[Red "Bo"]\n[Variant "mini"]\n@0/\n\n'
        f'[Variant "deluxe"]\n{BOTH} 1/2-1/2\n{BOTH}\n@0/ draw\n'
    )
    assert loopline("replay", "-", stdin=text).stdout.splitlines() == [
        "line 1 (Ada - Bo): white wins by resignation after 1 turn, 1 tile, 1 x 1",
        "line 4 (? - Bo): open after 1 turn, 1 tile, 1 x 1, mini",
        "line 8: a draw as both colours have completed a loop or line after 9 turns, 12 tiles, "
        "4 x 4, deluxe",
        "line 10: white wins by a loop (both colours complete one) after 9 turns, 12 tiles, 4 x 4",
        "line 11: a draw by agreement after 1 turn, 1 tile, 1 x 1",
    ]


def test_games_without_the_tag_are_of_the_variant_that_is_named() -> None:
    text = '@0+ B1+ C1+ D1+\n[Variant "standard"]\n@0+ B1+ C1+ D1+\n'
    done = loopline("replay", "--variant", "mini", "-", stdin=text)
    assert done.stdout.splitlines() == [
        "line 1: illegal at line 1, column 13: turn 4: D1+: D1 lies outside the area of "
        "3 x 3 spaces; after 3 turns, 3 tiles, 3 x 1, mini",
        "line 2: open after 4 turns, 4 tiles, 4 x 1",
    ]
