"""The argument that names the notation in which turns are written."""

from __future__ import annotations

import argparse
from typing import Final

__all__ = ["OLD", "add_notation"]

OLD: Final = "old"
_STANDARD: Final = "standard"


def add_notation(parser: argparse.ArgumentParser) -> None:
    """Add ``--notation standard|old``: ``arguments.notation`` is :data:`OLD` for the older one.

    It is about what is written; whatever reads a turn takes both.
    """
    parser.add_argument(
        "--notation",
        choices=(_STANDARD, OLD),
        default=_STANDARD,
        help=f"how turns are written; {OLD} is the notation before 1998 ({_STANDARD})",
    )
