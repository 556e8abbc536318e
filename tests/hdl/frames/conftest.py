"""The whole design at its pins, compiled once for all tests that speak frames to it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hdl.frames.expected import CONFIG
from tests.hdl.frames.pins_driver import Pins


@pytest.fixture(scope="session")
def design() -> Iterator[Pins]:
    """The design, in whatever state the test before has left it."""
    pins = Pins(CONFIG)
    yield pins
    pins.close()


@pytest.fixture
def pins(design: Pins) -> Pins:
    """The design as after power-on."""
    design.restart()
    return design
