"""Compile the engine's functions with numba, and cache the result."""

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
"""The modules of which no compiled function uses anything, not even a constant."""


def _digest() -> str:
    """Return a digest of all sources that compiled functions depend on.

    numba itself only looks at the file of each function.
    """
    digest = hashlib.sha256(numba.__version__.encode())
    folder = Path(__file__).parent
    game = folder.parent / "game"
    for path in sorted([*folder.rglob("*.py"), *game.glob("*.py"), game / "wire" / "codes.py"]):
        own = folder in path.parents
        if not (own and (path.stem in _NOT_COMPILED or path.parent.name == "device")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _folder() -> Path:
    """Return the cache folder of this version of the sources, and mark it as in use."""
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
    """Compile a function without reference counts, and cache it for the next process.

    Counting references at every call would take four fifths of the time. It is not needed: all
    arrays live as long as the Python objects that hold them. Functions without it cannot make
    arrays. With ``NUMBA_DISABLE_JIT=1`` in the environment the functions stay plain Python, with
    equal results.
    """
    return _compile(function)


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a small function into its callers.

    A call would pass the addresses and sizes of all arrays, some dozens of words.
    """
    return _compile(function, forceinline=True)
