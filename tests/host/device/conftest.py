"""The devices that the same tests run against."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from loopline.host.device import Device, open_device

from .cable import Cable, cable

KINDS = ["model", "port"]
"""The model by itself, and behind a port."""


@pytest.fixture(scope="module", params=KINDS)
def opened(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Device]:
    """A device of each kind, one for all tests of a file."""
    if request.param == "port":
        with (
            cable(tmp_path_factory.mktemp("cable")) as held,
            open_device(str(held.path)) as device,
        ):
            yield device
    else:
        with open_device(request.param) as device:
            yield device


@pytest.fixture
def device(opened: Device) -> Device:
    """A device as after power-on."""
    opened.reset()
    return opened


@pytest.fixture
def plugged(tmp_path: Path) -> Iterator[Cable]:
    """A port with a model device of its own."""
    with cable(tmp_path) as held:
        yield held
