"""The command line ``loopline``: finds the subcommand, runs it, and turns errors into one line.

Exit status: 0 done, 1 a negative answer or a device that fails, 2 wrong use, 130 interrupted,
129 and 143 ended by SIGHUP or SIGTERM, 141 the reader of the output has gone.
"""

from __future__ import annotations

import errno
import importlib
import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from loopline.host.cli.commands import HEADINGS, SUBCOMMANDS, Command
from loopline.host.errors import DeviceError, RefusalError, UsageError
from loopline.tools.arguments import Parser, choose_command
from loopline.tools.extras import MissingExtraError
from loopline.tools.messages import tell
from loopline.tools.pipes import lose_output
from loopline.tools.signals import handled_endings

__all__ = ["main"]

_NEGATIVE, _WRONG_USE, _INTERRUPTED = 1, 2, 130

_UNWRITABLE: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""Why a stream takes no more: the disk is full, or the terminal has gone."""


_GUIDE = """\
Loopline plays Trax, on FPGAs and without one. What to do first:

  loopline play --level easy       play against a simple player at once
  loopline play --level strongest  play against the strongest one
  loopline serve                   play in a browser
  loopline puzzle                  win positions by force
  loopline referee --white greedy --red random
                                   watch a game
  loopline show --turns '@0/ B1+'  draw a position
  loopline sim                     start a simulated board
  loopline devices                 find the boards that are plugged in
loopline --help lists all commands, loopline COMMAND --help explains one.
"""


def _run(words: Sequence[str]) -> int:
    if not words:
        print(_GUIDE, end="", flush=True)
        return 0
    if words[0] == "--version":
        # Imported here: other commands would start later for it.
        from importlib.metadata import version

        print(f"loopline {version('loopline')}", flush=True)
        return 0
    summaries = {name: subcommand.summary for name, subcommand in SUBCOMMANDS.items()}
    name, words = choose_command(
        "loopline",
        "Trax on FPGAs: play it, referee it, simulate and build the boards. --version prints the "
        "version.",
        summaries,
        words,
        "loopline play --colour white",
        HEADINGS,
    )
    # Only the module of this command is imported: the others would make it start later.
    module = importlib.import_module(f"loopline.host.cli.commands.{SUBCOMMANDS[name].module}")
    prog = f"loopline {name}"
    try:
        if SUBCOMMANDS[name].module == "programs":
            module.become_program(name, words)
        command: Command = module.COMMANDS[name]
        parser = Parser(prog=prog, description=command.description, examples=command.examples)
        command.configure(parser)
        # Options may stand between arguments; argparse would then forget that ``--`` ends them.
        parse = parser.parse_args if "--" in words else parser.parse_intermixed_args
        status = command.run(parse(words))
        sys.stdout.flush()
        return status
    except (UsageError, MissingExtraError, DeviceError, RefusalError) as error:
        tell(f"{prog}: {error}")
        return _NEGATIVE if isinstance(error, (DeviceError, RefusalError)) else _WRONG_USE


def _prepare_streams() -> None:
    """Let the standard streams take and give all characters. A closed one is empty, and loses all.

    A stream that is opened here has the number of the closed one, the lowest that is free, and the
    programs that this one starts have it, too.
    """
    for name, mode in ("stdin", "r"), ("stdout", "w"), ("stderr", "w"):
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, os.O_RDWR)
            os.set_inheritable(descriptor, True)
            setattr(sys, name, os.fdopen(descriptor, mode, encoding="utf-8", closefd=False))
    if isinstance(sys.stdin, io.TextIOWrapper) and sys.stdin.errors == "strict":
        sys.stdin.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    ``argv`` is the arguments without the program's name; None means the process's own.
    """
    _prepare_streams()
    try:
        # After a signal, too, games are saved and devices closed.
        with handled_endings():
            return _run(sys.argv[1:] if argv is None else argv)
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return _INTERRUPTED
    except BrokenPipeError:
        return lose_output()
    except OSError as error:
        if error.errno not in _UNWRITABLE:
            raise
        lose_output()
        with suppress(OSError):
            tell(f"loopline: cannot write the output: {os.strerror(error.errno)}")
        return _NEGATIVE
