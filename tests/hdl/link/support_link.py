"""A model of the contest protocol's lines, for tests of the link and of what is behind it."""

from __future__ import annotations

import re

from loopline.hdl.core.types import ShapeCode
from loopline.hdl.link import LinkOp

__all__ = ["column_letters", "events", "label_text", "plain"]

_TURN = re.compile(rb"(@|[A-Z]{1,2})(0|[1-9][0-9]{0,2})([+/\\])")
_ORDERS = {
    b"-W": LinkOp.NEW_WHITE,
    b"-B": LinkOp.NEW_RED,
    b"-T": LinkOp.STOP,
    b"-S": LinkOp.SET_UP,
    b"-G": LinkOp.GO,
}
_SYMBOLS = {"+": ShapeCode.CROSS, "/": ShapeCode.SLASH, "\\": ShapeCode.BACKSLASH}


def column_letters(number: int) -> str:
    """The name of a column: ``@``, ``A`` to ``Z``, ``AA`` and so on."""
    if number == 0:
        return "@"
    high, low = divmod(number - 1, 26)
    return (chr(64 + high) if high else "") + chr(65 + low)


def label_text(column: int, row: int, symbol: str) -> str:
    """A turn in notation."""
    return f"{column_letters(column)}{row}{symbol}"


def plain(command) -> tuple:
    """A command as a tuple: (op,), or (op, column, row, symbol) of a turn."""
    if command.op != LinkOp.TURN:
        return (LinkOp(command.op),)
    turn = command.turn
    return (LinkOp.TURN, turn.column, turn.row, ShapeCode(turn.symbol))


def events(text: bytes, limit: int) -> list:
    """What a link makes of a text, line by line: commands as in :func:`plain`, or ``"noise"``.

    The last line counts only if it is ended.
    """
    columns = {column_letters(number).encode(): number for number in range(limit + 2)}
    found: list = []
    for line in re.split(rb"[\r\n]", text)[:-1]:
        match = _TURN.fullmatch(line)
        if line in _ORDERS:
            found.append((_ORDERS[line],))
        elif match and match[1] in columns and int(match[2]) <= limit + 1:
            symbol = _SYMBOLS[match[3].decode()]
            found.append((LinkOp.TURN, columns[match[1]], int(match[2]), symbol))
        elif line:
            found.append("noise")
    return found
