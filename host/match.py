"""A game between two players, move by move, with the reference model as the referee."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from loopline.game import Colour, Played, Position, TraxError, Turn, format_turn
from loopline.host.errors import DeviceError
from loopline.host.link import ContestDevice

__all__ = ["TURN_LIMIT", "DevicePlayer", "IllegalAnswerError", "Match", "Player"]

TURN_LIMIT = 255
"""The contest's limit: a game that is open after so many turns is a draw."""


class IllegalAnswerError(DeviceError):
    """A player's turn breaks the rules; the text names turn, player and reason."""


class Player(Protocol):
    """Somebody who plays one colour."""

    @property
    def name(self) -> str:
        """How to call the player in a message."""

    def start(self, colour: Colour) -> None:
        """Begin a new game; whatever was left of the last one is dropped."""

    def hear(self, turn: Turn) -> None:
        """Take note of the opponent's turn, the one that ends the game included."""

    def choose(self, position: Position) -> Turn:
        """Return the next turn. Called when this player is to move and the game is open."""


class DevicePlayer:
    """A device behind the contest link as a player."""

    def __init__(self, device: ContestDevice) -> None:
        self._device = device

    @property
    def name(self) -> str:
        """How to call the device in a message."""
        return self._device.name

    def start(self, colour: Colour) -> None:
        """Begin a new game on the device."""
        self._device.identify()
        self._device.send("-W" if colour is Colour.WHITE else "-B")

    def hear(self, turn: Turn) -> None:
        """Forward the opponent's turn."""
        self._device.send_turn(turn)

    def choose(self, position: Position) -> Turn:
        """Wait for the device's turn; DeviceError if there is none."""
        return self._device.read_turn()


@dataclass
class Match:
    """One game.

    Attributes
    ----------
    white, red : Player
        The players; :meth:`run` starts them.
    limit : int
        The number of turns after which an open game is a draw.
    position : Position
        The game so far.
    record : list of Turn
        The turns so far.
    """

    white: Player
    red: Player
    limit: int = TURN_LIMIT

    def __post_init__(self) -> None:
        self.position = Position()
        self.record: list[Turn] = []

    @property
    def over(self) -> bool:
        """Whether the game is won, or drawn by its length or for want of a legal turn."""
        return (
            self.position.result is not None
            or len(self.record) >= self.limit
            or not self.position.legal_turns()
        )

    @property
    def text(self) -> str:
        """The game so far in notation, turns separated by blanks."""
        return " ".join(format_turn(turn) for turn in self.record)

    def run(self, watch: Callable[[Played], None] | None = None) -> Position:
        """Play the game to its end and return the last position.

        Every turn is tried on the model before the opponent hears of it; ``watch`` is called after
        each.

        Raises
        ------
        IllegalAnswerError
            If a player breaks the rules. The game stays as it was before that turn.
        """
        players = (self.white, self.red)
        for colour, player in zip(Colour, players, strict=True):
            player.start(colour)
        while not self.over:
            mover = self.position.to_move
            turn = players[mover].choose(self.position)
            number = len(self.record) + 1
            try:
                played = self.position.play(turn)
            except TraxError as error:
                raise IllegalAnswerError(
                    f"{players[mover].name}, {mover.name.lower()}, breaks the rules "
                    f"at turn {number}: {error}"
                ) from error
            self.record.append(turn)
            if watch:
                watch(played)
            players[mover.other].hear(turn)
        return self.position
