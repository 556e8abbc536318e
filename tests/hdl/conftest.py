"""The whole design at its pins, compiled once for all tests that speak frames to it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hdl.pins_bench import Pins
from tests.hdl.support_framed import CONFIG


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
