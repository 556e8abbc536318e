"""What the tests of compiled units share: the units."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from loopline.sim.probe.evaluator import NativeEvaluator
from tests.sim.probe.units import UNITS, Units


@pytest.fixture(scope="session")
def units() -> Iterator[Units]:
    yield UNITS
    UNITS.close()


@pytest.fixture
def unit(units: Units) -> NativeEvaluator:
    """The unit of the full grid."""
    return units[64]
