"""Clocks: how long a player may take for a turn.

=========== ============================================================================
``N``       N seconds per turn, such as the contest's 1; a player that exceeds them loses
``N+grace`` N seconds per turn, which each player may exceed once, by at most 10 minutes
``none``    no limit
=========== ============================================================================

A clock is an immutable value. The referee counts how often a player has exceeded it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Protocol

__all__ = [
    "CONTEST",
    "GRACE",
    "LONGEST",
    "Clock",
    "GraceClock",
    "NoClock",
    "TurnClock",
    "clock_named",
]

GRACE = 600.0
"""The seconds by which a player may once exceed the 60 s of a show game (``rules.md``, [G])."""

LONGEST = 86_400.0
"""The most seconds per turn of any clock."""


class Clock(Protocol):
    """A time rule for both players."""

    def allows(self, excesses: int) -> float | None:
        """Return the seconds for the next turn, after so many excesses; None: no limit."""

    def exceeded(self, seconds: float) -> bool:
        """Whether a turn of so many seconds is an excess."""


@dataclass(frozen=True)
class TurnClock:
    """A fixed time per turn; time left is not saved for later turns."""

    seconds: float

    def __str__(self) -> str:
        return f"{self.seconds:g} s"

    def allows(self, excesses: int) -> float | None:
        """Return the seconds per turn."""
        return self.seconds

    def exceeded(self, seconds: float) -> bool:
        """Whether a turn of so many seconds is an excess."""
        return seconds > self.seconds


CONTEST: Final = TurnClock(1.0)
"""The contest's clock: a second per turn, the time on the link included."""


@dataclass(frozen=True)
class GraceClock:
    """A time per turn that each player may exceed once, by at most ``grace`` seconds."""

    seconds: float
    grace: float = GRACE

    def __str__(self) -> str:
        return f"{self.seconds:g} s + one grace of {self.grace:g} s"

    def allows(self, excesses: int) -> float | None:
        """Return the seconds per turn, with the grace before the first excess."""
        return self.seconds if excesses else self.seconds + self.grace

    def exceeded(self, seconds: float) -> bool:
        """Whether a turn of so many seconds is an excess."""
        return seconds > self.seconds


@dataclass(frozen=True)
class NoClock:
    """No limit: each player has the usual timeout of its kind."""

    def __str__(self) -> str:
        return "none"

    def allows(self, excesses: int) -> float | None:
        """Return None."""
        return None

    def exceeded(self, seconds: float) -> bool:
        """Return False."""
        return False


UNTIMED: Final = NoClock()
"""No limit."""


def clock_named(text: str) -> Clock:
    """Return the clock of a name in the table above; ValueError if the name is not valid."""
    if text == "none":
        return UNTIMED
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?|\.[0-9]+)(\+grace)?", text, re.ASCII)
    seconds = float(match[1]) if match else 0.0
    if match is None or not 0 < seconds <= LONGEST:
        raise ValueError(
            f"{text!r} is no clock: use seconds per turn, such as 1, or 60+grace, or none"
        )
    return GraceClock(seconds) if match[2] else TurnClock(seconds)
