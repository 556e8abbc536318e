"""Players that are part of the program: no board, no other process, every variant."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from loopline.game import STANDARD, Colour, Position, Turn, Variant
from loopline.game.chain import Chain
from loopline.game.grid import STEPS
from loopline.host.players.reference import Found, Limits, search
from loopline.host.players.trial_board import TrialBoard

__all__ = ["SOFTWARE", "GreedyPlayer", "RandomPlayer", "ReferencePlayer", "SoftwarePlayer"]

_CANDIDATES = 12
"""How many turns the greedy player looks at for an attack."""

_NEIGHBOURS: Final = frozenset(step >> 2 for step in STEPS)
"""The differences between the keys of spaces that touch, without their two lowest bits."""

_SHARE = 0.8
"""How much of its time the reference player thinks at most; the rest is for a busy machine."""


class SoftwarePlayer:
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

    def choose(self, position: Position, seconds: float | None = None) -> Turn:
        """Return the next turn."""
        raise NotImplementedError(self.kind)

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

    It looks for an attack among a dozen turns that chance picks, and takes for one any own track
    whose ends are in neighbouring spaces. A turn takes it a few milliseconds.
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
        quiet = [chain for chain in chains if chain.steps[0] not in ending]
        # Sorting leaves the order of chance among those that do, and among those that do not.
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
    """The first of these turns after which the opponent cannot win at once."""
    opponent = mover.other
    # The reply that refuted one turn most likely refutes the next one, too.
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


class ReferencePlayer(SoftwarePlayer):
    """Plays by the gateware's search; see :mod:`loopline.host.players.reference`."""

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
        """Search as :func:`loopline.host.players.reference.search` does."""
        return search(position, self.chance, limits, stopped, report)


SOFTWARE: Final[Mapping[str, type[SoftwarePlayer]]] = {
    player.kind: player for player in (RandomPlayer, GreedyPlayer, ReferencePlayer)
}
"""These players by their kinds."""
