"""Does the test suite find single faults in the core? Each is planted in a copy and tested.

``loopline bench mutations`` copies the sources, puts one fault after the other into the
copy (see :mod:`loopline.bench.faults`) and runs tests of the suite until one fails: those of the
part itself, then those of the whole unit, then whole games at native speed. It prints what found
each fault, and what nothing found. Exit status 1 if a fault is not found that is not known to be
harmless, or has no place in the sources any more. Takes about ten seconds for each fault.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from loopline.bench.faults import FAULTS, Fault
from loopline.bench.options import Parser

__all__ = ["main"]

_ROOT = Path(__file__).resolve().parents[1]
_PACKAGES = ("game", "hdl", "sim", "host", "boards", "bench")
_SECONDS = 300
"""After so long a test counts as one that a fault makes hang."""

_TRIALS = [
    "tests/hdl/trials/test_unit.py",
    "tests/sim/test_trials.py -k 32",
    "tests/sim/test_trials.py",
    "tests/hdl/trials/test_formal.py",
]
_CORE = [
    "tests/hdl/core/test_unit.py",
    "tests/hdl/core/test_placer.py",
    "tests/hdl/core/test_limits.py",
    "tests/hdl/core/test_native.py",
    "tests/hdl/core/test_streams_formal.py",
]


def tests_of(fault: Fault) -> list[str]:
    """The tests that may find a fault, those that are the quickest to do so first."""
    path = Path(fault.file)
    folder = f"tests/hdl/{path.parent.name}"
    own = f"{folder}/test_{path.stem}.py"
    tests = [own] if (_ROOT / own).is_file() else []
    if path.parent.name == "core":
        rest = ["tests/hdl/core/test_formal.py", *_CORE, *_TRIALS]
    elif path.stem in ("types", "lane", "overlay", "names", "unions", "entries"):
        rest = ["tests/hdl/trials/test_types.py", "tests/hdl/trials/test_memories.py", *_TRIALS]
    else:
        rest = _TRIALS
    return tests + [test for test in rest if test not in tests]


@contextmanager
def copy() -> Iterator[Path]:
    """A copy of the sources and tests in which ``loopline`` is imported from the copy."""
    with tempfile.TemporaryDirectory(prefix="loopline-") as folder:
        work = Path(folder, "work")
        work.mkdir()
        Path(folder, "path", "loopline").mkdir(parents=True)
        hidden = shutil.ignore_patterns("__pycache__", ".*")
        for name in (*_PACKAGES, "tests"):
            shutil.copytree(_ROOT / name, work / name, ignore=hidden)
        for name in _PACKAGES:
            Path(folder, "path", "loopline", name).symlink_to(work / name)
        shutil.copy(_ROOT / "pyproject.toml", work)
        games = _ROOT.parent / "shared"
        if games.is_dir():
            Path(folder, "shared").symlink_to(games)
        yield work


def run(work: Path, test: str) -> str:
    """Run tests in a copy; the first that failed, or nothing."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(work.parent / "path"),
        "PYTHONDONTWRITEBYTECODE": "1",
        # Models with faults are of no use to anybody else.
        "LOOPLINE_CACHE": str(work.parent / "cache"),
    }
    command = [sys.executable, "-m", "pytest", "-q", "-x", "--tb=no", "-p", "no:cacheprovider"]
    try:
        done = subprocess.run(
            [*command, *test.split()],
            cwd=work,
            env=environment,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"{test} (no end in {_SECONDS} s)"
    if done.returncode in (0, 5):  # 5: none was chosen
        return ""
    failed = re.search(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", done.stdout, re.MULTILINE)
    return failed[1] if failed else f"{test} (exit status {done.returncode})"


def try_fault(fault: Fault) -> str:
    """What finds a fault, or nothing."""
    with copy() as work:
        path = work / fault.file
        path.write_text(path.read_text().replace(fault.right, fault.wrong))
        for test in tests_of(fault):
            if found := run(work, test):
                return found
    return ""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = Parser(
        prog="loopline bench mutations",
        description=(__doc__ or "").split("\n\n", maxsplit=1)[0],
        epilog="example: loopline bench mutations --only trials/lane",
    )
    parser.add_argument("--only", metavar="TEXT", default="", help="faults whose name has this")
    parser.add_argument("--list", action="store_true", help="print the faults' names and end")
    parser.add_argument("--jobs", type=int, metavar="N", default=1, help="faults at a time")
    options: argparse.Namespace = parser.parse_args(arguments)
    names = {f"{fault.file}: {fault.what}": fault for fault in FAULTS}
    chosen = {name: fault for name, fault in names.items() if options.only in name}
    if not chosen:
        parser.error(f"no fault's name has {options.only!r} in it")
    if options.list:
        print(*chosen, sep="\n")
        return 0
    gone = [
        name
        for name, fault in chosen.items()
        if (_ROOT / fault.file).read_text().count(fault.right) != 1
    ]
    for name in gone:
        print(f"{name}: its place is not in the source, or not once", file=sys.stderr)
    start, missed, harmless = time.monotonic(), 0, 0
    todo = {name: fault for name, fault in chosen.items() if name not in gone}
    with ThreadPoolExecutor(max(1, options.jobs)) as pool:
        for (name, fault), found in zip(
            todo.items(), pool.map(try_fault, todo.values()), strict=True
        ):
            if found:
                print(f"found     {name}\n            by {found}", flush=True)
            elif fault.harmless:
                harmless += 1
                print(f"harmless  {name}\n            since {fault.harmless}", flush=True)
            else:
                missed += 1
                print(f"NOT FOUND {name}", flush=True)
    found_count = len(todo) - missed - harmless
    print(
        f"{found_count} of {len(todo)} faults found, {harmless} harmless, {missed} not found; "
        f"{time.monotonic() - start:.0f} s"
    )
    return 1 if missed or gone else 0


if __name__ == "__main__":
    sys.exit(main())
