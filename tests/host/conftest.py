from collections.abc import Iterator
from contextlib import closing

import pytest

from loopline.host.contest.link import ContestDevice
from loopline.host.transport.serial_line import SerialLine
from loopline.host.transport.simulated import SimulatedLine


@pytest.fixture(scope="session")
def sim_port() -> Iterator[str]:
    """The serial device file of a simulated board that runs as long as the tests.

    It thinks for a tenth of a second by the PC's clock about a turn of a contest.
    """
    with closing(SimulatedLine(("--pace", "wall", "--think-ms", "100"))) as board:
        yield board.start()


@pytest.fixture
def device(sim_port: str) -> Iterator[ContestDevice]:
    """That board, opened as a player."""
    with ContestDevice(SerialLine(sim_port), timeout=120.0) as device:
        yield device
