"""The configuration of a whole design."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from loopline.game import STANDARD, Variant
from loopline.game.wire import Command
from loopline.hdl.config import GridConfig
from loopline.hdl.rate import bit_cycles
from loopline.hdl.search.config import SearchConfig

__all__ = ["DesignConfig", "FrameSet"]


class FrameSet(Enum):
    """The framed commands that a design obeys. Others are ``UNKNOWN`` to it."""

    FULL = "full"
    """All."""

    CONTEST = "contest"
    """``IDENTIFY``, ``NEW_GAME``, ``PLAY``, ``SEARCH`` and ``STOP``."""

    def __contains__(self, command: Command) -> bool:
        return self is FrameSet.FULL or command in _CONTEST_COMMANDS


_CONTEST_COMMANDS = (
    Command.IDENTIFY,
    Command.NEW_GAME,
    Command.PLAY,
    Command.SEARCH,
    Command.STOP,
)


@dataclass(frozen=True)
class DesignConfig:
    """A whole player: clock and link, search, and the variant that it plays.

    Parameters
    ----------
    clock_hz : int
        Frequency of the ``sync`` domain.
    baud : int
        Rate of the serial line at power-on, in bits per second; contests use 19200. A bit has at
        least eight clock cycles.
    search : SearchConfig
        The search; also the turn unit's memories, its ``grid``.
    frames : FrameSet
        The framed commands that the design obeys.
    evaluator : bool
        The turn unit has a candidate evaluator, and the design obeys ``COUNT`` if its frames are
        ``FULL``. The search does not use the evaluator.
    code : str
        The two characters that answer ``-T``.
    think_ms : int
        The time after which the player answers with the best turn found so far, 1 to 900. The
        contest allows 1000 ms from the last byte received to the arrival of the answer.
    variant : Variant
        The variant of the contest link's games. If its area is larger than the grid, the grid is
        the limit.
    ponder : bool
        In a contest game the player thinks on the opponent's time: about the turn after the reply
        that it expects. It needs a line of two turns, which it has where the area has no limit.
    name : str
        The name that ``IDENTIFY`` is answered with: 1 to 12 printable ASCII characters.
    build : int or None
        The number of the build, 32 bits; 0 if unknown. None: the design has an input for it.
    """

    clock_hz: int = 12_000_000
    baud: int = 115_200
    search: SearchConfig = field(default_factory=SearchConfig)
    frames: FrameSet = FrameSet.FULL
    evaluator: bool = False
    code: str = "LL"
    think_ms: int = 800
    variant: Variant = STANDARD
    ponder: bool = False
    name: str = "loopline"
    build: int | None = 0

    def __post_init__(self) -> None:
        bit_cycles(self.clock_hz, self.baud)  # Raises.
        if len(self.code) != 2 or not all(" " < char < "\x7f" for char in self.code):
            raise ValueError(f"player code must be two printable characters, not {self.code!r}")
        if not 1 <= len(self.name) <= 12 or not all(" " < char < "\x7f" for char in self.name):
            raise ValueError(f"name must be 1 to 12 printable characters, not {self.name!r}")
        if not 0 <= (self.build or 0) < 1 << 32:
            raise ValueError(f"build must be a number of 32 bits, not {self.build!r}")
        if not 1 <= self.think_ms <= 900:
            raise ValueError(f"thinking time must be 1 to 900 ms, not {self.think_ms!r}")

    @property
    def commands(self) -> tuple[Command, ...]:
        """The framed commands that the design obeys."""
        known = [each for each in Command if each in self.frames]
        return tuple(each for each in known if self.evaluator or each is not Command.COUNT)

    @property
    def grid(self) -> GridConfig:
        """The turn unit's memories."""
        return self.search.grid

    @property
    def think_cycles(self) -> int:
        """The thinking time in clock cycles."""
        return self.clock_hz * self.think_ms // 1000
