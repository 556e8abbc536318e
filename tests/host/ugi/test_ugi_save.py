"""The games of an engine, saved."""

from __future__ import annotations

from pathlib import Path

from loopline.game import GameRecord, Position, parse_turn, read_records
from loopline.host.ugi.ugi import GameFollower
from tests.host.program import loopline


def position(*turns: str) -> Position:
    reached = Position()
    for turn in turns:
        reached.play(turn)
    return reached


def turns_of(record: GameRecord) -> list[str]:
    return [str(turn) for turn in record.turns]


def test_games_are_saved_when_the_next_begins_and_at_the_end(tmp_path: Path):
    file = tmp_path / "games.txt"
    said = "\n".join(
        [
            "position startpos moves @0/",
            "go depth 1",
            "uginewgame",
            "position startpos moves @0+ B1+ C1+",
            "position startpos moves @0/ B1+ @1/",
            "go depth 1",
            "quit",
        ]
    )
    done = loopline("ugi", "--device", "greedy:1", "--save", str(file), stdin=f"{said}\n")
    assert done.returncode == 0, done.stderr
    first, second, third = read_records(file.read_text().splitlines())
    best = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("bestmove")]
    assert turns_of(first) == ["@0/", best[0]]
    assert first.tags["Red"] == "greedy:1"
    assert "White" not in first.tags
    assert turns_of(second) == ["@0+", "B1+", "C1+"]
    assert turns_of(third) == ["@0/", "B1+", "@1/", best[1]]


def test_a_game_goes_on_from_its_last_position_or_back():
    kept: list[GameRecord] = []
    game = GameFollower(kept.append)
    game.follow(position("@0/"))
    game.play(position("@0/"), parse_turn("B1+"), "somebody")
    game.follow(position("@0/", "B1+", "A2/"))
    game.follow(position("@0/"))
    assert not kept
    game.end()
    assert [turns_of(record) for record in kept] == [["@0/"]]
    assert kept[0].tags["Red"] == "somebody"


def test_a_game_without_turns_is_none():
    kept: list[GameRecord] = []
    game = GameFollower(kept.append)
    game.follow(position())
    game.end()
    game.end()
    assert not kept


def test_a_turn_that_is_not_legal_is_left_out():
    kept: list[GameRecord] = []
    game = GameFollower(kept.append)
    game.play(position("@0/"), parse_turn("H8+"), "somebody")
    game.end()
    assert turns_of(kept[0]) == ["@0/"]
