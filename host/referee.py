"""The referee: the one loop through which every game runs.

::

            ┌── choose ◄── the player to move ◄── hear ──┐
            ▼                                            │
    time?  fault?  a turn? ──► the model: legal? ──► watch, and the opponent is told
      └──────┴────────┴────────────┴───► Ending, with the reason in words

The rules are those of the contest: who is late, makes an illegal turn, answers what is no turn, or
stops answering, loses; a game that is open after 255 turns is a draw.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from loopline.game import (
    STANDARD,
    Colour,
    Ending,
    EndReason,
    GameRecord,
    Played,
    Position,
    TraxError,
    Turn,
    Variant,
    ending_of,
    record_of,
)
from loopline.host.clock import CONTEST, Clock
from loopline.host.errors import (
    DeviceError,
    DeviceFloodError,
    DeviceGoneError,
    DeviceSilentError,
)
from loopline.host.players.base import Player, ResignError
from loopline.host.words import plural

__all__ = ["TURN_LIMIT", "PlayedGame", "Referee", "Watch", "play_game"]

TURN_LIMIT = 255
"""The contest's limit: a game that is open after so many turns is a draw."""

Watch = Callable[[Position, Played, float], None]
"""Called after each turn with the position, the turn, and the seconds that it took."""


@dataclass(frozen=True)
class PlayedGame:
    """A game that has come to its end.

    Attributes
    ----------
    position : Position
        The last position, with the whole history.
    ending : Ending
        Who has won and why.
    explanation : str
        A sentence that says it to a person: for a fault, which and what was expected instead.
    seconds : tuple of float
        The time of each turn after the opening, whoever made it.
    opening : int
        The number of turns that were given.
    clock : Clock
        The clock of the game.
    """

    position: Position
    ending: Ending
    explanation: str
    seconds: tuple[float, ...] = ()
    opening: int = 0
    clock: Clock = CONTEST

    def record(self, tags: Mapping[str, str] | None = None) -> GameRecord:
        """Return the game as a record, with the clock and the time of each turn.

        ``tags`` says what else is known, such as the players; ``Clock`` is added.
        """
        return _record(self.position, self.ending, self.explanation, self.seconds, self.clock, tags)


def _record(
    position: Position,
    ending: Ending | None,
    explanation: str,
    seconds: Sequence[float],
    clock: Clock,
    tags: Mapping[str, str] | None,
) -> GameRecord:
    record = record_of(position, ending, {**(tags or {}), "Clock": str(clock)})
    opening = position.turns - len(seconds)
    comments = {
        number: (f"{spent:.3f} s",) for number, spent in enumerate(seconds, start=opening + 1)
    }
    if explanation and not (ending and ending.on_the_board):
        comments[position.turns] = (*comments.get(position.turns, ()), explanation)
    return GameRecord(record.turns, record.variant, record.ending, record.tags, comments)


class Referee:
    """One game between two players.

    Parameters
    ----------
    white, red : Player
        The players, open; :meth:`play` starts them and leaves them open.
    variant : Variant
        What is played.
    opening : sequence of Turn
        Turns that are made before the players take over. They do not end the game.
    clock : Clock
        The time that the players have.
    limit : int
        The number of turns, the opening's included, after which an open game is a draw.

    Attributes
    ----------
    position : Position
        The game so far.
    seconds : list of float
        The time of each turn after the opening.

    Raises
    ------
    TraxError
        If a turn of the opening is not legal.
    ValueError
        If the game is over with the opening.
    """

    def __init__(
        self,
        white: Player,
        red: Player,
        *,
        variant: Variant = STANDARD,
        opening: Sequence[Turn] = (),
        clock: Clock = CONTEST,
        limit: int = TURN_LIMIT,
    ) -> None:
        self.position = Position(variant)
        self.seconds: list[float] = []
        self._players = (white, red)
        self._opening = tuple(opening)
        self._clock = clock
        self._limit = limit
        self._excesses = [0, 0]
        for turn in self._opening:
            self.position.play(turn)
        if self.position.ending or self.position.turns >= limit:
            raise ValueError("the game is over with its opening")

    def record(self, tags: Mapping[str, str] | None = None) -> GameRecord:
        """Return the game so far as a record of one that was not finished."""
        return _record(self.position, None, "", self.seconds, self._clock, tags)

    def play(self, watch: Watch | None = None) -> PlayedGame:
        """Play the game to its end.

        Each turn is tried on the model first, then ``watch`` is called, and then the opponent is
        told: neither the model's nor the watcher's time is the players'.

        Raises
        ------
        UnfitError
            If a player cannot play this variant or after this opening. Whatever else a player does
            is an ending.
        """
        ending, explanation = self._start() or self._run(watch)
        return PlayedGame(
            self.position,
            ending,
            explanation,
            tuple(self.seconds),
            len(self._opening),
            self._clock,
        )

    def _start(self) -> tuple[Ending, str] | None:
        for colour, player in zip(Colour, self._players, strict=True):
            try:
                player.start(colour, self.position.variant, self._opening)
            except DeviceError as error:
                return _lost(colour, "fault", f"does not start: {error}")
        return None

    def _run(self, watch: Watch | None) -> tuple[Ending, str]:
        """Make turn after turn until one is the last, or is none."""
        position = self.position
        while position.turns < self._limit:
            mover = position.to_move
            played = self._turn(mover)
            if not isinstance(played, Played):
                return played
            if watch:
                watch(position, played, self.seconds[-1])
            failed = self._tell(mover.other, played.turn)
            ending = ending_of(position)
            if ending:
                return ending, f"{ending} after {plural(position.turns, 'turn')}"
            if failed:
                return failed
        ending = Ending(None, "turn limit")
        return ending, f"{ending}: {plural(position.turns, 'turn')}"

    def _turn(self, mover: Colour) -> Played | tuple[Ending, str]:
        """Have a turn made, or say why the mover has lost."""
        allowed = self._clock.allows(self._excesses[mover])
        number = self.position.turns + 1
        begun = time.monotonic()
        try:
            turn = self._players[mover].choose(self.position, allowed)
        except ResignError:
            return _lost(mover, "resignation", f"resigns instead of turn {number}")
        except DeviceError as error:
            return _lost(mover, _reason(error, allowed), f"makes no turn {number}: {error}")
        spent = time.monotonic() - begun
        if allowed is not None and spent > allowed:
            return _lost(mover, "time", f"took {spent:.3f} s for turn {number}, of {allowed:g} s")
        try:
            played = self.position.play(turn)
        except TraxError as error:
            return _lost(mover, "illegal turn", f"breaks the rules at turn {number}: {error}")
        self._excesses[mover] += self._clock.exceeded(spent)
        self.seconds.append(spent)
        return played

    def _tell(self, listener: Colour, turn: Turn) -> tuple[Ending, str] | None:
        """Tell a player the opponent's turn, or say why the player has lost."""
        try:
            self._players[listener].hear(turn)
        except DeviceError as error:
            number = self.position.turns
            return _lost(listener, _reason(error, 0.0), f"cannot be told turn {number}: {error}")
        return None


def _lost(loser: Colour, reason: EndReason, why: str) -> tuple[Ending, str]:
    return Ending(loser.other, reason), f"{loser.name.lower()} {why}"


def _reason(error: DeviceError, allowed: float | None) -> EndReason:
    """What a player's failure is called in a record."""
    if isinstance(error, DeviceSilentError) and allowed is not None:
        return "time"
    if isinstance(error, (DeviceGoneError, DeviceFloodError, DeviceSilentError)):
        return "fault"
    return "illegal turn"


def play_game(
    white: Player,
    red: Player,
    *,
    variant: Variant = STANDARD,
    opening: Sequence[Turn] = (),
    clock: Clock = CONTEST,
    limit: int = TURN_LIMIT,
    watch: Watch | None = None,
) -> PlayedGame:
    """Play one game; the parameters and errors are those of :class:`Referee`.

    It never raises for what a player does: that is an :class:`Ending`. It never hangs as long as
    the players keep the promises of :class:`Player`.
    """
    referee = Referee(white, red, variant=variant, opening=opening, clock=clock, limit=limit)
    return referee.play(watch)
