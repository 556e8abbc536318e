"""``loopline match --against``: the engine of a commit, in a repository made for the test."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from loopline.game import LIMITED
from loopline.host.clock import UNTIMED
from loopline.host.errors import UsageError
from loopline.host.matches import against
from loopline.host.matches.against import older_engine
from tests.host.program import loopline


def git(folder: Path, *words: str) -> str:
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    argv = ["git", "-C", str(folder), *identity, *words]
    return subprocess.run(argv, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository without an engine in its first commit, and with a changed one in its folder."""
    folder = tmp_path / "checkout"
    package = folder / "engine"
    package.mkdir(parents=True)
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", "none")
    git(folder, "tag", "none")
    program = "import sys; print('{}', *sys.argv[1:]); sys.exit('{}' or 0)"
    for tag, word, reason in (("broken", "", "no licence"), ("old", "old", "")):
        (package / "__init__.py").touch()
        (package / "__main__.py").write_text(program.format(word, reason), encoding="utf-8")
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", tag)
        git(folder, "tag", tag)
    (package / "__main__.py").write_text("print('new')", encoding="utf-8")
    monkeypatch.setattr(against, "_ROOT", folder)
    monkeypatch.setenv("LOOPLINE_CACHE", str(tmp_path / "cache"))
    return folder


def test_the_engine_of_a_commit(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for said in (True, False):
        spec, name = older_engine("old", "engine:nodes=7", LIMITED, UNTIMED)
        assert name == git(checkout, "rev-parse", "--short=12", "old")
        assert (name in capsys.readouterr().err) is said
        argv = shlex.split(spec.removeprefix("cmd:"))
        done = subprocess.run(argv, capture_output=True, text=True, check=True)
        assert done.stdout == "old --variant limited --nodes 7\n"
    assert git(checkout, "worktree", "list").count("\n") == 0


@pytest.mark.parametrize(
    ("commit", "wrong"),
    [
        ("nothing", "--against: 'nothing' is no commit of this checkout"),
        ("none", "--against: 'none' is too old: the engine is there from bf40068 on"),
        ("broken", "--against: the engine of 'broken' does not run: no licence"),
    ],
)
def test_commits_without_an_engine(checkout: Path, commit: str, wrong: str) -> None:
    with pytest.raises(UsageError) as caught:
        older_engine(commit, "engine", LIMITED, UNTIMED)
    assert str(caught.value) == wrong


def test_a_commit_that_git_cannot_read(checkout: Path) -> None:
    blob = git(checkout, "rev-parse", "old:engine/__main__.py")
    (checkout / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(UsageError, match="^--against: git cannot read all files of .*: .*" + blob):
        older_engine("old", "engine", LIMITED, UNTIMED)


def test_wrong_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = loopline("match", "--against", "HEAD", "engine", "greedy")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("use at most one PLAYER, engine[:NAME=VALUE,...]\n")
    monkeypatch.setattr(against, "_ROOT", tmp_path)
    done = loopline("match", "--against", "HEAD")
    assert "needs a git checkout of Loopline, and " in done.stderr
