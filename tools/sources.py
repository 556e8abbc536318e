"""The commit of the sources that a figure or a bitstream is made from."""

from __future__ import annotations

import subprocess
from pathlib import Path

__all__ = ["BITSTREAM", "SIMULATED_BOARD", "build_number", "commit", "commit_date", "source"]

_ROOT = Path(__file__).resolve().parent.parent
BITSTREAM = ("boards", "game", "hdl", "tools", "constraints.txt")
"""The folders and files that go into a bitstream, and that figures of area and clock depend on."""

SIMULATED_BOARD = (*BITSTREAM, "sim")
"""The folders and files that go into a simulated board."""

_PACKAGES = ("game", "hdl", "engine", "sim", "host", "boards", "tools", "web", "bench", "tests")


def _git(*arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(_ROOT), *arguments], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def commit(*folders: str) -> str | None:
    """Return the commit of these sources; None if they are not a repository of their own.

    It ends with ``+`` if files in these folders of the repository differ from the commit.
    """
    found = _git("rev-parse", "--show-toplevel", "HEAD")
    changed = _git("status", "--porcelain", "--", *folders)
    if found is None or changed is None:
        return None
    top, head = found.splitlines()
    return None if Path(top) != _ROOT else head + ("+" if changed else "")


def source() -> str | None:
    """Return the commit of gateware, programs and tests, as :func:`commit`.

    Call it before a measurement: files may change in the course of one.
    """
    return commit(*_PACKAGES)


def build_number(*folders: str) -> int:
    """Return a build number: the first eight digits of the commit of these folders.

    Without folders those of :data:`BITSTREAM`. 0 if :func:`commit` knows none, or if files differ.
    """
    found = commit(*(folders or BITSTREAM))
    return 0 if found is None or found.endswith("+") else int(found[:8], 16)


def commit_date() -> str | None:
    """Return the date of the commit in ISO 8601; None outside a repository."""
    return _git("show", "--no-patch", "--format=%cI", "HEAD")
