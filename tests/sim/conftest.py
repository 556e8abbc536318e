"""What the tests of the simulated board share: one compiled board of a small design."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from loopline.hdl.design import DesignConfig
from loopline.sim.board import board
from tests.sim.dummies import LineEcho

CLOCK = 12_000_000
BAUD = 115_200
PAUSE = 5000


@pytest.fixture(scope="session")
def echo_program() -> Path:
    """A board that answers each line with the same line after ``PAUSE`` cycles."""
    return board.build_board(LineEcho(divisor=CLOCK // BAUD, pause=PAUSE))


@pytest.fixture
def echo_command(echo_program: Path) -> Callable[..., list[str]]:
    """The command line of the echo board, with options as of ``board.command``."""

    def command(**options: Any) -> list[str]:
        return board.command(echo_program, clock=CLOCK, baud=BAUD, **options)

    return command


@pytest.fixture(scope="session")
def player() -> Path:
    """The board of ``python -m loopline.sim``, which the host's tests have, too."""
    return board.build(DesignConfig())
