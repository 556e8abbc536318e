"""``loopline boards``: the real boards that Loopline is built for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from loopline.host.cli.commands import Command, run_program

__all__ = ["COMMAND"]


def _program(arguments: Sequence[str]) -> NoReturn:
    run_program("loopline.boards", ["list", *arguments])


COMMAND = Command(name="boards", summary="list the boards", program=_program)
