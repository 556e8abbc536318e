"""Which sources a figure or a bitstream is made from."""

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

    ``+`` stands after it when files differ from it: any, or only those in ``folders``, which are
    relative to the repository's root.
    """
    head = _git("rev-parse", "HEAD")
    changed = _git("status", "--porcelain", "--", *folders)
    return None if head is None or changed is None else head + ("+" if changed else "")


def source() -> str | None:
    """Return the commit of gateware, programs and tests, as :func:`commit`.

    A bench calls it before it measures, as files may change meanwhile.
    """
    return commit(*_PACKAGES)


def build_number() -> int:
    """Return what a board built from these sources says of them: the first eight digits of their
    commit; 0 outside a repository, and when files differ from the commit."""
    found = commit()
    return 0 if found is None or found.endswith("+") else int(found[:8], 16)


def commit_date() -> str | None:
    """Return when the commit of these sources was made, in ISO 8601; None outside a repository."""
    return _git("show", "--no-patch", "--format=%cI", "HEAD")
