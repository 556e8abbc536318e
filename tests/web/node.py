"""Node.js, for tests of the page's modules without a browser."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import pytest

__all__ = ["PAGE", "needs_node", "node"]

PAGE = Path(__file__).parents[2] / "web" / "page"


def _find() -> str | None:
    """The program on the path, or the one that Playwright brings with it."""
    spec = importlib.util.find_spec("playwright")
    own = Path(spec.origin).parent / "driver" / "node" if spec and spec.origin else None
    return shutil.which("node") or (str(own) if own and own.exists() else None)


node = _find()
needs_node = pytest.mark.skipif(node is None, reason="there is no node")
