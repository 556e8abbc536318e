"""``loopline page``: the files that it writes, without the board."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import pytest

from loopline.host.puzzles.tactics import FILE
from loopline.web.__main__ import main
from tests.web.node import PAGE


def test_the_page_is_written_to_a_new_folder(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "page"
    for _ in range(2):  # It replaces its own files.
        assert main([str(folder), "--without-board"]) == 0
    names = {path.name for path in PAGE.iterdir()}
    assert {path.name for path in folder.iterdir()} == {*names, "page.json", FILE.name}
    settings = json.loads((folder / "page.json").read_text())
    assert settings == {"board": None, "devices": []}


def test_a_folder_that_cannot_be_written_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert main([str(file), "--without-board"]) == 1
    assert capsys.readouterr().err == f"loopline page: cannot write {file}: File exists\n"


def test_a_file_that_cannot_be_replaced_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / "app.js")
    assert main([str(tmp_path), "--without-board"]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"loopline page: cannot write {tmp_path}: ")
    assert said.endswith("app.js` is a named pipe\n")
    (tmp_path / "app.js").unlink()
    (tmp_path / "app.js").symlink_to(PAGE / "app.js")
    assert main([str(tmp_path), "--without-board"]) == 1
    assert capsys.readouterr().err.endswith(" are the same file\n")


def test_the_board_in_the_page_needs_two_extras(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in "amaranth", "ziglang":
        monkeypatch.setitem(sys.modules, module, None)
    assert main([str(tmp_path / "page")]) == 2
    needs = "the board in the page needs: pip install 'loopline[sim,compiler]'"
    assert capsys.readouterr().err == f"loopline page: {needs}\n"
    assert not (tmp_path / "page").exists()


def test_the_page_loads_only_files_of_its_own() -> None:
    """No address of another host, and each module and file that one names is there."""
    for path in PAGE.iterdir():
        text = path.read_text(encoding="utf-8")
        addresses = set(re.findall(r"https?://[^\"'\s]+", text))
        assert addresses <= {"http://www.w3.org/2000/svg"}, path.name
        for name in re.findall(
            r"""(?:from|src=|href=|URL\()\s*["'](?:\./)?([\w.]+\.\w+)["']""", text
        ):
            assert (PAGE / name).exists(), f"{path.name} names {name}"
