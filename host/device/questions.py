"""Questions with answers of many parts: all of them have to come."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from loopline.game.wire import Command
from loopline.host.device.answers import Answer, BoardPosition, Candidate, Candidates
from loopline.host.device.errors import AnswerError
from loopline.host.device.layout import Row, Space, Summary, put_together
from loopline.host.device.session import Session

__all__ = ["candidates", "position"]

OnItem = Callable[[list[Answer]], None] | None

_TRIES: Final = 10
"""A part may be lost on its way, and the whole is asked for again."""


def candidates(session: Session, on_item: OnItem) -> list[Candidate]:
    """All turns whose first tile fits; :exc:`AnswerError` if some do not come."""
    reason = ""
    for _ in range(_TRIES):
        items, last = session.obey(Command.LIST, on_item=on_item)
        found = [item for item in items if isinstance(item, Candidate)]
        assert isinstance(last, Candidates)
        legal = sum(candidate.legal for candidate in found)
        if (len(found), legal) == (last.candidates, last.legal):
            return found
        reason = f"lists {len(found)} turns, {legal} of them legal, and counts {last}"
    raise AnswerError(f"{session.name} {reason}")


def position(session: Session, on_item: OnItem) -> BoardPosition:
    """The position; :exc:`AnswerError` if it does not come, or makes no sense."""
    reason = ""
    for _ in range(_TRIES):
        items, last = session.obey(Command.POSITION, on_item=on_item)
        rows = [item for item in items if isinstance(item, Row)]
        spaces = [item for item in items if isinstance(item, Space)]
        assert isinstance(last, Summary)
        reason = f"sends {len(rows)} rows and {len(spaces)} spaces, and says {last}"
        game = session.game
        if game and (last.rules, last.turns) != (game.rules, len(game.turns)):
            # It was reset, or used by somebody else, and nobody has noticed yet.
            session.set_up()
        elif (len(rows), len(spaces)) == (last.rows, last.spaces):
            return put_together(rows, spaces, last)
    raise AnswerError(f"{session.name} {reason}")
