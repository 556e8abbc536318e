"""Players that are part of the program: no board, no other process, every variant."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from loopline.game import STANDARD, Colour, Position, Turn, Variant
from loopline.game.chain import Chain
from loopline.host.reference import Found, Limits, search
from loopline.host.trial_board import TrialBoard

__all__ = ["SOFTWARE", "GreedyPlayer", "RandomPlayer", "ReferencePlayer", "SoftwarePlayer"]

_CANDIDATES = 12
"""How many turns that do not lose the greedy player looks at for an attack."""

_SHARE = 0.8
"""How much of its time the reference player thinks at most; the rest is for a busy machine."""


class SoftwarePlayer(ABC):
    """What these players have in common. Each keeps no game: the position says it all.

    Parameters
    ----------
    seed : int or None
        With the same seed a player makes the same turns in all the games that it plays one after
        the other; none for turns that nobody can foretell.
    """

    kind = ""
    """The word that names this kind of player."""

    def __init__(self, seed: int | None = None) -> None:
        self.chance = random.Random(seed)
        self._seed = seed

    @property
    def name(self) -> str:
        """The kind of player, with the seed if it was given: ``random:7``."""
        return self.kind if self._seed is None else f"{self.kind}:{self._seed}"

    def start(
        self, colour: Colour, variant: Variant = STANDARD, opening: Sequence[Turn] = ()
    ) -> None:
        """Begin a new game."""

    def hear(self, turn: Turn) -> None:
        """Take note of the opponent's turn."""

    @abstractmethod
    def choose(self, position: Position, seconds: float | None = None) -> Turn:
        """Return the next turn."""

    def close(self) -> None:
        """Nothing to close."""


class RandomPlayer(SoftwarePlayer):
    """Makes any legal turn, each equally likely."""

    kind = "random"

    def choose(self, position: Position, seconds: float | None = None) -> Turn:
        """Return any legal turn, at once."""
        return self.chance.choice(position.legal_turns())


class GreedyPlayer(SoftwarePlayer):
    """Wins if it can, does not let the opponent win next if it can help it, and likes to attack.

    For an attack it looks at a dozen of the turns that do not lose, chosen by chance. A turn takes
    it some ten milliseconds.
    """

    kind = "greedy"

    def choose(self, position: Position, seconds: float | None = None) -> Turn:
        """Return a turn, whatever the time."""
        trial, mover = TrialBoard(position), position.to_move
        chains = trial.chains()
        self.chance.shuffle(chains)
        drawing: list[Chain] = []
        losing: list[Chain] = []
        for chain, completed in trial.completions(chains):
            winner = trial.winner(completed, mover)
            if winner is mover:
                return trial.turn(chain)
            (drawing if winner is None else losing).append(chain)
        ending = {chain.steps[0] for chain in drawing + losing}
        open_turns = [chain for chain in chains if chain.steps[0] not in ending]
        best = self._safe(trial, mover, open_turns) or [*drawing, *open_turns, *losing][0]
        return trial.turn(best)

    def _safe(self, trial: TrialBoard, mover: Colour, chains: list[Chain]) -> Chain | None:
        """A turn after which the opponent cannot win at once, with an attack if one is found."""
        safe: list[Chain] = []
        refutation = None
        for chain in chains:
            trial.lay(chain)
            wins = _wins(trial, mover, trial.again(refutation)) or _wins(
                trial, mover, trial.chains()
            )
            trial.lift(chain)
            if mover.other in wins:
                refutation = wins[mover.other]
                continue
            safe.append(chain)
            if mover in wins:
                return chain
            if len(safe) == _CANDIDATES:
                break
        return safe[0] if safe else None


def _wins(trial: TrialBoard, mover: Colour, chains: list[Chain]) -> dict[Colour, Chain]:
    """A winning turn for each colour that has one among these, as if it were to move.

    It ends with the first that wins for the opponent of ``mover``: nothing else matters then.
    """
    wins: dict[Colour, Chain] = {}
    for chain, completed in trial.completions(chains):
        for colour in (mover.other, mover):
            if trial.winner(completed, colour) is colour:
                wins[colour] = chain
        if mover.other in wins:
            break
    return wins


class ReferencePlayer(SoftwarePlayer):
    """Plays by the gateware's search; see :mod:`loopline.host.reference`."""

    kind = "reference"

    def choose(self, position: Position, seconds: float | None = None) -> Turn:
        """Return the best turn that is found well within this time."""
        return self.search(position, Limits(None if seconds is None else _SHARE * seconds)).turn

    def search(
        self,
        position: Position,
        limits: Limits,
        stopped: Callable[[], bool] = lambda: False,
        report: Callable[[Found], None] | None = None,
    ) -> Found:
        """Search as :func:`loopline.host.reference.search` does."""
        return search(position, self.chance, limits, stopped, report)


SOFTWARE: Final[Mapping[str, type[SoftwarePlayer]]] = {
    player.kind: player for player in (RandomPlayer, GreedyPlayer, ReferencePlayer)
}
"""These players by their kinds."""
