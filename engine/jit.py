"""How the twin's functions are compiled, and where the result is kept."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba import config, njit

from loopline.tools.cache import cache_folder

__all__ = ["compiled", "inlined"]


_NOT_COMPILED = (
    "__init__",
    "__main__",
    "options",
    "searcher",
    "solver",
    "weights",
)
"""The modules of which nothing is in a compiled function, not even a constant."""


def _digest() -> str:
    """What compiled functions depend on: numba looks at a function's own file only."""
    digest = hashlib.sha256(numba.__version__.encode())
    folder = Path(__file__).parent
    game = folder.parent / "game"
    for path in sorted([*folder.rglob("*.py"), *game.glob("*.py"), game / "wire" / "codes.py"]):
        own = folder in path.parents
        if not (own and (path.stem in _NOT_COMPILED or path.parent.name == "device")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _folder() -> Path:
    """The folder for what is compiled, in use from now on."""
    folder = cache_folder() / f"engine-{_digest()}"
    if folder.exists():
        os.utime(folder)
    return folder


_FOLDER = _folder()


def _compile(function: Callable[..., Any], **options: bool) -> Callable[..., Any]:
    before, config.CACHE_DIR = config.CACHE_DIR, str(_FOLDER)
    try:
        return njit(cache=True, _nrt=False, **options)(function)
    finally:
        config.CACHE_DIR = before


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function, keep it for the next process, and count no references in it.

    All arrays live as long as the Python objects that hold them. Counting references to them at
    every call would take four fifths of the time; functions without it may not make arrays, which
    hardware cannot, either. With ``NUMBA_DISABLE_JIT=1`` in the environment the functions stay
    plain Python, with equal results.
    """
    return _compile(function)


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same for a small function, which becomes part of those that call it.

    A call hands over the addresses and sizes of all arrays, some dozens of words.
    """
    return _compile(function, forceinline=True)
