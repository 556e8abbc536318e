"""How long a player may take for a turn.

========== ==========================================================================
``N``      N seconds per turn, as in the contest with 1; whoever exceeds it loses
``N+grace`` N seconds per turn, which each player may exceed once, by 10 minutes at most
``none``   as long as it takes
========== ==========================================================================

A clock is a value: what a player has used up of it is the referee's to know.
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
"""The seconds by which a player may exceed the 60 s of a show game, once (``rules.md``, [G])."""

LONGEST = 86_400.0
"""The most seconds per turn that a clock may be set to."""


class Clock(Protocol):
    """A rule about time, the same for both players."""

    def allows(self, excesses: int) -> float | None:
        """Return the seconds for the next turn, after so many excesses; None: no limit."""

    def exceeded(self, seconds: float) -> bool:
        """Whether a turn that took so long is an excess."""


@dataclass(frozen=True)
class TurnClock:
    """A fixed time per turn, of which nothing is saved for later."""

    seconds: float

    def __str__(self) -> str:
        return f"{self.seconds:g} s"

    def allows(self, excesses: int) -> float | None:
        """Return the seconds per turn."""
        return self.seconds

    def exceeded(self, seconds: float) -> bool:
        """Whether a turn that took so long is an excess."""
        return seconds > self.seconds


CONTEST: Final = TurnClock(1.0)
"""The contest's clock: a second per turn, with all that it takes to tell it."""


@dataclass(frozen=True)
class GraceClock:
    """A time per turn that each player may exceed once, by at most ``grace`` seconds."""

    seconds: float
    grace: float = GRACE

    def __str__(self) -> str:
        return f"{self.seconds:g} s + one grace of {self.grace:g} s"

    def allows(self, excesses: int) -> float | None:
        """Return the seconds per turn, and the grace as long as it is not used."""
        return self.seconds if excesses else self.seconds + self.grace

    def exceeded(self, seconds: float) -> bool:
        """Whether a turn that took so long is an excess."""
        return seconds > self.seconds


@dataclass(frozen=True)
class NoClock:
    """No limit: each player is waited for as long as its kind usually may take."""

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
    """Return the clock of a name as in the table above; ValueError if there is none."""
    if text == "none":
        return UNTIMED
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?|\.[0-9]+)(\+grace)?", text, re.ASCII)
    seconds = float(match[1]) if match else 0.0
    if match is None or not 0 < seconds <= LONGEST:
        raise ValueError(
            f"{text!r} is no clock: use seconds per turn, such as 1, or 60+grace, or none"
        )
    return GraceClock(seconds) if match[2] else TurnClock(seconds)
