"""Xilinx 7 series, Zynq-7000 among them: PLL, constraints and script of a project for Vivado."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from amaranth.hdl import Const, Instance, Module, Signal
from amaranth.lib import io

from loopline.boards.families.family import (
    MHZ,
    OscillatorPll,
    Project,
    ProjectFamily,
    check_clocks,
    within,
)

__all__ = ["XILINX", "Plle2", "find_plle2"]

_REFERENCE_HZ = (19 * MHZ, 800 * MHZ)
_PHASE_DETECTOR_HZ = (19 * MHZ, 450 * MHZ)
_OSCILLATOR_HZ = (800 * MHZ, 1600 * MHZ)
_BEST_OSCILLATOR_HZ = 1200 * MHZ
_OUTPUT_HZ = (6.25 * MHZ, 464 * MHZ)
"""The ranges of the slowest speed grade, by Xilinx's data sheet DS181."""


@dataclass(frozen=True)
class Plle2(OscillatorPll):
    """The parameters of ``PLLE2_BASE`` for a reference clock."""

    def connect(self, m: Module, pin: io.PortLike, clock: Signal, lock: Signal) -> None:
        """Add the PLL to ``m``, as :class:`Pll` says."""
        m.submodules.pin = buffer = io.Buffer("i", pin)
        feedback, output = Signal(), Signal()
        m.submodules.pll = Instance(
            "PLLE2_BASE",
            p_CLKIN1_PERIOD=1e9 / self.reference_hz,
            p_DIVCLK_DIVIDE=self.divisor,
            p_CLKFBOUT_MULT=self.multiplier,
            p_CLKOUT0_DIVIDE=self.output,
            i_CLKIN1=buffer.i,
            i_CLKFBIN=feedback,
            i_RST=Const(0),
            i_PWRDWN=Const(0),
            o_CLKFBOUT=feedback,
            o_CLKOUT0=output,
            o_LOCKED=lock,
        )
        m.submodules.global_buffer = Instance("BUFG", i_I=output, o_O=clock)


def find_plle2(reference_hz: float, wanted_hz: float) -> Plle2:
    """Return the settings whose output is nearest to ``wanted_hz``; of equal ones, those with the
    oscillator nearest to the middle of its range, and with the smallest divisors.

    Raises ``ValueError`` when the reference or the wanted frequency is out of the PLL's range, or
    not a number.
    """
    check_clocks(reference_hz, _REFERENCE_HZ, wanted_hz, _OUTPUT_HZ)
    candidates = (
        Plle2(reference_hz, divisor, multiplier, output)
        for divisor in range(1, 57)
        if within(reference_hz / divisor, _PHASE_DETECTOR_HZ)
        for multiplier in range(2, 65)
        if within(reference_hz / divisor * multiplier, _OSCILLATOR_HZ)
        for output in range(1, 129)
    )
    return min(
        (each for each in candidates if within(each.output_hz, _OUTPUT_HZ)),
        key=lambda settings: (
            abs(settings.output_hz - wanted_hz),
            abs(settings.oscillator_hz - _BEST_OSCILLATOR_HZ),
        ),
    )


def _constraints(project: Project) -> str:
    lines = [project.clock_constraint]
    for pin in project.pins:
        properties = " ".join(
            ["PACKAGE_PIN", pin.site, *(word for pair in pin.attributes.items() for word in pair)]
        )
        lines.append(f"set_property -dict {{{properties}}} [get_ports {pin.port}]")
    lines += [
        *project.false_paths,
        "set_property CFGBVS VCCO [current_design]",
        "set_property CONFIG_VOLTAGE 3.3 [current_design]",
    ]
    return "\n".join([*lines, ""])


def _script(project: Project) -> str:
    return f"""\
# vivado -mode batch -source build.tcl
create_project -in_memory -part {project.device}
read_verilog loopline.v
read_xdc loopline.xdc
synth_design -top loopline
opt_design
place_design
phys_opt_design
route_design
report_utilization -file utilization.rpt
report_timing_summary -file timing.rpt
set slack [get_property SLACK [get_timing_paths -delay_type max]]
if {{$slack < 0}} {{
  error "the clock is missed by [expr {{-$slack}}] ns: see timing.rpt"
}}
write_bitstream -force loopline.bit
"""


def _files(project: Project) -> Mapping[str, str]:
    """Return a project's files besides the design."""
    return {"loopline.xdc": _constraints(project), "build.tcl": _script(project)}


XILINX = ProjectFamily(
    name="xilinx",
    extra="boards",
    tool="Vivado",
    command="vivado -mode batch -source build.tcl",
    product="loopline.bit",
    constraints=("loopline.xdc",),
    device=lambda platform: f"{platform.device}{platform.package}-{platform.speed}",
    files=_files,
    synchroniser={"ASYNC_REG": "TRUE"},
)
