"""``loopline report``: what the gateware's units take on each FPGA family."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from loopline.host.cli.commands import Command, run_program

__all__ = ["COMMAND"]


def _program(arguments: Sequence[str]) -> NoReturn:
    run_program("loopline.boards", ["report", *arguments])


COMMAND = Command(
    name="report", summary="area and clock of the gateware's units, alone", program=_program
)
