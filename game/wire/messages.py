"""All commands and answers: their fields, and when a command is obeyed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from loopline.game.wire.codes import (
    MAX_PAYLOAD,
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
from loopline.game.wire.fields import Field, Message

__all__ = ["ANSWERS", "COMMANDS", "CONTEXTS", "ERROR", "POSITION_SPACE", "Context"]

_AREA: Final = Field(
    "area", 1, "the most columns and rows of the formation; 0, or more than fit: the board's own"
)
_RULES: Final = Field("rules", 1, "what counts", values=RuleFlag)
_STATE: Final = Field("state", 1, "of the game", values=GameFlag)
_TURNS_MADE: Final = Field("turns", 2, "turns of the game so far")
_TURN: Final = Field("turns", 2, "turns of White and Red in order", kind="turn")

_MOST_TURNS: Final = MAX_PAYLOAD // 2

COMMANDS: Final = {
    Command.IDENTIFY: Message("IDENTIFY", "who are you? Forgets the last sequence number"),
    Command.STATISTICS: Message("STATISTICS", "the counters"),
    Command.NEW_GAME: Message(
        "NEW_GAME",
        "drop the game; a new one by these rules, and make these turns",
        (_AREA, _RULES),
        _TURN,
        0,
        _MOST_TURNS - 1,
    ),
    Command.PLAY: Message("PLAY", "make these turns, up to the first refused", (), _TURN, 1, 64),
    Command.TAKE_BACK: Message(
        "TAKE_BACK", "take turns back", (Field("count", 1, "how many: 1 or more"),)
    ),
    Command.LIST: Message("LIST", "all turns whose first tile fits, and what comes of each"),
    Command.SEARCH: Message(
        "SEARCH",
        "which turn is the best for the side to move?",
        (
            Field(
                "depth", 1, "turns to look ahead, 1 or 2; 0 or more than it can: as far as it can"
            ),
            Field("nodes", 4, "the most turns to try; 0: any number"),
            Field("cycles", 4, "the most clock cycles; 0: any number"),
        ),
    ),
    Command.STOP: Message("STOP", "end the search; its own answer follows"),
    Command.POSITION: Message("POSITION", "tiles, spaces, ends of tracks"),
    Command.SELF_TEST: Message("SELF_TEST", "test the board; drops the game"),
    Command.RESET: Message(
        "RESET", "as after power-on: no game, counters at zero; only the rate stays"
    ),
    Command.SET_BAUD: Message(
        "SET_BAUD",
        "another rate, once the answer is out; the one before again, if no whole frame comes at it "
        "within a second",
        (Field("bit_cycles", 2, "clock cycles of a bit: 8 or more, and no rate below 1200 baud"),),
    ),
}
"""The commands by code."""

_GAME: Final = (
    Field("made", 1, "turns made, or taken back, by this command"),
    Field("status", 1, "of the first turn that was refused, else LEGAL", values=TurnStatus),
    Field("tiles", 2, "tiles of the last turn made by this command, forced ones included"),
    Field("completed", 1, "by that turn", values=Completed),
    _STATE,
    _TURNS_MADE,
)

_SEARCH: Final = (
    Field("verdict", 1, "on the best turn", values=Verdict),
    Field(
        "score",
        2,
        "points of the position after it, for the side that makes it; among turns of one verdict "
        "the larger is better. 0 if none was counted",
        kind="signed",
    ),
    Field("depth", 1, "turns ahead that were tried to the end"),
    Field("nodes", 4, "turns tried"),
    Field("cycles", 4, "clock cycles from the command"),
)
_VARIATION: Final = Field(
    "variation", 2, "the best turn; then the reply that refutes it, if it is LOSING", kind="turn"
)

ERROR: Final = Message(
    "ERROR",
    "a frame that was not obeyed",
    (
        Field("error", 1, "why", values=ErrorCode),
        Field("command", 1, "the code of that frame, as it was received; 0 if it was not"),
    ),
)

ANSWERS: Final = {
    answer_code(0): ERROR,
    answer_code(Command.IDENTIFY): Message(
        "IDENTITY",
        "to IDENTIFY",
        (
            Field("magic", 4, "TRAX", kind="text"),
            Field("protocol", 1, "version of this definition: 1"),
            Field("name", 12, "of the design", kind="text"),
            Field("build", 4, "first eight hexadecimal digits of the commit; 0: unknown"),
            Field("grid", 1, "cells per row and column of the torus: the formation has two less"),
            Field("lanes", 1, "searchers"),
            Field("clock", 4, "Hz"),
            Field("bit_cycles", 2, "clock cycles of a bit, now"),
            Field("baud", 4, "the rate after power-on"),
            _AREA,
            _RULES,
            Field("code", 2, "of the player, as -T is answered", kind="text"),
            Field("depth", 1, "turns that a search looks ahead at most"),
            Field("features", 2, "what the board offers", values=Feature),
            Field("history", 2, "as long as a game has no more turns, they can be taken back"),
        ),
    ),
    answer_code(Command.STATISTICS): Message(
        "COUNTERS",
        "to STATISTICS; all since power-on or RESET, modulo 2³²",
        (
            Field("bytes_received", 4, "characters with a stop bit"),
            Field("bytes_sent", 4, "characters"),
            Field("frames_received", 4, "whole and undamaged"),
            Field("frames_sent", 4, "answers"),
            Field("frames_damaged", 4, "answered with DAMAGED"),
            Field("frames_malformed", 4, "answered with FRAMING or TOO_LONG"),
            Field("frames_cut", 4, "answered with CUT"),
            Field("frames_lost", 4, "dropped, for they came too fast: OVERRUN"),
            Field("repeats", 4, "answers given again to a sequence number that came again"),
            Field("framing_errors", 4, "characters without a stop bit"),
            Field("overruns", 4, "characters that came before the one before was taken"),
            Field("lines_received", 4, "lines of the contest protocol, understood"),
            Field("lines_noise", 4, "lines not understood"),
            Field("lines_refused", 4, "turns in lines, and -G, that were not legal or not awaited"),
            Field("restarts", 4, "times that the watchdog has restarted the board"),
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
            Field("tiles", 2, "tiles of the turn, forced ones included; 0 if it is not legal"),
            Field("completed", 1, "by the turn", values=Completed),
        ),
    ),
    answer_code(Command.LIST): Message(
        "CANDIDATES",
        "to LIST, the last",
        (Field("candidates", 2, "how many there were"), Field("legal", 2, "of them")),
    ),
    item_code(Command.SEARCH): Message(
        "PROGRESS", "to SEARCH, every 100 ms by the board's clock", _SEARCH, _VARIATION, 0, 2
    ),
    answer_code(Command.SEARCH): Message("BEST", "to SEARCH, the last", _SEARCH, _VARIATION, 0, 2),
    answer_code(Command.STOP): Message(
        "STOPPING", "to STOP", (Field("searching", 1, "1 if there was a search to end, else 0"),)
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
    item_code(Command.POSITION) | 0x20: Message(
        "SPACE",
        "to POSITION, one for each space that a track enters",
        (
            Field("column", 1, "as in notation"),
            Field("row", 1, "as in notation"),
            Field("sockets", 1, "sides as of a cell"),
            Field(
                "white_column", 1, "where the other end of White's track is; 0xFF: there is none"
            ),
            Field("white_row", 1, "the same"),
            Field("red_column", 1, "where the other end of Red's track is; 0xFF: there is none"),
            Field("red_row", 1, "the same"),
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
        "to SELF_TEST; there is no game now",
        (
            Field("parts", 1, "that were tested", values=TestPart),
            Field("failed", 1, "that have failed", values=TestPart),
        ),
    ),
    answer_code(Command.RESET): Message("RESET", "to RESET"),
    answer_code(Command.SET_BAUD): Message(
        "BAUD",
        "to SET_BAUD, at the rate before",
        (Field("bit_cycles", 2, "clock cycles of a bit from now on"),),
    ),
}
"""The answers by code. Those to one command whose code is not the last come before it."""

POSITION_SPACE: Final = item_code(Command.POSITION) | 0x20
"""The code of SPACE; POSITION has two kinds of answers before the last."""


@dataclass(frozen=True, slots=True)
class Context:
    """When a command is obeyed.

    Parameters
    ----------
    kept : bool
        Its answer is kept: when the sequence number comes again with the same code, and no other
        command was obeyed in between, the answer is repeated and nothing done. A command without
        that is done again, which changes nothing.
    always : bool
        Also while the board searches or is thinking; else it is answered with BUSY then.
    needs : str
        ``anything``, ``game`` (one that is begun; else NO_GAME), ``open game`` (and that has not
        ended; else GAME_OVER).
    """

    kept: bool = False
    always: bool = False
    needs: str = "anything"


CONTEXTS: Final = {
    Command.IDENTIFY: Context(always=True),
    Command.STATISTICS: Context(always=True),
    Command.NEW_GAME: Context(kept=True, always=True),
    Command.PLAY: Context(kept=True, needs="game"),
    Command.TAKE_BACK: Context(kept=True, needs="game"),
    Command.LIST: Context(needs="open game"),
    Command.SEARCH: Context(kept=True, needs="open game"),
    Command.STOP: Context(always=True),
    Command.POSITION: Context(),
    Command.SELF_TEST: Context(kept=True),
    Command.RESET: Context(kept=True, always=True),
    Command.SET_BAUD: Context(kept=True),
}
"""The contexts by command."""
