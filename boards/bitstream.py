"""Build a board's bitstream into a folder.

The folder gets the bitstream, ``manifest.json`` and nextpnr's ``report.json``; ``BOARD.zip``
holds all three, and has the same bytes for the same sources, seed and tools. ``work`` has what the
tools read and wrote. A build that fails, in a tool or because a clock is not met, leaves no
bitstream, not even an older one.

Another build in the same folder does not repeat the synthesis if Yosys would read the same again,
as for another seed: ``netlist.digest`` in ``work`` is the proof that the netlist is of that.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shutil
import signal
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from amaranth.build import Platform
from amaranth.build.run import BuildPlan
from amaranth.hdl import ClockDomain, Elaboratable, Module
from amaranth.lib import wiring

from loopline.boards.board import Board
from loopline.boards.clock import BoardClock
from loopline.boards.families import Family, Pll
from loopline.boards.pins import PlayerPins
from loopline.boards.programs import cut_short, run_script
from loopline.boards.report import Report, read_report
from loopline.game import STANDARD, Variant
from loopline.hdl.config import GridConfig
from loopline.hdl.design import DesignConfig, FrameSet
from loopline.hdl.rate import bit_cycles
from loopline.tools.cache import BuildError, digest, tool_environment
from loopline.tools.collector import collector_paused
from loopline.tools.messages import signal_name
from loopline.tools.sources import BITSTREAM, build_number, commit
from loopline.tools.wasm import prepare_tool

__all__ = [
    "BoardTop",
    "BuildError",
    "BuiltBoard",
    "MachineError",
    "MissedClockError",
    "build",
    "built_before",
    "configure",
    "default_player",
    "described",
    "pack",
]

_TABLE_BITS_BESIDE = 12
"""The table beside an evaluator that is not the preset's: an ECP5 25F has room for both."""

_STEPS = ("synthesis", "place and route", "bitstream")
"""What the tools of a family are for."""

_UNIX = 3
"""Where a zip file was made, as it says; it would be the system."""

_USED = re.compile(r"^Info: \t +(\w+): +(\d+)/ +(\d+) +\d+%$", re.MULTILINE)
"""In what nextpnr prints: a kind of cell, how many are needed, and how many there are."""


class MachineError(BuildError):
    """A build failed for a reason of the machine, which says nothing of the design."""


class MissedClockError(BuildError):
    """A routed design misses its clock; ``report`` says by how much."""

    def __init__(self, reason: str, report: Report) -> None:
        self.report = report
        super().__init__(reason)


@dataclass(frozen=True)
class BuiltBoard:
    """A finished build: its files and nextpnr's report."""

    bitstream: Path
    manifest: Path
    report_file: Path
    archive: Path
    report: Report


class BoardTop(Elaboratable):
    """The top of a board's FPGA: its clock, and a player on its pins."""

    def __init__(self, board: Board, pll: Pll, player: wiring.Component):
        self.board = board
        self.pll = pll
        self.player = player

    def elaborate(self, platform: Platform) -> Module:
        m = Module()
        m.domains.sync = ClockDomain("sync")
        m.submodules.clock = BoardClock(self.board.clock_resource, self.pll, self.board.button)
        m.submodules.pins = PlayerPins(self.board.leds, self.player)
        return m


def default_player(config: DesignConfig) -> wiring.Component:
    """Return the player."""
    from loopline.hdl.top import Loopline

    return Loopline(config)


def build(
    board: Board,
    folder: Path,
    *,
    seed: int = 1,
    baud: int = 115_200,
    clock_hz: float | None = None,
    grid: GridConfig | None = None,
    variant: Variant = STANDARD,
    evaluator: bool | None = None,
    ponder: bool | None = None,
    player: Callable[[DesignConfig], wiring.Component] = default_player,
    begin: Callable[[str], None] = lambda step: None,
) -> BuiltBoard:
    """Build ``board`` into ``folder``, which is made if it does not exist.

    ``clock_hz`` and ``grid`` are the board's own unless given, and the preset's are ``evaluator``,
    with which the player counts turns, and ``ponder``, whether it thinks on the opponent's time;
    the clock is the nearest one that the PLL makes. ``player`` makes the component between the
    pins. ``begin`` is called with the name of each step: gateware, synthesis unless it is not
    repeated, place and route, bitstream. Raises ``ValueError`` for a wrong
    configuration, before anything is written, and :class:`BuildError` for a failed build, or while
    another one is at work in the folder.
    """
    assert isinstance(board.family, Family)
    pll, config = configure(
        board, clock_hz, baud=baud, grid=grid, variant=variant, evaluator=evaluator, ponder=ponder
    )
    work, bitstream = folder / "work", board.family.bitstream
    products = {
        name: folder / name
        for name in (bitstream, "manifest.json", "report.json", f"{board.name}.zip")
    }
    with _alone(work):
        for stale in (*products.values(), work / bitstream, work / "report.json"):
            stale.unlink(missing_ok=True)

        # Files and commit may change while the tools run.
        facts = _facts(board, config, seed)
        top = BoardTop(board, pll, player(config))
        pins = _run_tools(board, top, work, seed, config, begin)
        report = _checked_report(board, work, products["report.json"], pll.output_hz)
        manifest = {
            **facts,
            "pins": pins,
            "cells": report.cells[0],
            "memories": report.memories[0],
            "mhz": round(report.slowest.achieved_mhz, 2),
        }
        shutil.copyfile(work / bitstream, products[bitstream])
        manifest["sha256"] = {
            name: _checksum(products[name]) for name in (bitstream, "report.json")
        }
        products["manifest.json"].write_text(json.dumps(manifest, indent=2) + "\n")
        *contents, archive = products.values()
        pack(archive, contents)
        return BuiltBoard(*products.values(), report)


def built_before(
    board: Board,
    folder: Path,
    *,
    seed: int,
    baud: int,
    clock_hz: float | None,
    grid: GridConfig | None,
    variant: Variant,
    evaluator: bool | None,
    ponder: bool | None,
) -> Report | None:
    """Return the report of the build in ``folder`` that :func:`build` would only repeat.

    The parameters are those of :func:`build`. None if what is there has other sources, options or
    tools, if it is not whole, and if the sources are not those of a commit. Raises ``ValueError``
    for a wrong configuration.
    """
    family = board.family
    assert isinstance(family, Family)
    _, config = configure(
        board, clock_hz, baud=baud, grid=grid, variant=variant, evaluator=evaluator, ponder=ponder
    )
    facts = _facts(board, config, seed)
    try:
        manifest = json.loads((folder / "manifest.json").read_text())
        if facts["dirty"] is not False or not facts.items() <= manifest.items():
            return None
        for name in (family.bitstream, "report.json"):
            if manifest["sha256"][name] != _checksum(folder / name):
                return None
        with zipfile.ZipFile(folder / f"{board.name}.zip") as archive:
            if archive.testzip() is not None:
                return None
        return read_report(folder / "report.json", cells=family.cells, memories=family.memories)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, zipfile.BadZipFile):
        return None  # Nothing is there, or something else.


def _facts(board: Board, config: DesignConfig, seed: int) -> dict[str, Any]:
    """Return what a manifest says of a build before it begins."""
    tools = {package: version(package) for package in board.family.packages}
    return {**described(board, config), "seed": seed, "tools": tools}


def _checksum(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


@contextmanager
def _alone(work: Path) -> Iterator[None]:
    """Make a folder and hold its lock, which the system releases when the process ends.

    Raises :class:`MachineError` while another build is at work in it.
    """
    work.mkdir(parents=True, exist_ok=True)
    with (work / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise MachineError(
                f"another build is at work in {work.parent}: wait for its end, or use --dir"
            ) from None
        yield


def configure(
    board: Board,
    clock_hz: float | None = None,
    *,
    baud: int,
    grid: GridConfig | None,
    variant: Variant,
    evaluator: bool | None = None,
    ponder: bool | None = None,
) -> tuple[Pll, DesignConfig]:
    """Return a board's PLL, and the configuration of its player at the nearest clock of the PLL.

    ``clock_hz`` is the board's own unless given, and the preset's are ``evaluator`` and ``ponder``.
    With an evaluator that the preset has not there are half as many lanes, and a table of 4,096
    entries at most: so it fits wherever the preset does.

    Raises ``ValueError`` for a clock that the PLL does not make, and for an evaluator in a player
    that obeys the frames of contests only, to which it would be of no use.
    """
    pll = board.pll(board.reference_hz, board.clock_hz if clock_hz is None else clock_hz)
    if evaluator and board.preset.frames is not FrameSet.FULL:
        raise ValueError(f"{board.name} has no commands that would use an evaluator")
    search = replace(board.preset.search, grid=grid or board.grid)
    if evaluator and not board.preset.evaluator:
        bits = min(search.table_bits, _TABLE_BITS_BESIDE)
        search = replace(search, lanes=max(search.lanes // 2, 1), table_bits=bits)
    config = DesignConfig(
        clock_hz=round(pll.output_hz),
        baud=baud,
        search=search,
        frames=board.preset.frames,
        evaluator=board.preset.evaluator if evaluator is None else evaluator,
        variant=variant,
        ponder=board.preset.ponder if ponder is None else ponder,
        build=build_number(),
    )
    return pll, config


def described(board: Board, config: DesignConfig) -> dict[str, Any]:
    """Return what a manifest says of a design: board, clock, line, search and sources."""
    source = commit(*BITSTREAM)
    rate = config.clock_hz / bit_cycles(config.clock_hz, config.baud)
    return {
        "board": board.name,
        "part": board.part,
        "clock_hz": config.clock_hz,
        "baud": config.baud,
        "baud_error_percent": round(100 * (rate / config.baud - 1), 3),
        "preset": board.preset.name,
        "lanes": config.search.lanes,
        "grid": config.grid.size,
        "variant": config.variant.name,
        "evaluator": config.evaluator,
        "ponder": config.ponder,
        "commit": source and source.rstrip("+"),
        "dirty": source and source.endswith("+"),
    }


def _run_tools(
    board: Board,
    top: Elaboratable,
    work: Path,
    seed: int,
    config: DesignConfig,
    begin: Callable[[str], None],
) -> dict[str, str]:
    """Run Amaranth's build script, with its output in ``work/build.log``.

    Return the FPGA's pins by what they are for, such as ``uart_0__rx``.
    """
    begin("gateware")
    family, platform = board.family, board.make_platform()
    with collector_paused():
        plan = platform.prepare(
            top,
            "loopline",
            emit_src=False,
            nextpnr_opts=[
                *("--seed", str(seed), "--report", "report.json"),
                # Without this option nextpnr writes no report when a clock is not met.
                "--timing-allow-fail",
                *family.routing(config),
            ],
            **family.synthesis(platform),
        )
    for name, text in family.files.items():
        plan.add_file(name, text)
    plan.extract(str(work))
    # The tools are in wheels, and so next to the interpreter. They see only the folder in which
    # they run, so every path in the script is relative.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    # Some tools are Python programs: what their authors are warned of is no error here.
    quiet = {"PATH": path, "PYTHONWARNINGS": "ignore"}
    environment = {**tool_environment(), **family.tools, **quiet}
    for tool in family.tools.values():
        prepare_tool(tool)
    steps = dict(zip(family.tools.values(), _STEPS, strict=True))
    log, proof = work / "build.log", work / "netlist.digest"
    if proof.exists() and proof.read_text() == _netlist_digest(plan, family, work):
        # The script runs this command of the shell in place of Yosys.
        environment["YOSYS"] = "true"
    else:
        proof.unlink(missing_ok=True)

    def started(program: str) -> None:
        step = steps.get(program)
        if step == "place and route":
            # The script ends where a tool fails, so Yosys has written the netlist.
            if reason := cut_short(_netlist(plan, work)):
                raise MachineError(f"{board.name}: {reason}")
            proof.write_text(_netlist_digest(plan, family, work))
        if step:
            begin(step)

    routing = work / "loopline.tim"
    routing.unlink(missing_ok=True)
    watch = partial(_check_room, board, routing)
    if status := run_script(f"{plan.script}.sh", work, environment, log, started, watch):
        # Of the shell, or as it says it of a tool: Linux ends one where memory runs out.
        ended_by = -status if status < 0 else status - 128
        if 0 < ended_by < signal.NSIG:
            ended = f"a tool was ended by {signal_name(ended_by)}"
            raise MachineError(f"{board.name}: {ended} (all of it in {log})")
        lines = log.read_text(errors="replace").strip().splitlines()
        reason = next((line for line in lines if _is_error(line)), lines[-1] if lines else "?")
        raise BuildError(f"{board.name}: {reason.strip()} (all of it in {log})")
    return {
        name.removesuffix("__io"): pin for name, pin, _ in platform.iter_port_constraints_bits()
    }


def _check_room(board: Board, routing: Path) -> None:
    """Raise :class:`BuildError` as soon as nextpnr says that it needs more cells than there are: it
    may try for hours to place them."""
    used = _USED.findall(routing.read_text(errors="replace")) if routing.exists() else []
    for cell, needed, room in used:
        if int(needed) > int(room):
            reason = f"the design does not fit: {needed} of {room} {cell}"
            raise BuildError(f"{board.name}: {reason} (more in {routing})")


def _netlist(plan: BuildPlan, work: Path) -> Path:
    """Return the file that Yosys writes for nextpnr."""
    name: str
    (name,) = re.findall(r" --json (\S+)", plan.files[f"{plan.script}.sh"])
    return work / name


def _netlist_digest(plan: BuildPlan, family: Family, work: Path) -> str:
    """Return a digest of the netlist in ``work`` and of all that Yosys makes it of."""
    # The scripts have nextpnr's options, such as the seed, and the name of what it reads.
    read = [text for name, text in plan.files.items() if not name.startswith(plan.script)]
    netlist = _netlist(plan, work)
    made = netlist.read_text() if netlist.exists() else ""
    return digest([*read, version(family.tools["YOSYS"]), made])


def _is_error(line: str) -> bool:
    """Return whether a tool says in this line what is wrong."""
    return "ERROR" in line or line.startswith("Error:")


def _checked_report(board: Board, work: Path, kept: Path, clock_hz: float) -> Report:
    """Copy nextpnr's report; delete the bitstream and raise if a clock is not met."""
    family = board.family
    assert isinstance(family, Family)
    shutil.copyfile(work / "report.json", kept)
    try:
        report = read_report(kept, cells=family.cells, memories=family.memories)
        _check_timing(board.name, report, clock_hz)
    except (ValueError, BuildError) as error:
        (work / family.bitstream).unlink()
        if isinstance(error, BuildError):
            raise
        raise BuildError(f"{board.name}: {error}") from None
    return report


def _check_timing(name: str, report: Report, clock_hz: float) -> None:
    """Raise :class:`BuildError` if the design may fail at ``clock_hz``."""
    if not any(abs(clock.wanted_mhz * 1e6 / clock_hz - 1) < 0.001 for clock in report.clocks):
        raise BuildError(
            f"{name}: timing was not checked: the report has no clock of {clock_hz / 1e6:g} MHz"
        )
    if not report.met:
        clock = report.slowest
        raise MissedClockError(
            f"{name}: timing is not met: clock {clock.name} has to reach {clock.wanted_mhz:.2f} "
            f"MHz and reaches {clock.achieved_mhz:.2f}; try another seed or a slower clock",
            report,
        )


def pack(archive: Path, files: list[Path]) -> None:
    """Write a zip file that depends on nothing but the names and contents of ``files``.

    They are not compressed: what that gives hangs on the library that Python is linked with.
    """
    with zipfile.ZipFile(archive, "w") as packed:
        for file in files:
            entry = zipfile.ZipInfo(file.name)
            entry.create_system = _UNIX
            entry.external_attr = 0o644 << 16
            packed.writestr(entry, file.read_bytes())
