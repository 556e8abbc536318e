"""The referee: the one loop through which every game runs.

::

            ┌── choose ◄── the player to move ◄── hear ──┐
            ▼                                            │
    time?  fault?  a turn? ──► the rules: legal? ──► watch; the opponent hears the turn
      └──────┴────────┴────────────┴───► Ending, with the reason in words

The rules are those of the contest. A player loses that is late, makes an illegal turn, answers with
anything but a turn, or stops answering. A game that is open after 255 turns is a draw.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

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
)
from loopline.host.clock import CONTEST, Clock
from loopline.host.errors import DeviceError, DeviceFloodError, DeviceGoneError, DeviceSilentError
from loopline.host.players.base import Player, ResignError
from loopline.host.referee.played_game import PlayedGame, timed_record
from loopline.host.render.wording import plural

__all__ = ["TURN_LIMIT", "PlayedGame", "Referee", "Watch", "play_game"]

TURN_LIMIT = 255
"""The contest's limit: a game that is open after so many turns is a draw."""

Watch = Callable[[Position, Played, float], None]
"""A function of the position after a turn, the turn, and its seconds; called after each turn."""

_Outcome = tuple[Ending, str]
"""The ending of a game, and its explanation."""


class Referee:
    """One game between two players.

    Parameters
    ----------
    white, red : Player
        The players, open; :meth:`play` starts them and leaves them open.
    variant : Variant
        The variant of the game.
    opening : sequence of Turn
        The first turns, made for the players. They must not end the game.
    clock : Clock
        The clock of the game.
    limit : int
        The number of turns, the opening included, after which an open game is a draw.

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
        """Return the game so far as the record of an unfinished game."""
        return timed_record(self.position, self.seconds, self._clock, tags)

    def play(self, watch: Watch | None = None) -> PlayedGame:
        """Play the game to its end.

        The referee checks each turn against the rules, calls ``watch``, and then tells the
        opponent. Neither the check nor ``watch`` takes time of the players.

        Raises
        ------
        UnfitError
            If a player cannot play this variant, or after this opening. Any other failure of a
            player ends the game.
        """
        unplayed = ""
        for colour, player in zip(Colour, self._players, strict=True):
            try:
                player.start(colour, self.position.variant, self._opening)
            except DeviceError as error:
                unplayed = str(error)
                ending, explanation = _lost(colour, 0, "fault", unplayed)
                break
        else:
            ending, explanation = self._run(watch)
        return PlayedGame(
            self.position, ending, explanation, tuple(self.seconds), self._clock, unplayed
        )

    def _run(self, watch: Watch | None) -> _Outcome:
        """Let the players move until the game ends."""
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
            if failed and position.turns < self._limit:
                return failed
        ending = Ending(None, "turn limit")
        return ending, f"{ending}: {plural(position.turns, 'turn')}"

    def _turn(self, mover: Colour) -> Played | _Outcome:
        """Let the mover make a turn; return it, or why the mover has lost."""
        number = self.position.turns + 1
        allowed = self._clock.allows(self._excesses[mover])
        begun = time.monotonic()
        try:
            turn = self._players[mover].choose(self.position, allowed)
        except ResignError:
            return Ending(mover.other, "resignation"), f"{_name(mover)} resigns at turn {number}"
        except DeviceError as error:
            reason, why = _reason(error, allowed is not None), str(error)
            if reason == "illegal turn":
                why += f"; {_expected(self.position)}"
            return _lost(mover, number, reason, why)
        spent = time.monotonic() - begun
        if allowed is not None and spent > allowed:
            why = f"{turn} took {spent:.3f} s, of {allowed:g} s"
            return _lost(mover, number, "time", why)
        try:
            played = self.position.play(turn)
        except TraxError as error:
            why = f"{error}; {_expected(self.position, turn)}"
            return _lost(mover, number, "illegal turn", why)
        self._excesses[mover] += self._clock.exceeded(spent)
        self.seconds.append(spent)
        return played

    def _tell(self, listener: Colour, turn: Turn) -> _Outcome | None:
        """Tell a player the opponent's turn; return why the player has lost, if it has."""
        try:
            self._players[listener].hear(turn)
        except DeviceError as error:
            reason = _reason(error, self._clock.seconds is not None)
            return _lost(listener, self.position.turns + 1, reason, str(error))
        return None


def _name(colour: Colour) -> str:
    return colour.name.lower()


def _lost(loser: Colour, number: int, reason: EndReason, why: str) -> _Outcome:
    when = f"at turn {number}" if number else "before the game"
    return Ending(loser.other, reason), f"{_name(loser)} loses {when}: {why}"


def _reason(error: DeviceError, timed: bool) -> EndReason:
    """Return the reason of a failure, for the record; silence is ``time`` if the turn is timed."""
    if isinstance(error, DeviceSilentError) and timed:
        return "time"
    if isinstance(error, (DeviceGoneError, DeviceFloodError, DeviceSilentError)):
        return "fault"
    return "illegal turn"


def _expected(position: Position, turn: Turn | None = None) -> str:
    """Return the legal turns as a clause: those in the same space if there are any."""
    legal = position.legal_turns()
    there = [str(other) for other in legal if turn and other.space == turn.space]
    if there:
        return f"legal there: {' '.join(there)}"
    return f"{plural(len(legal), 'turn')} would be legal, such as {legal[0]}"


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

    A player's failure never raises: it is an :class:`Ending`. The function never hangs as long as
    the players keep the promises of :class:`Player`.
    """
    referee = Referee(white, red, variant=variant, opening=opening, clock=clock, limit=limit)
    return referee.play(watch)
