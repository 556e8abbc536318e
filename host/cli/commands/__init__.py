"""The subcommands of ``loopline``: each module defines one :class:`Command`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NoReturn

__all__ = ["Command", "run_program"]


def _no_arguments(_parser: argparse.ArgumentParser) -> None:
    """Add nothing to a parser."""


def _no_run(_arguments: argparse.Namespace) -> int:
    raise AssertionError("this command is a program")


@dataclass(frozen=True)
class Command:
    """One subcommand.

    Parameters
    ----------
    name, summary, description : str
        What the help says.
    examples : tuple of str
        Whole command lines, shown at the end of the help.
    configure : callable
        Adds the command's arguments to its parser.
    run : callable
        Does the work and returns the exit status.
    program : callable or None
        For a command that is a program of its own: takes over with the arguments as they are and
        does not return; ``configure`` and ``run`` are not used then.
    """

    name: str
    summary: str
    description: str = ""
    examples: tuple[str, ...] = ()
    configure: Callable[[argparse.ArgumentParser], None] = _no_arguments
    run: Callable[[argparse.Namespace], int] = _no_run
    program: Callable[[Sequence[str]], NoReturn] | None = None


def run_program(module: str, arguments: Sequence[str]) -> NoReturn:
    """Become ``python -m module arguments``: the other packages are programs, never imported."""
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(sys.executable, [sys.executable, "-m", module, *arguments])
