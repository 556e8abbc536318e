"""A game in the terminal: drawn turn by turn, with turns taken back, and saved as a record.

::

    open players ──► TerminalGame.play ──► Referee, from the opening on ──► end ──► record
                          ▲                       │                          │
                          ├─ TakeBackError: the ──┴──────────────────────────┤
                          │  same game, shorter                              │
                          └─ _RematchError: a new game, colours exchanged ───┘
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

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
from loopline.host.players.base import Player
from loopline.host.players.console import Console, LeaveError, Typed, say
from loopline.host.players.person import LastSave, Person
from loopline.host.records.record_file import RecordFile
from loopline.host.referee.played_game import PlayedGame
from loopline.host.referee.referee import TURN_LIMIT, Referee
from loopline.host.render.terminal import show_board
from loopline.host.render.wording import describe_end, describe_turn
from loopline.host.ui.adviser import Adviser
from loopline.host.ui.take_back import kept_turns, refusal
from loopline.tools.messages import tell

__all__ = ["TakeBackError", "TerminalGame", "game_tags"]


class TakeBackError(Exception):
    """The game goes on from ``turns``, the last ones taken back."""

    def __init__(self, turns: tuple[Turn, ...]) -> None:
        super().__init__(turns)
        self.turns = turns


class _RematchError(Exception):
    """Another game follows, with colours exchanged."""


def game_tags(white: str, red: str, clock: Clock = UNTIMED) -> dict[str, str]:
    """Return the tags of a record of a game that is played today."""
    tags = {"White": white, "Red": red, "Date": date.today().isoformat()}
    return tags if clock == UNTIMED else {**tags, "Clock": str(clock)}


@dataclass
class TerminalGame:
    """A game in the terminal, and its rematches.

    Attributes
    ----------
    white, red : Player
        The players, open; they stay open.
    variant : Variant
        The variant of the game.
    clock : Clock
        The clock of the game.
    limit : int
        The number of turns after which an open game is a draw.
    pause : float
        The seconds for which each turn is shown before the game goes on.
    file : RecordFile or None
        Where the record is added when the game is over, left or interrupted.
    opening : sequence of Turn
        The turns from which the first game goes on.
    """

    white: Player
    red: Player
    variant: Variant = STANDARD
    clock: Clock = UNTIMED
    limit: int = TURN_LIMIT
    pause: float = 0.0
    file: RecordFile | None = None
    opening: Sequence[Turn] = ()

    def __post_init__(self) -> None:
        self._adviser = Adviser()
        self._people = [each for each in (self.white, self.red) if isinstance(each, Person)]
        self._last_save = LastSave()
        for person in self._people:
            person.last_save = self._last_save
            person.commands = {
                "hint": Typed("propose a turn", self._hint),
                "undo": Typed("take your turn back", self._undo),
                **person.commands,
            }

    def play(self) -> bool:
        """Play to the end, and on for as long as a person wants to.

        Returns False if a player other than a person has failed.

        Raises
        ------
        UnfitError
            If a player cannot play the variant.
        UsageError
            If the record cannot be saved.
        """
        with self._adviser:
            turns = tuple(self.opening)
            if turns or isinstance(self.white, Person):
                show_board(GameRecord(turns, self.variant).position())
            while True:
                try:
                    return self._play_on(turns)
                except TakeBackError as shorter:
                    turns = shorter.turns
                    show_board(GameRecord(turns, self.variant).position())
                except _RematchError:
                    self.white, self.red, turns = self.red, self.white, ()
                    self._last_save.path = None
                    say(f"White is {self.white.name} now, red is {self.red.name}.")

    def _play_on(self, turns: tuple[Turn, ...]) -> bool:
        """Play from these turns to the end of a game; raises TakeBackError and _RematchError."""
        tags = game_tags(self.white.name, self.red.name, self.clock)
        for person in self._people:
            person.tags = tags
        referee = Referee(
            self.white,
            self.red,
            variant=self.variant,
            opening=turns,
            clock=self.clock,
            limit=self.limit,
        )
        ending, good = None, True
        try:
            game = referee.play(self._watch)
            ending, good = game.ending, self._show_end(game)
            if good and self._people:
                self._ask_what_next(game)
        except TakeBackError:
            raise
        except LeaveError:
            if ending is None:
                print("The game ends here.")
        except BaseException:
            self._save(tags, referee.position, ending)
            raise
        self._save(tags, referee.position, ending)
        return good

    def _ask_what_next(self, game: PlayedGame) -> None:
        """Obey what is typed after the end; raises LeaveError, TakeBackError or _RematchError."""
        person = self._people[-1]
        person.ending = game.ending
        console = Console(
            {
                "undo": Typed("go on from your last turn", self._undo_end),
                "rematch": Typed("play again, with colours exchanged", self._rematch),
                **{name: person.commands[name] for name in ("board", "save")},
            }
        )
        while True:
            said = console.read(lambda: "The game is over (undo, rematch or quit): ", game.position)
            say(f"no such command: {said}; help lists all")

    def _rematch(self, _position: Position, _words: str) -> None:
        raise _RematchError

    def _hint(self, position: Position, _words: str) -> None:
        say(self._adviser.propose(position))

    def _undo(self, position: Position, _words: str) -> None:
        """Go back to before the last turn of the person to move, and before the reply to it."""
        self._go_back(position, position.turns - 1)

    def _undo_end(self, position: Position, _words: str) -> None:
        """Go on with a game that is over: where it stands, if it did not end on the board."""
        stands = position.ending is None and position.turns < self.limit
        self._go_back(position, position.turns if stands else position.turns - 1)

    def _go_back(self, position: Position, most: int) -> None:
        """Go on from a person's move after at most so many turns, or say why that is impossible.

        Raises :exc:`TakeBackError`.
        """
        players = (self.white, self.red)
        people = (isinstance(self.white, Person), isinstance(self.red, Person))
        kept = kept_turns(people, most)
        if kept is None:
            say("there is no turn of yours to take back")
            return
        for player in players if kept else ():
            if reason := refusal(player):
                say(reason)
                return
        raise TakeBackError(tuple(played.turn for played in position.history[:kept]))

    def _watch(self, position: Position, played: Played, _seconds: float) -> None:
        show_board(position)
        say(describe_turn(position, played))
        time.sleep(self.pause)

    def _show_end(self, game: PlayedGame) -> bool:
        """Print how the game has ended; return False if a player other than a person has failed."""
        say(describe_end(game.position, game.ending))
        failed = game.ending.reason in ("fault", "illegal turn", "time")
        if failed:
            say(f"{game.explanation[0].upper()}{game.explanation[1:]}.")
        loser = game.ending.winner.other if game.ending.winner is not None else Colour.WHITE
        return not failed or isinstance((self.white, self.red)[loser], Person)

    def _save(self, tags: dict[str, str], position: Position, ending: Ending | None) -> None:
        """Save the record of the game if there is a file, and print its turns."""
        turns = " ".join(str(played.turn) for played in position.history)
        file = self.file if turns or ending else None
        # Saved first: what is printed may fail, at a terminal that is closed for one. Printed even
        # if it cannot be saved, as on a full disk: it is not lost then.
        try:
            if file:
                file.add(record_of(position, ending, tags))
        finally:
            if turns:
                tell(f"The game: {turns}", sys.stdout)
        if file:
            print(f"{file.path} holds its record", flush=True)
