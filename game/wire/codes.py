"""The numbers in frames, and their meaning."""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import Final

__all__ = [
    "BAUD_TRIAL_MS",
    "COUNT_DEPTH",
    "LEAST_BIT_CYCLES",
    "MAGIC",
    "MAX_PAYLOAD",
    "PROGRESS_MS",
    "PROTOCOL",
    "SLOWEST_BAUD",
    "WIN_BOUND",
    "WIN_SCORE",
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
"""The version of this definition. Another version may differ in everything except the framing and
the first two fields of an identity."""

MAGIC: Final = "TRAX"
"""The first field of an identity."""

MAX_PAYLOAD: Final = 128
"""The most bytes of a payload, in both directions."""

WIN_SCORE: Final = 30_000
"""A forced win in n turns of both sides has this score less n, and a forced loss the negative of
that."""

WIN_BOUND: Final = WIN_SCORE - 256
"""Scores of at least this are forced wins; of at most the negative of it, forced losses."""


COUNT_DEPTH: Final = 3
"""The most turns of the sequences that a board counts at once."""

PROGRESS_MS: Final = 100
"""The interval of a search's progress answers, in milliseconds by the board's clock."""

BAUD_TRIAL_MS: Final = 1000
"""The trial of a new rate, in milliseconds by the board's clock. If no whole frame comes at the new
rate in this time, the board restores the rate before."""

LEAST_BIT_CYCLES: Final = 8
"""The fewest clock cycles per bit: the fastest rate."""

SLOWEST_BAUD: Final = 1200
"""The slowest rate that can be set, in bits per second, unless the board is built for a slower one.
A byte takes 8 ms then: many fit into the trial of a rate."""


class Command(IntEnum):
    """The code of a command; all are below 0x40."""

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
    COUNT = 0x0D


def answer_code(command: int) -> int:
    """Return the code of the last answer to a command, which for most is the only one.

    ``answer_code(0)`` is the code of an error.
    """
    return 0x80 | command


def item_code(command: int) -> int:
    """Return the code of the answers before the last one, for commands that have several."""
    return 0xC0 | command


class ErrorCode(IntEnum):
    """Why a frame was not obeyed. An error leaves the board as it was, but for ``DROPPED``."""

    DAMAGED = 1
    """The CRC is wrong, the length is not that of the frame, or it is too short for both."""
    FRAMING = 2
    """An invalid escape sequence, or a character without a stop bit."""
    TOO_LONG = 3
    """The frame has more bytes than the longest valid one."""
    CUT = 4
    """The frame stopped in its middle, for longer than a pause may be."""
    UNKNOWN = 5
    """The board does not know this command."""
    LENGTH = 6
    """The payload's length is not valid for this command."""
    FIELD = 7
    """A field has a value that the board does not accept."""
    BUSY = 8
    """The board is searching, or is thinking about a turn of a contest."""
    NO_GAME = 9
    """No game has been begun."""
    GAME_OVER = 10
    """The game has ended."""
    NOTHING = 11
    """Not as many turns can be taken back."""
    DROPPED = 12
    """The command was begun, and then dropped for a later one that ends the game: a session command
    of a contest host, a new game or a reset."""
    OVERRUN = 13
    """Frames came faster than the board answered them: this one was dropped, and perhaps others
    before it."""


class TurnStatus(IntEnum):
    """The outcome of a turn. All but ``LEGAL`` leave the position as it was."""

    LEGAL = 0
    """The turn was made."""
    MISMATCH = 1
    """The tile does not fit: no space next to a tile, or a neighbour's colours differ."""
    FORCED = 2
    """Some space would meet three edges of one colour."""
    BOUNDS = 3
    """The turn exceeds the size of the board's memories."""
    AREA = 5
    """The formation would outgrow the area that the variant allows."""
    OUTSIDE = 6
    """The column or row is not in the formation or next to it."""
    OVER = 7
    """The game has ended before."""


class Completed(IntFlag):
    """The loops and lines that a turn has completed."""

    WHITE_LOOP = 1
    RED_LOOP = 2
    WHITE_LINE = 4
    RED_LINE = 8


class GameFlag(IntFlag):
    """The state of the game."""

    ON = 1
    """A game has been begun; it may have ended."""
    OVER = 2
    """The game has ended: by a loop or line, or because a limited area has no legal turn left."""
    RED_TO_MOVE = 4
    """Red is to move; otherwise White is."""
    CONTEST = 8
    """The board plays a contest: it answers the turns of a contest host by itself."""
    THINKING = 16
    """The board is thinking about its turn in a contest."""


class RuleFlag(IntFlag):
    """The rules of a variant."""

    LINES = 1
    """A line wins."""
    BOTH_DRAW = 2
    """Loops or lines of both colours in one turn are a draw; otherwise the side that moved wins."""


class Verdict(IntEnum):
    """How good a turn is for the side that makes it. A larger value is better."""

    NONE = 0
    """No turn was found."""
    SUICIDE = 1
    """The turn completes a track of the opponent, and none of the side that moves."""
    LOSING = 2
    """The opponent wins by force."""
    UNKNOWN = 3
    """No iteration is complete."""
    DRAW = 4
    """The turn ends the game as a draw. No search says this so far."""
    SAFE = 5
    """No forced win or loss was found."""
    WIN = 6
    """The side that moves wins by force."""


class Feature(IntFlag):
    """What a board can do beyond identification, statistics and games."""

    CONTEST = 1
    """Contest lines, on the same pins."""
    LIST = 2
    SEARCH = 4
    POSITION = 8
    SELF_TEST = 16
    SET_BAUD = 32
    EVALUATE = 64
    """A unit that evaluates candidates without making them."""
    COUNT = 128
    """Sequences of legal turns are counted on the board."""


class TestPart(IntFlag):
    """The parts of a self-test."""

    CLEARED = 1
    """No space of a cleared board holds a tile or a socket."""
    TURNS = 2
    """A known game, played from many places of the board, has the right tiles and loops in every
    turn."""
    UNMAKE = 4
    """After all its turns are taken back one by one, the board is empty again."""


def most_bit_cycles(clock: int, built: int) -> int:
    """Return the most clock cycles per bit that a board accepts: the slowest rate.

    Parameters
    ----------
    clock : int
        The board's clock in Hz.
    built : int
        Clock cycles per bit after power-on.
    """
    return min(0xFFFF, max(clock // SLOWEST_BAUD, built))
