"""The commit of the sources that a figure or a bitstream is made from."""

from __future__ import annotations

import subprocess
from pathlib import Path

__all__ = ["build_number", "commit", "commit_date", "source"]

_ROOT = Path(__file__).resolve().parent.parent
_PACKAGES = ("game", "hdl", "engine", "sim", "host", "boards", "tools", "bench", "tests")


def _git(*arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(_ROOT), *arguments], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def commit(*folders: str) -> str | None:
    """Return the commit of these sources; None outside a repository.

    It ends with ``+`` if files differ from the commit: any file, or only those in ``folders``,
    relative to the repository's root.
    """
    head = _git("rev-parse", "HEAD")
    changed = _git("status", "--porcelain", "--", *folders)
    return None if head is None or changed is None else head + ("+" if changed else "")


def source() -> str | None:
    """Return the commit of gateware, programs and tests, as :func:`commit`.

    Call it before a measurement: files may change in the course of one.
    """
    return commit(*_PACKAGES)


def build_number() -> int:
    """Return the build number of a board: the first eight digits of the commit.

    0 outside a repository, or if files differ from the commit.
    """
    found = commit()
    return 0 if found is None or found.endswith("+") else int(found[:8], 16)


def commit_date() -> str | None:
    """Return the date of the commit in ISO 8601; None outside a repository."""
    return _git("show", "--no-patch", "--format=%cI", "HEAD")
