"""What is seen in traces and netlists: every signal has a name that says what it is."""

import re

import pytest

from loopline.boards.figures.harness import harnessed
from loopline.boards.figures.units import UNITS
from loopline.hdl.config import GridConfig

NAMELESS = re.compile(r"^  wire .*\\(\$signal\S*)$", re.MULTILINE)


@pytest.mark.parametrize("unit", ["turn-unit-evaluator", "design"])
def test_no_signal_is_without_a_name(unit):
    """Amaranth finds no name for one of several signals that are assigned in one statement."""
    rtlil = harnessed(UNITS[unit].make(GridConfig(size=16)))
    assert not NAMELESS.findall(rtlil)
    # In this form a nameless signal would be found.
    assert re.search(r"^  wire .*\\\w+$", rtlil, re.MULTILINE)
