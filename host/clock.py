"""Clocks: how long a player may take for a turn.

=========== ============================================================================
``N``       N seconds per turn, such as the contest's 1; a player that exceeds them loses
``N+grace`` N seconds per turn, which each player may exceed once, by at most 10 minutes
``none``    no limit: each player has the usual timeout of its kind
=========== ============================================================================
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

__all__ = ["CONTEST", "GRACE", "SEARCH_SHARE", "UNTIMED", "Clock", "clock_named"]

GRACE: Final = 600.0
"""The seconds by which a player may once exceed the 60 s of a show game (``rules.md``, [G])."""

SEARCH_SHARE: Final = 0.85
"""The part of a clock's time in which a program searches; the rest is for communication."""

_LONGEST: Final = 86_400.0
"""The most seconds per turn of any clock."""


@dataclass(frozen=True)
class Clock:
    """A time rule for both players; the referee counts how often a player has exceeded it.

    Parameters
    ----------
    seconds : float or None
        The seconds per turn; time left is not saved for later turns. None: no limit.
    grace : float
        The seconds by which each player may exceed them once.
    """

    seconds: float | None
    grace: float = 0.0

    def __str__(self) -> str:
        if self.seconds is None:
            return "none"
        grace = f" + one grace of {self.grace:g} s" if self.grace else ""
        return f"{self.seconds:g} s{grace}"

    def allows(self, excesses: int) -> float | None:
        """Return the seconds for the next turn, after so many excesses; None: no limit."""
        if self.seconds is None or excesses:
            return self.seconds
        return self.seconds + self.grace

    def left(self, allowed: float, spent: float) -> str:
        """Return what is left of the time allowed for a turn, the grace included, as a clause."""
        grace = max(0.0, allowed - (self.seconds or allowed))
        left = max(0.0, allowed - spent)
        if grace and left <= grace:
            return f"{left:.0f} s of grace left"
        text = f"{left - grace:.{1 if left - grace < 10 else 0}f} s left"
        return f"{text}, then {grace:.0f} s of grace" if grace else text

    def exceeded(self, seconds: float) -> bool:
        """Whether a turn of so many seconds is an excess."""
        return self.seconds is not None and seconds > self.seconds


CONTEST: Final = Clock(1.0)
"""The contest's clock: a second per turn, the time on the link included."""

UNTIMED: Final = Clock(None)
"""No limit."""


def clock_named(text: str) -> Clock:
    """Return the clock of a name in the table above; ValueError if the name is not valid."""
    if text == "none":
        return UNTIMED
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?|\.[0-9]+)(\+grace)?", text, re.ASCII)
    seconds = float(match[1]) if match else 0.0
    if match is None or not 0 < seconds <= _LONGEST:
        raise ValueError(
            f"{text!r} is not a clock: use seconds per turn, such as 1, or 60+grace, or none"
        )
    return Clock(seconds, GRACE if match[2] else 0.0)
