"""Finished builds, kept in the user's cache folder under the hash of all that went into them."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["BuildError", "cache_folder", "cached"]

_KEEP_DAYS = 30


class BuildError(Exception):
    """Something could not be built; the message says which step failed and why."""


def cache_folder() -> Path:
    """The folder of finished builds: ``$LOOPLINE_CACHE``, or the platform's place for caches."""
    if chosen := os.environ.get("LOOPLINE_CACHE"):
        return Path(chosen).absolute()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "loopline"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "loopline"


def cached(
    ingredients: list[str], make: Callable[[Path, Path], None], announce: str | None = None
) -> Path:
    """The folder of a finished build: from the cache, or made now.

    Of two builds of the same at a time one waits for the other. A build works in a folder of its
    own, so that one that is killed does no harm.

    Parameters
    ----------
    ingredients : list[str]
        All that the result depends on.
    make : function
        Called with a folder to work in and an empty one to leave the result in.
    announce : str or None
        Printed on standard error before a build.

    Raises :class:`BuildError` when the cache cannot be written to, and what ``make`` raises.
    """
    cache = cache_folder()
    entry = cache / _digest(ingredients)
    if entry.exists():
        os.utime(entry)
        return entry
    if announce:
        print(announce, file=sys.stderr, flush=True)
    try:
        cache.mkdir(parents=True, exist_ok=True)
        _discard_old(cache)
        with _turn(entry), tempfile.TemporaryDirectory(prefix="build-", dir=cache) as folder:
            if not entry.exists():
                finished = Path(folder) / "finished"
                finished.mkdir()
                make(Path(folder), finished)
                _keep(finished, entry)
    except OSError as error:
        raise BuildError(f"cannot write to the cache folder {cache}: {error}") from None
    return entry


def _digest(parts: list[str]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode()
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()[:32]


@contextmanager
def _turn(entry: Path) -> Iterator[None]:
    """Wait until nobody else builds this entry; a lock ends with its process, come what may."""
    path = entry.with_suffix(".lock")
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            yield
        finally:
            path.unlink(missing_ok=True)


def _keep(finished: Path, entry: Path) -> None:
    """Move the result to its place in the cache, unless another build came first."""
    try:
        finished.rename(entry)
    except OSError:
        if not entry.exists():
            raise


def _discard_old(cache: Path) -> None:
    """Remove builds that nobody has asked for in a month, and what killed builds left."""
    for entry in cache.iterdir():
        try:
            if time.time() - entry.stat().st_mtime <= _KEEP_DAYS * 86400:
                continue
            if entry.is_dir():
                shutil.rmtree(entry, ignore_errors=True)
            else:
                entry.unlink()
        except FileNotFoundError:
            continue
