"""The file of a page: whole or untouched."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from loopline.host.errors import UsageError
from loopline.host.whole_file import WholeFile, part_beside


def test_a_file_is_replaced_and_keeps_its_permissions(tmp_path: Path) -> None:
    path, link = tmp_path / "page.html", tmp_path / "link.html"
    WholeFile(path).replace("first")
    assert path.read_text() == "first"
    path.chmod(0o640)
    link.symlink_to(path)
    WholeFile(link).replace("sécond")
    assert path.read_text(encoding="utf-8") == "sécond"
    assert (link.is_symlink(), path.stat().st_mode & 0o777) == (True, 0o640)
    assert sorted(tmp_path.iterdir()) == [link, path]


def test_what_a_killed_process_of_the_same_number_left_is_no_obstacle(tmp_path: Path) -> None:
    left, path = tmp_path / f".loopline-{os.getpid()}.part", tmp_path / "page.html"
    left.write_text("half")
    WholeFile(path).replace("whole")
    assert path.read_text() == "whole"
    assert part_beside(path) != part_beside(path)
    assert part_beside(path).parent == tmp_path


def test_nothing_is_written_before_the_page(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    WholeFile(path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "why"),
    [
        (".", "it is no plain file"),
        ("no/page.html", "No such file or directory"),
        ("loop", "Too many levels of symbolic links"),
        ("n" * 300, "File name too long"),
    ],
)
def test_what_cannot_be_written_is_told_at_once(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(UsageError, match=f"cannot write .*{why}"):
        WholeFile(tmp_path / name)


@pytest.mark.parametrize(("where", "failing"), [(os, "fsync"), (Path, "replace")])
def test_a_failure_leaves_the_old_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: object, failing: str
) -> None:
    path = tmp_path / "page.html"
    path.write_text("old")
    file = WholeFile(path)

    def fail(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(where, failing, fail)
    with pytest.raises(UsageError, match="No space left on device"):
        file.replace("new")
    assert [each.read_text() for each in tmp_path.iterdir()] == ["old"]


def test_an_interruption_leaves_the_old_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "page.html"
    path.write_text("old")
    file = WholeFile(path)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        file.replace("new")
    assert [each.read_text() for each in tmp_path.iterdir()] == ["old"]
