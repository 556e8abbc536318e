"""Compile the engine's functions with numba, and cache the result."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import config
from numba.core.registry import CPUDispatcher

from loopline.tools.cache import BuildError, cache_folder, mark_as_used, turn

__all__ = ["compiled", "compiling", "inlined", "record"]


_NOT_COMPILED = (
    "__init__",
    "__main__",
    "options",
    "searcher",
    "solver",
    "weights",
)
"""The modules of which no compiled function uses anything, not even a constant."""

_OTHERS = (
    "game/wire/codes.py",
    "hdl/config.py",
    "hdl/core/placer.py",
    "hdl/core/types.py",
    "hdl/search/config.py",
    "hdl/search/evaluation/classes.py",
    "hdl/search/hashing.py",
    "hdl/search/types.py",
)
"""The modules of other packages, besides those of the rules, whose constants they use."""


def _sources() -> list[Path]:
    """Return all sources that compiled functions depend on."""
    folder = Path(__file__).parent
    own = [
        path
        for path in folder.rglob("*.py")
        if path.stem not in _NOT_COMPILED and path.parent.name != "device"
    ]
    others = [folder.parent / name for name in _OTHERS]
    return sorted([*own, *(folder.parent / "game").glob("*.py"), *others])


def _digest() -> str:
    """Return a digest of these sources. numba itself only looks at the file of each function."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in _sources():
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _folder() -> Path:
    """Return the cache folder of this version of the sources, and mark it as in use."""
    folder = cache_folder() / f"engine-{_digest()}"
    mark_as_used(folder)
    return folder


_FOLDER = _folder()


@contextmanager
def compiling() -> Iterator[None]:
    """Let one process at a time compile what is called here, and say so on standard error.

    Once it has been compiled, nothing is said. Raises :exc:`BuildError` if the cache cannot be
    written to.
    """
    done = _FOLDER / "done"
    if config.DISABLE_JIT or done.exists():
        yield
        return
    print("engine: compiling the search, once, for about ten seconds ...", file=sys.stderr)
    try:
        _FOLDER.mkdir(parents=True, exist_ok=True)
        with turn(_FOLDER):
            yield
            done.touch()
    except OSError as error:
        folder = _FOLDER.parent
        raise BuildError(f"cannot write to the cache folder {folder}: {error}") from None


_OPTIONS = {"nopython": True, "_nrt": False, "no_cfunc_wrapper": True}


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function without reference counts, and cache it for the next process.

    Counting references at every call would take four fifths of the time. It is not needed: all
    arrays live as long as the Python objects that hold them. Functions without it cannot make
    arrays. With ``NUMBA_DISABLE_JIT=1`` in the environment the functions stay plain Python, with
    equal results.

    Pass constants as ``np.int64(1)``: numba compiles a function anew for each literal ``1``.
    """
    if config.DISABLE_JIT:
        return function
    dispatcher = CPUDispatcher(function, targetoptions=_OPTIONS)
    before, config.CACHE_DIR = config.CACHE_DIR, str(_FOLDER)
    try:
        dispatcher.enable_caching()
    finally:
        config.CACHE_DIR = before
    return dispatcher


class _Inlined(CPUDispatcher):
    """A function without an entry for Python, which saves a tenth of the time to compile."""

    def __call__(self, *values: Any) -> Any:
        return self.py_func(*values)


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function into its callers; called from Python it is plain Python."""
    if config.DISABLE_JIT:
        return function
    options = {**_OPTIONS, "forceinline": True, "no_cpython_wrapper": True}
    return _Inlined(function, targetoptions=options)


_LAYOUTS: dict[tuple[str, ...], np.dtype] = {}


def record(**fields: np.ndarray) -> Any:
    """Return an object with these arrays, copied to one piece of memory, as its attributes.

    Compiled functions pass its address on. A tuple of arrays is passed as their addresses and
    sizes, seven numbers or more for each, which takes longer to compile.

    Raises :exc:`ValueError` if arrays with these names had other sizes before: numba has one name
    for both functions, also in the cache, and would call one of them for the other.
    """
    types = [(name, array.dtype, array.shape) for name, array in fields.items()]
    layout = np.dtype(types, align=True)
    if _LAYOUTS.setdefault(tuple(fields), layout) != layout:
        raise ValueError(f"the arrays {', '.join(fields)} have one size each in a process")
    made = np.recarray(1, layout)[0]
    for name, array in fields.items():
        made[name] = array
    return made
