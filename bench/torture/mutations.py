"""Plant single faults in a copy of the sources, and find out which test finds each of them.

``faults.toml`` lists the faults of the gateware (core, evaluator, search, link and frames), of the
engine and of the host. For each of them tests run until one fails: those of the part itself, then
those of its room or of the whole unit, then whole games at native speed. The test that found a
fault in the last run in ``docs/results/mutations`` is tried first. Exit status 1 if no test finds a
fault that is not known to be harmless, or if a fault has no place in the sources any more or leaves
no design to test; 130 if it was interrupted, after it has printed what was found until then. Each
fault takes ten seconds to a minute.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from loopline.bench.interruption import INTERRUPTED
from loopline.tools.arguments import Parser, whole_number
from loopline.tools.cache import tool_environment
from loopline.tools.json_lines import json_lines
from loopline.tools.sources import source

__all__ = ["FAULTS", "Fault", "main"]


class Fault(NamedTuple):
    """One fault: ``right`` stands once in the file, ``wrong`` takes its place.

    ``harmless`` says why no test can find it: the gateware works all the same.
    """

    file: str
    what: str
    right: str
    wrong: str
    harmless: str = ""


def _faults() -> list[Fault]:
    text = Path(__file__).with_name("faults.toml").read_text(encoding="utf-8")
    files = tomllib.loads(text).items()
    return [Fault(file, what, *texts) for file, faults in files for what, texts in faults.items()]


FAULTS = _faults()
"""All faults, in the order of their file."""

_ROOT = Path(__file__).resolve().parents[2]
_PACKAGES = ("game", "hdl", "engine", "sim", "host", "boards", "bench", "tools")
_SECONDS = 600
"""A test that takes longer counts as one that hangs, which finds the fault."""

_FROM_OUTSIDE = {-signal.SIGHUP, -signal.SIGINT, -signal.SIGKILL, -signal.SIGTERM}
"""Exit statuses of a process that was killed from outside, which say nothing about the fault."""

_TRIES = 3
"""How often a killed test is run."""

_RESULTS = _ROOT / "docs" / "results" / "mutations"
"""Saved output of ``--json``; the files' names begin with the date."""

_BUILD = """
from amaranth.back import rtlil
from loopline.hdl.config import GridConfig
from loopline.hdl.core.unit import TurnUnit
rtlil.convert(TurnUnit(GridConfig(), evaluator=True))
"""
_BUILD_ALL = """
from amaranth.back import rtlil
from loopline.hdl.design import DesignConfig
from loopline.hdl.top import Loopline
rtlil.convert(Loopline(DesignConfig()))
"""

_BUILD_SEARCH = """
from amaranth.back import rtlil
from loopline.boards.figures.units import UNITS
from loopline.hdl.config import GridConfig
parts = [unit.make(GridConfig()) for unit in UNITS.values()]
for part in parts:
    if type(part).__module__.startswith("loopline.hdl.search."):
        rtlil.convert(part)
"""

_EVALUATOR = [
    "tests/hdl/evaluator/test_unit.py",
    "tests/sim/probe/test_evaluator.py -k 32",
    "tests/sim/probe/test_evaluator.py",
    "tests/sim/probe/test_core_limits.py",
    "tests/sim/probe/test_random_positions.py",
    "tests/hdl/evaluator/test_formal.py",
]
_ENGINE = [
    "tests/engine/test_device.py",
    "tests/engine/test_lane_turns.py",
    "tests/engine/test_lanes.py",
    "tests/engine/test_search.py",
    "tests/framed/test_commands.py -k engine",
]
_PLAYER = [
    "tests/hdl/player/test_pondering.py",
    "tests/hdl/player/test_sessions.py",
]
_LINK = [
    "tests/hdl/link/test_frames.py",
    "tests/hdl/link/test_frames_formal.py",
    "tests/hdl/link/test_uart.py",
    "tests/hdl/frames/test_parts.py",
    "tests/hdl/frames/test_turn_count.py",
    "tests/hdl/frames/test_errors.py",
    "tests/hdl/frames/test_repetitions.py",
    "tests/framed/test_commands.py -k gateware",
    "tests/hdl/frames/test_lines.py",
    "tests/hdl/frames/test_searches.py",
    "tests/hdl/frames/test_counters.py",
    "tests/hdl/frames/test_rates.py",
    "tests/hdl/frames/test_noise.py",
    "tests/host/device/test_device.py -k more_turns",
]
_CORE = [
    "tests/hdl/core/proofs/test_tile_formal.py",
    "tests/hdl/core/proofs/test_memory_formal.py",
    "tests/hdl/core/proofs/test_formal.py",
    "tests/hdl/core/unit/test_unit.py",
    "tests/hdl/core/unit/test_reads.py",
    "tests/hdl/search/test_hash.py",
    "tests/hdl/core/unit/test_native.py",
    "tests/sim/probe/test_turn_unit.py",
    "tests/hdl/core/proofs/test_streams_formal.py",
    "tests/hdl/core/proofs/test_places_formal.py",
]


def last_found() -> dict[str, str]:
    """Return the test that found each fault in the last saved run that planted it, by ``what`` the
    fault is, as files may have been renamed."""
    found = {}
    for kept in sorted(_RESULTS.glob("*.json")):
        for fault in json.loads(kept.read_text(encoding="utf-8"))["faults"]:
            if fault["found_by"]:
                found[fault["name"].partition(": ")[2]] = fault["found_by"]
    return found


def tests_of(fault: Fault) -> list[str]:
    """Return the tests that may find a fault, the quickest ones first."""
    path = Path(fault.file)
    folder = Path("tests", path.parent)
    own = str(folder / f"test_{path.stem}.py")
    tests = [own] if (_ROOT / own).is_file() else []
    if path.parts[0] == "host":
        rest = ["tests/host/device/test_longer.py"]
    elif path.parts[0] == "engine":
        rest = _ENGINE
    elif "search" in path.parts:
        # Those of the folder before those of the others.
        files = sorted((_ROOT / "tests" / "hdl" / "search").rglob("test_*.py"))
        files.sort(key=lambda test: test.parent != _ROOT / folder)
        rest = [str(test.relative_to(_ROOT)) for test in files]
    elif _is_of_link(fault):
        rest = _LINK
    elif path.parent.name == "player":
        rest = _PLAYER
    elif path.parent.name == "core":
        rest = [*_CORE, *_EVALUATOR]
    elif path.stem in ("lane", "overlay", "slow", "track_ids", "union_find"):
        rest = [_EVALUATOR[-1], "tests/hdl/evaluator/test_memories.py", *_EVALUATOR]
    else:
        rest = _EVALUATOR
    return tests + [test for test in rest if test not in tests]


def _is_of_link(fault: Fault) -> bool:
    """Return whether a fault is in the link, in the frames or in the top."""
    return Path(fault.file).parent.name in ("link", "frames", "hdl")


@contextmanager
def copy() -> Iterator[Path]:
    """Copy sources and tests to a temporary folder, from which ``loopline`` is imported."""
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


def environment_of(work: Path) -> dict[str, str]:
    """Return the environment in which ``loopline`` is imported from a copy."""
    return {
        **tool_environment(),
        "PYTHONPATH": str(work.parent / "path"),
        "PYTHONDONTWRITEBYTECODE": "1",
        # Designs with faults stay out of the common cache.
        "LOOPLINE_CACHE": str(work.parent / "cache"),
    }


def builds(work: Path, fault: Fault) -> bool:
    """Return whether what a fault is in elaborates: any test would find one that prevents it."""
    build = _BUILD_ALL if _is_of_link(fault) else _BUILD
    if "search" in Path(fault.file).parts:
        build = _BUILD_SEARCH
    command = [sys.executable, "-c", build]
    done = subprocess.run(
        command, cwd=work, env=environment_of(work), capture_output=True, check=False
    )
    return done.returncode == 0


def run(work: Path, test: str) -> str:
    """Run a test by its name, or those of a file with options; return the first that failed.

    A run that was killed from outside is repeated. Raises ``SystemExit`` if it is killed each time.
    """
    command = [sys.executable, "-m", "pytest", "-q", "-x", "--tb=no"]
    # The name of a test may have spaces in it; such a test may be a slow one.
    words = ["-m", "", test] if "::" in test else test.split()
    for _ in range(_TRIES):
        try:
            done = subprocess.run(
                [*command, *words],
                cwd=work,
                env=environment_of(work),
                capture_output=True,
                text=True,
                timeout=_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"{test} (no end in {_SECONDS} s)"
        if done.returncode == 4 and "not found" not in done.stdout + done.stderr:
            raise SystemExit(f"{test}: {done.stderr.strip()}")
        if done.returncode in (0, 4, 5):  # 4: there is no such test any more, 5: none was chosen
            return ""
        if done.returncode not in _FROM_OUTSIDE:
            failed = re.search(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", done.stdout, re.MULTILINE)
            return failed[1] if failed else f"{test} (exit status {done.returncode})"
    raise SystemExit(f"{test}: ended from outside {_TRIES} times ({done.returncode})")


def try_fault(fault: Fault, first: str = "") -> str | None:
    """Return the test that finds a fault, or an empty text; None if no design is left. ``first`` is
    tried first."""
    with copy() as work:
        path = work / fault.file
        path.write_text(path.read_text().replace(fault.right, fault.wrong))
        if not builds(work, fault):
            return None
        for test in [*filter(None, [first]), *tests_of(fault)]:
            if found := run(work, test):
                return found
    return ""


def name_of(fault: Fault) -> str:
    """Return the name of a fault: its file and what is wrong."""
    return f"{fault.file}: {fault.what}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = Parser(
        prog="loopline bench mutations",
        description=(__doc__ or "").split("\n\n", maxsplit=1)[0],
        examples=["loopline bench mutations --only evaluator/lane"],
    )
    parser.add_argument(
        "--only", metavar="TEXT", default="", help="plant only faults whose name contains this"
    )
    parser.add_argument("--list", action="store_true", help="print the faults' names and end")
    parser.add_argument("--json", action="store_true", help="print one object at the end")
    parser.add_value("--jobs", whole_number(1, 99), "the number of faults at one time", default=1)
    options: argparse.Namespace = parser.parse_args(arguments)
    if not (_ROOT / "tests").is_dir():
        parser.error("it runs the tests, which are in a checkout only")
    names = {name_of(fault): fault for fault in FAULTS}
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
    made_of = {"commit": source()}
    start, last, results = time.monotonic(), last_found(), []
    todo = {name: fault for name, fault in chosen.items() if name not in gone}
    told = sys.stderr if options.json else sys.stdout

    def work(name: str) -> str | None:
        return try_fault(todo[name], last.get(todo[name].what, ""))

    interrupted = False
    with ThreadPoolExecutor(options.jobs) as pool:
        try:
            for name, found in zip(todo, pool.map(work, todo), strict=True):
                results.append({"name": name, "found_by": found, "harmless": todo[name].harmless})
                print(*_lines(**results[-1]), sep="\n", file=told, flush=True)
        except KeyboardInterrupt:
            interrupted = True
            pool.shutdown(wait=False, cancel_futures=True)
            print(f"\n{parser.prog}: interrupted, waiting for the tests that run", file=sys.stderr)
    counts = Counter(_verdict(**result) for result in results)
    seconds = time.monotonic() - start
    if options.json:
        figures = {
            "planted": len(results),
            "of": len(todo),
            "found": counts["found"],
            "harmless": counts["harmless"],
        }
        print(json_lines({**made_of, **figures, "faults": results}), end="")
    else:
        print(
            f"{counts['found']} of {len(results)} faults found, {counts['harmless']} harmless, "
            f"{counts['NOT FOUND']} not found; {seconds:.0f} s"
        )
    if interrupted:
        return INTERRUPTED
    return int(bool(gone or counts["NOT FOUND"] or counts["NO DESIGN"]))


def _verdict(name: str, found_by: str | None, harmless: str) -> str:
    if found_by is None:
        return "NO DESIGN"
    if found_by:
        return "found"
    return "harmless" if harmless else "NOT FOUND"


def _lines(name: str, found_by: str | None, harmless: str) -> Iterator[str]:
    verdict = _verdict(name, found_by, harmless)
    yield f"{verdict:9} {name}"
    if found_by:
        yield f"            by {found_by}"
    elif verdict == "harmless":
        yield f"            since {harmless}"
