"""A person at the terminal as a player."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from types import FrameType

from loopline.game import (
    STANDARD,
    Colour,
    Position,
    TraxError,
    Turn,
    Variant,
    format_record,
    read_turn,
    record_of,
)
from loopline.host.errors import DeviceSilentError
from loopline.host.players.base import ResignError
from loopline.host.records.record_file import tidy
from loopline.host.render.terminal import Scene, terminal_width
from loopline.host.render.wording import describe_rules
from loopline.host.signals import handled
from loopline.tools.messages import fill

__all__ = ["LeaveError", "Person"]

with contextlib.suppress(ImportError):
    import readline  # noqa: F401 (gives input() a history and arrow keys)

HELP = """\
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

COMMANDS = """\
  moves   list the legal turns      save FILE  write the game to a file of its
  board   draw the board again                 own (or to game-1.txt ...)
  undo    take your turn back       quit       leave the game as it is (the end
  resign  give the game up                     of the input does that, too)
  help    this text
"""


class LeaveError(Exception):
    """The person ends the game before its end."""


_TURN_SIGN = re.compile(r"[@0-9]")
"""What each turn has, in either notation, and no command has."""


def _say(text: str) -> None:
    """Print a message, on lines that fit."""
    print(fill(text, min(terminal_width(), 80) - 1))


def _free_name() -> Path:
    """Return the first of ``game-1.txt``, ``game-2.txt`` ... that does not exist."""
    return next(path for n in count(1) if not (path := Path(f"game-{n}.txt")).exists())


class Person:
    """Asks for turns at the terminal, and obeys the commands typed there.

    Parameters
    ----------
    name : str
        The person's name in records.

    Attributes
    ----------
    tags : Mapping
        The tags of a saved record.
    take_back : callable or None
        Called with the position when the person wants to take a turn back. It raises an exception
        that ends this game, to be continued from an earlier position, or returns why that is
        impossible. None: no turn can be taken back.
    """

    tags: Mapping[str, str]
    take_back: Callable[[Position], str] | None

    def __init__(self, name: str = "Human") -> None:
        self.name = name
        self.tags = {}
        self.take_back = None
        self._scene = Scene()
        self._colour = Colour.WHITE
        self._variant = STANDARD
        self._saved: Path | None = None

    def start(
        self, colour: Colour, variant: Variant = STANDARD, opening: Sequence[Turn] = ()
    ) -> None:
        """Begin a new game in this colour."""
        self._colour = colour
        self._variant = variant

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
        try:
            with _time_limit(seconds):
                return self._choose(position)
        except _TimeUpError:
            print()
            raise DeviceSilentError(f"no legal turn was typed within {seconds:g} s") from None

    def _choose(self, position: Position) -> Turn:
        while True:
            line = self._ask(f"Your turn ({self._colour.name.lower()}): ")
            typed = line.split()
            if not typed:
                continue
            match [typed[0].lower(), *typed[1:]]:
                case ["quit" | "exit" | "q"]:
                    raise LeaveError
                case ["resign"]:
                    raise ResignError
                case ["undo"]:
                    print(self._undo(position))
                case ["help" | "h" | "?"]:
                    print(HELP + fill(describe_rules(self._variant), 79))
                    print(f"\n{COMMANDS}", end="")
                case ["moves"]:
                    turns = " ".join(str(turn) for turn in position.legal_turns())
                    print(fill(turns, terminal_width()))
                case ["board"]:
                    self._scene.show(position)
                case ["save"]:
                    self._save(position, "")
                case ["save", *_]:
                    self._save(position, line.split(maxsplit=1)[1].strip())
                case _ if not _TURN_SIGN.search(typed[0]):
                    _say(f"no such command or turn: {typed[0]}; help lists both")
                case [_]:
                    turn = self._read_turn(typed[0], position)
                    if turn is not None:
                        return turn
                case _:
                    print(f"{typed[0]} takes no more words: one turn at a time, or help")

    def _ask(self, prompt: str) -> str:
        try:
            line = input(prompt)
        except EOFError:
            print()
            raise LeaveError from None
        if not sys.stdin.isatty():
            print(line)  # piped input: the transcript would lack it
        return line

    def _undo(self, position: Position) -> str:
        """Take the last turn back, or return why that is impossible."""
        if self.take_back is None:
            return "no turn can be taken back in this game"
        return self.take_back(position)

    def _read_turn(self, text: str, position: Position) -> Turn | None:
        """Return the turn if it is legal; otherwise print why not, and return None."""
        try:
            turn = read_turn(position, text.upper())
            position.copy().play(turn)
        except TraxError as error:
            _say(f"{error} (moves lists the legal turns, help explains)")
            return None
        return turn

    def _save(self, position: Position, name: str) -> None:
        """Write the game so far as a record, to a new file or to that of the last save.

        Without a name it is that of the last save, or one that is free.
        """
        try:
            path = Path(name).expanduser() if name else self._saved or _free_name()
            if path.exists() and path != self._saved and path.stat().st_size:
                print(f"{path} is there already: choose another name")
                return
            text = format_record(tidy(record_of(position, tags=self.tags)))
            path.write_text(text, encoding="utf-8")
        except (OSError, RuntimeError, ValueError) as error:
            reason = os.strerror(error.errno or 0) if isinstance(error, OSError) else error
            print(f"cannot write {name}: {reason}")
            return
        self._saved = path
        print(f"{path} holds the game so far", flush=True)


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
