"""Games of people against programs, for an interface that must not wait.

A game runs in a thread. What people decide goes in, and events come out::

    interface ──► Session: play, undo ... ──► the person's seat ─┐
        ▲            │ begin: a game after some turns            ├──► Referee, in a thread
        │            ▼                               Opponent ───┘        │
        └──── Session.take ◄──── events, from any thread ◄────────────────┘
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final

from loopline.game import (
    STANDARD,
    Colour,
    Ending,
    GameRecord,
    Played,
    Position,
    Turn,
    Variant,
    record_of,
)
from loopline.host.clock import UNTIMED, Clock
from loopline.host.device import SearchReport
from loopline.host.errors import DeviceSilentError
from loopline.host.players.analyst import Analysis, analysis_of
from loopline.host.players.base import Player, ResignError
from loopline.host.players.console import LeaveError
from loopline.host.records.record_file import RecordFile
from loopline.host.records.saved_game import save_game
from loopline.host.referee.played_game import PlayedGame
from loopline.host.referee.referee import TURN_LIMIT, Referee
from loopline.host.ui.opponent import Opponent
from loopline.host.ui.take_back import kept_turns, refusal
from loopline.host.ui.terminal_game import game_tags

__all__ = [
    "Asked",
    "Ended",
    "Event",
    "Failed",
    "Made",
    "Noted",
    "Ready",
    "Session",
    "Side",
    "TakenBack",
    "Thought",
]

_PATIENCE: Final = 1.0
"""The seconds in which a player's turn is awaited before the player is stopped."""

_TO_STOP: Final = 3.0
"""The seconds in which a player has to stop before it is closed."""

Side = Opponent | str
"""Who plays a colour: a program, or a person of this name."""


@dataclass(frozen=True)
class Event:
    """Something has happened in a game."""

    game: object


@dataclass(frozen=True)
class Ready(Event):
    """Both players are open."""


@dataclass(frozen=True)
class Asked(Event):
    """A person is to move, within so many seconds; None: without a limit."""

    seconds: float | None


@dataclass(frozen=True)
class Made(Event):
    """A turn was made, which led to a position."""

    position: Position
    played: Played


@dataclass(frozen=True)
class Thought(Event):
    """A program has found something while it thinks for a colour."""

    colour: Colour
    found: Analysis


@dataclass(frozen=True)
class Noted(Event):
    """There is something to say."""

    text: str


@dataclass(frozen=True)
class TakenBack(Event):
    """All players can go on from after so many turns."""

    kept: int


@dataclass(frozen=True)
class Ended(Event):
    """The game has ended; ``failed`` says whether a program has failed."""

    played: PlayedGame
    failed: bool


@dataclass(frozen=True)
class Failed(Event):
    """The game could not begin or go on."""

    text: str


Tell = Callable[[Event], None]


class _Seat:
    """A person as a player: waits for what the interface puts in."""

    def __init__(self, name: str, asked: Callable[[float | None], None]) -> None:
        self.name = name
        self._asked = asked
        self._decided: SimpleQueue[Turn | Exception | Callable[[], None]] = SimpleQueue()

    def put(self, decided: Turn | Exception | Callable[[], None]) -> None:
        """Answer with a turn, or raise an exception, or do something and wait on."""
        self._decided.put(decided)

    def start(
        self, colour: Colour, variant: Variant = STANDARD, opening: Sequence[Turn] = ()
    ) -> None:
        """Do nothing: each game has seats of its own."""

    def hear(self, turn: Turn) -> None:
        """Do nothing: the interface shows the turn."""

    def close(self) -> None:
        """Do nothing."""

    def choose(self, position: Position, seconds: float | None = None) -> Turn:
        """Wait for a turn."""
        deadline = None if seconds is None else time.monotonic() + seconds
        self._asked(seconds)
        while True:
            try:
                left = None if deadline is None else max(0.0, deadline - time.monotonic())
                decided = self._decided.get(timeout=left)
            except Empty:
                raise DeviceSilentError(f"no turn was made within {seconds:g} s") from None
            if isinstance(decided, Turn):
                return decided
            if isinstance(decided, Exception):
                raise decided
            decided()


class _Game:
    """A game in a thread: from some turns to its end, or until it is left."""

    def __init__(
        self,
        session: Session,
        turns: Sequence[Turn],
        before: _Game | None,
        replaced: Sequence[Opponent],
    ) -> None:
        self._session = session
        self._sides = session.sides
        self._turns = turns
        self._before = before
        self._replaced = replaced
        self._left = threading.Event()
        self._players: list[Player] = []
        self._seats = {
            colour: _Seat(side, lambda seconds: self._tell(Asked(self, seconds)))
            for colour, side in zip(Colour, self._sides, strict=True)
            if isinstance(side, str)
        }
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def put(self, colour: Colour, decided: Turn | Exception) -> None:
        """Give a person's decision to the game, which has asked for it."""
        self._seats[colour].put(decided)

    def ask_back(self, colour: Colour, kept: int) -> None:
        """Ask whether the programs can go on from after so many turns; the person is to move."""

        def ask() -> None:
            reasons = [reason for player in self._players if (reason := refusal(player))]
            self._tell(Noted(self, reasons[0]) if reasons else TakenBack(self, kept))

        self._seats[colour].put(ask)

    def leave(self) -> None:
        """Let the game end soon, without an event."""
        self._left.set()
        for seat in self._seats.values():
            seat.put(LeaveError())

    def end(self, patience: float = _PATIENCE, to_stop: float = _TO_STOP) -> None:
        """Wait until a game that was left has ended; a program that does not stop is closed.

        The program has ``patience`` seconds for its turn, and then ``to_stop`` to stop.
        """
        opponents = [side for side in self._sides if isinstance(side, Opponent)]
        self._thread.join(patience)
        for _ in range(round(to_stop / 0.1)):
            if not self._thread.is_alive():
                return
            # Again and again: a search that begins just now has not heard it.
            for opponent in opponents:
                opponent.stop()
            self._thread.join(0.1)
        for opponent in opponents:
            opponent.drop()
        self._thread.join(_TO_STOP)

    def _tell(self, event: Event) -> None:
        if not self._left.is_set():
            self._session.tell(event)

    def _run(self) -> None:
        try:
            if self._before:
                self._before.end()
                self._before = None
            for opponent in self._replaced:
                opponent.drop()
            self._players += [self._open(colour) for colour in Colour]
            self._tell(Ready(self))
            self._play()
        except LeaveError:
            pass
        except Exception as error:  # whatever it is, the person has to hear it
            self._tell(Failed(self, str(error) or type(error).__name__))

    def _open(self, colour: Colour) -> Player:
        side = self._sides[colour]
        if self._left.is_set():
            raise LeaveError
        if isinstance(side, str):
            return self._seats[colour]

        def report(found: SearchReport) -> None:
            if found.variation:
                self._tell(Thought(self, colour, analysis_of(found, 0.0)))

        return side.open(report, lambda text: self._tell(Noted(self, text)))

    def _play(self) -> None:
        session = self._session
        white, red = self._players
        referee = Referee(
            white,
            red,
            variant=session.variant,
            opening=self._turns,
            clock=session.clock,
            limit=session.limit,
        )
        game = referee.play(self._watch)
        loser = None if game.ending.winner is None else self._sides[game.ending.winner.other]
        failed = game.ending.reason in ("fault", "illegal turn", "time") and isinstance(
            loser, Opponent
        )
        self._tell(Ended(self, game, failed))
        if failed and isinstance(loser, Opponent):
            loser.drop()

    def _watch(self, position: Position, played: Played, _seconds: float) -> None:
        if self._left.is_set():
            raise LeaveError
        self._tell(Made(self, position.copy(), played))


class Session:
    """Games, one after the other, as one interface shows them.

    All methods but :meth:`close` return at once; one thread calls them.

    Parameters
    ----------
    sides : tuple of Side
        Who plays, White first; one is a person at least.
    variant, clock, limit
        As in :class:`~loopline.host.referee.referee.Referee`.
    file : RecordFile or None
        Where a game is added when it is left for another one.
    tell : callable
        Takes the events, in other threads; :meth:`take` needs them.

    Attributes
    ----------
    position : Position
        The game so far.
    ending : Ending or None
        How it has ended.
    explanation : str
        Its ending as a clause, or why it could not go on.
    asked : bool
        Whether a person is to move.
    allowed : float or None
        The seconds for this turn.
    ready : bool
        Whether the players are open.
    failed : bool
        Whether a program has failed in this game.
    """

    def __init__(
        self,
        sides: tuple[Side, Side],
        *,
        variant: Variant = STANDARD,
        clock: Clock = UNTIMED,
        limit: int = TURN_LIMIT,
        file: RecordFile | None = None,
        tell: Tell = lambda _event: None,
    ) -> None:
        self.sides = sides
        self.variant = variant
        self.clock = clock
        self.limit = limit
        self.file = file
        self.tell = tell
        self._game: _Game | None = None
        self._saved: Path | None = None
        self._set(())

    def _set(self, turns: Sequence[Turn]) -> None:
        self.position = GameRecord(tuple(turns), self.variant).position()
        self.ending: Ending | None = None
        self.explanation = ""
        self.asked = self.ready = self.failed = False
        self.allowed: float | None = None
        self._before: tuple[Position, Ending | None] | None = None

    # What people decide.

    def begin(self, turns: Sequence[Turn] = (), replaced: Sequence[Opponent] = ()) -> None:
        """Begin a game after these turns; one that is going on is left.

        ``replaced`` are opponents that are not needed any more.
        """
        if self._game:
            self._game.leave()
        self._set(turns)
        self._game = _Game(self, tuple(turns), self._game, replaced)

    def play(self, turn: Turn) -> None:
        """Make a turn; a person is to move."""
        self._decide(turn)

    def resign(self) -> None:
        """Give the game up; a person is to move."""
        self._decide(ResignError())

    def _decide(self, decided: Turn | Exception) -> None:
        if self.asked and self._game:
            self.asked = False
            self._game.put(self.position.to_move, decided)

    def undo(self) -> str:
        """Go on from a person's last turn, or after the end from the last position.

        Return why that is impossible, or nothing. A program that cannot do it may say so later.
        """
        over = self.ending is not None
        stands = over and self.position.ending is None and self.position.turns < self.limit
        kept = kept_turns(self.people, self.position.turns - (not stands))
        if kept is None:
            return "there is no turn of yours to take back"
        # Nobody has to set up the empty board.
        if kept and self.asked and self._game:
            self._game.ask_back(self.position.to_move, kept)
        else:
            self.take_back(kept)
        return ""

    def take_back(self, kept: int) -> None:
        """Go on from after so many turns. The game stays as it was if a program cannot do it."""
        before = self.position, self.ending
        self.begin([played.turn for played in self.position.history[:kept]])
        self._before = before

    def rematch(self) -> None:
        """Begin another game with colours exchanged."""
        self._finish()
        self.sides = (self.sides[1], self.sides[0])
        self.begin()

    def new_game(self, white: Side, red: Side) -> None:
        """Begin another game between these two."""
        self._finish()
        replaced = [
            side
            for side in self.sides
            if isinstance(side, Opponent) and side is not white and side is not red
        ]
        self.sides = (white, red)
        self.begin((), replaced)

    # What has happened.

    def take(self, event: Event) -> bool:
        """Take note of an event; return False if it is of a game that was left."""
        if event.game is not self._game:
            return False
        match event:
            case Ready():
                self.ready = True
            case Asked(seconds=seconds):
                self.asked, self.allowed, self._before = True, seconds, None
            case Made(position=position):
                self.position, self._before = position, None
            case TakenBack(kept=kept):
                self.take_back(kept)
            case Ended(played=played, failed=failed):
                self.asked = False
                self.ending, self.explanation = played.ending, played.explanation
                self.failed = failed
            case Failed(text=text):
                self.asked = False
                self.explanation, self.failed = text, True
                if self._before:
                    self.position, self.ending = self._before
        return True

    @property
    def people(self) -> tuple[bool, bool]:
        """Which colours people play, White first."""
        white, red = self.sides
        return isinstance(white, str), isinstance(red, str)

    def name(self, colour: Colour) -> str:
        """Return the name of a player."""
        side = self.sides[colour]
        return side if isinstance(side, str) else side.name

    # Records.

    def record(self) -> GameRecord:
        """Return the game so far."""
        tags = game_tags(self.name(Colour.WHITE), self.name(Colour.RED), self.clock)
        return record_of(self.position, self.ending, tags)

    def save(self) -> Path:
        """Write the game so far to a file of its own, and return that; raises UsageError.

        A later save of the same game writes over that file.
        """
        self._saved = save_game(self.record(), saved=self._saved)
        return self._saved

    def keep(self) -> bool:
        """Add the game to the file, if there are both; raises UsageError."""
        if self.file and (self.position.turns or self.ending):
            self.file.add(self.record())
            return True
        return False

    def _finish(self) -> None:
        """Keep the game for good: the next one is not saved over it."""
        self.keep()
        self._saved = None

    def close(self) -> None:
        """Leave the game, and close the programs. Takes some seconds at most."""
        if self._game:
            self._game.leave()
            self._game.end(0.1, 0.5)
        for side in self.sides:
            if isinstance(side, Opponent):
                side.drop()
