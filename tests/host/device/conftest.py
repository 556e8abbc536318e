"""The devices that the same tests run against."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from loopline.host.device import Device, open_device
from tests.host.device.cable import Cable, cable
from tests.host.framed_puppet import framed_puppet

KINDS = ["engine", "port", pytest.param("sim", marks=pytest.mark.xdist_group("host-board"))]
"""The engine by itself, the engine behind a port, and the gateware, simulated."""


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
        port = request.getfixturevalue("sim_port") if request.param == "sim" else "engine"
        with open_device(port) as device:
            yield device


@pytest.fixture(scope="module")
def engine() -> Iterator[Device]:
    """The engine, one for all tests of a file."""
    with open_device("engine") as device:
        yield device


@pytest.fixture
def device(opened: Device) -> Device:
    """A device as after power-on."""
    opened.reset()
    return opened


@pytest.fixture
def plugged(tmp_path: Path) -> Iterator[Cable]:
    """A port with an engine of its own."""
    with cable(tmp_path) as held:
        yield held


@pytest.fixture
def held_frames() -> Iterator[Callable[..., str]]:
    """Makes ports whose far end identifies itself, with fields as the test wants them."""
    with ExitStack() as stack:
        yield lambda **changes: stack.enter_context(framed_puppet(**changes)).path
