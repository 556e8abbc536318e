"""Command lines: the parser of every program, and the types of arguments.

A type is a function from a word of the command line to a value. For a word that is not a value it
raises :exc:`ArgumentValueError`, whose text names the values that are accepted.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from loopline.tools.messages import fill, fitting

__all__ = [
    "ArgumentValueError",
    "Parser",
    "checked",
    "choose_command",
    "decimal_number",
    "even_number",
    "number_range",
    "power_of_two",
    "seconds",
    "seed",
    "seed_from_time",
    "setting",
    "split_setting",
    "whole_number",
]

Value = TypeVar("Value")

_MOST = 10**12
_MOST_DIGITS = 18


class ArgumentValueError(argparse.ArgumentTypeError, ValueError):
    """A word is not a value of its type. The text is one line."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one message, with exit status 2.

    Parameters
    ----------
    prog : str
        The command as a user types it; errors begin with it.
    description : str
        Paragraphs. Each is filled to the width of the terminal, unless it has indented lines or
        items. It may be a docstring: quotes for Sphinx become quotes for people.
    examples : sequence of str
        Whole command lines, at the end of the help.
    options
        Those of :class:`argparse.ArgumentParser`.
    """

    def __init__(
        self, *, description: str = "", examples: Sequence[str] = (), **options: Any
    ) -> None:
        title = "example:" if len(examples) == 1 else "examples:"
        super().__init__(
            description=_filled(description.replace("``", "`")),
            epilog="\n  ".join([title, *examples]) if examples else None,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            **options,
        )

    def error(self, message: str) -> NoReturn:
        """End the program with what is wrong and where to read on."""
        text = f"{self.prog}: {message} (see {self.prog} --help)"
        self.exit(2, f"{fitting(text, sys.stderr)}\n")

    def add_value(
        self,
        option: str,
        convert: Callable[[str], Any],
        what: str,
        *,
        default: object = None,
        metavar: str = "N",
        shown: str | None = None,
    ) -> None:
        """Add an option with a value. Its help is ``what``, with the default in parentheses.

        Parameters
        ----------
        option : str
            The option, such as ``--seed``.
        convert : callable
            The type of the value.
        what, metavar : str
            The help, and the value's name there.
        default : object
            The value without the option.
        shown : str or None
            How the help shows the default; None: as it is, if there is one.
        """
        if shown is None and default is not None:
            shown = str(default)
        text = f"{what} ({shown})" if shown else what
        self.add_argument(option, type=convert, default=default, metavar=metavar, help=text)

    def folder(self, option: str, path: Path) -> None:
        """Make the folder that an option names; end the program if no file can be made in it."""
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self.error(f"{option} {path}: {error.strerror}")
        if not os.access(path, os.W_OK | os.X_OK):
            self.error(f"{option} {path}: it cannot be written to")


def _filled(text: str) -> str:
    """Fill paragraphs to the width of the terminal; keep those with indented lines or items."""
    kept = re.compile(r"^(\s|- |\S+::$)", re.MULTILINE)
    paragraphs = text.strip("\n").split("\n\n")
    return "\n\n".join(each if kept.search(each) else fill(each) for each in paragraphs)


def choose_command(
    prog: str,
    description: str,
    commands: Mapping[str, str],
    words: Sequence[str],
    example: str,
    headings: Mapping[str, str] | None = None,
) -> tuple[str, list[str]]:
    """Return the command that the first word names, and the words that follow it.

    Without such a word the program ends: with the list of commands after ``--help``, else with
    an error.

    Parameters
    ----------
    prog, description
        As for :class:`Parser`.
    commands : mapping of str to str
        The commands' names, each with a summary.
    words : sequence of str
        The command line without the program's name.
    example : str
        A command line, for the help.
    headings : mapping of str to str or None
        By the first command below each; None: a single one.
    """
    width = max(map(len, commands))
    headings = headings or {next(iter(commands)): "commands"}
    listed = "".join(
        (f"\n\n{headings[name]}:" if name in headings else "") + f"\n  {name:{width}}  {summary}"
        for name, summary in commands.items()
    )
    parser = Parser(
        prog=prog,
        usage="%(prog)s [-h] COMMAND ...",
        description=f"{description}{listed}",
        examples=[example],
    )
    # Were it required, argparse would say that it is missing where an option is unknown.
    parser.add_argument(
        "command", nargs="?", choices=commands, metavar="COMMAND", help=argparse.SUPPRESS
    )
    command = parser.parse_args(words[:1]).command
    if command is None:
        parser.error("the following arguments are required: COMMAND")
    return command, list(words[1:])


def checked(read: Callable[[str], Value]) -> Callable[[str], Value]:
    """Return a type of arguments; the :exc:`ValueError` of ``read`` says what is accepted."""

    def convert(text: str) -> Value:
        try:
            return read(text)
        except ValueError as error:
            raise ArgumentValueError(str(error)) from error

    return convert


def whole_number(
    least: int = 0,
    most: int = _MOST,
    *,
    kind: str = "a whole number",
    fits: Callable[[int], bool] = lambda value: True,
) -> Callable[[str], int]:
    """Return the type of whole numbers from ``least`` to ``most``, in decimal digits.

    ``kind`` says which of them are accepted, those that ``fits`` is true of.
    """

    def convert(text: str) -> int:
        if re.fullmatch(f"[0-9]{{1,{_MOST_DIGITS}}}", text):
            value = int(text)
            if least <= value <= most and fits(value):
                return value
        raise ArgumentValueError(f"{text!r} is not {kind} from {least} to {most}")

    return convert


def even_number(least: int, most: int) -> Callable[[str], int]:
    """Return the type of even numbers from ``least`` to ``most``."""
    return whole_number(least, most, kind="an even number", fits=lambda value: value % 2 == 0)


def power_of_two(least: int, most: int) -> Callable[[str], int]:
    """Return the type of powers of two from ``least`` to ``most``."""
    return whole_number(
        least, most, kind="a power of two", fits=lambda value: value & (value - 1) == 0
    )


seed = whole_number(0, 10**_MOST_DIGITS - 1)
"""The type of seeds: whole numbers of up to 18 digits."""


def decimal_number(least: float, most: float, what: str = "a number") -> Callable[[str], float]:
    """Return the type of numbers from ``least`` to ``most``, fractions included."""

    def convert(text: str) -> float:
        if re.fullmatch(r"-?([0-9]*\.?[0-9]+|[0-9]+\.)", text) and least <= float(text) <= most:
            return float(text)
        raise ArgumentValueError(f"{text!r} is not {what} from {least:g} to {most:g}")

    return convert


def seconds(least: float = 0.0, most: float = 3600.0) -> Callable[[str], float]:
    """Return the type of times of ``least`` to ``most`` seconds."""
    return decimal_number(least, most, "a number of seconds")


def number_range(least: int, most: int, separator: str = "..") -> Callable[[str], tuple[int, int]]:
    """Return the type of ranges ``N..M``, also of one number ``N``: the first and the last."""
    bound = whole_number(least, most)

    def convert(text: str) -> tuple[int, int]:
        first, _, last = text.partition(separator)
        try:
            begin, end = bound(first), bound(last or first)
        except ArgumentValueError:
            begin, end = 1, 0
        if begin > end or text.endswith(separator):
            raise ArgumentValueError(
                f"{text!r} is not a number N or a range N{separator}M within {least} to {most}"
            )
        return begin, end

    return convert


def split_setting(text: str) -> tuple[str, str]:
    """Split ``NAME=VALUE``, of which neither is empty. This is a type of arguments, too."""
    name, _, value = text.partition("=")
    if not name or not value:
        raise ArgumentValueError(f"{text!r} sets nothing: use NAME=VALUE")
    return name, value


def seed_from_time() -> int:
    """Return a seed of 15 bits: that of the environment's ``LOOPLINE_SEED``, or the time.

    Raises :exc:`ArgumentValueError` if the variable is no seed.
    """
    given = os.environ.get("LOOPLINE_SEED")
    try:
        return (seed(given) if given else time.time_ns() // 1000) & 0x7FFF
    except ArgumentValueError as error:
        raise ArgumentValueError(f"LOOPLINE_SEED: {error}") from error


def setting(
    names: Collection[str], value: Callable[[str], Value]
) -> Callable[[str], tuple[str, Value]]:
    """Return the type of settings ``NAME=VALUE``, with one of these names and values of a type."""

    def convert(text: str) -> tuple[str, Value]:
        name, rest = split_setting(text)
        if name not in names:
            raise ArgumentValueError(f"{name!r} cannot be set: use one of {', '.join(names)}")
        return name, value(rest)

    return convert
