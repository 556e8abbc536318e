"""Intel Cyclone V: constraints and script of a project for Quartus Prime Lite.

The player runs at the clock of the pin, without a PLL: a PLL of Quartus is made by its own tool.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from amaranth.hdl import Module, Signal
from amaranth.lib import io

from loopline.boards.families.family import Project, ProjectFamily

__all__ = ["INTEL", "PinClock", "find_pin_clock"]


@dataclass(frozen=True)
class PinClock:
    """The clock of a pin as it is, in the place of a PLL: always locked."""

    reference_hz: float

    @property
    def output_hz(self) -> float:
        """Frequency of the clock."""
        return self.reference_hz

    def connect(self, m: Module, pin: io.PortLike, clock: Signal, lock: Signal) -> None:
        """Connect the clock, as :class:`Pll` says."""
        m.submodules.pin = buffer = io.Buffer("i", pin)
        m.d.comb += [clock.eq(buffer.i), lock.eq(1)]


def find_pin_clock(reference_hz: float, wanted_hz: float) -> PinClock:
    """Return the pin's clock. Raises ``ValueError`` when another one is wanted."""
    if wanted_hz != reference_hz:
        here, there = reference_hz / 1e6, wanted_hz / 1e6
        raise ValueError(f"clock must be {here:g} MHz, the pin's, without a PLL, not {there:g}")
    return PinClock(reference_hz)


def _settings(project: Project) -> str:
    lines = [
        'set_global_assignment -name FAMILY "Cyclone V"',
        f"set_global_assignment -name DEVICE {project.device}",
        "set_global_assignment -name TOP_LEVEL_ENTITY loopline",
        "set_global_assignment -name VERILOG_FILE loopline.v",
        "set_global_assignment -name SDC_FILE loopline.sdc",
        "set_global_assignment -name PROJECT_OUTPUT_DIRECTORY output_files",
    ]
    for pin in project.pins:
        lines.append(f"set_location_assignment PIN_{pin.site} -to {pin.port}")
        lines += [
            f'set_instance_assignment -name {name.upper()} "{value}" -to {pin.port}'
            for name, value in pin.attributes.items()
        ]
    return "\n".join([*lines, ""])


def _constraints(project: Project) -> str:
    lines = [project.clock_constraint, "derive_clock_uncertainty", *project.false_paths]
    return "\n".join([*lines, ""])


_SCRIPT = """\
# quartus_sh -t build.tcl
load_package flow
project_open loopline
execute_flow -compile
project_close
set file [open output_files/loopline.sta.summary]
set summary [read $file]
close $file
if {[regexp {Slack *: *-} $summary]} {
  post_message -type error "the clock is missed: see output_files/loopline.sta.rpt"
  exit 1
}
# What openFPGALoader takes.
qexec "quartus_cpf -c output_files/loopline.sof output_files/loopline.rbf"
"""


def _files(project: Project) -> Mapping[str, str]:
    """Return a project's files besides the design."""
    return {
        "loopline.qpf": "PROJECT_REVISION = loopline\n",
        "loopline.qsf": _settings(project),
        "loopline.sdc": _constraints(project),
        "build.tcl": _SCRIPT,
    }


INTEL = ProjectFamily(
    name="intel",
    extra="boards",
    tool="Quartus Prime Lite",
    command="quartus_sh -t build.tcl",
    product="output_files/loopline.rbf",
    constraints=("loopline.qsf", "loopline.sdc"),
    device=lambda platform: f"{platform.device}{platform.package}{platform.speed}",
    files=_files,
    synchroniser={
        "altera_attribute": "-name SYNCHRONIZER_IDENTIFICATION FORCED; "
        "-name DONT_MERGE_REGISTER ON; -name PRESERVE_REGISTER ON"
    },
)
