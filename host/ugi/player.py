"""A player behind the interface: opened when needed, and set to any position for a search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from loopline.game import Colour, Position, Turn, Variant
from loopline.host.device import ContestOnlyError
from loopline.host.device.endpoint import split_devices
from loopline.host.device.limits import split_limits, takes_limits
from loopline.host.errors import UsageError
from loopline.host.players.analyst import Analysis, Analyst
from loopline.host.players.base import Player, UnfitError
from loopline.host.players.spec import STARTING, PlayerOpener, check_player
from loopline.host.transport.simulated import is_simulated
from loopline.tools.arguments import whole_number

__all__ = ["Go", "UgiPlayer", "parse_go"]

_LEAST = {
    "movetime": 1,
    "depth": 0,
    "nodes": 1,
    "p1time": 1,
    "p2time": 1,
    "p1inc": 0,
    "p2inc": 0,
}
"""UGI's limits and the least value of each. Times are in milliseconds."""

_OF_CHESS = {"wtime": "p1time", "btime": "p2time", "winc": "p1inc", "binc": "p2inc"}
"""Names of limits in chess programs, and their names in UGI."""

_TURNS_LEFT = 20
"""The number of turns for which a player's time has to last."""


@dataclass(frozen=True, slots=True)
class Go:
    """The limits of one search, by UGI's names; a limit that was not given is missing."""

    limits: dict[str, int]

    @property
    def depth(self) -> int | None:
        """The most turns of depth; None for no limit."""
        return self.limits.get("depth")

    @property
    def nodes(self) -> int | None:
        """The most nodes; None for no limit."""
        return self.limits.get("nodes")

    def seconds(self, colour: Colour) -> float | None:
        """Return the time for this turn of a player; None for no limit.

        It is a share of the time left for the game, which has to last for the turns to come.
        """
        if "movetime" in self.limits:
            return self.limits["movetime"] / 1000
        player = f"p{colour + 1}"
        left = self.limits.get(f"{player}time")
        if left is None:
            return None
        more = self.limits.get(f"{player}inc", 0)
        return min(left / _TURNS_LEFT + more, 0.8 * left) / 1000


def parse_go(arguments: Sequence[str], complain: Callable[[str], None]) -> Go:
    """Parse the arguments of ``go``.

    A wrong argument is left out, and ``complain`` is called with a line that explains it.
    """
    limits = {}
    rest = iter(arguments)
    for word in rest:
        name = _OF_CHESS.get(word, word)
        if name == "infinite":
            continue
        if name not in _LEAST:
            complain(f"go: {word[:24]!r} is unknown: use {', '.join(_LEAST)} or infinite")
            continue
        text = next(rest, "")
        try:
            limits[name] = whole_number(_LEAST[name])(text)
        except ValueError:
            complain(f"go: {word} takes a number from {_LEAST[name]}, not {text[:24]!r}")
    return Go(limits)


class UgiPlayer:
    """Finds a turn in any position, by means of a player of games. A context manager.

    A player that knows all but the last turn of a game hears that turn. Otherwise it begins a new
    game, with the turns that led to the position as its opening. The engine, and a device that
    speaks frames, are asked for an analysis, which keeps the limits of each search.

    Parameters
    ----------
    device : str
        The player as :data:`~loopline.host.players.spec.PLAYER_TABLE` names it, but not a person.
    variant : Variant
        The variant of all games.
    say : callable
        Takes the lines ``info ...`` of a search.

    Raises
    ------
    UsageError
        If the player is a person.
    """

    def __init__(self, device: str, variant: Variant, say: Callable[[str], None]) -> None:
        self._device, self._variant = _checked(device), variant
        self._say = say
        self._player: Player | Analyst | None = None
        self._told: tuple[Turn, ...] | None = None
        self.starting = False
        """Whether the player is being opened."""

    @property
    def device(self) -> str:
        """The player's name on the command line."""
        return self._device

    @property
    def variant(self) -> Variant:
        """The variant of all games."""
        return self._variant

    def change(self, device: str, variant: Variant) -> None:
        """Change the player or the variant; UsageError if the player is a person."""
        changed = (_checked(device), variant) != (self._device, self._variant)
        self._device, self._variant = device, variant
        if changed:
            self.close()

    def open(self) -> Player | Analyst:
        """Open the player, if it is not open.

        Raises
        ------
        UsageError
            If there is no such kind of player.
        DeviceError
            If the player cannot be opened.
        """
        if self._player is None:
            self.starting = True
            try:
                opener = PlayerOpener(variant=self._variant, notice=self._note)
                self._player = self._analyst() or opener.open(self._device)
            finally:
                self.starting = False
        return self._player

    def _analyst(self) -> Analyst | None:
        """Open the engine or a device that speaks frames; return None if it is another player."""
        device, limits = split_limits(self._device)
        kind = device.partition(":")[0]
        if not takes_limits(device) or (kind.startswith("tcp") and not limits):
            return None
        if any(map(is_simulated, split_devices(device))):
            self._note(STARTING)
        try:
            return Analyst(self._device, self._note)
        except ContestOnlyError:
            if limits:
                raise
            return None

    def new_game(self) -> None:
        """Drop the game; the next position is set up from its first turn."""
        self._told = None

    def think(self, position: Position, go: Go, stopped: Callable[[], bool]) -> Turn:
        """Find a turn in an open game.

        Raises
        ------
        UnfitError
            If the player cannot play the variant, or begin at this position.
        UsageError, DeviceError
            As :meth:`open`, or if the player fails.
        """
        player = self.open()
        if isinstance(player, Analyst):
            return self._analyse(player, position, go, stopped)
        for name in go.limits:
            self._note(f"{player.name} decides by itself when to answer: {name} means nothing")
        self._bring(player, position)
        turn = player.choose(position)
        if position.is_legal(turn):
            self._told = (*_turns(position), turn)
        else:
            self._note(f"{player.name} answers {turn}, which is not legal here")
            self._told = None
        return turn

    def close(self) -> None:
        """Close the player; the next search opens it again."""
        player, self._player, self._told = self._player, None, None
        if player is not None:
            player.close()

    def __enter__(self) -> UgiPlayer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _analyse(
        self, analyst: Analyst, position: Position, go: Go, stopped: Callable[[], bool]
    ) -> Turn:
        try:
            found = analyst.analyse(
                _turns(position),
                self._variant,
                seconds=go.seconds(position.to_move),
                nodes=go.nodes,
                depth=None if go.depth is None else max(go.depth, 1),
                stopped=stopped,
                report=lambda found: self._say(_analysis(found)),
            )
        except UsageError as error:
            raise UnfitError(str(error)) from None
        self._say(_analysis(found))
        return found.turn

    def _bring(self, player: Player, position: Position) -> None:
        """Set the player to this position."""
        turns = _turns(position)
        told, self._told = self._told, None
        if told is not None and told == turns[:-1]:
            player.hear(turns[-1])
        else:
            player.start(Colour(len(turns) % 2), self._variant, turns)

    def _note(self, text: str) -> None:
        self._say(f"info string {text}")


def _checked(device: str) -> str:
    if device == "human":
        raise UsageError("a person is no engine: name another player than 'human'")
    check_player(device)
    return device


def _turns(position: Position) -> tuple[Turn, ...]:
    return tuple(played.turn for played in position.history)


def _analysis(found: Analysis) -> str:
    """Return an analysis as UGI has it; a mate counts the turns of both sides."""
    score = f"cp {found.score}" if found.mate is None else f"mate {found.mate}"
    fields: Sequence[object] = (
        *("info depth", found.depth),
        *("score", score),
        *("time", round(found.seconds * 1000)),
        *("nodes", found.nodes),
        *("nps", round(found.nodes / max(found.seconds, 1e-6))),
        *("pv", *found.line),
    )
    return " ".join(map(str, fields))
