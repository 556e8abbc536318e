"""The PLL's settings, against the limits of the part and against Project Trellis's tool."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopline.boards.families.ecp5 import Ecp5Pll, find_pll
from loopline.tools.cache import tool_environment

MHZ = 1_000_000


def ecppll(reference_mhz: float, wanted_mhz: float, folder: Path) -> dict[str, int]:
    """The parameters in the module that Project Trellis's tool writes."""
    tool = Path(sys.executable).parent / "yowasp-ecppll"
    command = [str(tool), "-i", f"{reference_mhz}", "-o", f"{wanted_mhz}", "-f", "pll.v"]
    subprocess.run(command, cwd=folder, capture_output=True, check=True, env=tool_environment())
    values = re.findall(r"\.(\w+_DIV)\((\d+)\)", (folder / "pll.v").read_text())
    return {name: int(value) for name, value in values}


@pytest.mark.parametrize(
    ("reference_mhz", "wanted_mhz"), [(25, 50), (25, 75), (12, 60), (48, 60), (100, 60), (50, 62.5)]
)
def test_the_same_clock_as_ecppll(reference_mhz, wanted_mhz, tmp_path):
    theirs = ecppll(reference_mhz, wanted_mhz, tmp_path)
    assert find_pll(reference_mhz * MHZ, wanted_mhz * MHZ) == Ecp5Pll(
        reference_mhz * MHZ,
        divisor=theirs["CLKI_DIV"],
        feedback=theirs["CLKFB_DIV"],
        output=theirs["CLKOP_DIV"],
    )


def test_settings_are_those_of_the_formula():
    settings = Ecp5Pll(25 * MHZ, divisor=5, feedback=12, output=10)
    assert settings.phase_detector_hz == 5 * MHZ
    assert settings.output_hz == 60 * MHZ
    assert settings.oscillator_hz == 600 * MHZ
    assert find_pll(25 * MHZ, 60 * MHZ) == settings


@given(st.integers(8 * MHZ, 400 * MHZ), st.integers(10 * MHZ, 400 * MHZ))
def test_every_clock_is_the_nearest_within_the_limits(reference_hz, wanted_hz):
    settings = find_pll(reference_hz, wanted_hz)
    assert 3.125 * MHZ <= settings.phase_detector_hz <= 400 * MHZ
    assert 400 * MHZ <= settings.oscillator_hz <= 800 * MHZ
    assert 10 * MHZ <= settings.output_hz <= 400 * MHZ
    assert 1 <= settings.divisor <= 128
    assert 1 <= settings.feedback <= 80
    assert 1 <= settings.output <= 128
    outputs = (
        reference_hz * feedback / divisor
        for divisor in range(1, 129)
        if reference_hz / divisor >= 3.125 * MHZ
        for feedback in range(1, 81)
    )
    nearest = min(abs(hz - wanted_hz) for hz in outputs if 10 * MHZ <= hz <= 400 * MHZ)
    assert abs(settings.output_hz - wanted_hz) == nearest


@pytest.mark.parametrize(
    ("reference_hz", "wanted_hz", "message"),
    [
        (25 * MHZ, 9_900_000, "clock must be 10 to 400 MHz for the PLL, not 9.9"),
        (25 * MHZ, 401 * MHZ, "clock must be 10 to 400 MHz for the PLL, not 401"),
        (25 * MHZ, float("nan"), "clock must be 10 to 400 MHz for the PLL, not nan"),
        (7 * MHZ, 50 * MHZ, "reference clock must be 8 to 400 MHz for the PLL, not 7"),
    ],
)
def test_what_the_pll_cannot_do_is_refused(reference_hz, wanted_hz, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        find_pll(reference_hz, wanted_hz)
