"""Commands of the framed link with their answers: one table for gateware, engine and host.

A step is a command, its argument, and its answer: the status of the first turn that is refused, or
``LEGAL``; or the error. :func:`run` works the rest of each answer out by the rules.
"""

from __future__ import annotations

import random
from typing import Any, Final, NamedTuple, Protocol

from loopline.game import (
    DELUXE,
    LIMITED,
    LOOP,
    MINI,
    STANDARD,
    IllegalTurnError,
    Position,
    Turn,
    Variant,
    limited,
    perft,
)
from loopline.game.wire import Command, ErrorCode, GameFlag, TurnStatus
from loopline.game.wire import TestPart as Part
from tests.hdl.core.unit.games import CROWDED, random_turns
from tests.hdl.frames.expected import (
    NO_LIMITS,
    check_list,
    check_position,
    error,
    game_answer,
    new_game,
    refusal,
    turns_of,
)

__all__ = ["CASES", "COUNT_CASES", "RANDOM_CASES", "Case", "Link", "Step", "run"]


class Link(Protocol):
    """A device that is asked by commands of the link.

    Attributes
    ----------
    largest : int
        The most columns and rows of a formation.
    """

    largest: int

    def do(self, command: Command, **values: Any) -> dict[str, Any]:
        """Send a command, and return its only answer, with its name as ``answer``."""

    def ask(self, command: Command, **values: Any) -> Any:
        """Send a command, and return what :meth:`answers` takes."""

    def answers(self, asked: Any, command: Command) -> Any:
        """Yield the names and values of all answers."""


class Step(NamedTuple):
    """A command, its argument (turns, or a number), and the status or error in its answer."""

    command: Command
    argument: str | int = ""
    answer: TurnStatus | ErrorCode = TurnStatus.LEGAL


class Case(NamedTuple):
    """Steps that follow each other on a device as after power-on."""

    name: str
    variant: Variant
    steps: tuple[Step, ...]


NEW, PLAY, BACK = Command.NEW_GAME, Command.PLAY, Command.TAKE_BACK
LIST, POSITION, SEARCH = Command.LIST, Command.POSITION, Command.SEARCH
COUNT = Command.COUNT
LOOPED: Final = "@0+ @1+ A0/ A3\\"
BOTH: Final = "@0+ B1+ A2\\ @1/ A0+ @1\\ B0+ C1\\"
"""A game whose last turn has forced plays and completes a loop of each colour."""
LINE: Final = "@0+ @1+ @1+ @1+ @1+ @1+ @1+ @1+"


def _refused(before: str, turn: str, status: TurnStatus) -> Case:
    steps = (Step(NEW, before), Step(PLAY, f"{turn} B1+", status), Step(POSITION), Step(LIST))
    return Case(f"{before} {turn} is refused", STANDARD, steps)


CASES: Final = (
    Case(
        "a whole game, and taken back",
        STANDARD,
        (
            Step(NEW),
            *(Step(PLAY, turn) for turn in LOOPED.split()),
            Step(POSITION),
            Step(PLAY, "B5+", TurnStatus.OVER),
            Step(BACK, 2),
            Step(LIST),
            Step(POSITION),
        ),
    ),
    _refused("@0+", "B2+", TurnStatus.MISMATCH),
    _refused("@0+", "A1+", TurnStatus.MISMATCH),
    _refused("@0+", "E1+", TurnStatus.OUTSIDE),
    _refused("@0+", "A3+", TurnStatus.OUTSIDE),
    _refused("", "@0\\", TurnStatus.MISMATCH),
    _refused(CROWDED, "B3\\", TurnStatus.FORCED),
    Case(
        "many turns in a frame, up to the first that is refused",
        STANDARD,
        (
            Step(NEW, "@0/ B1+ A2/"),
            Step(NEW, "@0/ B1+ A2/ Z9/ @0/ B1+", TurnStatus.OUTSIDE),
            Step(PLAY, "A0+ J9+", TurnStatus.OUTSIDE),
            Step(LIST),
        ),
    ),
    Case(
        "a game that has ended, by loops of both colours",
        STANDARD,
        (
            Step(NEW, BOTH),
            Step(PLAY, "A0/", TurnStatus.OVER),
            Step(LIST, "", ErrorCode.GAME_OVER),
            Step(SEARCH, "", ErrorCode.GAME_OVER),
            Step(POSITION),
            Step(BACK, 1),
            Step(SEARCH),
        ),
    ),
    Case(
        "no more turns are taken back than there are",
        STANDARD,
        (
            Step(NEW, "@0/ B1+ A2/"),
            Step(BACK, 4, ErrorCode.NOTHING),
            Step(BACK, 3),
            Step(BACK, 1, ErrorCode.NOTHING),
            Step(LIST),
        ),
    ),
    Case(
        "without a game",
        STANDARD,
        (
            Step(POSITION),
            Step(PLAY, "@0+", ErrorCode.NO_GAME),
            Step(BACK, 1, ErrorCode.NO_GAME),
            Step(LIST, "", ErrorCode.NO_GAME),
            Step(SEARCH, "", ErrorCode.NO_GAME),
            Step(NEW),
            Step(POSITION),
            Step(LIST),
            Step(SEARCH),
        ),
    ),
    Case(
        "a self-test drops the game",
        MINI,
        (
            Step(NEW, "@0+"),
            Step(Command.SELF_TEST),
            Step(Command.SELF_TEST),
            Step(LIST, "", ErrorCode.NO_GAME),
            Step(POSITION),
            Step(NEW, "@0/ B1+ A2/"),
            Step(LIST),
        ),
    ),
    Case(
        "a reset drops the game",
        STANDARD,
        (Step(NEW, "@0+"), Step(Command.RESET), Step(LIST, "", ErrorCode.NO_GAME), Step(POSITION)),
    ),
    Case(
        "a turn beyond the area",
        MINI,
        (Step(NEW, "@0+ @1+ @1+"), Step(PLAY, "@1+", TurnStatus.AREA), Step(LIST)),
    ),
    *(
        Case(f"a line in {variant}", variant, (Step(NEW, LINE), Step(POSITION)))
        for variant in (STANDARD, LIMITED, LOOP, DELUXE)
    ),
)
"""What a device says to commands."""


COUNT_CASES: Final = (
    Case(
        "sequences are counted, from the empty board, and behind turns that end the game",
        STANDARD,
        (
            Step(COUNT, 1, ErrorCode.NO_GAME),
            Step(NEW),
            *(Step(COUNT, depth) for depth in (1, 2, 3)),
            *(Step(PLAY, turn) for turn in LOOPED.split()[:-1]),
            *(Step(COUNT, depth) for depth in (1, 2, 3)),
            Step(POSITION),
            Step(PLAY, LOOPED.split()[-1]),
            Step(COUNT, 1, ErrorCode.GAME_OVER),
            Step(BACK, 1),
            Step(COUNT, 2),
            Step(LIST),
        ),
    ),
    Case(
        "sequences are counted in a limited area",
        MINI,
        (Step(NEW, "@0+ @1+ @1+"), *(Step(COUNT, depth) for depth in (1, 2, 3)), Step(POSITION)),
    ),
)
"""What a device says that counts."""


def _random_case(variant: Variant, seed: int) -> Case:
    """Return a random game with turns that mostly do not fit, and taken back several at a time."""
    choice = random.Random(seed)
    position, steps = Position(variant), [Step(NEW)]
    for turn in random_turns(seed + 10, most=14, limit=14, variant=variant):
        wrong = Turn(choice.randrange(7), choice.randrange(7), turn.shape)
        try:
            position.play(wrong)
        except IllegalTurnError as caught:
            steps.append(Step(PLAY, str(wrong), refusal(caught, wrong, position)))
        else:
            position.undo()
            steps += [Step(PLAY, str(wrong)), Step(BACK, 1)]
        position.play(turn)
        steps.append(Step(PLAY, str(turn)))
        if position.turns % 4 == 0 and not position.ending:
            steps += [Step(LIST), Step(POSITION), Step(COUNT, 1), Step(COUNT, 2)]
    steps.append(Step(POSITION))
    left = position.turns
    while left:
        count = min(left, choice.randint(1, 4))
        steps += [Step(BACK, count), Step(POSITION)]
        left -= count
    return Case(f"random {variant} {seed}", variant, (*steps, Step(LIST)))


RANDOM_CASES: Final = tuple(
    _random_case(variant, seed)
    for variant in (STANDARD, LIMITED, DELUXE, LOOP, MINI, limited(5))
    for seed in range(3)
)
"""Games of every variant, turn by turn and back."""


def run(case: Case, link: Link) -> None:
    """Have a device obey the steps of a case, and check each answer."""
    position: Position | None = None
    for step in case.steps:
        if isinstance(step.answer, ErrorCode):
            assert link.do(step.command, **_values(step)) == error(step.answer, step.command), step
            continue
        match step.command:
            case Command.NEW_GAME:
                position = Position(case.variant)
                _check_turns(link, step, position, new_game(link, str(step.argument), case.variant))
            case Command.PLAY:
                assert position
                _check_turns(link, step, position, link.do(PLAY, **_values(step)))
            case Command.TAKE_BACK:
                assert position
                for _ in range(int(step.argument)):
                    position.undo()
                assert link.do(BACK, **_values(step)) == game_answer(position, int(step.argument))
            case Command.LIST:
                assert position
                check_list(link, position)
            case Command.POSITION:
                if position:
                    check_position(link, position)
                else:
                    *_, (_, total) = link.answers(link.ask(POSITION), POSITION)
                    assert (total["state"], total["turns"], total["tiles"]) == (GameFlag(0), 0, 0)
            case Command.SEARCH:
                assert position
                limits = {**NO_LIMITS, "nodes": 50}
                *_, (name, best) = link.answers(link.ask(SEARCH, **limits), SEARCH)
                assert name == "BEST"
                assert position.is_legal(best["variation"][0])
            case Command.COUNT:
                assert position
                count = perft(position, int(step.argument))
                expected = {"answer": "COUNTED", "sequences": count, "beyond": 0}
                assert link.do(COUNT, **_values(step)) == expected
            case Command.SELF_TEST:
                position = None
                parts = Part.CLEARED | Part.TURNS | Part.UNMAKE
                expected = {"answer": "TESTED", "parts": parts, "failed": 0}
                assert link.do(Command.SELF_TEST) == expected
            case Command.RESET:
                position = None
                assert link.do(Command.RESET) == {"answer": "RESET"}
            case _:
                raise AssertionError(f"{step}: there is no rule for its answer")


def _values(step: Step) -> dict[str, Any]:
    """Return the fields of a command with an argument."""
    match step.command:
        case Command.PLAY:
            return {"turns": turns_of(str(step.argument))}
        case Command.TAKE_BACK:
            return {"count": step.argument}
        case Command.SEARCH:
            return NO_LIMITS
        case Command.COUNT:
            return {"depth": step.argument}
    return {}


def _check_turns(link: Link, step: Step, position: Position, answer: dict[str, Any]) -> None:
    """Make turns by the rules, and compare the answer and the status that the step states."""
    made, last, status = 0, None, TurnStatus.LEGAL
    for turn in turns_of(str(step.argument)):
        try:
            last = position.play(turn)
        except IllegalTurnError as caught:
            status = refusal(caught, turn, position)
            break
        made += 1
    assert status == step.answer, step
    assert answer == game_answer(position, made, last, status), step
