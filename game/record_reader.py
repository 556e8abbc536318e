"""Reading whole files of games, as ``docs/records.md`` describes them.

Two steps: :func:`split_games` divides a file into games by its lines alone, so that a fault in one
game leaves the others readable; :func:`parse_game` reads one of them and makes its turns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from .ending import REASONS, Ending, EndReason, ending_of
from .errors import NotationError, RecordError, TraxError
from .game_record import OWN_TAGS, GameRecord
from .notation import parse_turn, space_name
from .old_notation import read_turn
from .position import Position
from .tiles import Colour
from .variant import STANDARD, Variant, variant_named

__all__ = ["GameText", "parse_game", "read_records", "split_games"]

_SCORES: Final = ("1-0", "0-1", "1/2-1/2", "*")
_WORDS: Final[dict[str, EndReason]] = {
    "RESIGN": "resignation",
    "TIME": "time",
    "ILLEGAL": "illegal turn",
    "DRAW": "agreement",
}
_TAG: Final = re.compile(r'\[([A-Za-z][A-Za-z0-9]*) "((?:[^"\\]|\\["\\])*)"\]\s*(?:#.*)?$')
_TOKEN: Final = re.compile(r"#.*|[()]|[^\s()#]+")
_NUMBER: Final = re.compile(r"([0-9]{1,6})\.")
_DATE: Final = re.compile(r"[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?")


class GameText(NamedTuple):
    """The lines of one game, each with its number in the file, from 1."""

    lines: tuple[tuple[int, str], ...]


class _Token(NamedTuple):
    """A word, and where it begins."""

    text: str
    line: int
    column: int

    def error(self, reason: str, offset: int = 0) -> RecordError:
        """The error to raise for this word, or for the character ``offset`` in it."""
        return RecordError(self.line, self.column + offset, reason)


def read_records(lines: Iterable[str]) -> Iterator[GameRecord]:
    """The games of a file, such as an open one, or of the lines of a text.

    Raises :exc:`RecordError` at a game that cannot be read; going on after it, one gets the next.
    """
    return map(parse_game, split_games(lines))


def split_games(lines: Iterable[str]) -> Iterator[GameText]:
    """The games of a file, unread. A comment between two games belongs to the second."""
    game: list[tuple[int, str]] = []
    between: list[tuple[int, str]] = []
    tagged = begun = closed = False
    for number, raw in enumerate(lines, start=1):
        line = raw.rstrip("\r\n")
        words = ["["] if line.lstrip().startswith("[") else line.partition("#")[0].split()
        if not words:
            (between if begun and (closed or not tagged) else game).append((number, line))
            continue
        is_tag = words[0] == "["
        numbered = _NUMBER.match(words[0])
        continues = tagged or (numbered is not None and int(numbered[1]) != 1)
        if begun and (is_tag or closed or not continues):
            yield GameText(tuple(game))
            game, tagged, begun = [], False, False
        game += [*between, (number, line)]
        between = []
        tagged = tagged or is_tag
        begun = begun or not is_tag
        closed = not is_tag and _ends_game(words[-1])
    if tagged or begun:
        yield GameText((*game, *between))


def parse_game(text: GameText) -> GameRecord:
    """Read one game. Raises :exc:`RecordError` at the first thing that is wrong."""
    tags, tokens = _divide(text)
    own = {name: tags.pop(name) for name in OWN_TAGS if name in tags}
    position = Position(_variant(own.get("Variant")))
    comments: dict[int, tuple[str, ...]] = {}
    end: _Token | None = None
    waiting = list(reversed(tokens))
    while waiting:
        token = waiting.pop()
        if token.text.startswith("#"):
            remark = token.text[1:].strip()
            if remark:
                comments[position.turns] = (*comments.get(position.turns, ()), remark)
        elif end:
            raise token.error(f"expected nothing after {end.text}, found {token.text!r}")
        elif number := _NUMBER.match(token.text):
            if int(number[1]) != position.turns + 1:
                raise token.error(f"expected the number {position.turns + 1}., found {number[0]}")
            if rest := token.text[number.end() :]:
                waiting.append(_Token(rest, token.line, token.column + number.end()))
        elif _ends_game(token.text):
            end = token
        elif token.text == "(":
            raise token.error("forced tiles stand behind the turn that forces them")
        else:
            _play(position, token, waiting)
    ending = _ending(position, end, own.get("Result"), own.get("Termination"))
    turns = tuple(played.turn for played in position.history)
    values = {name: value.text for name, value in tags.items()}
    first = next(number for number, line in text.lines if line.partition("#")[0].strip())
    return GameRecord(turns, position.variant, ending, values, comments, first)


def _ends_game(word: str) -> bool:
    return word in _SCORES or word.upper() in _WORDS


def _divide(text: GameText) -> tuple[dict[str, _Token], list[_Token]]:
    """The tags of a game, their values with their places, and all other words and comments."""
    tags: dict[str, _Token] = {}
    tokens: list[_Token] = []
    for number, line in text.lines:
        if not line.lstrip().startswith("["):
            for word in _TOKEN.finditer(line):
                tokens.append(_Token(word[0], number, word.start() + 1))
            continue
        start = len(line) - len(line.lstrip())
        tag = _TAG.match(line, start)
        if tag is None:
            raise RecordError(number, start + 1, 'expected a tag such as [White "name"]')
        if tag[1] in tags:
            raise RecordError(number, start + 2, f"the tag {tag[1]} is given twice")
        value = re.sub(r"\\(.)", r"\1", tag[2])
        tags[tag[1]] = _Token(value, number, tag.start(2) + 1)
        if tag[1] == "Date" and not _DATE.fullmatch(value):
            reason = f"expected a date such as 2016-12-07, 2016-12 or 2016, found {value!r}"
            raise tags["Date"].error(reason)
    return tags, tokens


def _variant(tag: _Token | None) -> Variant:
    """The variant that a tag names; standard Trax without one."""
    if tag is None:
        return STANDARD
    try:
        return variant_named(tag.text)
    except ValueError as error:
        raise tag.error(str(error)) from None


def _play(position: Position, token: _Token, waiting: list[_Token]) -> None:
    """Make a turn, and compare with it the forced tiles that are listed behind it, if any are."""
    number, west, north = position.turns + 1, position.west, position.north
    try:
        played = position.play(read_turn(position, token.text))
    except NotationError as error:
        raise token.error(f"turn {number}: {error}", error.position) from None
    except TraxError as error:
        raise token.error(f"turn {number}: {error}") from None
    if not waiting or waiting[-1].text != "(":
        return
    opened = waiting.pop()
    forced = {
        space_name(x - west + 1, y - north + 1): tile.shape for x, y, tile in played.tiles[1:]
    }
    while waiting:
        listed = waiting.pop()
        if listed.text == ")":
            return
        if listed.text.startswith("#"):
            break
        try:
            tile = parse_turn(listed.text)
        except NotationError as error:
            raise listed.error(str(error), error.position) from None
        if tile.space not in forced:
            names = ", ".join(name + shape.value for name, shape in forced.items()) or "none"
            raise listed.error(f"{tile} is not among the forced plays of {token.text}: {names}")
        if tile.shape is not forced[tile.space]:
            expected = forced[tile.space].value
            raise listed.error(f"the forced tile at {tile.space} is {expected}, not {tile}")
    raise opened.error("expected ')' after the forced tiles, before the end or a comment")


def _ending(
    position: Position, end: _Token | None, result: _Token | None, reason: _Token | None
) -> Ending | None:
    """How the game ended, from the board and from all that the record says; they have to agree."""
    if result and result.text not in _SCORES:
        raise result.error(f"expected a result, {', '.join(_SCORES)}, found {result.text!r}")
    if reason and reason.text not in REASONS:
        raise reason.error(f"expected one of {', '.join(REASONS)}, found {reason.text!r}")
    ending = ending_of(position)
    if ending is None and end and end.text.upper() in _WORDS:
        word = _WORDS[end.text.upper()]
        ending = Ending(None if word == "agreement" else position.to_move.other, word)
    stated = [token for token in (end, result) if token and token.text in _SCORES]
    if ending is None:
        if not stated or stated[0].text == "*":
            _agree("*", stated)
            if reason:
                raise reason.error("there is a reason for the end, but the game is not finished")
            return None
        ending = _stated(stated[0].text, reason)
    elif end and end.text.upper() in _WORDS and ending.on_the_board:
        raise end.error(f"expected nothing, or {ending.score}: {ending}; found {end.text!r}")
    _agree(ending.score, stated)
    if reason and reason.text != ending.reason:
        raise reason.error(f"expected {ending.reason!r}: {ending}; found {reason.text!r}")
    return ending


def _stated(score: str, reason: _Token | None) -> Ending:
    """The end that only the record tells of."""
    winner = {"1-0": Colour.WHITE, "0-1": Colour.RED}.get(score)
    known: EndReason = "unstated"
    for name in REASONS:
        if reason and name == reason.text:
            known = name
    try:
        ending = Ending(winner, known)
    except ValueError as error:
        assert reason is not None, "without a reason every result is possible"
        raise reason.error(str(error)) from None
    if ending.on_the_board:
        assert reason is not None, "the end is not one that the board shows by itself"
        raise reason.error(f"{ending}, it says, but not after these turns")
    return ending


def _agree(score: str, stated: Iterable[_Token]) -> None:
    """Refuse a result that contradicts what is known."""
    for token in stated:
        if token.text != score:
            raise token.error(f"expected the result {score}, found {token.text}")
