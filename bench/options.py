"""Command lines of benches."""

from __future__ import annotations

import argparse
from typing import Any, NoReturn

from loopline.hdl.config import GridConfig

__all__ = ["Parser"]


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line, and whose texts keep their lines."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
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
