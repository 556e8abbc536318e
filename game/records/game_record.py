"""A whole game as a record: players, variant, turns, comments, end; and how it is written.

The format is described in ``docs/records.md``; :mod:`.record_reader` reads it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from loopline.game.notation import Turn
from loopline.game.old_notation import format_old_turn
from loopline.game.position import Position, ending_of
from loopline.game.result import Ending
from loopline.game.variant import STANDARD, Variant, variant_named

__all__ = ["OWN_TAGS", "GameRecord", "format_record", "format_records", "one_line", "record_of"]

OWN_TAGS: Final = ("Variant", "Result", "Termination")
"""The tags that say what has an attribute of its own in a :class:`GameRecord`."""

_WIDTH: Final = 80
_NOT_IN_A_LINE: Final = ("Cc", "Cs", "Zl", "Zp")
"""Unicode's categories of what would divide a line, or cannot be written."""


@dataclass(frozen=True)
class GameRecord:
    """One game.

    Parameters
    ----------
    turns : tuple of Turn
        The turns made, first to last; all have to be legal.
    variant : Variant
        What was played.
    ending : Ending or None
        How it ended; none if it was not finished.
    tags : Mapping
        Anything else that is known, such as ``White``, ``Red``, ``Event``, ``Date`` and ``Clock``,
        in the order in which it is written.
    comments : Mapping
        Remarks by the number of turns made before them, each a line of text.
    line : int
        Where in its file the game begins; two records may be equal without being in one place.
    """

    turns: tuple[Turn, ...]
    variant: Variant = STANDARD
    ending: Ending | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    comments: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    line: int = field(default=1, compare=False)

    def position(self) -> Position:
        """The position at the end. Raises a :exc:`TraxError` if a turn is not legal."""
        position = Position(self.variant)
        for turn in self.turns:
            position.play(turn)
        return position


def record_of(
    position: Position, ending: Ending | None = None, tags: Mapping[str, str] | None = None
) -> GameRecord:
    """The record of the game that led to a position.

    ``ending`` is needed for what the board does not show, such as a resignation.
    """
    turns = tuple(played.turn for played in position.history)
    return GameRecord(turns, position.variant, ending_of(position) or ending, dict(tags or {}))


def format_records(records: Iterable[GameRecord], *, old_notation: bool = False) -> str:
    """The text of a file with these games."""
    return "\n".join(format_record(record, old_notation=old_notation) for record in records)


def format_record(record: GameRecord, *, old_notation: bool = False) -> str:
    """A game as lines of text; the reader makes an equal record of them.

    Raises a :exc:`TraxError` if a turn is not legal, and :exc:`ValueError` if the rest contradicts
    the turns or cannot be written.
    """
    position = Position(record.variant)
    lines: list[str] = list(_comments(record, 0))
    words: list[str] = []
    for number, turn in enumerate(record.turns, start=1):
        old = old_notation and position.is_legal(turn)
        text = format_old_turn(position, turn) if old else str(turn)
        position.play(turn)
        words.append(f"{number}. {text}")
        if number in record.comments:
            lines += _wrapped(words)
            lines += _comments(record, number)
            words = []
    shown, said = ending_of(position), record.ending
    if shown != said and (shown or (said and said.on_the_board)):
        raise ValueError(f"the record ends with {said}, but the board with {shown}")
    if any(not 0 <= number <= len(record.turns) for number in record.comments):
        raise ValueError("a comment stands after more turns than there are")
    lines += _wrapped([*words, record.ending.score if record.ending else "*"])
    return "\n".join([*_tags(record), "", *lines, ""])


def one_line(text: str) -> bool:
    """Whether a text has no line ends and other control characters."""
    return not any(unicodedata.category(char) in _NOT_IN_A_LINE for char in text)


def _tags(record: GameRecord) -> Iterator[str]:
    """The lines with tags."""
    for name, value in record.tags.items():
        if name in OWN_TAGS or not (name.isascii() and name.isalnum() and name[0].isalpha()):
            raise ValueError(f"{name!r} cannot be the name of a tag")
        if not one_line(value):
            raise ValueError(f"the value of the tag {name} is not one line of text")
        quoted = value.replace("\\", "\\\\").replace('"', '\\"')
        yield f'[{name} "{quoted}"]'
    if variant_named(record.variant.name) != record.variant:
        raise ValueError(f"the variant {record.variant} is not the one of that name")
    yield f'[Variant "{record.variant}"]'
    yield f'[Result "{record.ending.score if record.ending else "*"}"]'
    if record.ending and record.ending.reason != "unstated":
        yield f'[Termination "{record.ending.reason}"]'


def _comments(record: GameRecord, number: int) -> Iterator[str]:
    """The remarks after so many turns."""
    for text in record.comments.get(number, ()):
        if not one_line(text) or text != text.strip() or not text:
            raise ValueError(f"a comment is one line without blanks around it, not {text!r}")
        yield f"# {text}"


def _wrapped(words: Iterable[str]) -> Iterator[str]:
    """The words on lines that are not too long; none is divided."""
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > _WIDTH:
            yield line
            line = word
        else:
            line = f"{line} {word}".strip()
    if line:
        yield line
