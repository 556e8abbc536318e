"""``loopline trace``: a waveform of turns on the turn unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from loopline.host.cli.commands import Command, run_program

__all__ = ["COMMAND"]


def _program(arguments: Sequence[str]) -> NoReturn:
    run_program("loopline.sim.waves.turns", arguments)


COMMAND = Command(
    name="trace", summary="make turns in simulation, with a waveform", program=_program
)
