"""The answers of a device, as values with types.

The fields of these classes are those of the messages that :mod:`loopline.game.wire` defines, by the
same names; a test compares them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from loopline.game import VARIANTS, Turn, Variant, limited
from loopline.game.wire import (
    ANSWERS,
    POSITION_SPACE,
    Command,
    Completed,
    ErrorCode,
    Feature,
    GameFlag,
    PayloadError,
    RuleFlag,
    TestPart,
    TurnStatus,
    Verdict,
    answer_code,
    area_and_flags,
    item_code,
)
from loopline.host.device.errors import AnswerError
from loopline.host.device.layout import BoardPosition, Row, Space, Summary

__all__ = [
    "Answer",
    "Baud",
    "BoardPosition",
    "Candidate",
    "Candidates",
    "Counted",
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
class Identity:
    """The identity of a device, in the order of the message; ``loopline info`` shows it."""

    magic: str
    protocol: int
    name: str
    build: int
    grid: int
    lanes: int
    clock: int
    bit_cycles: int
    baud: int
    area: int
    rules: RuleFlag
    code: str
    depth: int
    features: Feature
    history: int

    @property
    def largest(self) -> int:
        """The most columns, and the most rows, of a formation."""
        return self.grid - 2

    @property
    def commit(self) -> str:
        """The first eight digits of the commit that the device was built from; empty if unknown."""
        return f"{self.build:08x}" if self.build else ""

    @property
    def variant(self) -> Variant | None:
        """The variant of its contest games; None if it has no name."""
        known = [*VARIANTS.values(), *([limited(self.area)] if self.area else [])]
        rules = (self.area, self.rules)
        return next((variant for variant in known if area_and_flags(variant) == rules), None)


@dataclass(frozen=True, slots=True)
class Counters:
    """The counters of a device since power-on, modulo 2³²; see docs/link.md."""

    bytes_received: int
    bytes_sent: int
    frames_received: int
    frames_sent: int
    frames_damaged: int
    frames_malformed: int
    frames_cut: int
    frames_lost: int
    repeats: int
    framing_errors: int
    overruns: int
    lines_received: int
    lines_noise: int
    lines_refused: int
    restarts: int


@dataclass(frozen=True, slots=True)
class GameState:
    """The game after a command that changes it.

    Attributes
    ----------
    made : int
        The number of turns that were made, or taken back.
    status : TurnStatus
        The reason for which the next turn was refused, or ``LEGAL``. Later turns are ignored.
    tiles, completed
        Of the last turn that was made.
    state, turns
        Of the whole game.
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
    """A turn whose first tile fits: whether it is legal, and its outcome if it is."""

    turn: Turn
    status: TurnStatus
    tiles: int
    completed: Completed

    @property
    def legal(self) -> bool:
        """Whether the turn is legal and fits into the device."""
        return self.status is TurnStatus.LEGAL


@dataclass(frozen=True, slots=True)
class Candidates:
    """The end of a list: the number of candidates, and of legal ones."""

    candidates: int
    legal: int


@dataclass(frozen=True, slots=True)
class SearchReport:
    """The result of a search, or of its iterations so far.

    Attributes
    ----------
    verdict : Verdict
        What is known of the best turn.
    score : int
        Points, to compare turns of one verdict; see ``WIN_SCORE`` in :mod:`loopline.game.wire`.
    depth, nodes, cycles : int
        Turns looked ahead; turns searched; cycles of the device's clock.
    variation : tuple of Turn
        The best turn and the best ones after it; empty if there is none.
    """

    verdict: Verdict
    score: int
    depth: int
    nodes: int
    cycles: int
    variation: tuple[Turn, ...]

    @property
    def turn(self) -> Turn | None:
        """The best turn, or None."""
        return self.variation[0] if self.variation else None


@dataclass(frozen=True, slots=True)
class Stopping:
    """Whether a search was under way, 1 or 0."""

    searching: int


@dataclass(frozen=True, slots=True)
class SelfTest:
    """The parts of the device that were tested, and those that failed."""

    parts: TestPart
    failed: TestPart


@dataclass(frozen=True, slots=True)
class Baud:
    """The new number of clock cycles per bit."""

    bit_cycles: int


@dataclass(frozen=True, slots=True)
class Counted:
    """The number of sequences of legal turns; and 1 if turns that do not fit are left out."""

    sequences: int
    beyond: int


@dataclass(frozen=True, slots=True)
class Nothing:
    """An answer without content."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal of a frame: the reason, and the frame's code."""

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
    | Counted
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
    answer_code(Command.COUNT): Counted,
}
"""The class of each answer by its code."""


def decode(code: int, payload: bytes) -> Answer:
    """Return the answer in a frame. Raises :exc:`AnswerError` if the frame has none."""
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
