"""The standing of a match: who has made what points, how games ended, and who failed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from loopline.game import Colour, EndReason
from loopline.host.matches.elo import KINDS, Pentanomial
from loopline.host.matches.pairs import GameResult, PairResult

__all__ = ["Standing", "Tally"]


@dataclass
class Tally:
    """The games of one player.

    Attributes
    ----------
    won, drawn, lost : int
        How many games ended so.
    faults : Counter
        The games lost otherwise than by play, by reason.
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
        """All games."""
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """A win is 1, a draw ½."""
        return self.won + self.drawn / 2


class Standing:
    """What the pairs so far add up to.

    Parameters
    ----------
    players : int
        How many players there are.

    Attributes
    ----------
    tallies : list of Tally
        By player.
    pairings : dict
        The kinds of pairs of each pairing that has played, by the players' numbers.
    colours : Counter
        Games by the colour that won, or none.
    reasons : Counter
        Games by the reason for which they ended.
    turns : int
        The turns of all games, those of the openings included.
    """

    def __init__(self, players: int) -> None:
        self.tallies = [Tally() for _ in range(players)]
        self.pairings: dict[tuple[int, int], Pentanomial] = {}
        self.colours: Counter[Colour | None] = Counter()
        self.reasons: Counter[EndReason] = Counter()
        self.turns = 0

    @property
    def games(self) -> int:
        """How many games there have been."""
        return self.reasons.total()

    def add(self, players: tuple[int, int], result: PairResult) -> None:
        """Count a pair of games between two players."""
        before = self.pairings.get(players, Pentanomial()).counts
        kind = round(2 * result.points)
        counts = tuple(before[other] + (other == kind) for other in range(KINDS))
        self.pairings[players] = Pentanomial(counts)
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
        """The pairs of a player with another one, by the player's points, if there are any."""
        if (player, other) in self.pairings:
            return self.pairings[player, other]
        if (other, player) in self.pairings:
            return self.pairings[other, player].reversed
        return None
