"""Measure whole designs: the presets, each on the part that it is for."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from amaranth.back import rtlil
from amaranth.hdl import Elaboratable, Module, Signal
from amaranth.lib import wiring

from loopline.boards.figures.measure import NETLIST, Unroutable, read_figures, routed, synthesised
from loopline.boards.figures.parts import WHOLE_PARTS
from loopline.boards.pins import lights_of
from loopline.boards.presets import Preset
from loopline.boards.programs import Programs
from loopline.hdl.design import DesignConfig
from loopline.tools.cache import BuildError
from loopline.tools.collector import collector_paused

__all__ = ["DesignFigures", "measure_design"]

_TOP = "design"


@dataclass(frozen=True)
class DesignFigures:
    """Figures of a routed design, or the ``problem`` that prevented them.

    Parameters
    ----------
    part : str
        The part, its package and its speed grade.
    cells, rams : tuple of int or None
        Used and there: LUTs, on an iCE40 logic cells; block RAMs.
    large_rams : int
        Large RAMs, those of an iCE40 UltraPlus.
    mhz_by_seed : tuple of float
        The clock that each seed reaches.
    problem : str or None
        Why the design cannot be built.
    failed : bool
        The problem is that of a tool, and says nothing of the design.
    """

    part: str
    cells: tuple[int, int] | None = None
    rams: tuple[int, int] | None = None
    large_rams: int = 0
    mhz_by_seed: tuple[float, ...] = ()
    problem: str | None = None
    failed: bool = False

    @property
    def mhz(self) -> float | None:
        """The median of all seeds."""
        return statistics.median(self.mhz_by_seed) if self.mhz_by_seed else None


class _Pins(Elaboratable):
    """A player between the pins that a board gives it: the serial line and eight LEDs."""

    def __init__(self, player: wiring.Component):
        self.player = player
        self.rx = Signal(init=1)
        self.tx = Signal()
        self.lights = Signal(8)

    def elaborate(self, platform) -> Module:
        m = Module()
        m.submodules.player = player = self.player
        m.d.comb += [
            player.rx.eq(self.rx),
            self.tx.eq(player.tx),
            self.lights.eq(lights_of(m, player)),
        ]
        return m


def measure_design(
    preset: Preset,
    player: Callable[[DesignConfig], wiring.Component],
    seeds: Iterable[int],
    store: Path,
    programs: Programs,
) -> DesignFigures:
    """Synthesise, place and route a preset's player on pins, with each of the seeds. ``player``
    makes it.

    Steps that ``store`` holds are not done again.
    """
    part = WHOLE_PARTS[preset.part]
    top = _Pins(player(preset.design))
    ports = [top.rx, top.tx, top.lights]
    with collector_paused():
        text: str = rtlil.convert(top, name=_TOP, ports=ports, emit_src=False)
    synthesis = part.whole or part.synthesis
    script = f"read_rtlil harness.il; {synthesis} -top {_TOP} -json {NETLIST}"
    try:
        folder = synthesised(text, script, part, store, programs)
        reports = [read_figures(routed(folder, part, seed, programs), part) for seed in seeds]
    except (Unroutable, BuildError) as error:
        failed = isinstance(error, BuildError)
        return DesignFigures(part.device, problem=str(error), failed=failed)
    first = reports[0]
    return DesignFigures(
        part.device,
        first.cells,
        first.memories,
        first.large_memories[0] if first.large_memories else 0,
        tuple(report.slowest.achieved_mhz for report in reports),
    )
