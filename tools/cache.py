"""The cache of builds: a folder for each, named by the hash of all that the build depends on."""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = [
    "BuildError",
    "cache_folder",
    "cached",
    "digest",
    "mark_as_used",
    "tool_environment",
    "turn",
]

_ROOT = Path(__file__).resolve().parents[1]
_KEEP_DAYS = 30
_TOOLS = "tools"
"""The folder of the caches that other programs keep."""

_OWN = re.compile(r"([0-9a-f]{32}|engine-[0-9a-f]{16})(\.lock)?|(build|preparing)-\w+")
"""The names of builds, of their locks, and of the folders in which they are made. A cache folder
that a user has chosen may have anything else in it."""

_TOOL_CACHES = {
    "YOWASP_CACHE_DIR": "yowasp",
    "ZIG_GLOBAL_CACHE_DIR": "zig",
    "ZIG_LOCAL_CACHE_DIR": "zig",
    "CCACHE_DIR": "ccache",
}


class BuildError(Exception):
    """A build failed; the message names the step and the reason."""


def cache_folder() -> Path:
    """Return the folder of all builds.

    It is ``$LOOPLINE_CACHE`` if that is set, ``build/cache`` in a checkout, and the platform's
    folder for caches elsewhere.
    """
    if chosen := os.environ.get("LOOPLINE_CACHE"):
        return Path(chosen).absolute()
    if (_ROOT / "pyproject.toml").exists():
        return _ROOT / "build" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "loopline"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "loopline"


def tool_environment() -> dict[str, str]:
    """Return this process's environment, with the caches of other programs in our own folder.

    Variables that are set keep their values.
    """
    folder = cache_folder() / _TOOLS
    return {**{name: str(folder / part) for name, part in _TOOL_CACHES.items()}, **os.environ}


def cached(
    ingredients: list[str], make: Callable[[Path, Path], None], announce: str | None = None
) -> Path:
    """Return the folder of a build: from the cache, or made now.

    Two processes that need the same build do it once: one waits for the other. A build works in a
    temporary folder, so that a killed one leaves the cache as it was.

    Parameters
    ----------
    ingredients : list[str]
        Everything that the result depends on.
    make : function
        Called with a folder to work in and an empty folder for the result, which has files then.
    announce : str or None
        Printed on standard error before a build.

    Raises :class:`BuildError` when the cache cannot be written to, and what ``make`` raises.
    """
    cache = cache_folder()
    entry = cache / digest(ingredients)
    try:
        if _is_kept(entry):
            mark_as_used(entry)
            return entry
        if announce:
            print(announce, file=sys.stderr, flush=True)
        cache.mkdir(parents=True, exist_ok=True)
        _discard_old(cache)
        with turn(entry), tempfile.TemporaryDirectory(prefix="build-", dir=cache) as folder:
            if not _is_kept(entry):
                finished = Path(folder) / "finished"
                finished.mkdir()
                make(Path(folder), finished)
                _keep(finished, entry)
    except OSError as error:
        raise BuildError(f"cannot write to the cache folder {cache}: {error}") from None
    return entry


def _is_kept(entry: Path) -> bool:
    """Return whether a build is in the cache. What removes old files, as from ``/tmp``, may have
    left its empty folder."""
    return entry.exists() and any(entry.iterdir())


def digest(parts: Iterable[str]) -> str:
    """Return a name for what depends on these texts: 32 hexadecimal digits."""
    found = hashlib.sha256()
    for part in parts:
        data = part.encode()
        found.update(len(data).to_bytes(8, "little"))
        found.update(data)
    return found.hexdigest()[:32]


def mark_as_used(entry: Path) -> None:
    """Keep this entry for another month, if the cache can be written to."""
    with suppress(OSError):
        os.utime(entry)


@contextmanager
def turn(entry: Path) -> Iterator[None]:
    """Hold the lock of this entry; the system releases it when its process ends."""
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
    """Remove builds that were not used for a month, and the remains of killed builds."""
    for entry in cache.iterdir():
        if not _OWN.fullmatch(entry.name):
            continue
        try:
            if time.time() - entry.stat().st_mtime <= _KEEP_DAYS * 86400:
                continue
            if entry.is_dir():
                shutil.rmtree(entry, ignore_errors=True)
            else:
                entry.unlink()
        except FileNotFoundError:
            continue
