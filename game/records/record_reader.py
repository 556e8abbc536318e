"""Reading whole files of games, as ``docs/records.md`` describes them.

:mod:`.record_lines` divides a file into games; here one of them is read and its turns are made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

from loopline.game.errors import NotationError, RecordError, TraxError, quote
from loopline.game.notation import parse_turn, space_name
from loopline.game.old_notation import read_turn
from loopline.game.position import Position, ending_of
from loopline.game.records.game_record import OWN_TAGS, GameRecord, one_line
from loopline.game.records.record_lines import (
    NUMBER,
    SCORES,
    WORDS,
    GameText,
    Token,
    divide,
    ends_game,
    split_games,
)
from loopline.game.result import REASONS, Ending, EndReason
from loopline.game.tiles import Colour
from loopline.game.variant import STANDARD, Variant, variant_named

__all__ = ["GameReading", "parse_game", "read_game", "read_records"]


class GameReading(NamedTuple):
    """A game read as far as it goes.

    ``position`` is the one after the last good turn. ``record`` is the whole game, or none if
    ``error`` says what is wrong with it; the cause of an error is what is wrong with its turn,
    :exc:`NotationError` or :exc:`IllegalTurnError`, if that is the reason.
    """

    position: Position
    record: GameRecord | None
    error: RecordError | None


def read_records(lines: Iterable[str], variant: Variant = STANDARD) -> Iterator[GameRecord]:
    """The games of a file, such as an open one, or of the lines of a text.

    A game without the tag ``Variant`` is read as one of ``variant``.
    Raises :exc:`RecordError` at a game that cannot be read; going on after it, one gets the next.
    """
    return map(partial(parse_game, variant=variant), split_games(lines))


def parse_game(text: GameText, variant: Variant = STANDARD) -> GameRecord:
    """Read one game. Raises :exc:`RecordError` at the first thing that is wrong."""
    reading = read_game(text, variant)
    if reading.error:
        raise reading.error
    assert reading.record is not None, "a game without an error has been read"
    return reading.record


def read_game(text: GameText, variant: Variant = STANDARD) -> GameReading:
    """Read one game up to the first thing that is wrong.

    ``variant`` is what is played if no tag says so.
    """
    position = Position(variant)
    try:
        tags, tokens = divide(text)
        own = {name: tags.pop(name) for name in OWN_TAGS if name in tags}
        if "Variant" in own:
            position = Position(_variant(own["Variant"]))
        comments, end = _play_all(position, tokens)
        ending = _ending(position, end, own.get("Result"), own.get("Termination"))
    except RecordError as error:
        return GameReading(position, None, error)
    turns = tuple(played.turn for played in position.history)
    values = {name: value.text for name, value in tags.items()}
    record = GameRecord(turns, position.variant, ending, values, comments, text.line)
    return GameReading(position, record, None)


def _play_all(
    position: Position, tokens: list[Token]
) -> tuple[dict[int, tuple[str, ...]], Token | None]:
    """Make the turns; the comments by the number of turns before them, and the result."""
    comments: dict[int, list[str]] = {}
    end: Token | None = None
    waiting = tokens[::-1]
    while waiting:
        token = waiting.pop()
        if token.text.startswith("#"):
            if remark := _remark(token.text):
                comments.setdefault(position.turns, []).append(remark)
        elif end:
            raise token.error(f"expected nothing after {end.text}, found {quote(token.text)}")
        elif number := NUMBER.match(token.text):
            if int(number[1]) != position.turns + 1:
                raise token.error(f"expected the number {position.turns + 1}., found {number[0]}")
            if rest := token.text[number.end() :]:
                waiting.append(Token(rest, token.line, token.column + number.end()))
        elif ends_game(token.text):
            end = token
        elif token.text == "(":
            raise token.error("forced tiles stand behind the turn that forces them")
        else:
            _play(position, token, waiting)
    return {number: tuple(remarks) for number, remarks in comments.items()}, end


def _remark(text: str) -> str:
    """A comment's text without its sign; control characters in it count as blanks."""
    return "".join(char if one_line(char) else " " for char in text[1:]).strip()


def _variant(tag: Token) -> Variant:
    """The variant that a tag names."""
    try:
        return variant_named(tag.text)
    except ValueError as error:
        raise tag.error(str(error)) from None


def _play(position: Position, token: Token, waiting: list[Token]) -> None:
    """Make a turn, and compare with it the forced tiles that are listed behind it, if any are."""
    number, west, north = position.turns + 1, position.west, position.north
    try:
        played = position.play(read_turn(position, token.text))
    except NotationError as error:
        raise token.error(f"turn {number}: {error}", error.position) from error
    except TraxError as error:
        raise token.error(f"turn {number}: {error}") from error
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
    position: Position, end: Token | None, result: Token | None, reason: Token | None
) -> Ending | None:
    """How the game ended, from the board and from all that the record says; they have to agree."""
    if result and result.text not in SCORES:
        raise result.error(f"expected a result, {', '.join(SCORES)}, found {quote(result.text)}")
    if reason and reason.text not in REASONS:
        raise reason.error(f"expected one of {', '.join(REASONS)}, found {quote(reason.text)}")
    ending = ending_of(position)
    if ending is None and end and end.text.upper() in WORDS:
        word = WORDS[end.text.upper()]
        ending = Ending(None if word == "agreement" else position.to_move.other, word)
    stated = [token for token in (end, result) if token and token.text in SCORES]
    if ending is None:
        if not stated or stated[0].text == "*":
            _agree("*", stated)
            if reason:
                raise reason.error("there is a reason for the end, but the game is not finished")
            return None
        ending = _stated(stated[0].text, reason)
    elif end and end.text.upper() in WORDS and ending.on_the_board:
        raise end.error(f"expected nothing, or {ending.score}: {ending}; found {end.text!r}")
    _agree(ending.score, stated)
    if reason and reason.text != ending.reason:
        raise reason.error(f"expected {ending.reason!r}: {ending}; found {reason.text!r}")
    return ending


def _stated(score: str, reason: Token | None) -> Ending:
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


def _agree(score: str, stated: Iterable[Token]) -> None:
    """Refuse a result that contradicts what is known."""
    for token in stated:
        if token.text != score:
            raise token.error(f"expected the result {score}, found {token.text}")
