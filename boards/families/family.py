"""A family of FPGAs and its PLL, as :func:`loopline.boards.build` sees them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from amaranth.build import Platform
from amaranth.hdl import Module, Signal
from amaranth.lib import io

from loopline.hdl.design import DesignConfig

__all__ = [
    "MHZ",
    "Family",
    "FeedbackPll",
    "OscillatorPll",
    "Pll",
    "Project",
    "ProjectFamily",
    "ProjectPin",
    "check_clocks",
    "within",
]

MHZ = 1_000_000
"""A megahertz, in Hz."""


class Pll(Protocol):
    """The settings of a PLL for a reference clock."""

    @property
    def output_hz(self) -> float:
        """Frequency of the output clock."""

    def connect(self, m: Module, pin: io.PortLike, clock: Signal, lock: Signal) -> None:
        """Add the PLL to ``m``: fed by the clock pin, it drives ``clock`` and ``lock``, which is
        high while the PLL is locked."""


@dataclass(frozen=True)
class FeedbackPll:
    """The parameters of a PLL with feedback from its output, for a reference clock.

    The output is ``reference_hz * feedback / divisor``; the oscillator runs ``output`` times as
    fast.
    """

    reference_hz: float
    divisor: int
    feedback: int
    output: int

    @property
    def phase_detector_hz(self) -> float:
        """Rate in Hz at which the PLL compares its phase with the reference's."""
        return self.reference_hz / self.divisor

    @property
    def oscillator_hz(self) -> float:
        """Frequency of the oscillator inside the PLL."""
        return self.output_hz * self.output

    @property
    def output_hz(self) -> float:
        """Frequency of the output clock."""
        return self.reference_hz * self.feedback / self.divisor


@dataclass(frozen=True)
class OscillatorPll:
    """The parameters of a PLL with feedback from its oscillator, for a reference clock.

    The output is ``reference_hz * multiplier / (divisor * output)``.
    """

    reference_hz: float
    divisor: int
    multiplier: int
    output: int

    @property
    def phase_detector_hz(self) -> float:
        """Rate in Hz at which the PLL compares its phase with the reference's."""
        return self.reference_hz / self.divisor

    @property
    def oscillator_hz(self) -> float:
        """Frequency of the oscillator inside the PLL."""
        return self.phase_detector_hz * self.multiplier

    @property
    def output_hz(self) -> float:
        """Frequency of the output clock."""
        return self.oscillator_hz / self.output


@dataclass(frozen=True)
class Family:
    """A family of FPGAs: its tools and the names in their reports.

    Parameters
    ----------
    name : str
        The family's name.
    extra : str
        The extra of an installation that brings its tools.
    tools : mapping
        For synthesis, place and route, and packer, in this order: from the variable in Amaranth's
        build script that names the program to the program in the wheels.
    packages : tuple of str
        The packages whose versions decide on a bitstream.
    suffix : str
        How the names of bitstreams end.
    cells, memories : str
        Names of resources in nextpnr's report: LUTs and block RAMs.
    synthesis : callable
        Returns for a platform what Amaranth's build script gets for Yosys: ``script_after_read``,
        commands, and ``synth_opts``, options.
    routing : callable
        Returns for a design the options of nextpnr that this family needs.
    files : mapping
        Files that the script needs, by name, and their texts.
    margin_percent : float
        How much faster than its clock a design has to be by nextpnr's delays, when
        ``loopline tune`` chooses the clock.
    """

    name: str
    extra: str
    tools: Mapping[str, str]
    packages: tuple[str, ...]
    suffix: str
    cells: str
    memories: str
    synthesis: Callable[[Platform], Mapping[str, str]]
    routing: Callable[[DesignConfig], tuple[str, ...]] = lambda _config: ()
    files: Mapping[str, str] = field(default_factory=dict)
    margin_percent: float = 5.0

    @property
    def bitstream(self) -> str:
        """The name of a bitstream."""
        return f"loopline{self.suffix}"


class ProjectPin(NamedTuple):
    """A pin of a project: the design's port, the package's site, and what the platform says of it
    more, such as a voltage."""

    port: str
    site: str
    attributes: Mapping[str, str]
    is_input: bool


@dataclass(frozen=True)
class Project:
    """What the files of a project are made of.

    Parameters
    ----------
    device : str
        The FPGA as the vendor's tool calls it.
    clock : str
        The port of the clock, of ``reference_hz``.
    pins : tuple of ProjectPin
        All ports.
    """

    device: str
    clock: str
    reference_hz: float
    pins: tuple[ProjectPin, ...]

    @property
    def clock_constraint(self) -> str:
        """The command, of Vivado and of Quartus, that says how fast the clock is."""
        return f"create_clock -period {1e9 / self.reference_hz:g} [get_ports {self.clock}]"

    @property
    def false_paths(self) -> list[str]:
        """The commands, of both tools, that take all other ports out of the timing."""
        return [
            f"set_false_path -{'from' if pin.is_input else 'to'} [get_ports {pin.port}]"
            for pin in self.pins
            if pin.port != self.clock
        ]


@dataclass(frozen=True)
class ProjectFamily:
    """A family whose place and route only its vendor has: boards get a project for that.

    Parameters
    ----------
    name, extra
        As in :class:`Family`.
    tool, command : str
        The vendor's program, and how it is run in the project's folder.
    product : str
        The bitstream that it makes there.
    constraints : tuple of str
        The files that name ports.
    device : callable
        Returns a platform's FPGA as the vendor's tool calls it.
    files : callable
        Returns the files of a project besides the design, by name.
    synchroniser : mapping of str to str
        Attributes of the flip-flops that synchronise an input, which the tool then places beside
        each other, and does not change.
    """

    name: str
    extra: str
    tool: str
    command: str
    product: str
    constraints: tuple[str, ...]
    device: Callable[[Platform], str]
    files: Callable[[Project], Mapping[str, str]]
    synchroniser: Mapping[str, str]


def within(value: float, limits: tuple[float, float]) -> bool:
    """Return whether a value is in a range, both ends included."""
    return limits[0] <= value <= limits[1]


def check_clocks(
    reference_hz: float,
    references: tuple[float, float],
    wanted_hz: float,
    outputs: tuple[float, float],
) -> None:
    """Raise ``ValueError`` if a PLL's reference or wanted clock is out of its range, or not a
    number. All are in Hz."""
    for name, hz, limits in (
        ("reference clock", reference_hz, references),
        ("clock", wanted_hz, outputs),
    ):
        if not within(hz, limits):
            low, high = (limit / MHZ for limit in limits)
            raise ValueError(
                f"{name} must be {low:g} to {high:g} MHz for the PLL, not {hz / MHZ:g}"
            )
