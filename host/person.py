"""A person at the terminal as a player."""

from __future__ import annotations

import contextlib
import sys
import textwrap
from itertools import count
from pathlib import Path

from loopline.game import Colour, Position, TraxError, Turn, parse_turn
from loopline.host.match import Match
from loopline.host.scene import Scene
from loopline.host.terminal import terminal_width

__all__ = ["LeaveError", "Person"]

with contextlib.suppress(ImportError):
    import readline  # noqa: F401 (gives input() a history and arrow keys)

HELP = """\
A turn is column, row and tile, such as @0/ or B1+ or AA12\\
  The columns are lettered: @ is the empty one to the left, A the first with tiles.
  The rows are numbered: 0 is the empty one on top, 1 the first with tiles.
  +  is two straight tracks that cross, / two curves: around the top left and bottom right
  corner, \\ two curves around the others.
  Colours follow from the neighbours; a space that two tracks of one colour enter is filled
  by itself, in the same turn. The first turn is @0/ or @0+.
White is drawn with double lines, red with single ones. You win with a loop of your colour, or
with a line of it from edge to opposite edge of a formation at least 8 long in that direction.

  moves   list the legal turns      save FILE   write the game to a file (or to game-1.txt ...)
  board   draw the board again      quit        end the game (so does the end of the input)
  help    this text
"""


class LeaveError(Exception):
    """The person ends the game before its end."""


def _free_name() -> Path:
    """Return the first of ``game-1.txt``, ``game-2.txt`` ... that is not there yet."""
    return next(path for n in count(1) if not (path := Path(f"game-{n}.txt")).exists())


class Person:
    """Asks at the terminal for turns; everything else that can be typed is done on the way.

    Parameters
    ----------
    scene : Scene
        Where the board is drawn.

    Attributes
    ----------
    match : Match
        The game that the person plays; to be set before it starts.
    """

    match: Match

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._colour = Colour.WHITE
        self._saved: Path | None = None

    @property
    def name(self) -> str:
        """How to call the person in a message."""
        return "you"

    def start(self, colour: Colour) -> None:
        """Begin a new game in this colour."""
        self._colour = colour

    def hear(self, turn: Turn) -> None:
        """Take note of the opponent's turn: the board shows it already."""

    def choose(self, position: Position) -> Turn:
        """Ask until there is a legal turn; LeaveError if the person would rather end the game."""
        while True:
            line = self._ask(f"Your turn ({self._colour.name.lower()}): ")
            words = line.split()
            if not words:
                continue
            match [words[0].lower(), *words[1:]]:
                case ["quit" | "exit" | "q"]:
                    raise LeaveError
                case ["help" | "h" | "?"]:
                    print(HELP, end="")
                case ["moves"]:
                    turns = " ".join(str(turn) for turn in position.legal_turns())
                    print("\n".join(textwrap.wrap(turns, terminal_width(), break_on_hyphens=False)))
                case ["board"]:
                    self._scene.show(position)
                case ["save"]:
                    self._save(self._saved or _free_name())
                case ["save", *_]:
                    self._save(Path(line.split(maxsplit=1)[1].strip()).expanduser())
                case [_]:
                    turn = self._read_turn(words[0], position)
                    if turn is not None:
                        return turn
                case _:
                    print(f"{words[0]} takes no more words: one turn at a time, or help")

    def _ask(self, prompt: str) -> str:
        try:
            line = input(prompt)
        except EOFError:
            print()
            raise LeaveError from None
        if not sys.stdin.isatty():
            print(line)  # nobody has typed it: without this a transcript would lack it
        return line

    def _read_turn(self, text: str, position: Position) -> Turn | None:
        """Return the turn if it is legal; else say why not."""
        try:
            turn = parse_turn(text.upper())
            position.copy().play(turn)
        except TraxError as error:
            print(f"{error} (moves lists the legal turns, help explains)")
            return None
        return turn

    def _save(self, path: Path) -> None:
        """Write the game so far as a record for ``loopline replay``; never over another file."""
        try:
            if path.exists() and path != self._saved and path.stat().st_size:
                print(f"{path} is there already: choose another name")
                return
            path.write_text(f"{self.match.text}\n", encoding="utf-8")
        except OSError as error:
            print(f"cannot write {path}: {error.strerror}")
            return
        self._saved = path
        print(f"{path} holds the game so far")
        sys.stdout.flush()
