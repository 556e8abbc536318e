"""``loopline bench``: the figures of the gateware, measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from loopline.host.cli.commands import Command, run_program

__all__ = ["COMMAND"]


def _program(arguments: Sequence[str]) -> NoReturn:
    run_program("loopline.bench", arguments)


COMMAND = Command(name="bench", summary="measure the gateware", program=_program)
