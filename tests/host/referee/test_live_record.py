"""The record of the game in play, in a file."""

from pathlib import Path

import pytest

from loopline.game import GameRecord, Played, Position, format_record, parse_turn
from loopline.host.errors import UsageError
from loopline.host.players.software import RandomPlayer
from loopline.host.referee.live_record import LiveRecord
from loopline.host.referee.referee import Referee
from tests.host.positions import records_of

TAGS = {"White": "one", "Red": "other"}


def only_game(path: Path) -> GameRecord:
    [record] = records_of(path)
    return record


def test_the_file_has_the_game_after_each_turn(tmp_path: Path) -> None:
    path = tmp_path / "live.txt"
    live = LiveRecord(path)
    assert not list(records_of(path))
    seen = []

    def watch(position: Position, played: Played, spent: float) -> None:
        record = only_game(path)
        assert record.turns == tuple(each.turn for each in position.history)
        assert (record.ending is None) == (position.ending is None)
        assert record.comments[position.turns] == (f"{spent:.3f} s",)
        seen.append(played.turn)

    referee = Referee(RandomPlayer(1), RandomPlayer(2), opening=[parse_turn("@0/")])
    game = live.play(referee, TAGS, watch)
    assert len(seen) == game.position.turns - 1 > 2
    assert path.read_text().partition("\n")[2] == format_record(game.record(TAGS))
    # The next game takes its place, also in the file of another program.
    referee = Referee(RandomPlayer(3), RandomPlayer(4))
    game = LiveRecord(path).play(referee, {"White": "a\nb", "Red": "c"})
    assert only_game(path).tags["White"] == "a b"
    assert only_game(path).ending == game.ending
    assert [each.name for each in tmp_path.iterdir()] == ["live.txt"]


def test_no_other_file_is_written_over(tmp_path: Path) -> None:
    games = tmp_path / "games.txt"
    games.write_text("@0/ B1+ *\n")
    near = tmp_path / "live.txt.new"
    near.write_text("mine")
    LiveRecord(tmp_path / "live.txt")
    assert near.read_text() == "mine"
    for path in (games, tmp_path):
        with pytest.raises(UsageError, match="is no file of --live"):
            LiveRecord(path)
    assert games.read_text() == "@0/ B1+ *\n"
    with pytest.raises(UsageError, match="cannot write .*: No such file or directory"):
        LiveRecord(tmp_path / "no" / "live.txt")
