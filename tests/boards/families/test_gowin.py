"""The PLLs' settings, against the limits of the parts and against Project Apicula's tool."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopline.boards.families.gowin import Plla, Rpll, find_plla, find_rpll
from loopline.tools.extras import has_extra

MHZ = 1_000_000
NAMES = {"GW1NR-9C": "GW1NR-9 C6/I5", "GW2A-18C": "GW2A-18 C8/I7", "GW2AR-18C": "GW2AR-18 C8/I7"}
"""What Apicula's tool calls the devices."""


def gowin_pll(device: str, reference_mhz: float, wanted_mhz: float) -> tuple[float, float, float]:
    """The rates of phase detector, oscillator and output in MHz as Apicula's tool prints them."""
    tool = Path(sys.executable).parent / "gowin_pll"
    command = [str(tool), "-d", device, "-i", f"{reference_mhz}", "-o", f"{wanted_mhz}"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    values = dict(re.findall(r"-> (PFD|VCO|CLKOUT) = ([\d.]+) MHz", text))
    return tuple(float(values[name]) for name in ("PFD", "VCO", "CLKOUT"))


@pytest.mark.skipif(not has_extra("gowin"), reason="needs the extra gowin")
@pytest.mark.parametrize("wanted_mhz", [27, 36, 45, 50, 54, 81, 100.5])
@pytest.mark.parametrize("device", NAMES)
def test_the_same_clock_as_gowin_pll(device, wanted_mhz):
    theirs = gowin_pll(NAMES[device], 27, wanted_mhz)
    ours = find_rpll(device, 27 * MHZ, wanted_mhz * MHZ)
    assert ours.device == device
    rates = (ours.phase_detector_hz, ours.oscillator_hz, ours.output_hz)
    assert [rate / MHZ for rate in rates] == pytest.approx(theirs)


def test_settings_are_those_of_the_formulas():
    rpll = Rpll(27 * MHZ, divisor=3, feedback=5, output=16, device="GW1NR-9C")
    assert rpll.phase_detector_hz == 9 * MHZ
    assert rpll.output_hz == 45 * MHZ
    assert rpll.oscillator_hz == 720 * MHZ
    plla = Plla(50 * MHZ, divisor=1, multiplier=16, output=32)
    assert plla.phase_detector_hz == 50 * MHZ
    assert plla.oscillator_hz == 800 * MHZ
    assert plla.output_hz == 25 * MHZ
    assert find_plla(50 * MHZ, 25 * MHZ) == plla


@given(st.integers(3 * MHZ, 400 * MHZ), st.integers(4 * MHZ, 600 * MHZ))
def test_every_clock_of_an_rpll_is_the_nearest_within_the_limits(reference_hz, wanted_hz):
    settings = find_rpll("GW1NR-9C", reference_hz, wanted_hz)
    assert 3 * MHZ <= settings.phase_detector_hz <= 400 * MHZ
    assert 400 * MHZ <= settings.oscillator_hz <= 1200 * MHZ
    assert 3.125 * MHZ <= settings.output_hz <= 600 * MHZ
    assert 1 <= settings.divisor <= 64
    assert 1 <= settings.feedback <= 64
    outputs = (
        reference_hz * feedback / divisor
        for divisor in range(1, 65)
        if reference_hz / divisor >= 3 * MHZ
        for feedback in range(1, 65)
    )
    nearest = min(abs(hz - wanted_hz) for hz in outputs if 3.125 * MHZ <= hz <= 600 * MHZ)
    assert abs(settings.output_hz - wanted_hz) == nearest


@given(st.integers(19 * MHZ, 800 * MHZ), st.integers(7 * MHZ, 1600 * MHZ))
def test_every_clock_of_a_plla_is_the_nearest_within_the_limits(reference_hz, wanted_hz):
    settings = find_plla(reference_hz, wanted_hz)
    assert 19 * MHZ <= settings.phase_detector_hz <= 800 * MHZ
    assert 800 * MHZ <= settings.oscillator_hz <= 1600 * MHZ
    assert 6.25 * MHZ <= settings.output_hz <= 1600 * MHZ
    outputs = (
        reference_hz / divisor * multiplier / output
        for divisor in range(1, 65)
        if reference_hz / divisor >= 19 * MHZ
        for multiplier in range(2, 129)
        if 800 * MHZ <= reference_hz / divisor * multiplier <= 1600 * MHZ
        for output in range(1, 129)
    )
    nearest = min(abs(hz - wanted_hz) for hz in outputs if hz >= 6.25 * MHZ)
    assert abs(settings.output_hz - wanted_hz) == nearest


def test_a_device_whose_limits_are_not_known_is_refused() -> None:
    with pytest.raises(ValueError, match=r"known for GW1NR-9C, GW2A-18C, .*, not for 'GW1N-1'"):
        find_rpll("GW1N-1", 27 * MHZ, 45 * MHZ)


@pytest.mark.parametrize(
    ("reference_hz", "wanted_hz", "message"),
    [
        (27 * MHZ, 3 * MHZ, "clock must be 3.125 to 600 MHz for the PLL, not 3"),
        (27 * MHZ, float("inf"), "clock must be 3.125 to 600 MHz for the PLL, not inf"),
        (2 * MHZ, 27 * MHZ, "reference clock must be 3 to 400 MHz for the PLL, not 2"),
    ],
)
def test_what_an_rpll_cannot_do_is_refused(reference_hz, wanted_hz, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        find_rpll("GW1NR-9C", reference_hz, wanted_hz)


@pytest.mark.parametrize(
    ("reference_hz", "wanted_hz", "message"),
    [
        (50 * MHZ, 6 * MHZ, "clock must be 6.25 to 1600 MHz for the PLL, not 6"),
        (12 * MHZ, 50 * MHZ, "reference clock must be 19 to 800 MHz for the PLL, not 12"),
    ],
)
def test_what_a_plla_cannot_do_is_refused(reference_hz, wanted_hz, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        find_plla(reference_hz, wanted_hz)
