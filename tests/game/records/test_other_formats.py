"""Files of the contest's programs: recognised by their first lines."""

import pytest

from loopline.game import LIMITED, LOOP, STANDARD, GameRecord, RecordError, read_records
from loopline.game.records.game_record import format_record
from tests.host.program import loopline

TURNS = ("@0/", "A0\\", "B1+", "@1/")
FOUR = " ".join(TURNS)
NUMBERED = "\n".join(f"  {number} {turn}" for number, turn in enumerate(TURNS, start=1))
COLUMN = "\n".join(TURNS)


def read(text: str) -> list[GameRecord]:
    return list(read_records(text.splitlines(keepends=True)))


@pytest.mark.parametrize(
    "turns",
    [
        *(FOUR, COLUMN, NUMBERED, "1. @0/ 2. A0\\\n3. B1+ 4. @1/"),
        pytest.param("1 @0/ 2 A0\\ ; 2 to come\n  3 B1+  4 @1/", id="numbers within a line"),
    ],
)
def test_trx(turns: str) -> None:
    names = '7 "D" Bailey; b vs  Loopline 8 x '
    one, two = read(f"Trax\n; x vs y\n{names}\n\n{turns}\nLoop Trax\na vs. b\n@0+\n")
    assert one.tags == {"White": '7 "D" Bailey; b', "Red": "Loopline 8 x"}
    assert one.comments.get(2, ("2 to come",)) == ("2 to come",)
    assert (one.variant, tuple(map(str, one.turns)), one.line) == (STANDARD, TURNS, 1)
    assert one.ending is not None
    assert (two.variant, two.tags, len(two.turns)) == (LOOP, {"White": "a", "Red": "b"}, 1)
    # It can be written as a record, and is the same game then.
    assert read(format_record(one)) == [one]


def test_the_contests_comments_and_limited_games() -> None:
    (game,) = read("# a file\n8x8 Trax\na vs b\n\n  1 @0/   ; it begins\n  2 A0\\\n")
    assert game.variant == LIMITED
    assert game.comments[1] == ("it begins",)
    # A record that was added to such a file keeps what it says.
    _, added = read('Trax\n@0/\n\n[Event "one; two"]\n\n1. @0/ 1-0 \n')
    assert added.tags == {"Event": "one; two"}
    with pytest.raises(RecordError, match="^line 3, column 3: expected the number 2., found 3.$"):
        read("Trax\n  1 @0/\n  3 A0\\\n")


@pytest.mark.parametrize("first", ["@0/", "1 @0/", "1. A1C", "1.@0/"])
def test_only_a_line_of_its_own_names_the_players(first: str) -> None:
    trx = f"Trax\n{first} ; a vs b\nA0\\\n"
    tagged = '\n[Event "c vs d"]\n[White "e vs f"]\n\n1. @0/ # g vs h\n2. B1+ *\n'
    game, added = read(trx + tagged)
    assert (len(game.turns), game.tags, game.comments) == (2, {}, {1: ("a vs b",)})
    assert added.tags == {"Event": "c vs d", "White": "e vs f"}
    assert (len(added.turns), added.comments) == (2, {1: ("g vs h",)})


def test_an_error_in_a_trx_game_names_its_place() -> None:
    with pytest.raises(RecordError, match="^line 4, column 1: turn 2: C1/: "):
        read("Trax\na vs b\n@0+\nC1/\n")
    with pytest.raises(RecordError, match="^line 2, column 1: turn 1"):
        read("Trax\na versus b\n@0+\n")


def test_one_turn_per_line() -> None:
    one, two = read(f"# log\n{COLUMN}\n\n@0+\n# a remark\nB1+\nRESIGN\n")
    assert (one.turns, one.variant) == (read(FOUR)[0].turns, STANDARD)
    assert one.ending is not None
    assert tuple(map(str, two.turns)) == ("@0+", "B1+")
    assert two.ending is not None
    assert two.comments == {1: ("a remark",)}


def test_a_file_with_one_game_per_line_stays_one() -> None:
    """The format is that of the file: a line like a turn's does not change it."""
    assert [len(game.turns) for game in read("@0/\n@0+\n@0/ B1+\n")] == [1, 1, 2]
    assert [len(game.turns) for game in read("@0/\n@0/ B1+\n")] == [1, 2]
    with pytest.raises(RecordError, match="^line 2, column 1: turn 1: B1"):
        read("@0/ B1+\nB1+\n")
    with pytest.raises(RecordError, match="^line 2, column 2: turn 1: 'Trax'"):
        read("@0/ B1+\nTrax\n")


@pytest.mark.parametrize("text", [f"Trax\na vs b\n{COLUMN}\n", f"{COLUMN}\n"])
def test_the_commands_read_them(text: str) -> None:
    done = loopline("replay", "-", stdin=text)
    assert done.returncode == 0, done.stderr
    assert "white wins by a loop after 4 turns" in done.stdout
    done = loopline("convert", "-", stdin=text)
    assert "3. B1+ 4. @1/ 1-0" in done.stdout.replace("\n", " ")
    assert loopline("show", "-", stdin=text).returncode == 0
