"""A pair of games: the unit of work of a match, on any machine.

A task holds texts and numbers only, so it can be sent to another machine. Its seed and number
decide all that is random in it: played again, after a crash or elsewhere, deterministic players
play the same games.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final

from loopline.game import STANDARD, Colour, EndReason, GameRecord, Variant, parse_turn
from loopline.host.clock import CONTEST, Clock
from loopline.host.device.endpoint import split_devices
from loopline.host.errors import DeviceError
from loopline.host.players.base import Player, UnfitError
from loopline.host.players.software import SOFTWARE
from loopline.host.players.spec import PlayerOpener
from loopline.host.referee.live_record import LiveRecord
from loopline.host.referee.played_game import PlayedGame
from loopline.host.referee.referee import Referee, Watch
from loopline.host.render.wording import describe_end
from loopline.host.transport.engine import ENGINE
from loopline.host.ui.live import LiveView

__all__ = ["FAULTS", "GameResult", "PairResult", "PairTask", "PlayerCache", "play_pair"]

FAULTS: Final[tuple[EndReason, ...]] = ("time", "illegal turn", "fault")
"""The reasons of a loss by a fault, in contrast to one on the board or by resignation."""

_HUMAN: Final = "human"
_PROGRAM: Final = "cmd"


@dataclass(frozen=True)
class PairTask:
    """Two games to play: the first player is White in the first game, and Red in the second.

    Parameters
    ----------
    number : int
        The number of the pair in the contest, from 1.
    players : tuple of int
        The numbers of both players in the contest, from 0.
    specs : tuple of str
        The players as the command line names them.
    opening : tuple of str
        The first turns of both games.
    variant : Variant
        The variant of both games.
    clock : Clock
        The clock of both games.
    seed : int
        The contest's seed, from which players that take a seed get one per game.
    start : float | None
        The seconds until a program answers ``-T``; None: the usual ones.
    names : tuple of str
        What records call the players.
    """

    number: int
    players: tuple[int, int]
    specs: tuple[str, str]
    opening: tuple[str, ...] = ()
    variant: Variant = STANDARD
    clock: Clock = CONTEST
    seed: int = 1
    start: float | None = None
    names: tuple[str, str] = ("", "")


@dataclass(frozen=True)
class GameResult:
    """The result of one game. Players are 0, the first of the pair, and 1.

    Attributes
    ----------
    white : int
        The player of the white tracks.
    turns : tuple of str
        All turns, the opening included.
    opening : int
        The number of turns of the opening.
    winner : int or None
        The player who has won; None for a draw.
    reason : str
        One of :data:`loopline.game.REASONS`.
    explanation : str
        The ending as a clause.
    slowest : tuple of float
        The longest time of each player for a turn, in seconds.
    """

    white: int
    turns: tuple[str, ...]
    opening: int
    winner: int | None
    reason: EndReason
    explanation: str
    slowest: tuple[float, float]

    @property
    def points(self) -> float:
        """The points of the pair's first player: 0, 0.5 or 1."""
        return 0.5 if self.winner is None else 1.0 - self.winner

    @property
    def fault(self) -> int | None:
        """The player who lost by a fault; None if there was no fault."""
        return None if self.winner is None or self.reason not in FAULTS else 1 - self.winner

    @property
    def winning_colour(self) -> Colour | None:
        """The colour that has won; None for a draw."""
        if self.winner is None:
            return None
        return Colour.WHITE if self.winner == self.white else Colour.RED


@dataclass(frozen=True)
class PairResult:
    """Both games of a pair."""

    number: int
    games: tuple[GameResult, GameResult]

    @property
    def points(self) -> float:
        """The first player's points: 0, 0.5, 1, 1.5 or 2."""
        return sum(game.points for game in self.games)


@dataclass
class PlayerCache:
    """Players that stay open from game to game, until they are dropped. A context manager.

    Parameters
    ----------
    notice : callable
        Takes a line of text while a player is waited for.
    """

    notice: Callable[[str], None] = lambda _text: None
    _open: dict[int, tuple[str, Player]] = field(default_factory=dict)

    def get(self, place: int, spec: str, task: PairTask) -> Player:
        """Return the player at a place, 0 or 1: the open one if its spec is equal, or a new one."""
        if place in self._open and self._open[place][0] != spec:
            self.drop(place)
        if place not in self._open:
            opener = PlayerOpener(
                variant=task.variant, clock=task.clock, start=task.start, notice=self.notice
            )
            self._open[place] = spec, opener.open(spec)
        return self._open[place][1]

    def drop(self, place: int) -> None:
        """Close the player at a place, if there is one."""
        if place in self._open:
            self._open.pop(place)[1].close()

    def __enter__(self) -> PlayerCache:
        return self

    def __exit__(self, *_: object) -> None:
        self.drop(0)
        self.drop(1)


def play_pair(
    task: PairTask, cache: PlayerCache | None = None, live: LiveRecord | None = None
) -> PairResult:
    """Play both games of a pair.

    ``cache`` holds players that stay open from pair to pair; None: players are opened for this pair
    alone. ``live`` has the record of the game in play. A player that fails loses that game, and is
    opened again for the next one. A program (``cmd:``) is started anew for every game: many end
    when a game is over.

    A game counts only if it was played. If a player fails before the first turn, both players are
    opened anew, and the game is played again.

    Raises
    ------
    UsageError
        If a player cannot play this, such as a program that cannot begin after an opening.
    DeviceError
        If a player cannot be opened, or fails twice before the first turn of a game.
    """
    if cache is None:
        with PlayerCache() as players:
            return play_pair(task, players, live)
    return PairResult(task.number, (_play(task, 0, cache, live), _play(task, 1, cache, live)))


def _play(task: PairTask, white: int, cache: PlayerCache, live: LiveRecord | None) -> GameResult:
    """Play the game in which player ``white``, 0 or 1, is White."""
    game = _attempt(task, white, cache, live)
    if game.unplayed:
        game = _attempt(task, white, cache, live)
    if game.unplayed:
        raise DeviceError(f"a game of pair {task.number} cannot begin: {game.unplayed}")
    if _HUMAN in task.specs:
        print(f"{describe_end(game.position, game.ending)}\n", flush=True)
    return _result(game, white)


def _attempt(task: PairTask, white: int, cache: PlayerCache, live: LiveRecord | None) -> PlayedGame:
    """Play this game; close the players that cannot go on with another one."""
    players = [
        cache.get(place, _seeded(spec, task, white, place), task)
        for place, spec in enumerate(task.specs)
    ]
    try:
        referee = Referee(
            players[white],
            players[1 - white],
            variant=task.variant,
            opening=[parse_turn(turn) for turn in task.opening],
            clock=task.clock,
        )
        watch = _watch(task, white)
        tags = {"White": task.names[white], "Red": task.names[1 - white]}
        game = live.play(referee, tags, watch) if live else referee.play(watch)
    except UnfitError as error:
        if not task.opening:
            raise
        raise UnfitError(f"{error}; with --no-openings games begin on the empty board") from error
    fault = _result(game, white).fault
    for place, spec in enumerate(task.specs):
        if game.unplayed or place == fault or spec.partition(":")[0] == _PROGRAM:
            cache.drop(place)
    return game


def _watch(task: PairTask, white: int) -> Watch | None:
    """Return what shows a game with a person as it goes on; None for programs only."""
    if _HUMAN not in task.specs:
        return None
    view = LiveView((task.specs[white], task.specs[1 - white]), task.clock, redraw=False)
    view.show(GameRecord(tuple(map(parse_turn, task.opening)), task.variant).position())
    return view.show_turn


def _seeded(spec: str, task: PairTask, white: int, place: int) -> str:
    """Return a player's spec with a seed for this game, if its kind takes one.

    The engine keeps one seed for both games of a pair, since a new seed is a new process; it varies
    its games by itself. A seed in the spec is kept. Devices that search together take none.
    """
    if len(split_devices(spec)) > 1:
        return spec
    kind, _, settings = spec.partition(":")
    if kind in SOFTWARE:
        return f"{kind}:{_seed(f'{task.seed} {task.number} {white} {place} {spec}')}"
    if kind == ENGINE and not any(each.startswith("seed=") for each in settings.split(",")):
        seed = _seed(f"{task.seed} {task.number} {place} {spec}")
        return f"{spec}{',' if settings else '' if ':' in spec else ':'}seed={seed}"
    return spec


def _seed(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=6).digest(), "big")


def _result(game: PlayedGame, white: int) -> GameResult:
    winner = game.ending.winner
    slowest = [0.0, 0.0]
    for number, seconds in enumerate(game.seconds, start=game.opening):
        mover = white ^ (number & 1)
        slowest[mover] = max(slowest[mover], round(seconds, 4))
    return GameResult(
        white=white,
        turns=tuple(str(played.turn) for played in game.position.history),
        opening=game.opening,
        winner=None if winner is None else white ^ winner,
        reason=game.ending.reason,
        explanation=_line(game.explanation),
        slowest=(slowest[0], slowest[1]),
    )


def _line(text: str) -> str:
    """Return a text as one line without control characters; it may quote a player."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())
