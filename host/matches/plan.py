"""What is to be played: who meets whom, how often, and from which openings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

from loopline.game import STANDARD, Variant
from loopline.host.clock import CONTEST, Clock
from loopline.host.matches.openings import GivenOpenings, Openings
from loopline.host.matches.pairs import PairTask

__all__ = ["EXCLUSIVE", "Plan", "gauntlet", "is_exclusive", "names_of", "round_robin"]

Pairing = tuple[int, int]

_SHAREABLE: Final = ("sim", "model", "cmd", "tcp", "random", "greedy", "reference")

EXCLUSIVE: Final = "a serial port, tcp-listen and human"
"""The players that can be in one game at a time, for messages."""


def is_exclusive(spec: str) -> bool:
    """Whether a player can be in one game at a time, and on this machine only."""
    return spec.partition(":")[0] not in _SHAREABLE


def round_robin(players: int) -> tuple[Pairing, ...]:
    """Everybody against everybody, by the players' numbers from 0."""
    return tuple(combinations(range(players), 2))


def gauntlet(players: int) -> tuple[Pairing, ...]:
    """The first player against each of the others."""
    return tuple((0, other) for other in range(1, players))


def names_of(specs: Sequence[str], names: Sequence[str] = ()) -> tuple[str, ...]:
    """What to call the players: the names given, or their specs; equal ones get a number."""
    chosen: list[str] = []
    for name in [*names, *specs[len(names) :]]:
        number, unique = 1, name
        while unique in chosen:
            number += 1
            unique = f"{name} ({number})"
        chosen.append(unique)
    return tuple(chosen)


@dataclass(frozen=True)
class Plan:
    """A match of two players or a tournament of more.

    Parameters
    ----------
    specs, names : tuple of str
        The players as the command line names them, and as people do.
    pairings : tuple
        Who meets whom, by number; in every round each pairing plays a pair of games.
    rounds : int
        How many.
    openings : Openings
        From which each round begins, the same for all its pairings.
    variant : Variant
        What is played.
    clock : Clock
        The time that the players have.
    seed : int
        Of all that is random.
    """

    specs: tuple[str, ...]
    names: tuple[str, ...]
    pairings: tuple[Pairing, ...]
    rounds: int
    openings: Openings = field(default_factory=GivenOpenings)
    variant: Variant = STANDARD
    clock: Clock = CONTEST
    seed: int = 1

    @property
    def pairs(self) -> int:
        """How many pairs of games there are to play."""
        return self.rounds * len(self.pairings)

    @property
    def exclusive(self) -> bool:
        """Whether only one game can be played at a time, on this machine."""
        return any(is_exclusive(spec) for spec in self.specs)

    def place(self, number: int) -> tuple[int, Pairing]:
        """The round, from 1, and the players of the pair of a number, from 1."""
        played, place = divmod(number - 1, len(self.pairings))
        return played + 1, self.pairings[place]

    def task(self, number: int) -> PairTask:
        """The pair of a number, from 1."""
        round_, (a, b) = self.place(number)
        return PairTask(
            number=number,
            players=(a, b),
            specs=(self.specs[a], self.specs[b]),
            opening=tuple(map(str, self.openings[round_ - 1])),
            variant=self.variant,
            clock=self.clock,
            seed=self.seed,
        )
