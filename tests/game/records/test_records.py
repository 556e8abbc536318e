"""Files of games."""

from __future__ import annotations

import io

import pytest

from loopline.game import (
    Colour,
    ForcedPlayError,
    GameOverError,
    NotationError,
    OccupiedError,
    Record,
    Result,
    play_game,
    read_games,
    replay,
)

FILE = """\
# Two games, one of them unfinished.

@0/ A0\\ B1+ @1/
   @0+\tB1+   # the rest is lost
#@0/ A0\\
\t
@0+#
B1+
"""


def test_each_line_is_a_game() -> None:
    assert list(read_games(io.StringIO(FILE))) == [
        Record(3, ("@0/", "A0\\", "B1+", "@1/")),
        Record(4, ("@0+", "B1+")),
        Record(7, ("@0+",)),
        Record(8, ("B1+",)),
    ]


def test_line_ends_do_not_matter() -> None:
    games = [record.turns for record in read_games(FILE.splitlines())]
    assert [record.turns for record in read_games(FILE.replace("\n", "\r\n").split("\n"))] == games


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n", "   \t  \n#\n"])
def test_files_without_games(text: str) -> None:
    assert list(read_games(io.StringIO(text))) == []


def test_a_replay_of_a_whole_game() -> None:
    position, error = replay(["@0/", "A0\\", "B1+", "@1/"])
    assert error is None
    assert position.result == Result(Colour.WHITE, "loop", both=False)


@pytest.mark.parametrize(
    ("turns", "kind", "made"),
    [
        ("@0/ A0\\ B1+ @1/ B1+", GameOverError, 4),
        ("@0/ A1+ B1+", OccupiedError, 1),
        ("1. @0/", NotationError, 0),
        ("@0/ resign", NotationError, 1),
        ("@0/ B1+ C1/ C2\\ @1+ A2/ A3/ D3\\ B3\\", ForcedPlayError, 8),
    ],
)
def test_a_replay_stops_at_what_is_wrong(turns: str, kind: type[Exception], made: int) -> None:
    position, error = replay(turns.split())
    assert type(error) is kind
    assert position.turns == made
    with pytest.raises(kind) as caught:
        play_game(turns.split())
    assert str(caught.value) == str(error)
