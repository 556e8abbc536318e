"""Which commit sources are of, as a manifest and a board say it."""

import subprocess

import pytest

from loopline.tools import sources


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository with one file, committed, in place of Loopline's."""

    def git(*arguments):
        names = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org"]
        subprocess.run(["git", "-C", tmp_path, *names, *arguments], check=True, capture_output=True)

    git("init")
    (tmp_path / "file").write_text("one\n")
    git("add", "file")
    git("commit", "-m", "one")
    monkeypatch.setattr(sources, "_ROOT", tmp_path)
    return tmp_path


def test_of_a_commit(repository):
    commit = sources.commit()
    assert len(commit) == 40
    assert f"{sources.build_number():08x}" == commit[:8]


def test_of_files_that_differ_from_it(repository):
    commit = sources.commit()
    (repository / "file").write_text("two\n")
    assert sources.commit() == f"{commit}+"
    assert sources.build_number() == 0


def test_outside_a_repository(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.setattr(sources, "_ROOT", tmp_path)
    assert sources.commit() is None
    assert sources.commit_date() is None
    assert sources.build_number() == 0
