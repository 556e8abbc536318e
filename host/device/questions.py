"""Questions with answers of many parts: all of them have to come."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from loopline.game import Turn
from loopline.game.wire import Command
from loopline.host.device.answers import Answer, BoardPosition, Candidate, Candidates
from loopline.host.device.errors import AnswerError, CancelledError
from loopline.host.device.layout import Label, Row, Space, Summary, put_together
from loopline.host.device.session import Session

__all__ = ["cancelling", "candidates", "position"]

OnItem = Callable[[list[Answer]], None] | None

_TRIES: Final = 10
"""A part may be lost on its way. Then the whole is asked for again, and what came before counts."""


def candidates(session: Session, on_item: OnItem) -> list[Candidate]:
    """All turns whose first tile fits; :exc:`AnswerError` if some do not come."""
    found: dict[Turn, Candidate] = {}
    for _ in range(_TRIES):
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
    """The position; :exc:`AnswerError` if it does not come, or makes no sense."""
    rows: dict[int, Row] = {}
    spaces: dict[Label, Space] = {}
    for _ in range(_TRIES):
        items, last = session.obey(Command.POSITION, on_item=on_item)
        rows |= {item.row: item for item in items if isinstance(item, Row)}
        spaces |= {(item.column, item.row): item for item in items if isinstance(item, Space)}
        assert isinstance(last, Summary)
        game = session.game
        if game and (last.rules, last.turns) != (game.rules, len(game.turns)):
            # It was reset, or used by somebody else, and nobody has noticed yet.
            session.set_up()
            rows, spaces = {}, {}
        elif (len(rows), len(spaces)) == (last.rows, last.spaces):
            ordered = [rows[number] for number in sorted(rows)]
            return put_together(ordered, list(spaces.values()), last)
    raise AnswerError(
        f"{session.name} sends {len(rows)} rows and {len(spaces)} spaces, and says {last}"
    )


def cancelling(name: str, report: Callable[[int], object] | None) -> OnItem:
    """What is called for each part of an answer: ends it if the caller wants that."""
    if report is None:
        return None

    def take(items: list[Answer]) -> None:
        if report(len(items)) is True:
            raise CancelledError(f"the answer of {name} was cancelled")

    return take
