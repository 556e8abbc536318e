"""An older version of the engine as a player: its sources in the cache, run by this interpreter."""

from __future__ import annotations

import io
import shlex
import subprocess
import zipfile
from functools import partial
from pathlib import Path

from loopline.game import Variant
from loopline.host.clock import Clock
from loopline.host.errors import UsageError
from loopline.host.transport.engine import engine_argv
from loopline.tools.cache import BuildError, cache_folder, cached
from loopline.tools.messages import tell

__all__ = ["older_engine"]

_ROOT = Path(__file__).resolve().parents[2]
_PACKAGES = "packages"


def older_engine(commit: str, spec: str, variant: Variant, clock: Clock) -> tuple[str, str]:
    """Return the engine of a commit as a player's spec, and its name, the short commit.

    Parameters
    ----------
    commit : str
        Any name that git has for it.
    spec : str
        The engine with its settings, as for :func:`.start_engine`.
    variant, clock
        What it plays, and the time that it has.

    Raises
    ------
    UsageError
        If this is no git checkout, has no such commit, or the commit has no such engine.
    """
    if not (_ROOT / ".git").exists():
        raise UsageError(f"--against needs a git checkout of Loopline, and {_ROOT} is none")
    found = _git("rev-parse", "--verify", "--quiet", "--short=12", f"{commit}^{{commit}}")
    name = found.decode().strip()
    if not name:
        raise UsageError(f"--against: {commit!r} is no commit of this checkout")
    if not _git("ls-tree", name, "engine/__main__.py"):
        raise UsageError(f"--against: {commit!r} is too old: the engine is there from bf40068 on")
    try:
        # The path stays the same, so that what is compiled there is found again.
        folder = cached(["sources of a commit", name], partial(_check_out, name))
    except BuildError as error:
        raise UsageError(f"--against: {error}") from error
    places = (f"PYTHONPATH={folder / _PACKAGES}", f"LOOPLINE_CACHE={cache_folder()}")
    argv = ["env", *places, *engine_argv(spec, variant, clock)]
    compiled = folder / "compiled"
    if not compiled.exists():
        tell(f"Starting the engine of {name}; the first time it is compiled first ...")
        done = subprocess.run(argv, input="-T\n", capture_output=True, text=True, check=False)
        if done.returncode:
            reason = (done.stderr.strip() or f"status {done.returncode}").splitlines()[-1]
            raise UsageError(f"--against: the engine of {commit!r} does not run: {reason}")
        compiled.touch()
    return f"cmd:{shlex.join(argv)}", name


def _git(*arguments: str) -> bytes:
    """Return what git prints; nothing if it fails."""
    return _run_git(*arguments).stdout


def _run_git(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(["git", "-C", _ROOT, *arguments], capture_output=True, check=False)
    except OSError as error:
        raise UsageError(f"--against needs git: {error.strerror}") from error


def _check_out(commit: str, _work: Path, result: Path) -> None:
    """Unpack the sources of a commit, and make its packages importable as ``loopline``."""
    # Not as tar: before Python 3.11.4 there is no safe way to unpack it.
    packed = _run_git("archive", "--format=zip", commit)
    if packed.returncode:
        reason = (packed.stderr.decode(errors="replace").split("\n") or [""])[0]
        raise UsageError(f"--against: git cannot read all files of {commit}: {reason}")
    with zipfile.ZipFile(io.BytesIO(packed.stdout)) as archive:
        archive.extractall(result / "sources")
    links = result / _PACKAGES / "loopline"
    links.mkdir(parents=True)
    for package in (result / "sources").glob("*/__init__.py"):
        (links / package.parent.name).symlink_to(Path("../../sources", package.parent.name))
