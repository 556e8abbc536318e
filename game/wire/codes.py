"""What the numbers in frames mean."""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import Final

__all__ = [
    "BAUD_TRIAL_MS",
    "LEAST_BIT_CYCLES",
    "MAGIC",
    "MAX_PAYLOAD",
    "PROGRESS_MS",
    "PROTOCOL",
    "SLOWEST_BAUD",
    "Command",
    "Completed",
    "ErrorCode",
    "Feature",
    "GameFlag",
    "RuleFlag",
    "TestPart",
    "TurnStatus",
    "Verdict",
    "answer_code",
    "item_code",
    "most_bit_cycles",
]

PROTOCOL: Final = 1
"""The version of all that is defined here. One that a host does not know may differ anywhere but
in the framing and in the first two fields of an identity."""

MAGIC: Final = "TRAX"
"""How an identity begins."""

MAX_PAYLOAD: Final = 128
"""The most bytes that a frame carries, both ways."""


PROGRESS_MS: Final = 100
"""How often a search says what it has found so far, by the board's clock."""


BAUD_TRIAL_MS: Final = 1000
"""A new rate is given up if no whole frame comes at it for so long, by the board's clock."""

LEAST_BIT_CYCLES: Final = 8
"""The fewest clock cycles of a bit: the fastest rate."""

SLOWEST_BAUD: Final = 1200
"""The slowest rate that can be set, in bits per second, if the board is not built for a slower one:
at this one a byte takes 8 ms, so that it does not take long to try it and give it up."""


class Command(IntEnum):
    """What a host asks for; all codes are below 0x40."""

    IDENTIFY = 0x01
    STATISTICS = 0x02
    NEW_GAME = 0x03
    PLAY = 0x04
    TAKE_BACK = 0x05
    LIST = 0x06
    SEARCH = 0x07
    STOP = 0x08
    POSITION = 0x09
    SELF_TEST = 0x0A
    RESET = 0x0B
    SET_BAUD = 0x0C


def answer_code(command: int) -> int:
    """The code of the last answer to a command; of its only one, for most. 0x80 is an error."""
    return 0x80 | command


def item_code(command: int) -> int:
    """The code of the answers that come before the last one, if there are any."""
    return 0xC0 | command


class ErrorCode(IntEnum):
    """Why a frame was not obeyed. Nothing has changed then."""

    DAMAGED = 1
    """The CRC is wrong, the length is not that of the frame, or it is too short for both."""
    FRAMING = 2
    """An escape sequence that there is not, or a character without a stop bit."""
    TOO_LONG = 3
    """More bytes than the longest frame has."""
    CUT = 4
    """The frame stopped in its middle, for the pause that ends one."""
    UNKNOWN = 5
    """A command that this board does not know."""
    LENGTH = 6
    """A payload of a length that this command does not have."""
    FIELD = 7
    """A field with a value that is not accepted."""
    BUSY = 8
    """The board is searching, or plays a turn of a contest."""
    NO_GAME = 9
    """There is no game: one has to be begun before."""
    GAME_OVER = 10
    """The game has ended."""
    NOTHING = 11
    """Fewer turns than asked for can be taken back."""
    DROPPED = 12
    """The command was begun, and dropped for a later one that ends the game: of a contest's host, a
    new game or a reset."""
    OVERRUN = 13
    """Frames came faster than they were answered; this one and others before it were dropped."""


class TurnStatus(IntEnum):
    """What became of a turn. All but ``LEGAL`` leave the position as it was."""

    LEGAL = 0
    """It was made."""
    MISMATCH = 1
    """The tile does not fit: no space next to a tile, or a neighbour's colours differ."""
    FORCED = 2
    """Some space would meet three edges of one colour."""
    BOUNDS = 3
    """It outgrows what the board can hold."""
    AREA = 5
    """The formation would outgrow the area that the variant allows."""
    OUTSIDE = 6
    """The column or row is beyond those next to the formation."""
    OVER = 7
    """The game has ended before."""


class Completed(IntFlag):
    """Loops and lines that a turn has completed."""

    WHITE_LOOP = 1
    RED_LOOP = 2
    WHITE_LINE = 4
    RED_LINE = 8


class GameFlag(IntFlag):
    """The state of the game."""

    ON = 1
    """There is a game, which may have ended."""
    OVER = 2
    """It has ended: by a loop or line, or as no legal turn is left in a limited area."""
    RED_TO_MOVE = 4
    """Red is to move; else White."""
    CONTEST = 8
    """The board answers the turns of a contest's host by itself."""
    THINKING = 16
    """It is thinking about its turn."""


class RuleFlag(IntFlag):
    """What counts in a variant."""

    LINES = 1
    """A line wins."""
    BOTH_DRAW = 2
    """Loops or lines of both colours on one turn are a draw; else the player who moved wins."""


class Verdict(IntEnum):
    """How good a turn is for the side that makes it. Larger is better."""

    NONE = 0
    """No turn was found."""
    SUICIDE = 1
    """It completes a track of the opponent's and none of the own."""
    LOSING = 2
    """The opponent can win with the next turn."""
    UNKNOWN = 3
    """Not all replies were tried."""
    DRAW = 4
    """It ends the game as a draw."""
    SAFE = 5
    """The opponent cannot win with the next turn."""
    WIN = 6
    """It completes a track of the own."""


class Feature(IntFlag):
    """What a board offers beyond identification, statistics and games."""

    CONTEST = 1
    """Contest lines, on the same pins."""
    LIST = 2
    SEARCH = 4
    POSITION = 8
    SELF_TEST = 16
    SET_BAUD = 32
    TRIALS = 64
    """Units that judge candidates without making them."""


class TestPart(IntFlag):
    """The parts of a self-test."""

    CLEARED = 1
    """No space of a cleared board holds a tile or a socket."""
    TURNS = 2
    """A game that the board knows, played at every place: tiles and loops of every turn."""
    UNMAKE = 4
    """All its turns taken back one by one: the board is empty again."""


def most_bit_cycles(clock: int, built: int) -> int:
    """The most clock cycles of a bit that a board accepts: the slowest rate.

    ``clock`` is in Hz, ``built`` are the cycles of a bit after power-on.
    """
    return min(0xFFFF, max(clock // SLOWEST_BAUD, built))
