"""The journal: whole again after any crash, and refused for another match."""

import errno
import fcntl
import json
import resource
from pathlib import Path

import pytest

from loopline.host.errors import UsageError
from loopline.host.matches.journal import Journal, set_aside
from loopline.host.matches.pairs import GameResult, PairResult

SETTINGS = {"players": ("random", "greedy"), "seed": 1}
GAME = GameResult(0, ("@0/", "B1\\", "A2\\"), 2, 1, "loop", "red wins", (0.5, 0.25))
OTHER = GameResult(1, (), 0, None, "turn limit", "a draw", (0.0, 0.0))


def pair(number: int) -> PairResult:
    return PairResult(number, (GAME, OTHER))


def written(path: Path, *numbers: int) -> bytes:
    with Journal(path, SETTINGS) as journal:
        for number in numbers:
            assert journal.add(pair(number))
    return path.read_bytes()


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    written(path, 2, 1)
    with Journal(path, SETTINGS, resume=True) as journal:
        assert journal.results == {2: pair(2), 1: pair(1)}
        assert list(journal.results) == [2, 1]
        assert journal.add(pair(3))
        assert not journal.add(pair(2))
    with Journal(path, SETTINGS, resume=True) as journal:
        assert list(journal.results) == [2, 1, 3]


def test_a_line_that_was_cut_short_at_any_byte_is_taken_away(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    whole = written(path, 1, 2)
    first = whole.index(b"\n") + 1
    second = whole.index(b"\n", first) + 1
    for cut in (0, 1, first - 1, first, first + 1, second - 1, second, len(whole) - 1):
        path.write_bytes(whole[:cut])
        with Journal(path, SETTINGS, resume=True) as journal:
            assert list(journal.results) == ([] if cut < second else [1])
            journal.add(pair(7))
        with Journal(path, SETTINGS, resume=True) as journal:
            assert list(journal.results) == ([7] if cut < second else [1, 7])


def test_a_journal_that_cannot_grow_says_so(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Journal(path, SETTINGS) as journal:
        journal.add(pair(1))
        resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 5, most[1]))
        try:
            with pytest.raises(UsageError, match=f"^cannot write {path}: File too large$"):
                journal.add(pair(2))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, most)
    with Journal(path, SETTINGS, resume=True) as journal:
        assert 1 in journal.results


def test_another_match_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    whole = written(path, 1)
    for settings, name in (
        ({**SETTINGS, "seed": 2}, "seed is 1, not 2"),
        ({"players": SETTINGS["players"]}, "seed is 1, not null"),
        ({**SETTINGS, "clock": "1 s"}, 'clock is null, not "1 s"'),
    ):
        with pytest.raises(UsageError, match=f"^{path} has another match: its {name}$"):
            Journal(path, settings, resume=True)
        assert path.read_bytes() == whole


def test_a_file_that_exists_is_refused_unless_resumed(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    whole = written(path, 1)
    with pytest.raises(UsageError, match="exists: use --resume to go on with it"):
        Journal(path, SETTINGS)
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello\n", "line 1, is no line of a journal"),
        ("{}\n", "line 1, is no line of a journal"),
        ("\nmy notes", "line 1, is no line of a journal"),
        ("line one\nmy notes", "line 1, is no line of a journal"),
        ("my notes", "is no journal$"),
        ('{"journal": 1, "date": "2026-11-21", "settings": [1]}\n', "line 1, is no line"),
        ('{"journal": 1, "date": "2026-11-21", "settings": "x"}\n', "line 1, is no line"),
        ('{"journal": 1, "date": "today", "settings": {}}\n', "line 1, is no line"),
        ('{"journal": 99, "date": "", "settings": {}}\n', "is of another release, format 99"),
    ],
)
def test_another_file_is_refused_and_left_alone(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "journal"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=message):
        Journal(path, SETTINGS, resume=True)
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    "change",
    [
        {"games": []},
        {"games": 2},
        {"games": ["ab", "cd"]},
        {"pair": 0},
        {"pair": True},
        {"pair": "1"},
        {"pair": float("inf")},
    ],
)
def test_a_broken_line_in_the_middle_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    path = tmp_path / "journal"
    written(path, 1, 2)
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[1] = json.dumps({**json.loads(lines[1]), **change})
    text = "\n".join([*lines, "cut sho"])
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="line 2, is no line of a journal"):
        Journal(path, SETTINGS, resume=True)
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    "change",
    [
        {"turns": 5},
        {"turns": ["@0/"]},
        {"white": 2},
        {"white": None},
        {"winner": "x"},
        {"winner": 7},
        {"winner": 1.0},
        {"winner": None},
        {"opening": 4},
        {"opening": -1},
        {"reason": "xyz"},
        {"reason": "turn limit"},
        {"reason": []},
        {"explanation": None},
        {"explanation": "\ud800"},
        {"slowest": [1]},
        {"slowest": [1, "2"]},
        {"slowest": [1, float("nan")]},
        {"slowest": [1, 10**400]},
        {"more": 1},
    ],
)
def test_a_game_with_a_wrong_value_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    path = tmp_path / "journal"
    written(path, 1)
    first, line = path.read_text(encoding="utf-8").splitlines()
    entry = json.loads(line)
    entry["games"][0] |= change
    path.write_text(f"{first}\n{json.dumps(entry)}\n", encoding="utf-8")
    with pytest.raises(UsageError, match="line 2, is no line of a journal"):
        Journal(path, SETTINGS, resume=True)


def test_two_matches_do_not_share_one(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path, SETTINGS) as journal:
        journal.add(pair(1))
        with pytest.raises(UsageError, match="is in use by a match that is running$"):
            Journal(path, SETTINGS, resume=True)
        journal.add(pair(2))
    with Journal(path, SETTINGS, resume=True) as journal:
        assert list(journal.results) == [1, 2]


def test_a_folder_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    path = tmp_path / "journal"
    with pytest.raises(UsageError, match=f"^cannot lock {path}: No locks available$"):
        Journal(path, SETTINGS)
    assert not path.exists()


def test_a_match_that_is_running_keeps_its_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path, SETTINGS) as journal:
        journal.add(pair(1))
        whole = path.read_bytes()
        with pytest.raises(UsageError, match="is in use by a match that is running$"):
            Journal(path, {"players": "others"}, overwrite=True)
        with pytest.raises(UsageError, match="is in use by a match that is running$"):
            set_aside(path)
        assert path.read_bytes() == whole
        assert list(tmp_path.iterdir()) == [path]


def test_a_match_begins_anew(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    for text in ("my notes", "line one\nline two", written(path, 1).decode()):
        path.write_text(text, encoding="utf-8")
        with Journal(path, {"players": "others"}, overwrite=True) as journal:
            assert journal.results == {}
            journal.add(pair(3))
        with Journal(path, {"players": "others"}, resume=True) as journal:
            assert list(journal.results) == [3]


def test_the_former_one_stays_until_a_pair_is_there(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    former = written(path, 1)
    with Journal(path, SETTINGS, overwrite=True):
        pass
    assert path.read_bytes() == former
    new = tmp_path / "new"
    with Journal(new, SETTINGS, overwrite=True):
        assert new.exists()
    assert not new.exists()


def test_one_that_is_cut_off_in_its_first_pair_is_not_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal"
    written(path, 1)

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    journal = Journal(path, SETTINGS, overwrite=True)
    monkeypatch.setattr("os.fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        journal.add(pair(1))
    journal.close()
    assert not path.exists()


def test_a_line_of_brackets_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    path.write_bytes(written(path, 1) + b"[" * 100_000 + b"\n")
    with pytest.raises(UsageError, match="line 3, is no line of a journal"):
        Journal(path, SETTINGS, resume=True)


def test_one_without_a_pair_is_not_left_behind(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path, SETTINGS):
        assert path.exists()
    assert not path.exists()
    with pytest.raises(UsageError, match="No such file or directory"):
        Journal(tmp_path / "none" / "journal", SETTINGS)
