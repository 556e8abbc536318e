"""Gateware that nobody is going to build any more, as a program is interrupted or ended."""

from __future__ import annotations

import warnings
from typing import NoReturn

from loopline.tools.signals import unwind

__all__ = ["forget_gateware", "leave_gateware"]


def forget_gateware() -> None:
    """Let no warnings tell of its parts: Amaranth warns of each that is made and never used."""
    # By its text: a program that does not import Amaranth has nothing to forget.
    warnings.filterwarnings("ignore", message=".* created but never used")


def leave_gateware(number: int) -> NoReturn:
    """End the program after a signal, as :func:`.unwind` does; for :func:`.handled_endings`."""
    forget_gateware()
    unwind(number)
