"""Command lines of benches."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from loopline.hdl.config import GridConfig

__all__ = ["Parser", "whole_number"]


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line, and whose texts keep their lines.

    A description may be a docstring: what it quotes for Sphinx is quoted for people.
    """

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        if description := options.get("description"):
            options["description"] = description.replace("``", "`")
        super().__init__(**options)

    def error(self, message: str) -> NoReturn:
        """End the program with what is wrong and where to read on."""
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")

    def grid(self, option: str, size: int) -> GridConfig:
        """The grid of the size that an option asks for."""
        try:
            return GridConfig(size=size)
        except ValueError as error:
            self.error(f"{option} {size}: {error}")

    def folder(self, option: str, path: Path) -> None:
        """Make the folder that an option names; ends the program if nothing can be left in it."""
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self.error(f"{option} {path}: {error.strerror}")
        if not os.access(path, os.W_OK | os.X_OK):
            self.error(f"{option} {path}: it cannot be written to")


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """A type of arguments: whole numbers from ``least`` to ``most``, in digits."""

    def read(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text!r}: use {least} to {most}")
        return int(text)

    return read
