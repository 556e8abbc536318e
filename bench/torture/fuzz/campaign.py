"""A fuzzer's work: bursts that reach something new are kept, and changed into others."""

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
"""From one power-on to the next: what one leaves behind, others meet."""


@dataclass(frozen=True)
class Failure:
    """What a board did wrong, and the least that has it do so from power-on on."""

    what: str
    bursts: list[Burst]


@dataclass
class Campaign:
    """Bursts until so many characters were sent.

    Attributes
    ----------
    board : Checked
        What is fuzzed.
    seed : object
        Decides everything.
    sent, bursts, cycles : int
        What there was so far: characters, bursts, clock cycles.
    corpus : list of Burst
        The bursts that have reached something new.
    interrupted : bool
        Whether Ctrl-C has ended it before.
    """

    board: Checked
    seed: object
    sent: int = 0
    bursts: int = 0
    cycles: int = 0
    corpus: list[Burst] = field(default_factory=list)
    interrupted: bool = False

    def run(self, octets: int, update: Callable[[], object] = lambda: None) -> Failure | None:
        """Go on until so many characters were sent, or to Ctrl-C; what went wrong, if anything."""
        try:
            return self._run(octets, update)
        except KeyboardInterrupt:
            self.interrupted = True
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
                    return self._failure(session, str(error))
                finally:
                    self.bursts += 1
                    self.sent += length_of(burst)
                if self.board.board.found > found:
                    self.corpus.append(burst)
                if self.sent >= octets:
                    break
            self.cycles += self.board.board.cycles
            update()
        return None

    def _next(self, chance: random.Random) -> Burst:
        if not self.corpus or chance.random() < 0.2:
            return random_burst(chance)
        # The latest have been tried least.
        recent = self.corpus[-64:] if chance.random() < 0.5 else self.corpus
        return mutate(chance, chance.choice(recent), chance.choice(self.corpus))

    def _failure(self, session: list[Burst], what: str) -> Failure:
        """The least that fails in this way, or as it was if it does not fail again."""
        self.cycles += self.board.board.cycles

        def again(bursts: list[Burst]) -> bool:
            found = fails(self.board, bursts)
            return _kind(found) == _kind(what)

        return Failure(what, shrink(session, again))


def fails(board: Checked, bursts: list[Burst]) -> str:
    """What goes wrong in these bursts, from power-on on; nothing if nothing does."""
    board.restart()
    try:
        for burst in bursts:
            board.run(burst)
    except FuzzError as error:
        return str(error)
    return ""


def _kind(what: str) -> str:
    """The beginning of what went wrong, without what is different from case to case."""
    return " ".join(what.split()[:3])
