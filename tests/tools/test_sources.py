"""Which commit sources are of, as a manifest and a board say it."""

import json
import subprocess

import pytest

from loopline.sim.__main__ import main as sim
from loopline.tools import sources
from loopline.web.write_page import write_page


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository with a file of the gateware, committed, in place of Loopline's."""

    def git(*arguments):
        names = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org"]
        subprocess.run(["git", "-C", tmp_path, *names, *arguments], check=True, capture_output=True)

    git("init")
    (tmp_path / "hdl").mkdir()
    (tmp_path / "hdl" / "top.py").write_text("one\n")
    git("add", "hdl")
    git("commit", "-m", "one")
    monkeypatch.setattr(sources, "_ROOT", tmp_path)
    return tmp_path


@pytest.mark.parametrize("other", [None, "game.txt", "host/play.py"])
def test_only_what_goes_into_a_bitstream_counts(repository, other):
    if other:
        (repository / other).parent.mkdir(exist_ok=True)
        (repository / other).write_text("a saved game\n")
    commit = sources.commit(*sources.BITSTREAM)
    assert len(commit) == 40
    assert f"{sources.build_number():08x}" == commit[:8]


@pytest.mark.parametrize("changed", ["hdl/top.py", "hdl/new.py"])
def test_of_files_that_differ_from_it(repository, changed):
    commit = sources.commit("hdl")
    (repository / changed).write_text("two\n")
    assert sources.commit("hdl") == f"{commit}+"
    assert sources.build_number() == 0
    assert sources.commit("host") == commit
    assert sources.build_number("host") == int(commit[:8], 16)


def test_a_simulated_board_is_also_of_its_simulation(repository, tmp_path, monkeypatch):
    """Both of the page and of ``loopline sim``."""
    folder, file, commands = tmp_path / "page", tmp_path / "board", []
    file.write_bytes(b"")
    file.chmod(0o755)
    monkeypatch.setattr("loopline.web.write_page._board", lambda: file)
    monkeypatch.setattr("loopline.sim.board.board.build", lambda _config: file)
    monkeypatch.setattr("os.execv", lambda _program, command: commands.append(command))

    def builds():
        write_page(folder)
        sim([])
        words = commands.pop()
        page = json.loads((folder / "page.json").read_text())
        return page["board"]["build"], int(words[words.index("--build") + 1])

    commit = int(sources.commit("hdl")[:8], 16)
    assert builds() == (commit, commit)
    (repository / "sim").mkdir()
    (repository / "sim" / "reactor.cc").write_text("two\n")
    assert sources.build_number() == commit
    assert builds() == (0, 0)


def test_the_page_counts_where_all_counts(repository):
    (repository / "web").mkdir()
    (repository / "web" / "page.js").write_text("two\n")
    assert sources.source() == f"{sources.commit('hdl')}+"


def test_outside_a_repository(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.setattr(sources, "_ROOT", tmp_path)
    assert sources.commit("hdl") is None
    assert sources.commit_date() is None
    assert sources.build_number() == 0


def test_in_the_repository_of_another_project(repository, monkeypatch):
    monkeypatch.setattr(sources, "_ROOT", repository / "hdl")
    assert sources.commit("hdl") is None
    assert sources.build_number() == 0
