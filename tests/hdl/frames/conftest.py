"""The whole design at its pins, compiled once for all tests that speak frames to it."""

from __future__ import annotations

import pytest

from tests.hdl.frames.expected import compiled_design
from tests.hdl.frames.pins_driver import Pins


@pytest.fixture
def pins() -> Pins:
    """The design as after power-on."""
    design = compiled_design()
    design.restart()
    return design
