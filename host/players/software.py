"""Players in this process, for every variant: random and greedy."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Final

from loopline.game import STANDARD, Colour, Position, Turn, Variant
from loopline.game.chain import Chain
from loopline.game.grid import STEPS
from loopline.host.players.trial_board import TrialBoard

__all__ = ["SOFTWARE", "GreedyPlayer", "RandomPlayer", "SoftwarePlayer"]

_CANDIDATES = 12
"""The number of turns that the greedy player checks for an attack."""

_NEIGHBOURS: Final = frozenset(step >> 2 for step in STEPS)
"""The differences between the keys of spaces that touch, without their two lowest bits."""


class SoftwarePlayer:
    """The base of these players. They keep no state of a game: a position has all of it.

    Parameters
    ----------
    seed : int or None
        Players of the same seed make the same turns in the same sequence of games. None: a random
        seed.
    """

    kind = ""
    """The name of this kind of player in a spec."""

    def __init__(self, seed: int | None = None) -> None:
        self.chance = random.Random(seed)
        self._seed = seed

    @property
    def name(self) -> str:
        """The kind of player, with the seed if there is one: ``random:7``."""
        return self.kind if self._seed is None else f"{self.kind}:{self._seed}"

    def start(
        self, colour: Colour, variant: Variant = STANDARD, opening: Sequence[Turn] = ()
    ) -> None:
        """Begin a new game."""

    def hear(self, turn: Turn) -> None:
        """Take note of the opponent's turn."""

    def choose(self, position: Position, seconds: float | None = None) -> Turn:
        """Return the next turn."""
        raise NotImplementedError(self.kind)

    def close(self) -> None:
        """Do nothing."""


class RandomPlayer(SoftwarePlayer):
    """Makes random legal turns, all equally likely."""

    kind = "random"

    def choose(self, position: Position, seconds: float | None = None) -> Turn:
        """Return a random legal turn."""
        return self.chance.choice(position.legal_turns())


class GreedyPlayer(SoftwarePlayer):
    """Wins if it can, avoids turns after which the opponent can win, and prefers attacks.

    It checks a dozen random turns for attacks: own tracks with both ends in neighbouring spaces. A
    turn takes a few milliseconds.
    """

    kind = "greedy"

    def choose(self, position: Position, seconds: float | None = None) -> Turn:
        """Return a turn; the time limit is ignored."""
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
        quiet = [chain for chain in chains if chain.steps[0] not in ending]
        # Attacks first. The sort is stable: the rest of the order stays random.
        quiet[:_CANDIDATES] = sorted(
            quiet[:_CANDIDATES], key=lambda chain: not _attacks(trial, chain, mover)
        )
        best = _first_safe(trial, quiet, mover) or [*drawing, *quiet, *losing][0]
        return trial.turn(best)


def _attacks(trial: TrialBoard, chain: Chain, mover: Colour) -> bool:
    """Whether a turn leaves its player a track whose ends are in neighbouring spaces."""
    trial.lay(chain)
    found = any(
        colour is mover and (other >> 2) - (one >> 2) in _NEIGHBOURS
        for colour, one, other in trial.board.open_tracks()
    )
    trial.lift(chain)
    return found


def _first_safe(trial: TrialBoard, chains: list[Chain], mover: Colour) -> Chain | None:
    """Return the first of these turns after which the opponent cannot win at once."""
    opponent = mover.other
    # The reply that refuted one turn most likely refutes the next one, too: it is tried first.
    refutation: Chain | None = None
    for chain in chains:
        trial.lay(chain)
        reply = trial.winning(trial.again(refutation), opponent) or trial.winning(
            trial.chains(), opponent
        )
        trial.lift(chain)
        if reply is None:
            return chain
        refutation = reply
    return None


SOFTWARE: Final[Mapping[str, type[SoftwarePlayer]]] = {
    player.kind: player for player in (RandomPlayer, GreedyPlayer)
}
"""These players by their kinds."""
