"""A person at the terminal as a player."""

from __future__ import annotations

import contextlib
import re
import signal
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from loopline.game import (
    STANDARD,
    Colour,
    Ending,
    Position,
    TraxError,
    Turn,
    Variant,
    read_turn,
    record_of,
)
from loopline.host.clock import UNTIMED, Clock
from loopline.host.errors import DeviceSilentError, UsageError
from loopline.host.players.base import ResignError
from loopline.host.players.console import Console, Typed, say
from loopline.host.records.saved_game import save_game
from loopline.host.render.terminal import show_board, terminal_width
from loopline.host.render.threats import Threats
from loopline.host.render.wording import describe_rules
from loopline.tools.messages import fill
from loopline.tools.signals import handled

__all__ = ["LastSave", "Person"]

_HELP = """\
A turn is column, row and tile, such as @0/ or B1+ or AA12\\
  Columns are lettered: @ is the empty one to the left, A the first with tiles.
  Rows are numbered: 0 is the empty one on top, 1 the first with tiles.
  + is two straight tracks that cross, / two curves: around the top left and
  bottom right corner, \\ two curves around the others.
  Colours follow from the neighbours; a space that two tracks of one colour
  enter is filled by itself, in the same turn. The first turn is @0/ or @0+.
The notation before 1998 will do as well, such as A1C or B1S or 1AL
  The space is counted from A and 1 with the new tile on the board; next to
  the tile in the top left corner, A1 is to the left and 1A above.
  S is straight, U, L, D or R a curve up, left, down or right, C the only one.
White is drawn with double lines, red with single ones.
"""


_TURN_SIGN = re.compile(r"[@0-9]")
"""What each turn has, in either notation, and no command has."""


@dataclass
class LastSave:
    """The file of a game's last save, which the next one writes over; None: there is none yet."""

    path: Path | None = None


class Person:
    """Asks for turns at the terminal, and obeys the commands typed there.

    Parameters
    ----------
    name : str
        The person's name in records.
    clock : Clock
        The clock of the games, to show the time that is left.

    Attributes
    ----------
    tags : Mapping
        The tags of a saved record.
    ending : Ending or None
        How the game has ended, for a record that is saved after its end.
    last_save : LastSave
        Of this game; the people at one terminal have the same.
    commands : dict of str to Typed
        The commands that can be typed in a game; more can be added.
    """

    tags: Mapping[str, str]
    ending: Ending | None
    last_save: LastSave
    commands: dict[str, Typed]

    def __init__(self, name: str = "Human", clock: Clock = UNTIMED) -> None:
        self.name = name
        self.tags = {}
        self.ending = None
        self.last_save = LastSave()
        self.commands = {
            "moves": Typed("list the legal turns", _list_turns),
            "threats": Typed("say which turns win, and mark them on the board", _show_threats),
            "board": Typed("draw the board again", lambda position, _: show_board(position)),
            "save": Typed("write the game to a file of its own", self._save, "[FILE]"),
            "resign": Typed("give the game up", _resign),
        }
        self._clock = clock
        self._colour = Colour.WHITE
        self._variant = STANDARD

    def start(
        self, colour: Colour, variant: Variant = STANDARD, opening: Sequence[Turn] = ()
    ) -> None:
        """Begin a new game in this colour."""
        self._colour, self._variant, self.ending = colour, variant, None

    def hear(self, turn: Turn) -> None:
        """Do nothing: the board shows the opponent's turn."""

    def close(self) -> None:
        """Do nothing: the terminal stays open."""

    def choose(self, position: Position, seconds: float | None = None) -> Turn:
        """Ask until a legal turn is typed.

        Raises
        ------
        ResignError
            If the person resigns.
        LeaveError
            If the person leaves the game.
        DeviceSilentError
            If no legal turn is typed within so many seconds.
        """
        colour, begun = self._colour.name.lower(), time.monotonic()

        def prompt() -> str:
            left = "" if seconds is None else self._time_left(seconds, time.monotonic() - begun)
            return f"Your turn ({colour}{left}): "

        console = Console(self.commands, self._about)
        turn = None
        try:
            with _time_limit(seconds):
                while turn is None:
                    turn = _read(console.read(prompt, position), position)
        except _TimeUpError:
            print()
            raise DeviceSilentError(f"no legal turn was typed within {seconds:g} s") from None
        return turn

    def _time_left(self, allowed: float, spent: float) -> str:
        """Return what a prompt says of the time for a turn, the grace included."""
        return f", {self._clock.left(allowed, spent)}"

    def _about(self) -> str:
        rules = fill(describe_rules(self._variant), 79)
        clock = "An empty line shows how much time is left.\n" if self._clock.seconds else ""
        return f"{_HELP}{rules}\n{clock}\n"

    def _save(self, position: Position, name: str) -> None:
        """Write the game so far as a record, to a new file or to that of the last save.

        Without a name it is that of the last save, or one that is free, such as ``game-1.txt``.
        """
        try:
            record = record_of(position, self.ending, self.tags)
            self.last_save.path = save_game(record, name, self.last_save.path)
        except UsageError as error:
            say(str(error))
            return
        print(f"{self.last_save.path} holds the game so far", flush=True)


def _list_turns(position: Position, _words: str) -> None:
    print(fill(" ".join(map(str, position.legal_turns())), terminal_width()), flush=True)


def _show_threats(position: Position, _words: str) -> None:
    threats = Threats.of(position)
    sentences = list(threats.sentences(position, "standard"))
    if sentences:
        show_board(position, threats)
    for sentence in sentences or ["Neither player has a threat."]:
        say(sentence)


def _resign(_position: Position, _words: str) -> None:
    raise ResignError


def _read(text: str, position: Position) -> Turn | None:
    """Return the turn if it is legal; otherwise say why not, and return None."""
    if not _TURN_SIGN.search(text.split()[0]):
        say(f"no such command or turn: {text.split()[0]}; help lists both")
        return None
    if " " in text:
        say(f"{text.split()[0]} takes no more words: one turn at a time, or help")
        return None
    try:
        turn = read_turn(position, text.upper())
        position.copy().play(turn)
    except TraxError as error:
        say(f"{error} (moves lists the legal turns, help explains)")
        return None
    return turn


class _TimeUpError(Exception):
    """The time is up. Not an OSError, which would mean a failed read."""


@contextlib.contextmanager
def _time_limit(seconds: float | None) -> Iterator[None]:
    """Raise :exc:`_TimeUpError` in the context after so many seconds; None: no limit.

    The limit works by SIGALRM: in any thread but the main one there is none.
    """
    if seconds is None or threading.current_thread() is not threading.main_thread():
        yield
        return

    def late(_number: int, _frame: FrameType | None) -> None:
        raise _TimeUpError

    with handled(signal.SIGALRM, late):
        # An interval of 0 would mean no alarm.
        signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6))
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
