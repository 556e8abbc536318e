"""The standard notation of turns: ``@0/``, ``B1+``, ``AA12\\``.

A turn names the space of its first tile by column and row, and the tile by its shape. Columns
count ``@, A, ..., Z, AA, ..., AZ, BA, ...`` from zero, rows ``0, 1, 2, ...``; the leftmost
occupied column is ``A`` and the topmost occupied row ``1``.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from loopline.game.errors import NotationError
from loopline.game.tiles import Shape

__all__ = [
    "Turn",
    "column_name",
    "column_number",
    "format_turn",
    "parse_turn",
    "scan_column",
    "scan_row",
    "space_name",
]

_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_DIGITS: Final = "0123456789"
_SHAPES: Final = {shape.value: shape for shape in Shape}
_LONGEST: Final = 12
"""The most letters, or digits: more would name a space that no game can reach."""


class Turn(NamedTuple):
    """The first tile of a turn as notation names it; column 0 is ``@`` and column 1 is ``A``."""

    column: int
    row: int
    shape: Shape

    @property
    def space(self) -> str:
        """The label of the space, such as ``B2``."""
        return space_name(self.column, self.row)

    def __str__(self) -> str:
        """Return the turn in notation."""
        return self.space + self.shape.value


def column_name(number: int) -> str:
    """Return the name of a column: ``@`` for 0, ``A`` for 1, ``Z`` for 26, ``AA`` for 27.

    Raises :exc:`ValueError` for a negative number.
    """
    if number < 0:
        raise ValueError(f"a column number is 0 or more, not {number}")
    name = ""
    while number:
        number, letter = divmod(number - 1, 26)
        name = _LETTERS[letter] + name
    return name or "@"


def column_number(name: str) -> int:
    """Return the number of a column, the inverse of :func:`column_name`.

    Raises :exc:`ValueError` for anything that is not ``@`` or one or more capital letters.
    """
    if name == "@":
        return 0
    if not name or _span(name, 0, _LETTERS) != len(name):
        raise ValueError(f"a column is '@' or capital letters, not {name!r}")
    number = 0
    for letter in name:
        number = number * 26 + _LETTERS.index(letter) + 1
    return number


def space_name(column: int, row: int) -> str:
    """Return the label of a space, such as ``AA12``. Raises :exc:`ValueError` if negative."""
    if row < 0:
        raise ValueError(f"a row number is 0 or more, not {row}")
    return f"{column_name(column)}{row}"


def format_turn(turn: Turn) -> str:
    """Return the turn in notation; :func:`parse_turn` reads it back."""
    return str(turn)


def parse_turn(text: str) -> Turn:
    """Read one turn, exactly as :func:`format_turn` writes it, without blanks around it.

    Raises :exc:`NotationError`, which says what was expected and where.
    """
    column_end = scan_column(text, 0)
    row_end = scan_row(text, column_end)
    shape = _SHAPES.get(text[row_end : row_end + 1])
    if shape is None:
        raise NotationError(text, "expected a tile, '+', '/' or '\\'", row_end)
    if len(text) > row_end + 1:
        raise NotationError(text, "expected nothing after the tile", row_end + 1)
    return Turn(column_number(text[:column_end]), int(text[column_end:row_end]), shape)


def scan_column(text: str, start: int) -> int:
    """Return the end of the column's name that begins at ``start``.

    Raises :exc:`NotationError` if no valid one begins there.
    """
    end = start + 1 if text.startswith("@", start) else _span(text, start, _LETTERS)
    if end == start:
        raise NotationError(text, "expected a column, '@' or capital letters", start)
    if end > start + _LONGEST:
        raise NotationError(text, f"a column has at most {_LONGEST} letters", start + _LONGEST)
    return end


def scan_row(text: str, start: int) -> int:
    """Return the end of the row number that begins at ``start``.

    Raises :exc:`NotationError` if no valid one begins there.
    """
    end = _span(text, start, _DIGITS)
    if end == start:
        raise NotationError(text, "expected a row number", start)
    if text[start] == "0" and end > start + 1:
        raise NotationError(text, "a row number has no leading zero", start)
    if end > start + _LONGEST:
        raise NotationError(text, f"a row has at most {_LONGEST} digits", start + _LONGEST)
    return end


def _span(text: str, start: int, alphabet: str) -> int:
    """Return the end of the run of ``alphabet`` characters that begins at ``start``."""
    end = start
    while end < len(text) and text[end] in alphabet:
        end += 1
    return end
