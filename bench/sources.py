"""Which sources the figures of a bench are of."""

from __future__ import annotations

from loopline.boards.sources import commit

__all__ = ["source"]

_FOLDERS = ("game", "hdl", "sim", "host", "boards", "bench", "tests")


def source() -> str | None:
    """The commit, with ``+`` after it if gateware, programs or tests differ from it; None outside a
    repository. To be asked before measuring: files may change meanwhile."""
    return commit(*_FOLDERS)
