"""The standing of a match: points of the players, endings of games, faults."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from loopline.game import Colour, EndReason
from loopline.host.matches.elo import Pentanomial
from loopline.host.matches.pairs import GameResult, PairResult

__all__ = ["Standing", "Tally"]


@dataclass
class Tally:
    """The games of one player.

    Attributes
    ----------
    won, drawn, lost : int
        Numbers of games.
    faults : Counter
        Games lost by a fault, by reason.
    slowest : float
        The longest time for a turn, in seconds.
    """

    won: int = 0
    drawn: int = 0
    lost: int = 0
    faults: Counter[EndReason] = field(default_factory=Counter)
    slowest: float = 0.0

    @property
    def games(self) -> int:
        """The number of all games."""
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """1 for a win, ½ for a draw."""
        return self.won + self.drawn / 2


class Standing:
    """The sum of all pairs so far.

    Parameters
    ----------
    players : int
        The number of players.

    Attributes
    ----------
    tallies : list of Tally
        One per player.
    pairings : dict
        The counts of pairs of each pairing that has played, by the two players' numbers.
    colours : Counter
        Games by the colour that won; None counts draws.
    reasons : Counter
        Games by the reason of their ending.
    turns : int
        The turns of all games, openings included.
    """

    def __init__(self, players: int) -> None:
        self.tallies = [Tally() for _ in range(players)]
        self.pairings: dict[tuple[int, int], Pentanomial] = {}
        self.colours: Counter[Colour | None] = Counter()
        self.reasons: Counter[EndReason] = Counter()
        self.turns = 0

    @property
    def games(self) -> int:
        """The number of games so far."""
        return self.reasons.total()

    def add(self, players: tuple[int, int], result: PairResult) -> None:
        """Count a pair of games between two players."""
        before = self.pairings.get(players, Pentanomial())
        self.pairings[players] = before.plus(result.points)
        for game in result.games:
            self._add_game(players, game)

    def _add_game(self, players: tuple[int, int], game: GameResult) -> None:
        self.colours[game.winning_colour] += 1
        self.reasons[game.reason] += 1
        self.turns += len(game.turns)
        for place, player in enumerate(players):
            tally = self.tallies[player]
            tally.drawn += game.winner is None
            tally.won += game.winner == place
            tally.lost += game.winner == 1 - place
            tally.slowest = max(tally.slowest, game.slowest[place])
            if game.fault == place:
                tally.faults[game.reason] += 1

    def against(self, player: int, other: int) -> Pentanomial | None:
        """Return the pairs of two players, by the points of ``player``; None if they have none."""
        if (player, other) in self.pairings:
            return self.pairings[player, other]
        if (other, player) in self.pairings:
            return self.pairings[other, player].reversed
        return None
