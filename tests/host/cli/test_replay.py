import json
from pathlib import Path

import pytest

from tests.host.program import loopline

FIELDS = {
    "line": 1,
    "variant": "standard",
    "status": "open",
    "result": "*",
    "winner": None,
    "reason": None,
    "kind": None,
    "both": False,
    "turns": 0,
    "tiles": 0,
    "width": 0,
    "height": 0,
    "error": None,
    "error_line": None,
    "error_column": None,
    "tags": {},
}


def verdicts(text: str | bytes) -> tuple[list[dict[str, object]], int]:
    done = loopline("replay", "--json", "-", stdin=text)
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()], done.returncode


@pytest.mark.parametrize(
    ("game", "outcome", "status"),
    [
        ("@0/", {"turns": 1, "tiles": 1, "width": 1, "height": 1}, 0),
        (
            "@0/ B1\\ A2\\",
            {
                "status": "won",
                "result": "0-1",
                "winner": "red",
                "reason": "loop",
                "kind": "loop",
                "turns": 3,
                "tiles": 4,
                "width": 2,
                "height": 2,
            },
            0,
        ),
        (
            "@0+ B1+ C1+ D1+ E1+ F1+ G1+ H1+",
            {
                "status": "won",
                "result": "0-1",
                "winner": "red",
                "reason": "line",
                "kind": "line",
                "turns": 8,
                "tiles": 8,
                "width": 8,
                "height": 1,
            },
            0,
        ),
        (
            "@0+ B1\\ B2/ A2+ A3/ A0\\ @3+ @3\\ B2+",
            {
                "status": "won",
                "result": "1-0",
                "winner": "white",
                "reason": "loop",
                "kind": "loop",
                "both": True,
                "turns": 9,
                "tiles": 12,
                "width": 4,
                "height": 4,
            },
            0,
        ),
        (
            "@0/ B1+ B1+ @0/",
            {
                "status": "illegal",
                "turns": 2,
                "tiles": 2,
                "width": 2,
                "height": 1,
                "error": "turn 3: B1+: B1 is occupied",
                "error_line": 1,
                "error_column": 9,
            },
            1,
        ),
        (
            "@0/ B1\\ A2\\ A3+",
            {
                "status": "illegal",
                "turns": 3,
                "tiles": 4,
                "width": 2,
                "height": 2,
                "error": "turn 4: A3+: the game is over, red has won by a loop",
                "error_line": 1,
                "error_column": 13,
            },
            1,
        ),
        (
            "@0/ rubbish",
            {"status": "error", "turns": 1, "tiles": 1, "error_line": 1, "error_column": 5},
            1,
        ),
        (
            "@0/ @0/ rubbish",
            {"status": "illegal", "turns": 1, "tiles": 1, "error_line": 1, "error_column": 5},
            1,
        ),
        (
            "A1C B1S RESIGN",
            {
                "status": "won",
                "result": "0-1",
                "winner": "red",
                "reason": "resignation",
                "turns": 2,
                "tiles": 2,
            },
            0,
        ),
        (
            "@0/ time",
            {
                "status": "won",
                "result": "1-0",
                "winner": "white",
                "reason": "time",
                "turns": 1,
                "tiles": 1,
            },
            0,
        ),
        (
            "@0/ 1/2-1/2",
            {
                "status": "drawn",
                "result": "1/2-1/2",
                "reason": "unstated",
                "turns": 1,
                "tiles": 1,
            },
            0,
        ),
        (
            '[Variant "limited-1"]\n[White "a"]\n[Event "b"]\n@0/',
            {
                "variant": "limited-1",
                "status": "drawn",
                "result": "1/2-1/2",
                "reason": "blocked",
                "turns": 1,
                "tiles": 1,
                "tags": {"White": "a", "Event": "b"},
            },
            0,
        ),
        (
            '[Variant "deluxe"]\n@0+ B1\\ B2/ A2+ A3/ A0\\ @3+ @3\\ B2+',
            {
                "variant": "deluxe",
                "status": "drawn",
                "result": "1/2-1/2",
                "reason": "both",
                "both": True,
                "turns": 9,
                "tiles": 12,
            },
            0,
        ),
        (
            '[White "a"]\n\n1. @0/\n2. B1+ 3. B1+',
            {
                "status": "illegal",
                "turns": 2,
                "tiles": 2,
                "error": "turn 3: B1+: B1 is occupied",
                "error_line": 4,
                "error_column": 11,
            },
            1,
        ),
        (
            "@0/ B1\\ A2\\ 1-0",
            {
                "status": "error",
                "turns": 3,
                "tiles": 4,
                "error": "expected the result 0-1, found 1-0",
                "error_line": 1,
                "error_column": 13,
            },
            1,
        ),
    ],
)
def test_one_game(game: str, outcome: dict[str, object], status: int) -> None:
    [verdict], returned = verdicts(game)
    assert verdict.keys() == FIELDS.keys()
    assert {**verdict, **outcome} == verdict
    for unsaid in FIELDS.keys() - outcome.keys() - {"width", "height", "error"}:
        assert verdict[unsaid] == FIELDS[unsaid]
    assert (verdict["error"] is None) == (status == 0)
    assert returned == status


def test_error_names_the_turn_and_what_is_wrong() -> None:
    [verdict], _ = verdicts("@0/ B1? A2+")
    assert str(verdict["error"]).startswith("turn 2: 'B1?'")


def test_comments_and_blank_lines_are_skipped_but_counted() -> None:
    games, status = verdicts("# a comment\n\n@0/ A2+ # and another\n   \t\n@0+\r\n#\n  @0/  B1+  ")
    assert [(game["line"], game["turns"]) for game in games] == [(3, 2), (5, 1), (7, 2)]
    assert status == 0


def test_one_bad_game_among_good_ones_makes_the_status_1() -> None:
    games, status = verdicts("@0/\n@0/ @5/\n@0+\n")
    assert [game["status"] for game in games] == ["open", "illegal", "open"]
    assert status == 1


def test_no_game_at_all() -> None:
    assert verdicts("") == ([], 0)


def test_any_bytes_are_a_verdict_not_a_crash() -> None:
    games, status = verdicts(b"\xef\xbb\xbf@0/\n\xff\xfe\x00 @0/\n@0+ \x80\n")
    assert [game["status"] for game in games] == ["open", "error", "error"]
    assert status == 1


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
        '[Variant "deluxe"]\n@0+ B1\\ B2/ A2+ A3/ A0\\ @3+ @3\\ B2+ 1/2-1/2\n'
        "@0+ B1\\ B2/ A2+ A3/ A0\\ @3+ @3\\ B2+\n@0/ draw\n"
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


def test_file_that_is_not_there() -> None:
    done = loopline("replay", "no/such/file")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "loopline replay: cannot read no/such/file: No such file or directory\n"
