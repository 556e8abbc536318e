"""What is typed at a terminal: commands out of a table, and turns or other answers."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Mapping
from typing import NamedTuple

from loopline.game import Position
from loopline.host.render.terminal import terminal_width
from loopline.tools.messages import fill

__all__ = ["Console", "LeaveError", "Typed", "say"]

with contextlib.suppress(ImportError):
    import readline  # noqa: F401 (gives input() a history and arrow keys)

_SHORT = {"exit": "quit", "q": "quit", "h": "help", "?": "help"}


class LeaveError(Exception):
    """The person ends the game before its end."""


class Typed(NamedTuple):
    """A command that can be typed.

    Attributes
    ----------
    text : str
        What the help says.
    run : callable
        Obeys the command; takes the position, and the words behind the command.
    words : str
        What these words are, for the help; a command without it takes none.
    """

    text: str
    run: Callable[[Position, str], None]
    words: str = ""


def say(text: str) -> None:
    """Print a message, on lines that fit."""
    print(fill(text, min(terminal_width(), 80) - 1), flush=True)


class Console:
    """Reads lines, and obeys those that are commands.

    Parameters
    ----------
    commands : mapping of str to Typed
        The commands by name; ``quit``, which raises :exc:`LeaveError`, and ``help`` are added.
    about : callable
        Returns a text that ``help`` prints before the commands.
    """

    def __init__(
        self, commands: Mapping[str, Typed], about: Callable[[], str] = lambda: ""
    ) -> None:
        self._about = about
        self._commands = {
            **commands,
            "quit": Typed("leave, as the end of the input does", self._quit),
            "help": Typed("this text", self._help),
        }

    def read(self, prompt: Callable[[], str], position: Position) -> str:
        """Ask until the answer is no command, and return its words; obey commands meanwhile."""
        while True:
            name, *rest = (line := self._ask(prompt())).split() or [""]
            command = self._commands.get(_SHORT.get(name.lower(), name.lower()))
            if command and rest and not command.words:
                say(f"{name} takes no more words; help lists all commands")
            elif command:
                command.run(position, " ".join(line.split(maxsplit=1)[1:]).strip())
            elif name:
                return " ".join([name, *rest])

    def _ask(self, prompt: str) -> str:
        try:
            line = input(prompt)
        except EOFError:
            print()
            raise LeaveError from None
        if not sys.stdin.isatty():
            print(line)  # piped input: the transcript would lack it
        return line

    def _quit(self, _position: Position, _words: str) -> None:
        raise LeaveError

    def _help(self, _position: Position, _words: str) -> None:
        heads = {f"{name} {command.words}": command for name, command in self._commands.items()}
        width = max(map(len, heads))
        listed = [f"  {head:{width}}  {command.text}\n" for head, command in heads.items()]
        print(self._about() + "".join(listed), end="", flush=True)
