"""Beginning, playing and taking back on a device, with the record of the game kept in step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from loopline.game import Turn, parse_turn
from loopline.game.wire import COMMANDS, Command, RuleFlag, TurnStatus
from loopline.host.device.answers import GameState
from loopline.host.device.errors import AnswerError
from loopline.host.device.session import TURNS_IN_NEW_GAME, TURNS_IN_PLAY, Game, Session
from loopline.host.errors import UsageError

__all__ = ["begin", "play", "read_turns", "take_back"]

_TRIES: Final = 3
_MOST_LABEL: Final = 0x3F


def read_turns(turns: Sequence[Turn | str]) -> list[Turn]:
    """The turns, read where they are text.

    Raises UsageError for one that no frame can hold; NotationError for one that cannot be read.
    """
    read = [parse_turn(turn) if isinstance(turn, str) else turn for turn in turns]
    for turn in read:
        if not (0 <= turn.column <= _MOST_LABEL and 0 <= turn.row <= _MOST_LABEL):
            raise UsageError(f"{turn} is beyond column and row {_MOST_LABEL}: no board is as large")
    return read


def begin(session: Session, area: int, rules: RuleFlag, turns: Sequence[Turn]) -> GameState:
    """Begin a game by these rules, with these turns."""
    # Of the game before nothing is to be set up again.
    session.game = None
    first = turns[:TURNS_IN_NEW_GAME]
    payload = COMMANDS[Command.NEW_GAME].pack(area=area, rules=rules, turns=first)
    _, state = session.obey(Command.NEW_GAME, payload)
    assert isinstance(state, GameState)
    if state.made > len(first) or state.turns != state.made:
        raise AnswerError(f"{session.name} begins a game with {state.turns} turns")
    session.game = Game(area, rules, list(first[: state.made]))
    rest = turns[TURNS_IN_NEW_GAME:]
    return _and_then(session, state, rest) if rest and not _is_refused(state) else state


def play(session: Session, turns: Sequence[Turn]) -> GameState:
    """Make turns, one or more, up to the first that is refused."""
    part = turns[:TURNS_IN_PLAY]
    state = _change(session, Command.PLAY, COMMANDS[Command.PLAY].pack(turns=part), 1, len(part))
    if session.game:
        session.game.turns += part[: state.made]
    rest = turns[TURNS_IN_PLAY:]
    return _and_then(session, state, rest) if rest and not _is_refused(state) else state


def take_back(session: Session, count: int) -> GameState:
    """Take turns back."""
    payload = COMMANDS[Command.TAKE_BACK].pack(count=count)
    state = _change(session, Command.TAKE_BACK, payload, -1, count)
    if session.game:
        del session.game.turns[len(session.game.turns) - state.made :]
    return state


def _and_then(session: Session, state: GameState, rest: Sequence[Turn]) -> GameState:
    """Make more turns, and say what has become of all of them together."""
    last = play(session, rest)
    if not last.made:
        last = replace(last, tiles=state.tiles, completed=state.completed)
    return replace(last, made=state.made + last.made)


def _is_refused(state: GameState) -> bool:
    return state.status is not TurnStatus.LEGAL


def _change(session: Session, command: Command, payload: bytes, sign: int, most: int) -> GameState:
    """Have a command obeyed in the game of our record, and in no other."""
    for _ in range(_TRIES):
        _, state = session.obey(command, payload)
        assert isinstance(state, GameState)
        before = len(session.game.turns) if session.game else state.turns - sign * state.made
        if state.turns == before + sign * state.made and state.made <= most:
            return state
        # The device has another game: it was reset, or used by somebody else.
        session.set_up()
    raise AnswerError(f"{session.name} has another game than the one that was begun there")
