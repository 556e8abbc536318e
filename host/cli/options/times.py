"""Lengths of time on the command line."""

from __future__ import annotations

import argparse

from loopline.host.clock import Clock, clock_named

__all__ = ["clock", "seconds"]

_LONGEST = 3600.0


def seconds(text: str) -> float:
    """Return the number of seconds; an error for the command line if there is none."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= _LONGEST:
        raise argparse.ArgumentTypeError(f"{text!r} is no time: use seconds, such as 0.5")
    return value


def clock(text: str) -> Clock:
    """Return the clock of this name; an error for the command line if there is none."""
    try:
        return clock_named(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
