"""Games on a device, with the session's record of them; its lists and positions, complete."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from loopline.game import Turn, parse_turn
from loopline.game.wire import COMMANDS, Command, RuleFlag, TurnStatus
from loopline.host.device.answers import Answer, BoardPosition, Candidate, Candidates, GameState
from loopline.host.device.errors import AnswerError, CancelledError
from loopline.host.device.layout import Label, Row, Space, Summary, put_together
from loopline.host.device.session import TURNS_IN_NEW_GAME, TURNS_IN_PLAY, Game, Session
from loopline.host.errors import UsageError

__all__ = ["begin", "cancelling", "candidates", "play", "position", "read_turns", "take_back"]

OnItem = Callable[[list[Answer]], None] | None

_TRIES: Final = 3
_LIST_TRIES: Final = 10
"""If a part is lost, the whole is asked for again; the parts that came before are kept."""
_MOST_LABEL: Final = 0x3F


def read_turns(turns: Sequence[Turn | str]) -> list[Turn]:
    """Return turns, reading those that are text.

    Raises :exc:`UsageError` for a turn that no frame can hold, and :exc:`NotationError` for a text
    that is no turn.
    """
    read = [parse_turn(turn) if isinstance(turn, str) else turn for turn in turns]
    for turn in read:
        if not (0 <= turn.column <= _MOST_LABEL and 0 <= turn.row <= _MOST_LABEL):
            raise UsageError(f"{turn} is beyond column and row {_MOST_LABEL}: no board is as large")
    return read


def begin(session: Session, area: int, rules: RuleFlag, turns: Sequence[Turn]) -> GameState:
    """Begin a game with these rules and turns."""
    # The game before is not set up again.
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
    """Make one or more turns, up to the first that is refused."""
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
    """Make more turns, and return the outcome of all of them together."""
    last = play(session, rest)
    if not last.made:
        last = replace(last, tiles=state.tiles, completed=state.completed)
    return replace(last, made=state.made + last.made)


def _is_refused(state: GameState) -> bool:
    return state.status is not TurnStatus.LEGAL


def _change(session: Session, command: Command, payload: bytes, sign: int, most: int) -> GameState:
    """Have a command obeyed in the game of the session's record, and in no other.

    The number of turns tells them apart: another program's game with as many turns is not noticed.
    """
    for _ in range(_TRIES):
        _, state = session.obey(command, payload)
        assert isinstance(state, GameState)
        before = len(session.game.turns) if session.game else state.turns - sign * state.made
        if state.turns == before + sign * state.made and state.made <= most:
            return state
        # The device has another game: it was reset, or used by another program.
        session.set_up()
    raise AnswerError(f"{session.name} has another game than the one that was begun there")


def candidates(session: Session, on_item: OnItem) -> list[Candidate]:
    """Return all turns whose first tile fits. Raises :exc:`AnswerError` if some do not come."""
    found: dict[Turn, Candidate] = {}
    for _ in range(_LIST_TRIES):
        items, last = session.obey(Command.LIST, on_item=on_item)
        found |= {item.turn: item for item in items if isinstance(item, Candidate)}
        assert isinstance(last, Candidates)
        legal = sum(candidate.legal for candidate in found.values())
        if (len(found), legal) == (last.candidates, last.legal):
            return list(found.values())
    raise AnswerError(
        f"{session.name} lists {len(found)} turns, {legal} of them legal, and says {last}"
    )


def position(session: Session, on_item: OnItem) -> BoardPosition:
    """Return the position. Raises :exc:`AnswerError` if parts are missing, or contradict others."""
    rows: dict[int, Row] = {}
    spaces: dict[Label, Space] = {}
    for _ in range(_LIST_TRIES):
        items, last = session.obey(Command.POSITION, on_item=on_item)
        rows |= {item.row: item for item in items if isinstance(item, Row)}
        spaces |= {(item.column, item.row): item for item in items if isinstance(item, Space)}
        assert isinstance(last, Summary)
        game = session.game
        if game and (last.rules, last.turns) != (game.rules, len(game.turns)):
            # The device was reset, or used by another program.
            session.set_up()
            rows, spaces = {}, {}
        elif (len(rows), len(spaces)) == (last.rows, last.spaces):
            ordered = [rows[number] for number in sorted(rows)]
            return put_together(ordered, list(spaces.values()), last)
    raise AnswerError(
        f"{session.name} sends {len(rows)} rows and {len(spaces)} spaces, and says {last}"
    )


def cancelling(name: str, report: Callable[[int], object] | None) -> OnItem:
    """Return a function for each part of an answer, which cancels it if ``report`` returns True."""
    if report is None:
        return None

    def take(items: list[Answer]) -> None:
        if report(len(items)) is True:
            raise CancelledError(f"the answer of {name} was cancelled")

    return take
