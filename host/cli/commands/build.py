"""``loopline build``: the bitstream for a real board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from loopline.host.cli.commands import Command, run_program

__all__ = ["COMMAND"]


def _program(arguments: Sequence[str]) -> NoReturn:
    run_program("loopline.boards", ["build", *arguments])


COMMAND = Command(
    name="build", summary="build the bitstream for a board, or fail", program=_program
)
