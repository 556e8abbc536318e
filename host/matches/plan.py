"""The games of a match or tournament: pairings, rounds and openings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

from loopline.game import STANDARD, Variant
from loopline.host.clock import CONTEST, Clock
from loopline.host.device.endpoint import split_devices
from loopline.host.matches.openings import GivenOpenings, Openings
from loopline.host.matches.pairs import PairTask

__all__ = ["EXCLUSIVE", "Plan", "gauntlet", "is_exclusive", "names_of", "round_robin"]

Pairing = tuple[int, int]

_SHAREABLE: Final = ("sim", "engine", "cmd", "tcp", "random", "greedy")

EXCLUSIVE: Final = "a serial port, tcp-listen and human"
"""Players that can play only one game at a time, for messages."""


def is_exclusive(spec: str) -> bool:
    """Whether a player can play only one game at a time, and only on this machine."""
    return any(name.partition(":")[0] not in _SHAREABLE for name in split_devices(spec))


def round_robin(players: int) -> tuple[Pairing, ...]:
    """Return the pairings of each player with each other one, by numbers from 0."""
    return tuple(combinations(range(players), 2))


def gauntlet(players: int) -> tuple[Pairing, ...]:
    """Return the pairings of the first player with each other one."""
    return tuple((0, other) for other in range(1, players))


def names_of(specs: Sequence[str], names: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the players' names: those given, or their specs; equal ones get a number."""
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
    """The games of a match of two players, or of a tournament of more.

    Parameters
    ----------
    specs, names : tuple of str
        The players as the command line names them, and as tables do.
    pairings : tuple
        Pairs of players' numbers; in each round each pairing plays a pair of games.
    rounds : int
        The number of rounds.
    openings : Openings
        One opening per round, for all its pairings.
    variant : Variant
        The variant of all games.
    clock : Clock
        The clock of all games.
    seed : int
        The seed of all that is random.
    start : float | None
        The seconds until a program answers ``-T``; None: the usual ones.
    """

    specs: tuple[str, ...]
    names: tuple[str, ...]
    pairings: tuple[Pairing, ...]
    rounds: int
    openings: Openings = field(default_factory=GivenOpenings)
    variant: Variant = STANDARD
    clock: Clock = CONTEST
    seed: int = 1
    start: float | None = None

    @property
    def pairs(self) -> int:
        """The number of pairs of games."""
        return self.rounds * len(self.pairings)

    @property
    def exclusive(self) -> bool:
        """Whether only one game can be played at a time, and only on this machine."""
        return any(is_exclusive(spec) for spec in self.specs)

    def place(self, number: int) -> tuple[int, Pairing]:
        """Return the round and the players of a pair; rounds and pairs count from 1."""
        played, place = divmod(number - 1, len(self.pairings))
        return played + 1, self.pairings[place]

    def task(self, number: int) -> PairTask:
        """Return the pair of a number, from 1."""
        round_, (a, b) = self.place(number)
        return PairTask(
            number=number,
            players=(a, b),
            specs=(self.specs[a], self.specs[b]),
            opening=tuple(map(str, self.openings[round_ - 1])),
            variant=self.variant,
            clock=self.clock,
            seed=self.seed,
            start=self.start,
            names=(self.names[a], self.names[b]),
        )
