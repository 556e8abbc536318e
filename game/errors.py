"""What can be wrong with a text: one exception for each reason.

Every message is one line that begins with the text in question, or with its place in a file. The
same facts are attributes, for programs. The constructor's arguments are those attributes, so the
exceptions can be pickled. :mod:`.legality` has those of turns that the rules do not allow.
"""

from __future__ import annotations

from typing import Final

__all__ = ["NotationError", "RecordError", "TraxError", "quote"]

_QUOTED: Final = 24
"""The most characters of an unreadable text that a message repeats."""


class TraxError(Exception):
    """The base of all errors that the game raises."""


class NotationError(TraxError):
    """A text that is not a turn: ``text``, the ``reason``, and the ``position`` from 0 on."""

    def __init__(self, text: str, reason: str, position: int) -> None:
        """Keep the facts, for the message and for programs."""
        super().__init__(text, reason, position)
        self.text = text
        self.reason = reason
        self.position = position

    def __str__(self) -> str:
        """Return the text, what was expected, where, and what was found."""
        found = self.text[self.position : self.position + 1]
        found = f"found {quote(found)}" if found else "the text ends"
        return f"{quote(self.text)}: {self.reason}, at character {self.position + 1}: {found}"


class RecordError(TraxError):
    """A record that cannot be read: ``line`` and ``column``, both from 1, and the ``reason``."""

    def __init__(self, line: int, column: int, reason: str) -> None:
        """Keep the facts, for the message and for programs."""
        super().__init__(line, column, reason)
        self.line = line
        self.column = column
        self.reason = reason

    def __str__(self) -> str:
        """Return the place and the reason."""
        return f"line {self.line}, column {self.column}: {self.reason}"


def quote(text: str) -> str:
    """Return the text in quotation marks, on one line, and shortened if it is long."""
    shown = text if len(text) <= _QUOTED else text[:_QUOTED] + "..."
    if shown.isprintable():
        return f"'{shown}'"
    return repr(shown)
