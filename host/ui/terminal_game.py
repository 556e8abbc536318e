"""A game in the terminal: drawn turn by turn, with turns taken back, and saved as a record.

::

    open players ──► TerminalGame.play ──► Referee, from the opening on ──► end or leave ──► record
                          ▲                       │
                          └─ TakeBackError: the ──┘
                             same game, shorter
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import date

from loopline.game import STANDARD, Colour, Ending, Played, Position, Turn, Variant, record_of
from loopline.host.clock import UNTIMED, Clock
from loopline.host.errors import DeviceError
from loopline.host.players.base import Player
from loopline.host.players.line_player import LinePlayer
from loopline.host.players.person import LeaveError, Person
from loopline.host.records.record_file import RecordFile
from loopline.host.referee.referee import TURN_LIMIT, Referee
from loopline.host.render.terminal import Scene

__all__ = ["TakeBackError", "TerminalGame", "game_tags"]


class TakeBackError(Exception):
    """The game goes on from ``turns``, the last ones taken back."""

    def __init__(self, turns: tuple[Turn, ...]) -> None:
        super().__init__(turns)
        self.turns = turns


def game_tags(white: str, red: str, clock: Clock = UNTIMED) -> dict[str, str]:
    """Return the tags of a record of a game that is played today."""
    tags = {"White": white, "Red": red, "Date": date.today().isoformat()}
    return tags if clock == UNTIMED else {**tags, "Clock": str(clock)}


@dataclass
class TerminalGame:
    """One game in the terminal.

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
        Where the record is added at the end of the game, or when it is left or interrupted.
    """

    white: Player
    red: Player
    variant: Variant = STANDARD
    clock: Clock = UNTIMED
    limit: int = TURN_LIMIT
    pause: float = 0.0
    file: RecordFile | None = None

    def __post_init__(self) -> None:
        self._scene = Scene()
        self._tags = game_tags(self.white.name, self.red.name, self.clock)
        for player in (self.white, self.red):
            if isinstance(player, Person):
                player.tags = self._tags
                player.take_back = self._take_back

    def play(self) -> bool:
        """Play to the end; False if a player other than a person has failed.

        Raises
        ------
        UnfitError
            If a player cannot play the variant.
        UsageError
            If the record cannot be saved.
        """
        turns: tuple[Turn, ...] = ()
        if isinstance(self.white, Person):
            self._show_after(turns)
        while True:
            referee = Referee(
                self.white,
                self.red,
                variant=self.variant,
                opening=turns,
                clock=self.clock,
                limit=self.limit,
            )
            try:
                game = referee.play(self._watch)
            except TakeBackError as shorter:
                turns = shorter.turns
                self._show_after(turns)
            except LeaveError:
                print("The game ends here.")
                self._save(referee.position)
                return True
            except BaseException:
                self._save(referee.position)
                raise
            else:
                return self._finish(game.position, game.ending, game.explanation)

    def _take_back(self, position: Position) -> str:
        """Take back the last turn of the person to move, or return why that is impossible.

        Against a program its reply is taken back, too. Raises :exc:`TakeBackError`.
        """
        opponent = (self.white, self.red)[position.to_move.other]
        count = 1 if isinstance(opponent, Person) else 2
        if position.turns < count:
            return "there is no turn of yours to take back"
        if isinstance(opponent, LinePlayer) and position.turns > count:
            try:
                able = opponent.device.knows_set_up()
            except DeviceError as error:
                return str(error)
            if not able:
                return f"{opponent.name} cannot take turns back"
        raise TakeBackError(tuple(played.turn for played in position.history[:-count]))

    def _watch(self, position: Position, played: Played, _seconds: float) -> None:
        self._scene.show_turn(position, played)
        time.sleep(self.pause)

    def _show_after(self, turns: tuple[Turn, ...]) -> None:
        position = Position(self.variant)
        for turn in turns:
            position.play(turn)
        self._scene.show(position)

    def _finish(self, position: Position, ending: Ending, explanation: str) -> bool:
        """Print how the game has ended, and save it."""
        self._scene.show_end(position, ending)
        failed = ending.reason in ("fault", "illegal turn", "time")
        if failed:
            print(f"{explanation[0].upper()}{explanation[1:]}.")
        self._save(position, ending)
        loser = ending.winner.other if ending.winner is not None else Colour.WHITE
        return not failed or isinstance((self.white, self.red)[loser], Person)

    def _save(self, position: Position, ending: Ending | None = None) -> None:
        """Print the turns of the game, and save its record if there is a file."""
        turns = " ".join(str(played.turn) for played in position.history)
        if turns:
            print(f"The game: {turns}", flush=True)
        if self.file and (turns or ending):
            self.file.add(record_of(position, ending, self._tags))
            print(f"{self.file.path} holds its record", flush=True)
