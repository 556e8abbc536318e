"""Which commit sources are of, as a manifest and a board say it."""

import subprocess

import pytest

from loopline.tools import sources


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
