"""The command line ``loopline``: finds the subcommand, runs it, and turns errors into one line.

Exit status: 0 done, 1 a negative answer or a device that fails, 2 wrong use, 130 interrupted.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import signal
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import NoReturn

from loopline.host.cli.commands import Command
from loopline.host.errors import DeviceError, RefusalError, UsageError
from loopline.host.render.terminal import terminal_width
from loopline.host.signals import handled

__all__ = ["NAMES", "find_commands", "main"]

NAMES = (
    "play",
    "demo",
    "player",
    "referee",
    "match",
    "tournament",
    "replay",
    "analyse",
    "convert",
    "show",
    "moves",
    "perft",
    "ugi",
    "sim",
    "trace",
    "devices",
    "info",
    "stats",
    "selftest",
    "boards",
    "build",
    "report",
    "bench",
)
"""The subcommands, each that of the module of its name, as the help lists them."""

_OK, _NEGATIVE, _WRONG_USE, _INTERRUPTED, _BROKEN_PIPE, _TERMINATED = 0, 1, 2, 130, 141, 143


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """End the program with what is wrong and where to read on."""
        self.exit(_WRONG_USE, f"{self.prog}: {message} (see {self.prog} --help)\n")


def _filled(text: str) -> str:
    """Return paragraphs as wide as the terminal; one with indented lines stays as it is."""
    width = max(terminal_width() - 1, 20)
    fill = partial(textwrap.fill, width=width, break_on_hyphens=False, break_long_words=False)
    paragraphs = text.split("\n\n")
    return "\n\n".join(text if "\n  " in text else fill(text) for text in paragraphs)


def find_commands(names: Iterable[str] = NAMES) -> tuple[Command, ...]:
    """Import the subcommands of these names, and what they need; the others' is not waited for."""
    modules = (importlib.import_module(f"loopline.host.cli.commands.{name}") for name in names)
    return tuple(module.COMMAND for module in modules)


def _parser(commands: Sequence[Command]) -> argparse.ArgumentParser:
    width = max(len(command.name) for command in commands)
    listed = "\n".join(f"  {command.name:{width}}  {command.summary}" for command in commands)
    parser = _Parser(
        prog="loopline",
        usage="%(prog)s [-h] COMMAND ...",
        description=(
            "Trax on FPGAs: play it, referee it, simulate and build the boards.\n\n"
            f"commands:\n{listed}"
        ),
        epilog="example: loopline play --colour white",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    # Listed above: argparse would break the lines of the longest names.
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True, help=argparse.SUPPRESS)
    for command in commands:
        subparser = subparsers.add_parser(
            command.name,
            prog=f"loopline {command.name}",
            description=_filled(command.description),
            epilog="examples:\n" + "".join(f"  {example}\n" for example in command.examples),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.configure(subparser)
        subparser.set_defaults(command=command)
    return parser


@contextmanager
def _unwinding_on_sigterm() -> Iterator[None]:
    """Make SIGTERM unwind the program while it runs, so that devices are closed."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise SystemExit(_TERMINATED)

    with handled(signal.SIGTERM, stop):
        yield


def _run(argv: list[str]) -> int:
    asked = argv[:1]
    # The help, and the error of a name that is none, list all of them.
    commands = find_commands(asked if asked and asked[0] in NAMES else NAMES)
    for command in commands:
        if command.program is not None and asked == [command.name]:
            command.program(argv[1:])
    arguments = _parser(commands).parse_args(argv)
    command = arguments.command
    try:
        status: int = command.run(arguments)
        sys.stdout.flush()
        return status
    except UsageError as error:
        print(f"loopline {command.name}: {error}", file=sys.stderr)
        return _WRONG_USE
    except (DeviceError, RefusalError) as error:
        print(f"loopline {command.name}: {error}", file=sys.stderr)
        return _NEGATIVE


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    ``argv`` is the arguments without the program's name; None means the process's own.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    try:
        with _unwinding_on_sigterm():
            return _run(list(sys.argv[1:] if argv is None else argv))
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return _INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has gone: end quietly, and let the exit's flush succeed.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _BROKEN_PIPE
