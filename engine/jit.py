"""Compile the engine's functions with numba, and cache the result."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
import numpy as np
from numba import config
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import register_pass
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering
from numba.core.types import unliteral

from loopline.tools.cache import cache_folder, turn

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


@contextmanager
def compiling() -> Iterator[None]:
    """Let one process at a time compile what is called here, and say so on standard error.

    Once it has been compiled, nothing is said.
    """
    done = _FOLDER / "done"
    if config.DISABLE_JIT or done.exists():
        yield
        return
    print("engine: compiling the search, once, for about ten seconds ...", file=sys.stderr)
    _FOLDER.mkdir(parents=True, exist_ok=True)
    with turn(_FOLDER):
        yield
        done.touch()


class _Part(JITCodeLibrary):
    """A function as LLVM's code, for its callers.

    numba optimises and translates every function by itself, and again as a part of each caller.
    Here an inlined function is optimised in its callers, any other one once, and only entry points
    are translated. That takes half of the time.
    """

    def __init__(self, codegen: Any, name: str, *, inlined: bool) -> None:
        super().__init__(codegen, name)
        self._inlined = inlined
        self.called: dict[_Part, None] = {}
        """The functions that this one calls, and before each of them those that it calls."""

    def finalize(self) -> None:
        """Link inlined functions; note the others."""
        for library in dict.fromkeys(self._linking_libraries):
            if isinstance(library, _Part):
                self.called.update(library.called)
                if not library._inlined:
                    self.called[library] = None
                    continue
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        if not self._inlined:
            self._optimize_final_module()
        self._finalized = True


class _EntryPoint(JITCodeLibrary):
    """A function that Python calls, with all the parts that it needs; they are optimised."""

    def add_linking_library(self, library: Any) -> None:
        """Link a part, and the parts that it calls."""
        super().add_linking_library(library)
        # It is finalised by now. LLVM links only what has been referred to: callers come first.
        for each in reversed(getattr(library, "called", {})):
            super().add_linking_library(each)

    def _optimize_final_module(self) -> None:
        pass


@register_pass(mutates_CFG=True, analysis_only=False)
class _PartLowering(NativeLowering):
    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        inlined, state.flags.no_compile = state.flags.forceinline, True
        codegen, name = state.targetctx.codegen(), state.func_id.func_qualname
        library = state.library = _Part(codegen, name, inlined=inlined)
        super().run_pass(state)
        # numba finds a function by its machine code. There is none: the library stands for it.
        state.cr = state.cr._replace(cfunc=library)
        state.targetctx.insert_user_function(library, state.cr.fndesc, [library])
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _EntryLowering(NativeLowering):
    _name = "entry_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _EntryPoint(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super().run_pass(state)


class _PartCompiler(Compiler):
    _lowering: type[NativeLowering] = _PartLowering

    def define_pipelines(self) -> list[Any]:
        """Return numba's passes, with another last one."""
        (pipeline,) = super().define_pipelines()
        pipeline.passes = [
            (self._lowering if each is NativeLowering else each, text)
            for each, text in pipeline.passes
        ]
        return [pipeline]


class _EntryCompiler(_PartCompiler):
    _lowering = _EntryLowering


class _Function(CPUDispatcher):
    """A function that compiled functions call as a part, and Python by its entry point."""

    def __init__(self, function: Callable[..., Any], *, inlined: bool) -> None:
        options = {"nopython": True, "_nrt": False, "no_cfunc_wrapper": True}
        super().__init__(
            function,
            targetoptions={**options, "no_cpython_wrapper": True, "forceinline": inlined},
            pipeline_class=_PartCompiler,
        )
        # An entry point is cached beside its function's file, by its name and line.
        code = _call.__code__.replace(
            co_filename=function.__code__.co_filename,
            co_firstlineno=function.__code__.co_firstlineno,
            co_name=function.__name__,
            co_qualname=function.__qualname__,
        )
        call = FunctionType(code, {"_part": self, "__name__": function.__module__})
        self._entry = CPUDispatcher(call, targetoptions=options, pipeline_class=_EntryCompiler)
        before, config.CACHE_DIR = config.CACHE_DIR, str(_FOLDER)
        try:
            self._entry.enable_caching()
        finally:
            config.CACHE_DIR = before

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Compile for these types; a constant needs no function of its own."""
        return super().get_call_template([unliteral(each) for each in args], kws)

    def add_overload(self, cres: Any) -> None:
        """Note the part for callers; Python cannot call it."""
        self.overloads[tuple(cres.signature.args)] = cres

    def _compile_for_args(self, *_values: Any) -> Any:
        # Called for every call by Python. The result is called in place of this function.
        return self._entry


_part: Any = None


def _call(*values: Any) -> Any:
    """Serve as the body of every entry point, with another ``_part``."""
    return _part(*values)


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function without reference counts, and cache it for the next process.

    Counting references at every call would take four fifths of the time. It is not needed: all
    arrays live as long as the Python objects that hold them. Functions without it cannot make
    arrays. With ``NUMBA_DISABLE_JIT=1`` in the environment the functions stay plain Python, with
    equal results.
    """
    return function if config.DISABLE_JIT else _Function(function, inlined=False)


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function into its callers: a small one, or one with a single caller."""
    return function if config.DISABLE_JIT else _Function(function, inlined=True)


_LAYOUTS: dict[tuple[str, ...], np.dtype] = {}


def record(**fields: np.ndarray) -> Any:
    """Return an object with these arrays, copied to one piece of memory, as its attributes.

    Compiled functions pass its address on. A tuple of arrays is passed as their addresses and
    sizes, seven numbers or more for each, which takes numba twice the time.

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
