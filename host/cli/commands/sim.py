"""``loopline sim``: the simulated board as a serial device for any program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from loopline.host.cli.commands import Command, run_program

__all__ = ["COMMAND"]


def _program(arguments: Sequence[str]) -> NoReturn:
    run_program("loopline.sim", arguments)


COMMAND = Command(
    name="sim",
    summary="run the simulated board as a serial device, until interrupted",
    program=_program,
)
