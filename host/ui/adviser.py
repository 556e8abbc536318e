"""Hints for a person: what the engine would play."""

from __future__ import annotations

from typing import Final, NamedTuple

from loopline.game import Position, Turn
from loopline.host.errors import DeviceError, UsageError
from loopline.host.players.analyst import Analysis, Analyst
from loopline.host.transport.engine import ENGINE
from loopline.tools.extras import MissingExtraError

__all__ = ["Advice", "Adviser"]

_SECONDS: Final = 1.0
"""The time for a hint."""


class Advice(NamedTuple):
    """A proposal in words, and its turn; None if there is none."""

    text: str
    turn: Turn | None = None


class Adviser:
    """Proposes turns, whoever plays. The engine starts with the first hint. A context manager."""

    def __init__(self) -> None:
        self._analyst: Analyst | None = None
        self._failed = ""

    def propose(self, position: Position) -> str:
        """Return a sentence that proposes a turn in an open game, or says why there is none."""
        return self.advise(position).text

    def advise(self, position: Position) -> Advice:
        """Return the proposal for an open game, or why there is none."""
        turns = [played.turn for played in position.history]
        reason = self._failed
        if not self._failed:
            try:
                self._analyst = self._analyst or Analyst(ENGINE)
                found = self._analyst.analyse(turns, position.variant, seconds=_SECONDS, whole=True)
                return Advice(_sentence(found), found.turn)
            except UsageError as error:  # this position does not fit into it
                reason = str(error)
            except (DeviceError, MissingExtraError) as error:
                reason = self._failed = str(error)
                self.close()
        return Advice(f"The engine cannot help: {reason}.")

    def close(self) -> None:
        """End the engine, if it was started."""
        analyst, self._analyst = self._analyst, None
        if analyst:
            analyst.close()

    def __enter__(self) -> Adviser:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _sentence(found: Analysis) -> str:
    text = f"The engine proposes {found.turn}"
    if found.mate is not None:
        text += f" ({found.value})"
    elif found.depth:  # it plays the first turns without a search
        text += f" ({found.value} points, {found.depth} turns ahead)"
    rest = " ".join(map(str, found.line[1:]))
    return f"{text}, then {rest}." if rest else f"{text}."
