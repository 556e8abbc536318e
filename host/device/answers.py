"""What a device answers, as values with types.

The fields of these classes are those of the messages that :mod:`loopline.game.wire` defines, by the
same names; a test compares them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from loopline.game import Turn
from loopline.game.wire import (
    ANSWERS,
    POSITION_SPACE,
    Command,
    Completed,
    ErrorCode,
    GameFlag,
    PayloadError,
    TestPart,
    TurnStatus,
    Verdict,
    answer_code,
    item_code,
)
from loopline.host.device.errors import AnswerError
from loopline.host.device.identity import Counters, Identity
from loopline.host.device.layout import BoardPosition, Row, Space, Summary

__all__ = [
    "Answer",
    "Baud",
    "BoardPosition",
    "Candidate",
    "Candidates",
    "Counters",
    "GameState",
    "Identity",
    "Nothing",
    "Refusal",
    "Row",
    "SearchReport",
    "SelfTest",
    "Space",
    "Stopping",
    "Summary",
    "decode",
]


@dataclass(frozen=True, slots=True)
class GameState:
    """The game after a command that changes it.

    ``made`` turns were made, or taken back. If ``status`` is not ``LEGAL`` the next one was
    refused for this reason, and those after it were not looked at. ``tiles`` and ``completed`` are
    of the last turn that was made; ``state`` and ``turns`` of the whole game.
    """

    made: int
    status: TurnStatus
    tiles: int
    completed: Completed
    state: GameFlag
    turns: int

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return GameFlag.OVER in self.state


@dataclass(frozen=True, slots=True)
class Candidate:
    """A turn whose first tile fits: whether it is legal, and if so what comes of it."""

    turn: Turn
    status: TurnStatus
    tiles: int
    completed: Completed

    @property
    def legal(self) -> bool:
        """Whether it is legal, and fits into the board."""
        return self.status is TurnStatus.LEGAL


@dataclass(frozen=True, slots=True)
class Candidates:
    """The end of a list."""

    candidates: int
    legal: int


@dataclass(frozen=True, slots=True)
class SearchReport:
    """What a search has found so far, or in the end.

    ``score`` compares turns of one verdict. ``nodes`` turns were tried in ``cycles`` of the
    device's clock. ``variation`` is the best turn, and behind it the reply that refutes it if
    there is one.
    """

    verdict: Verdict
    score: int
    depth: int
    nodes: int
    cycles: int
    variation: tuple[Turn, ...]

    @property
    def turn(self) -> Turn | None:
        """The best turn; None if none was found."""
        return self.variation[0] if self.variation else None


@dataclass(frozen=True, slots=True)
class Stopping:
    """Whether there was a search to stop, 1 or 0."""

    searching: int


@dataclass(frozen=True, slots=True)
class SelfTest:
    """The parts of itself that a device has tested, and those that have failed."""

    parts: TestPart
    failed: TestPart


@dataclass(frozen=True, slots=True)
class Baud:
    """The clock cycles of a bit from now on."""

    bit_cycles: int


@dataclass(frozen=True, slots=True)
class Nothing:
    """Done; there is nothing to say."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A frame that was not obeyed."""

    error: ErrorCode
    command: int


Answer = (
    Identity
    | Counters
    | GameState
    | Candidate
    | Candidates
    | SearchReport
    | Stopping
    | Row
    | Space
    | Summary
    | SelfTest
    | Baud
    | Nothing
    | Refusal
)

CLASSES: Final[Mapping[int, Callable[..., Answer]]] = {
    answer_code(0): Refusal,
    answer_code(Command.IDENTIFY): Identity,
    answer_code(Command.STATISTICS): Counters,
    answer_code(Command.NEW_GAME): GameState,
    answer_code(Command.PLAY): GameState,
    answer_code(Command.TAKE_BACK): GameState,
    item_code(Command.LIST): Candidate,
    answer_code(Command.LIST): Candidates,
    item_code(Command.SEARCH): SearchReport,
    answer_code(Command.SEARCH): SearchReport,
    answer_code(Command.STOP): Stopping,
    item_code(Command.POSITION): Row,
    POSITION_SPACE: Space,
    answer_code(Command.POSITION): Summary,
    answer_code(Command.SELF_TEST): SelfTest,
    answer_code(Command.RESET): Nothing,
    answer_code(Command.SET_BAUD): Baud,
}
"""The class of each answer by its code."""


def decode(code: int, payload: bytes) -> Answer:
    """The answer that a frame carries. Raises :exc:`AnswerError` for anything that is none."""
    message = ANSWERS.get(code)
    if message is None:
        raise AnswerError(f"a frame with the code {code:#04x}, which no answer has")
    try:
        values: dict[str, Any] = message.unpack(payload)
        for field in message.fields:
            value = values[field.name]
            if field.values is not None:
                values[field.name] = field.values(value)
            elif field.kind == "turn" and value is None:
                raise ValueError(f"{field.name}: none")
        if message.repeated is not None:
            tail = tuple(values[message.repeated.name])
            if None in tail:
                raise ValueError(f"{message.repeated.name}: none")
            values[message.repeated.name] = tail
    except (PayloadError, ValueError) as error:
        raise AnswerError(f"no good answer {message.name}, {error}") from None
    return CLASSES[code](**values)
