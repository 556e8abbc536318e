"""The fuzzing loop: bursts that reach a new state are kept and mutated."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from loopline.bench.torture.fuzz.check import Checked, FuzzError
from loopline.bench.torture.fuzz.events import Burst, length_of
from loopline.bench.torture.fuzz.recipes import mutate, random_burst
from loopline.bench.torture.fuzz.shrink import shrink

__all__ = ["Campaign", "Failure", "fails"]

_BURSTS = 16
"""Bursts from one power-on to the next, so that a burst meets what others have left behind."""


@dataclass(frozen=True)
class Failure:
    """What a board did wrong, and the fewest bursts after power-on that make it do so."""

    what: str
    bursts: list[Burst]


@dataclass
class Campaign:
    """Run bursts: random ones, and mutations of those that reached something new.

    The ``seed`` decides all random choices. ``sent``, ``bursts`` and ``cycles`` count characters,
    bursts and clock cycles so far. The ``corpus`` holds the bursts that have reached something
    new. ``interrupted`` says whether Ctrl-C ended the run.
    """

    board: Checked
    seed: object
    sent: int = 0
    bursts: int = 0
    cycles: int = 0
    corpus: list[Burst] = field(default_factory=list)
    interrupted: bool = False

    def run(self, octets: int, update: Callable[[], object] = lambda: None) -> Failure | None:
        """Run until ``octets`` characters were sent, or until Ctrl-C; return a failure, or None.

        ``update`` is called after each burst, and before each try to reduce a failure; it may
        raise ``KeyboardInterrupt``, too.
        """
        try:
            return self._run(octets, update)
        except KeyboardInterrupt:
            self.interrupted = True
            self.cycles += self.board.board.cycles
            return None

    def _run(self, octets: int, update: Callable[[], object]) -> Failure | None:
        chance = random.Random(str(self.seed))
        while self.sent < octets:
            self.board.restart()
            session: list[Burst] = []
            for _ in range(_BURSTS):
                burst = self._next(chance)
                session.append(burst)
                found = self.board.board.found
                try:
                    self.board.run(burst)
                except FuzzError as error:
                    return self._failure(session, str(error), update)
                finally:
                    self.bursts += 1
                    self.sent += length_of(burst)
                if self.board.board.found > found:
                    self.corpus.append(burst)
                update()
                if self.sent >= octets:
                    break
            self.cycles += self.board.board.cycles
        return None

    def _next(self, chance: random.Random) -> Burst:
        if not self.corpus or chance.random() < 0.2:
            return random_burst(chance)
        # The latest have been tried least.
        recent = self.corpus[-64:] if chance.random() < 0.5 else self.corpus
        return mutate(chance, chance.choice(recent), chance.choice(self.corpus))

    def _failure(self, session: list[Burst], what: str, update: Callable[[], object]) -> Failure:
        """Return the failure, reduced as far as Ctrl-C allows; the session as it was if it does
        not fail again."""
        self.cycles += self.board.board.cycles
        least = session

        def again(bursts: list[Burst]) -> bool:
            nonlocal least
            update()
            if _kind(fails(self.board, bursts)) != _kind(what):
                return False
            least = bursts
            return True

        try:
            return Failure(what, shrink(session, again))
        except KeyboardInterrupt:
            self.interrupted = True
            return Failure(what, least)


def fails(board: Checked, bursts: list[Burst]) -> str:
    """Run bursts after power-on; return what went wrong, or an empty text."""
    board.restart()
    try:
        for burst in bursts:
            board.run(burst)
    except FuzzError as error:
        return str(error)
    return ""


def _kind(what: str) -> str:
    """Return the first words of an error, which are the same for all errors of a kind."""
    return " ".join(what.split()[:3])
