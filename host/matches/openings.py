"""Openings: the first turns of the games of a match, which neither player chooses.

Without them two deterministic programs would repeat one game, and a match would measure how well
its players know the first turns.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, Protocol

from loopline.game import (
    STANDARD,
    Position,
    RecordError,
    Turn,
    Variant,
    parse_game,
    position_hash,
    split_games,
)
from loopline.host.errors import UsageError
from loopline.host.records.record_file import OLDER_BYTES, bounded_lines
from loopline.host.referee.referee import TURN_LIMIT

__all__ = ["GeneratedOpenings", "GivenOpenings", "Openings", "is_balanced", "read_openings"]

Opening = tuple[Turn, ...]

_MOST_FAILURES: Final = 2_000
"""After so many lines in a row without a new opening, the openings count as complete."""


class Openings(Protocol):
    """Openings by number, from 0. After the last one the first follows again."""

    def __getitem__(self, number: int) -> Opening: ...


class GivenOpenings:
    """Openings from a list.

    Parameters
    ----------
    openings : sequence
        At least one; an opening without turns is the empty board.
    """

    def __init__(self, openings: Sequence[Opening] = ((),)) -> None:
        self._openings = tuple(openings)

    def __getitem__(self, number: int) -> Opening:
        """Return the opening of a number."""
        return self._openings[number % len(self._openings)]


class GeneratedOpenings:
    """Openings of random legal turns, generated on demand.

    The final positions are pairwise different, also after shifts, rotations, reflections and an
    exchange of colours. In none of them has a player won, or could a player of either colour win
    with the next turn. Their number is finite where the variant or the length allows no more.

    Parameters
    ----------
    shortest, longest : int
        The bounds of an opening's number of turns; all numbers between are equally likely.
    seed : int
        The same seed makes the same openings.
    variant : Variant
        What is played.

    Raises
    ------
    UsageError
        If there is no such opening.
    """

    def __init__(
        self, shortest: int = 4, longest: int = 6, seed: int = 1, variant: Variant = STANDARD
    ) -> None:
        self._found: list[Opening] = []
        self._seen: set[int] = set()
        self._lines = _random_lines(shortest, longest, seed, variant)
        self._complete = False
        if not self._extend():
            raise UsageError(
                f"in {variant} Trax no opening of {shortest} to {longest} turns leaves a game in "
                "which no player can win at once: use another number of turns"
            )

    def __getitem__(self, number: int) -> Opening:
        """Return the opening of a number."""
        while len(self._found) <= number and self._extend():
            pass
        return self._found[number % len(self._found)]

    def _extend(self) -> bool:
        """Find one more opening; return False if there is none."""
        if not self._complete:
            for position in islice(self._lines, _MOST_FAILURES):
                if position.ending:
                    continue
                form = position_hash(position)
                if form not in self._seen and is_balanced(position):
                    self._seen.add(form)
                    self._found.append(tuple(played.turn for played in position.history))
                    return True
            self._complete = True
        return False


def is_balanced(position: Position) -> bool:
    """Whether the game is open and neither player could win it with the next turn.

    A turn is legal for both players or for neither. It is therefore enough to make the turns of the
    player to move, and to check what they complete in either colour.
    """
    if position.ending:
        return False
    turns = position.legal_turns()
    for turn in turns:
        played = position.play(turn)
        position.undo()
        if played.loops or played.lines or played.ends_game:
            return False
    return True


def read_openings(path: Path, variant: Variant = STANDARD) -> list[Opening]:
    """Read openings from a file of records: each game is one opening, with all its turns.

    Raises
    ------
    UsageError
        If the file cannot be read or has no games, or if a game is of another variant, has ended or
        has as many turns as a game may have.
    """
    try:
        with path.open(encoding="utf-8-sig", errors=OLDER_BYTES) as file:
            texts = list(split_games(bounded_lines(file)))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    openings = []
    for text in texts:
        try:
            record = parse_game(text, variant)
        except RecordError as error:
            raise UsageError(f"{path}, {error}") from error
        if record.variant != variant:
            raise UsageError(
                f"{path}, line {record.line}: this game is {record.variant} Trax, not {variant}"
            )
        if ending := record.position().ending:
            raise UsageError(f"{path}, line {record.line}: {ending}: no game is left to play")
        if len(record.turns) >= TURN_LIMIT:
            raise UsageError(
                f"{path}, line {record.line}: an opening has less than {TURN_LIMIT} turns, with "
                f"which a game ends, not {len(record.turns)}"
            )
        openings.append(record.turns)
    if not openings:
        raise UsageError(f"{path} has no games to take openings from")
    return openings


def _random_lines(shortest: int, longest: int, seed: int, variant: Variant) -> Iterator[Position]:
    """Yield positions after random turns, without end; some games end early."""
    choice = random.Random(f"openings {seed}")
    while True:
        position = Position(variant)
        length = choice.randint(shortest, longest)
        while position.turns < length and not position.ending:
            position.play(choice.choice(position.legal_turns()))
        yield position
