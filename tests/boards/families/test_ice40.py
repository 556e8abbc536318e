"""The PLL's settings, against the limits of the part and against Lattice's tool."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopline.boards.families.ice40 import Ice40Pll, find_pad_pll, find_pll

MHZ = 1_000_000


def icepll(reference_mhz: float, wanted_mhz: float) -> tuple[int, int, int, int]:
    """DIVR, DIVF, DIVQ and FILTER_RANGE as IceStorm's tool prints them."""
    tool = Path(sys.executable).parent / "yowasp-icepll"
    command = [str(tool), "-i", f"{reference_mhz}", "-o", f"{wanted_mhz}"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    values = dict(re.findall(r"(DIVR|DIVF|DIVQ|FILTER_RANGE): +(\d+)", text))
    return tuple(int(values[name]) for name in ("DIVR", "DIVF", "DIVQ", "FILTER_RANGE"))


@pytest.mark.parametrize(
    ("reference_mhz", "wanted_mhz"),
    # Nowhere near the ends of the range: unlike the tool, we never go beyond them.
    [(12, 17), (12, 24), (12, 36), (12, 48), (12, 60), (12, 78), (12, 264), (25, 40), (100, 33)],
)
def test_the_same_clock_as_icepll(reference_mhz, wanted_mhz):
    divr, divf, divq, filter_range = icepll(reference_mhz, wanted_mhz)
    theirs = Ice40Pll(reference_mhz * MHZ, divr, divf, divq)
    assert theirs.filter_range == filter_range
    ours = find_pll(reference_mhz * MHZ, wanted_mhz * MHZ)
    assert ours.output_hz == pytest.approx(theirs.output_hz)


def test_settings_are_those_of_the_formula():
    settings = Ice40Pll(12 * MHZ, divr=0, divf=47, divq=4)
    assert settings.phase_detector_hz == 12 * MHZ
    assert settings.oscillator_hz == 576 * MHZ
    assert settings.output_hz == 36 * MHZ
    assert find_pll(12 * MHZ, 36 * MHZ) == settings


def test_the_pll_behind_the_pad_has_the_same_settings():
    assert find_pad_pll(12 * MHZ, 24 * MHZ) == Ice40Pll(12 * MHZ, 0, 63, 5, pad=True)


@given(st.integers(10 * MHZ, 133 * MHZ), st.integers(16 * MHZ, 275 * MHZ))
def test_every_clock_is_near_and_within_the_limits(reference_hz, wanted_hz):
    settings = find_pll(reference_hz, wanted_hz)
    assert 10 * MHZ <= settings.phase_detector_hz <= 133 * MHZ
    assert 533 * MHZ <= settings.oscillator_hz <= 1066 * MHZ
    assert 16 * MHZ <= settings.output_hz <= 275 * MHZ
    assert 0 <= settings.divr < 16
    assert 0 <= settings.divf < 128
    assert 1 <= settings.divq <= 6
    # One step of DIVF changes the output by the phase detector's rate over 2**DIVQ.
    step = settings.phase_detector_hz / 2**settings.divq
    assert abs(settings.output_hz - wanted_hz) <= max(step / 2, 0.02 * wanted_hz)


@pytest.mark.parametrize(
    ("reference_hz", "wanted_hz", "message"),
    [
        (12 * MHZ, 15_900_000, "clock must be 16 to 275 MHz for the PLL, not 15.9"),
        (12 * MHZ, 276 * MHZ, "clock must be 16 to 275 MHz for the PLL, not 276"),
        (12 * MHZ, float("inf"), "clock must be 16 to 275 MHz for the PLL, not inf"),
        (12 * MHZ, float("nan"), "clock must be 16 to 275 MHz for the PLL, not nan"),
        (8 * MHZ, 48 * MHZ, "reference clock must be 10 to 133 MHz for the PLL, not 8"),
    ],
)
def test_what_the_pll_cannot_do_is_refused(reference_hz, wanted_hz, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        find_pll(reference_hz, wanted_hz)
