import threading
from pathlib import Path

import pytest

from loopline.game import GameRecord, parse_turn
from loopline.host.errors import UsageError
from loopline.host.records.record_file import RecordFile
from tests.host.positions import records_of

GAME = GameRecord((parse_turn("@0/"), parse_turn("B1+")), tags={"White": "Zoë"})


def test_games_are_added_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    file = RecordFile(path)
    assert not path.exists()
    for count in range(1, 4):
        file.add(GAME)
        assert records_of(path) == [GAME] * count
    assert path.read_text(encoding="utf-8").count("\n\n[White") == 2


def test_names_and_remarks_from_anywhere_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    wild = GameRecord(
        GAME.turns,
        tags={"White": "cmd:./a\n\x1b[31mb", "Red": '"\udcff'},
        comments={1: ("\r\n",), 2: ("it said\t'\x00'\u2028", "bye")},
    )
    RecordFile(path).add(wild)
    [record] = records_of(path)
    assert record.tags == {"White": "cmd:./a  [31mb", "Red": '"'}
    assert record.comments == {2: ("it said ' '", "bye")}


@pytest.mark.parametrize("text", ["@0/ B1+", "@0/ B1+\n", "\ufeff@0/ B1+\r\n", "@0/ B1+ # good"])
def test_what_is_there_stays(tmp_path: Path, text: str) -> None:
    path = tmp_path / "games.txt"
    path.write_bytes(text.encode())
    before = records_of(path)
    RecordFile(path).add(GAME)
    assert path.read_bytes().startswith(text.encode())
    assert records_of(path) == [*before, GAME]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"Dear diary", "line 1, column 2: turn 1: 'Dear': expected a row number"),
        (b"# old\n@0/ @0/\n", "line 2, column 5: turn 2: @0/: "),
        (b"\x89PNG\r\n", "it is not UTF-8"),
        (b"@0/ B1+\n@0/\n\xff\xd8", "it is not UTF-8"),
    ],
)
def test_other_files_are_refused_at_once(tmp_path: Path, data: bytes, reason: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    with pytest.raises(UsageError) as caught:
        RecordFile(path)
    assert str(caught.value).startswith(f"{path} is not a file of games to add one to: {reason}")
    assert path.read_bytes() == data


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (".", "it is no plain file"),
        ("no/such/folder", "No such file or directory"),
        ("/dev/null", "it is no plain file"),
    ],
)
def test_what_cannot_be_written(tmp_path: Path, name: str, reason: str) -> None:
    path = tmp_path / name
    with pytest.raises(UsageError) as caught:
        RecordFile(path)
    assert str(caught.value) == f"cannot write {path}: {reason}"


def test_a_full_disk(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    file = RecordFile(path)
    path.symlink_to("/dev/full")
    with pytest.raises(UsageError, match="No space left on device|Illegal seek"):
        file.add(GAME)


def test_games_that_are_saved_at_the_same_time_are_all_kept(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    threads = [
        threading.Thread(target=lambda: [RecordFile(path).add(GAME) for _ in range(20)])
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert records_of(path) == [GAME] * 80
