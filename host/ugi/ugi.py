"""The Universal Game Interface: UCI, as chess engines speak it, for all games of two players.

The specification is that of https://github.com/kz04px/ugi; docs/ugi.md tells what is particular to
Trax and to Loopline.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from importlib.metadata import version

from loopline.game import (
    VARIANTS,
    Colour,
    GameRecord,
    Position,
    TraxError,
    Turn,
    read_turn,
    record_of,
    variant_named,
)
from loopline.host.errors import UsageError
from loopline.host.players.base import UnfitError
from loopline.host.ugi.player import UgiPlayer, parse_go
from loopline.host.ugi.reader import Line
from loopline.tools.extras import MissingExtraError

__all__ = ["NO_TURN", "GameFollower", "Ugi"]

NO_TURN = "0000"
"""The answer to ``go`` where no turn can be made."""

_SHOWN = 40
"""The most characters that a message quotes."""


class Ugi:
    """A session with a tournament manager or a graphical interface.

    Parameters
    ----------
    player : UgiPlayer
        Finds the turns.
    say : callable
        Takes each line of the replies.
    game : GameFollower or None
        Follows the games, if they are saved.
    """

    def __init__(
        self, player: UgiPlayer, say: Callable[[str], None], game: GameFollower | None = None
    ) -> None:
        self._player = player
        self._say = say
        self._game = game
        self._position = Position(player.variant)
        self._commands: dict[str, Callable[[str, Line], None]] = {
            "ugi": self._introduce,
            "isready": self._is_ready,
            "setoption": self._set_option,
            "uginewgame": self._new_game,
            "position": self._set_position,
            "go": self._go,
            "query": self._query,
        }

    def obey(self, line: Line) -> None:
        """Obey a line. A line that is not valid is ignored, and answered by ``info string``.

        Raises
        ------
        UsageError, DeviceError
            If the player cannot be opened, or fails.
        """
        word, _, rest = line.text.strip().partition(" ")
        command = self._commands.get(word)
        if command is None:
            expected = ", ".join((*self._commands, "stop", "quit"))
            self._note(f"unknown command {_shown(word)}: expected {expected}")
        else:
            command(rest.strip(), line)

    def _introduce(self, _rest: str, _line: Line) -> None:
        variants = " ".join(f"var {name}" for name in VARIANTS)
        self._say(f"id name Loopline {version('loopline')} ({self._player.device})")
        self._say("id author the Loopline authors")
        self._say(f"option name Device type string default {self._player.device}")
        self._say(f"option name Variant type combo default {self._player.variant} {variants}")
        self._say("ugiok")

    def _is_ready(self, _rest: str, _line: Line) -> None:
        self._player.open()
        self._say("readyok")

    def _set_option(self, rest: str, _line: Line) -> None:
        """Set an option, and begin a new game; the next search opens the player."""
        fields = rest.split()
        if len(fields) < 4 or fields[0] != "name" or fields[2] != "value":
            self._note("expected setoption name NAME value VALUE")
            return
        device, variant = self._player.device, self._player.variant
        option, value = fields[1].lower(), rest.split(maxsplit=3)[3]
        try:
            if option == "variant":
                variant = variant_named(value)
            elif option == "device":
                device = value
            else:
                self._note(f"unknown option {_shown(fields[1])}: expected Device or Variant")
                return
            self._player.change(device, variant)
        except (UsageError, MissingExtraError, ValueError) as error:
            self._note(f"setoption: {error}")
        else:
            self._begin()

    def _new_game(self, _rest: str, _line: Line) -> None:
        self._player.new_game()
        self._begin()

    def _begin(self) -> None:
        self._position = Position(self._player.variant)
        if self._game:
            self._game.end()

    def _set_position(self, rest: str, _line: Line) -> None:
        """Set up the position; if a turn is wrong, the position does not change."""
        fields = rest.split()
        if fields[:1] != ["startpos"] or fields[1:2] not in ([], ["moves"]):
            self._note("expected position startpos [moves TURN ...]; Trax has no other notation")
            return
        position = Position(self._player.variant)
        for number, text in enumerate(fields[2:], start=1):
            try:
                position.play(read_turn(position, text))
            except TraxError as error:
                self._note(f"turn {number} cannot be made, the position stays as it was: {error}")
                return
        self._position = position
        if self._game:
            self._game.follow(position)

    def _go(self, rest: str, line: Line) -> None:
        go = parse_go(rest.split(), self._note)
        if self._position.ending:
            self._note(f"the game is over, {self._position.ending}")
            self._say(f"bestmove {NO_TURN}")
            return
        try:
            found = self._player.think(self._position, go, line.stop.is_set)
            turn = str(found)
            if self._game:
                self._game.play(self._position, found, self._player.device)
        except UnfitError as error:
            self._note(str(error))
            turn = NO_TURN
        self._say(f"bestmove {turn}")

    def _query(self, rest: str, _line: Line) -> None:
        position = self._position
        match rest:
            case "gameover":
                answer = _word(position.ending is not None)
            case "p1turn":
                answer = _word(position.to_move is Colour.WHITE)
            case "result" if position.result:
                answer = f"p{position.result.winner + 1}win"
            case "result":
                answer = "draw" if position.draw else "none"
            case _:
                self._note(f"unknown query {_shown(rest)}: expected gameover, p1turn or result")
                return
        self._say(f"response {answer}")

    def _note(self, text: str) -> None:
        self._say(f"info string {text}")


def _word(truth: bool) -> str:
    return "true" if truth else "false"


def _shown(text: str) -> str:
    """Return a text in quotation marks, on one line, shortened if it is long."""
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")


class GameFollower:
    """Follows a game from position to position, and saves its record at its end.

    A position that continues the last one, or is one of its predecessors, belongs to the same game.
    Any other position begins a new game, and so does a predecessor of a game that has ended.

    Parameters
    ----------
    save : callable
        Takes the record of each game that has a turn, when the next game begins.
    """

    def __init__(self, save: Callable[[GameRecord], None]) -> None:
        self._save = save
        self._position: Position | None = None
        self._players: dict[str, str] = {}

    def follow(self, position: Position) -> None:
        """Take note of a position of the manager; it is copied."""
        if self._position is not None:
            before, now = _turns(self._position), _turns(position)
            shared = min(len(before), len(now))
            goes_back = len(now) < len(before)
            if before[:shared] != now[:shared] or (goes_back and self._position.ending):
                self.end()
        self._position = position.copy()

    def play(self, position: Position, turn: Turn, player: str) -> None:
        """Take note of the turn that the player with this name would make in a position."""
        self.follow(position)
        assert self._position is not None
        self._players[position.to_move.name.capitalize()] = player
        if self._position.is_legal(turn):
            self._position.play(turn)

    def end(self) -> None:
        """Save the game, if it has a turn; the next position begins a new game."""
        position, self._position = self._position, None
        players, self._players = self._players, {}
        if position is not None and position.turns:
            names = [colour.name.capitalize() for colour in Colour]
            tags = {name: players[name] for name in names if name in players}
            self._save(record_of(position, tags={**tags, "Date": date.today().isoformat()}))


def _turns(position: Position) -> list[Turn]:
    return [played.turn for played in position.history]
