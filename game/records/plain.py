"""Records of games: one game per line, turns separated by blanks, ``#`` starts a comment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from loopline.game.errors import TraxError
from loopline.game.position import Position
from loopline.game.variant import Variant

__all__ = ["Record", "Replay", "play_game", "read_games", "replay"]


class Record(NamedTuple):
    """One game of a file: the number of its line, from 1, and its turns as they are written."""

    line: int
    turns: tuple[str, ...]


class Replay(NamedTuple):
    """A game replayed as far as it goes.

    ``error`` says what is wrong with the next turn, the one of number ``position.turns + 1``; none
    if the whole game could be made.
    """

    position: Position
    error: TraxError | None


def read_games(lines: Iterable[str]) -> Iterator[Record]:
    """The games in a text, such as an open file. Lines without a turn are passed over.

    Nothing is checked here: :func:`replay` says what is wrong with a turn.
    """
    for number, line in enumerate(lines, start=1):
        turns = tuple(line.partition("#")[0].split())
        if turns:
            yield Record(number, turns)


def play_game(
    turns: Iterable[str], variant: Variant | None = None, *, lines: bool = True
) -> Position:
    """The position after these turns; the variant is given as in :class:`Position`.

    Raises a :exc:`TraxError` at the first turn that cannot be read or is not legal.
    """
    position = Position(variant, lines=lines)
    for turn in turns:
        position.play(turn)
    return position


def replay(turns: Iterable[str], variant: Variant | None = None, *, lines: bool = True) -> Replay:
    """Make these turns up to the first that cannot be read or is not legal."""
    position = Position(variant, lines=lines)
    try:
        for turn in turns:
            position.play(turn)
    except TraxError as error:
        return Replay(position, error)
    return Replay(position, None)
