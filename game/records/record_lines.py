"""The lines of a file of records, divided into games and a game's lines into tags and words.

Nothing is played here, so a fault in one game leaves the others readable. The format is described
in ``docs/records.md``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum, auto
from typing import Final, NamedTuple

from loopline.game.errors import RecordError, quote
from loopline.game.records.game_record import one_line
from loopline.game.result import EndReason

__all__ = [
    "LONGEST_GAME",
    "NUMBER",
    "SCORES",
    "WORDS",
    "GameText",
    "Token",
    "divide",
    "ends_game",
    "split_games",
]

LONGEST_GAME: Final = 1 << 18
"""The most characters of a game, comments included; one of 255 turns has some 1,500."""

SCORES: Final = ("1-0", "0-1", "1/2-1/2", "*")
"""The results that a record can state."""

WORDS: Final[dict[str, EndReason]] = {
    "RESIGN": "resignation",
    "TIME": "time",
    "ILLEGAL": "illegal turn",
    "DRAW": "agreement",
}
"""The words for an end that is up to the player to move."""

NUMBER: Final = re.compile(r"([0-9]{1,6})\.")
"""The number of a turn."""

_TAG: Final = re.compile(r'\[([A-Za-z][A-Za-z0-9]*) "((?:[^"\\]|\\["\\])*)"\]\s*(#.*)?$')
_TOKEN: Final = re.compile(r"#.*|[()]|[^\s()#]+")
_TURN: Final = re.compile(r"(@|[A-Z]{1,3})[0-9]{1,4}[+/\\]")
_FIRST_TURNS: Final = ("@0/", "@0+")
_TRX_VARIANTS: Final = {
    "Trax": "standard",
    "Loop Trax": "loop",
    "8x8 Trax": "limited",
    "8x8Trax": "limited",
}
_TRX_NUMBER: Final = re.compile(r"(?<!\S)([0-9]{1,6})\s")
_NO_PLAYERS: Final = re.compile(r"[\[;#]|(1\.?\s*)?(@0[+/]|A1[CS])(?!\S)")
"""What a line that names players does not begin with: a tag, a comment, the first turn."""
_VERSUS: Final = re.compile(r"\svs\.?\s")
_DATE: Final = re.compile(r"[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?")


class GameText(NamedTuple):
    """The lines of one game, each with its number in the file, from 1.

    Of a game that is too long, ``lines`` are the first few, and ``beyond`` is the number of the
    line that was too much; else it is 0.
    """

    lines: tuple[tuple[int, str], ...]
    beyond: int = 0

    @property
    def line(self) -> int:
        """Where the game begins, comments before it left aside."""
        begins = (number for number, line in self.lines if line.partition("#")[0].strip())
        return next(begins, self.beyond)


class Token(NamedTuple):
    """A word, and where it begins."""

    text: str
    line: int
    column: int

    def error(self, reason: str, offset: int = 0) -> RecordError:
        """The error to raise for this word, or for the character ``offset`` in it."""
        return RecordError(self.line, self.column + offset, reason)


class _Kept:
    """Lines that are kept up to what a game may have, however many come."""

    def __init__(self) -> None:
        self.lines: list[tuple[int, str]] = []
        self.beyond = 0
        self._room = LONGEST_GAME

    def add(self, number: int, line: str) -> None:
        # One that is empty says nothing; a character more for each is what a list takes.
        self._room -= len(line) + 1
        if self._room >= 0:
            self.lines.append((number, line))
        elif not self.beyond:
            self.beyond = number

    def extend(self, other: _Kept) -> None:
        for number, line in other.lines:
            self.add(number, line)
        self.beyond = self.beyond or other.beyond

    def text(self) -> GameText:
        return GameText(tuple(self.lines), self.beyond)


class _Style(Enum):
    """The format of a file, known from its first lines."""

    UNKNOWN = auto()
    OPENED = auto()
    """One line with a first turn alone: the next line decides."""
    RECORDS = auto()
    TRX = auto()
    ONE_PER_LINE = auto()

    def after(self, line: str) -> _Style:
        """The format after one more line with words."""
        words = line.partition("#")[0].split()
        if self is _Style.UNKNOWN:
            if line.strip() in _TRX_VARIANTS:
                return _Style.TRX
            return _Style.OPENED if _opens(words) else _Style.RECORDS
        if self is _Style.OPENED:
            alone = len(words) == 1 and _TURN.fullmatch(words[0]) and not _opens(words)
            return _Style.ONE_PER_LINE if alone else _Style.RECORDS
        return self


def _opens(words: list[str]) -> bool:
    """Whether this is a first turn, which can be made only once in a game."""
    return len(words) == 1 and words[0] in _FIRST_TURNS


def split_games(lines: Iterable[str]) -> Iterator[GameText]:
    """The games of a file, unread. A comment between two games belongs to the second.

    A file may hold records, games of the contest's programs (``.trx``), or one turn per line; its
    first lines tell which. However long the file is, only a part of it is kept: of a game that is
    too long the beginning.
    """
    game, between = _Kept(), _Kept()
    tagged = begun = closed = False
    style = _Style.UNKNOWN
    for number, raw in enumerate(lines, start=1):
        line = raw.rstrip("\r\n")
        said: list[str] = []
        if line.partition("#")[0].strip():
            style = style.after(line)
        if style is _Style.TRX:
            said = _trx_tags(line, begun)
            line = line if said else _from_trx(line)
        words = ["["] if line.lstrip().startswith("[") else line.partition("#")[0].split()
        if not words:
            if line:
                (between if begun and (closed or not tagged) else game).add(number, line)
            continue
        is_tag = words[0] == "[" or bool(said)
        numbered = NUMBER.match(words[0])
        continues = tagged or (numbered is not None and int(numbered[1]) != 1)
        if style is _Style.ONE_PER_LINE:
            continues = not _opens(words)
        if begun and (is_tag or closed or not continues):
            yield game.text()
            game, tagged, begun = _Kept(), False, False
        game.extend(between)
        for text in said or [line]:
            game.add(number, text)
        between = _Kept()
        tagged = tagged or is_tag
        begun = begun or not is_tag
        closed = not is_tag and ends_game(words[-1])
    if tagged or begun:
        game.extend(between)
        yield game.text()


def _from_trx(line: str) -> str:
    """A line of a ``.trx`` game in the form of records, its words in the same columns.

    There a number has no full stop, and a semicolon begins a comment.
    """
    if line.lstrip().startswith("["):
        return line
    turns, *remark = re.split(r"[;#]", line, maxsplit=1)
    return "#".join([_TRX_NUMBER.sub(r"\1.", turns), *remark])


def _trx_tags(line: str, begun: bool) -> list[str]:
    """The tags that a line at the head of a ``.trx`` game stands for; none for other lines."""
    variant = _TRX_VARIANTS.get(line.strip())
    if variant:
        return [f'[Variant "{variant}"]']
    players = _VERSUS.split(line.strip(), maxsplit=1)
    if begun or len(players) == 1 or _NO_PLAYERS.match(line.strip()):
        return []
    white, red = (name.strip().replace("\\", "\\\\").replace('"', '\\"') for name in players)
    return [f'[White "{white}"]', f'[Red "{red}"]']


def ends_game(word: str) -> bool:
    """Whether nothing but comments can stand behind this word."""
    return word in SCORES or word.upper() in WORDS


def divide(text: GameText) -> tuple[dict[str, Token], list[Token]]:
    """The tags of a game, their values with their places, and all other words and comments.

    Raises :exc:`RecordError` for a line that begins like a tag and is none, and for a game that is
    too long.
    """
    if text.beyond:
        raise RecordError(text.beyond, 1, f"a game has at most {LONGEST_GAME:,} characters")
    tags: dict[str, Token] = {}
    tokens: list[Token] = []
    for number, line in text.lines:
        if not line.lstrip().startswith("["):
            for word in _TOKEN.finditer(line):
                tokens.append(Token(word[0], number, word.start() + 1))
            continue
        start = len(line) - len(line.lstrip())
        tag = _TAG.match(line, start)
        if tag is None:
            raise RecordError(number, start + 1, 'expected a tag such as [White "name"]')
        if tag[1] in tags:
            raise RecordError(number, start + 2, f"the tag {tag[1]} is given twice")
        value = re.sub(r"\\(.)", r"\1", tag[2])
        tags[tag[1]] = Token(value, number, tag.start(2) + 1)
        if not one_line(value):
            raise tags[tag[1]].error("expected a value without control characters")
        if tag[1] == "Date" and not _DATE.fullmatch(value):
            reason = f"expected a date such as 2016-12-07, 2016-12 or 2016, found {quote(value)}"
            raise tags["Date"].error(reason)
        if tag[3]:
            tokens.append(Token(tag[3], number, tag.start(3) + 1))
    return tags, tokens
