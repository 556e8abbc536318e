"""All commands and answers: their fields, and when a board obeys a command."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from loopline.game.wire.codes import (
    COUNT_DEPTH,
    MAX_PAYLOAD,
    WIN_SCORE,
    Command,
    Completed,
    ErrorCode,
    Feature,
    GameFlag,
    RuleFlag,
    TestPart,
    TurnStatus,
    Verdict,
    answer_code,
    item_code,
)
from loopline.game.wire.fields import Field, Message, Value
from loopline.game.wire.framing import pack_frame

__all__ = ["ANSWERS", "COMMANDS", "CONTEXTS", "ERROR", "POSITION_SPACE", "Context", "command_frame"]

_AREA: Final = Field(
    "area",
    1,
    "the most columns and rows of the formation; 0, or more than fit: the board's own limit",
)
_RULES: Final = Field("rules", 1, "the variant's rules", values=RuleFlag)
_STATE: Final = Field("state", 1, "of the game", values=GameFlag)
_TURNS_MADE: Final = Field("turns", 2, "turns of the game so far")
_TURN: Final = Field("turns", 2, "turns of White and Red in order", kind="turn")

_MOST_TURNS: Final = MAX_PAYLOAD // 2

COMMANDS: Final = {
    Command.IDENTIFY: Message("IDENTIFY", "identify the board; the stored answer is discarded"),
    Command.STATISTICS: Message("STATISTICS", "read the counters"),
    Command.NEW_GAME: Message(
        "NEW_GAME",
        "end the game, begin a new one by these rules, and make these turns",
        (_AREA, _RULES),
        _TURN,
        0,
        _MOST_TURNS - 1,
    ),
    Command.PLAY: Message(
        "PLAY", "make these turns, up to the first that is refused", (), _TURN, 1, 64
    ),
    Command.TAKE_BACK: Message(
        "TAKE_BACK", "take turns back", (Field("count", 1, "number of turns, 1 or more"),)
    ),
    Command.LIST: Message("LIST", "list all turns whose first tile fits, with the outcome of each"),
    Command.SEARCH: Message(
        "SEARCH",
        "find the best turn for the side to move; without limits in the time of a contest's turn",
        (
            Field("depth", 1, "turns to look ahead; 0, or more than it can: as many as it can"),
            Field("nodes", 4, "the most turns to search; 0: no limit"),
            Field("cycles", 4, "the most clock cycles; 0: no limit"),
        ),
    ),
    Command.STOP: Message("STOP", "end the search, which then answers itself"),
    Command.POSITION: Message("POSITION", "dump tiles, spaces and ends of tracks"),
    Command.SELF_TEST: Message("SELF_TEST", "test the board; this ends the game"),
    Command.RESET: Message(
        "RESET",
        "return to the state after power-on: no game, counters at zero; only the rate stays",
    ),
    Command.SET_BAUD: Message(
        "SET_BAUD",
        "change the rate once the answer is sent; if no whole frame comes at the new rate within a "
        "second, the rate before is restored",
        (Field("bit_cycles", 2, "clock cycles per bit: 8 or more, down to the slowest rate"),),
    ),
    Command.COUNT: Message(
        "COUNT",
        "count the sequences of legal turns; finished games are not continued",
        (Field("depth", 1, f"turns of a sequence, 1 to {COUNT_DEPTH}"),),
    ),
}
"""The commands by code."""

_GAME: Final = (
    Field("made", 1, "turns made or taken back by this command"),
    Field("status", 1, "of the first turn that was refused; LEGAL if none was", values=TurnStatus),
    Field("tiles", 2, "tiles of the last turn made by this command, forced plays included"),
    Field("completed", 1, "by that turn", values=Completed),
    _STATE,
    _TURNS_MADE,
)

_SEARCH: Final = (
    Field("verdict", 1, "on the best turn", values=Verdict),
    Field(
        "score",
        2,
        f"points for the side that makes it. {WIN_SCORE} - n: forced win in n turns of both sides; "
        f"n - {WIN_SCORE}: loss",
        kind="signed",
    ),
    Field("depth", 1, "turns ahead that were searched completely"),
    Field("nodes", 4, "turns searched, modulo 2³²"),
    Field(
        "cycles",
        4,
        "clock cycles since the command, or since a line that ends the search; modulo 2³²",
    ),
)
_MOST_VARIATION: Final = 32

_VARIATION: Final = Field(
    "variation",
    2,
    "the best turn and the best ones after it",
    kind="turn",
)

ERROR: Final = Message(
    "ERROR",
    "a frame that was not obeyed",
    (
        Field("error", 1, "why", values=ErrorCode),
        Field("command", 1, "the code of that frame as received; 0 if it was not received"),
    ),
)

POSITION_SPACE: Final = item_code(Command.POSITION) | 0x20
"""The code of SPACE: POSITION has two kinds of answers before the last one."""

ANSWERS: Final = {
    answer_code(0): ERROR,
    answer_code(Command.IDENTIFY): Message(
        "IDENTITY",
        "to IDENTIFY",
        (
            Field("magic", 4, "TRAX", kind="text"),
            Field("protocol", 1, "version of this definition: 1"),
            Field("name", 12, "of the design", kind="text"),
            Field(
                "build",
                4,
                "first eight hexadecimal digits of the commit; 0: unknown, or the sources differ "
                "from it",
            ),
            Field("grid", 1, "cells per row and column of the torus: the formation has two less"),
            Field("lanes", 1, "that search side by side"),
            Field("clock", 4, "Hz"),
            Field("bit_cycles", 2, "clock cycles per bit, now"),
            Field("baud", 4, "the rate after power-on"),
            _AREA,
            _RULES,
            Field("code", 2, "of the player, the answer to -T", kind="text"),
            Field("depth", 1, "turns that a search looks ahead at most"),
            Field("features", 2, "what the board can do", values=Feature),
            Field("history", 2, "the longest game whose turns can be taken back"),
        ),
    ),
    answer_code(Command.STATISTICS): Message(
        "COUNTERS",
        "to STATISTICS; counted since power-on or RESET, modulo 2³²",
        (
            Field("bytes_received", 4, "characters with a stop bit"),
            Field("bytes_sent", 4, "characters"),
            Field("frames_received", 4, "whole and undamaged"),
            Field("frames_sent", 4, "answers"),
            Field("frames_damaged", 4, "answered with DAMAGED"),
            Field("frames_malformed", 4, "answered with FRAMING or TOO_LONG"),
            Field("frames_cut", 4, "answered with CUT"),
            Field("frames_lost", 4, "dropped because they came too fast: OVERRUN"),
            Field("repeats", 4, "answers sent again to a repeated sequence number"),
            Field("framing_errors", 4, "characters without a stop bit"),
            Field("overruns", 4, "characters lost because the one before was not taken yet"),
            Field("lines_received", 4, "valid contest lines"),
            Field("lines_noise", 4, "contest lines that are not valid"),
            Field(
                "lines_refused",
                4,
                "turns and -G of contest lines that were not legal or not expected",
            ),
            Field("restarts", 4, "restarts of the board by its watchdog"),
        ),
    ),
    answer_code(Command.NEW_GAME): Message("GAME", "to NEW_GAME", _GAME),
    answer_code(Command.PLAY): Message("GAME", "to PLAY", _GAME),
    answer_code(Command.TAKE_BACK): Message("GAME", "to TAKE_BACK", _GAME),
    item_code(Command.LIST): Message(
        "CANDIDATE",
        "to LIST, one for each candidate",
        (
            Field("turn", 2, "the candidate", kind="turn"),
            Field("status", 1, "whether it is legal", values=TurnStatus),
            Field("tiles", 2, "tiles of the turn, forced plays included; 0 if it is not legal"),
            Field("completed", 1, "by the turn", values=Completed),
        ),
    ),
    answer_code(Command.LIST): Message(
        "CANDIDATES",
        "to LIST, the last",
        (Field("candidates", 2, "number of candidates"), Field("legal", 2, "number of legal ones")),
    ),
    item_code(Command.SEARCH): Message(
        "PROGRESS",
        "to SEARCH, after an iteration, and every 100 ms by the board's clock",
        _SEARCH,
        _VARIATION,
        0,
        _MOST_VARIATION,
    ),
    answer_code(Command.SEARCH): Message(
        "BEST", "to SEARCH, the last", _SEARCH, _VARIATION, 0, _MOST_VARIATION
    ),
    answer_code(Command.STOP): Message(
        "STOPPING", "to STOP", (Field("searching", 1, "1 if a search was going on, else 0"),)
    ),
    item_code(Command.POSITION): Message(
        "ROW",
        "to POSITION, one for each row of the formation",
        (Field("row", 1, "as in notation, from 1 on"),),
        Field(
            "cells",
            1,
            "of each column from west to east: sides with White's edges in the high half, with "
            "Red's in the low half. A tile has four edges, a space at most one of each colour",
        ),
        1,
        MAX_PAYLOAD - 1,
    ),
    POSITION_SPACE: Message(
        "SPACE",
        "to POSITION, one for each space that a track enters",
        (
            Field("column", 1, "as in notation"),
            Field("row", 1, "as in notation"),
            Field("sockets", 1, "sides as of a cell"),
            Field(
                "white_column", 1, "where the other end of White's track is; 0xFF: no such track"
            ),
            Field("white_row", 1, "its row"),
            Field("red_column", 1, "where the other end of Red's track is; 0xFF: no such track"),
            Field("red_row", 1, "its row"),
        ),
    ),
    answer_code(Command.POSITION): Message(
        "POSITION",
        "to POSITION, the last",
        (
            _STATE,
            _TURNS_MADE,
            _AREA,
            _RULES,
            Field("columns", 1, "of the formation; 0: the board is empty"),
            Field("rows", 1, "of the formation"),
            Field("tiles", 2, "on the board"),
            Field("spaces", 2, "that a track enters"),
        ),
    ),
    answer_code(Command.SELF_TEST): Message(
        "TESTED",
        "to SELF_TEST; the game has ended",
        (
            Field("parts", 1, "that were tested", values=TestPart),
            Field("failed", 1, "that have failed", values=TestPart),
        ),
    ),
    answer_code(Command.RESET): Message("RESET", "to RESET"),
    answer_code(Command.SET_BAUD): Message(
        "BAUD",
        "to SET_BAUD, still at the rate before",
        (Field("bit_cycles", 2, "clock cycles per bit from now on"),),
    ),
    answer_code(Command.COUNT): Message(
        "COUNTED",
        "to COUNT",
        (
            Field("sequences", 4, "of legal turns"),
            Field("beyond", 1, "1 if turns that do not fit into the board are left out, else 0"),
        ),
    ),
}
"""The answers by code."""


@dataclass(frozen=True, slots=True)
class Context:
    """When a board obeys a command, and how it treats a repetition.

    Parameters
    ----------
    stored : bool
        The board stores the answer. If the same sequence number and code come again, and no other
        command has come in between, it sends the stored answer and does nothing else. Other
        commands are obeyed again, which changes nothing.
    always : bool
        The board obeys the command even while it searches or thinks; otherwise it answers BUSY.
    needs : str
        ``anything``; ``game``: a game has been begun, otherwise NO_GAME; ``open game``: a game has
        been begun and has not ended, otherwise NO_GAME or GAME_OVER.
    """

    stored: bool = False
    always: bool = False
    needs: str = "anything"


CONTEXTS: Final = {
    Command.IDENTIFY: Context(always=True),
    Command.STATISTICS: Context(always=True),
    Command.NEW_GAME: Context(stored=True, always=True),
    Command.PLAY: Context(stored=True, needs="game"),
    Command.TAKE_BACK: Context(stored=True, needs="game"),
    Command.LIST: Context(needs="open game"),
    Command.SEARCH: Context(stored=True, needs="open game"),
    Command.STOP: Context(always=True),
    Command.POSITION: Context(),
    Command.SELF_TEST: Context(stored=True),
    Command.RESET: Context(stored=True, always=True),
    Command.SET_BAUD: Context(stored=True),
    Command.COUNT: Context(needs="open game"),
}
"""The contexts by command."""


def command_frame(sequence: int, command: Command, **values: Value | Sequence[Value]) -> bytes:
    """Return a command as it is sent: the frame with these values of its fields."""
    return pack_frame(sequence, command, COMMANDS[command].pack(**values))
