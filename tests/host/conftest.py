from collections.abc import Iterator

import pytest

from loopline.host.contest.link import ContestDevice
from loopline.host.transport.serial_line import SerialLine
from loopline.host.transport.simulated import SimulatedBoard


@pytest.fixture(scope="session")
def sim_port() -> Iterator[str]:
    """The serial device file of a simulated board that runs as long as the tests."""
    with SimulatedBoard() as board:
        yield board.path


@pytest.fixture
def device(sim_port: str) -> Iterator[ContestDevice]:
    """That board, opened as a player."""
    with ContestDevice(SerialLine(sim_port), timeout=120.0) as device:
        yield device
