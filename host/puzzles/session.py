"""Puzzles in the terminal: the person wins, the engine defends.

::

    board ──► the person's turn ──► Position: won? ─────────────► solved
      ▲              ▲                  │ no
      │              └── taken back ◄── engine: forced? no
      │                                 │ yes
      └────────── the defence ◄─────────┘

The rules decide what is legal and what wins. Whether a win is still forced is the result of a
search: it may miss a long win if its limit is low, and is never wrong about one that it has found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from loopline.game import Position, Turn
from loopline.host.players.analyst import Analysis
from loopline.host.players.console import LeaveError, Typed, say
from loopline.host.players.person import Person
from loopline.host.puzzles.tactics import Tactic
from loopline.host.render.terminal import show_board
from loopline.host.render.wording import describe_end, describe_turn, plural

__all__ = ["Analyse", "Score", "solve_puzzles"]

Analyse = Callable[[Position], Analysis]
"""Return the analysis of a position in which the game goes on."""

_LONGEST: Final = 40
"""The most turns of a solution that are played, if the engine loses sight of the win."""


class Score(NamedTuple):
    """The result of a session.

    Attributes
    ----------
    asked, solved, clean : int
        The puzzles that were shown, those that were solved, and those of these that were solved
        without a wrong turn and without a hint.
    """

    asked: int
    solved: int
    clean: int

    def __str__(self) -> str:
        """Return the result as a sentence."""
        text = f"Solved {self.solved} of {plural(self.asked, 'puzzle')}"
        if self.solved:
            text += f", {self.clean} without a wrong turn or a hint"
        return f"{text}."


class _SkipError(Exception):
    """The person goes on to the next puzzle."""


def solve_puzzles(tactics: Sequence[Tactic], analyse: Analyse) -> Score:
    """Ask puzzles in this order until the last one is done, or the person leaves."""
    asked = solved = clean = 0
    for number, tactic in enumerate(tactics, start=1):
        puzzle, title = _Puzzle(tactic, analyse), f"Puzzle {number} of {len(tactics)}"
        if not puzzle.judged:
            say(f"{title} is left out: the engine does not find the win within its limit.")
            continue
        asked += 1
        try:
            done = puzzle.ask(title)
        except LeaveError:
            break
        solved += done
        clean += done and puzzle.clean
    return Score(asked, solved, clean)


class _Puzzle:
    """One puzzle.

    Attributes
    ----------
    clean : bool
        Whether there was no wrong turn and no hint so far.
    """

    def __init__(self, tactic: Tactic, analyse: Analyse) -> None:
        self.clean = True
        self._own_turns = tactic.own_turns
        self._position = tactic.position.copy()
        self._solver = self._position.to_move
        self._analyse = analyse
        self._best: Analysis | None = None
        self._person = Person()
        self._person.commands = {
            "hint": Typed("say where the winning turn is", self._hint),
            "solution": Typed("show the win, and go on to the next puzzle", self._solution),
            "skip": Typed("go on to the next puzzle", self._skip),
            **{
                name: command
                for name, command in self._person.commands.items()
                if name in ("moves", "board")
            },
        }

    @property
    def judged(self) -> bool:
        """Whether the engine finds the win, so that it can judge turns."""
        return (self._win().mate or 0) > 0

    def ask(self, title: str) -> bool:
        """Ask until the puzzle is solved, and return True; False if it is given up.

        Raises :exc:`LeaveError` if the person leaves.
        """
        position, solver = self._position, self._solver
        name = solver.name.lower()
        show_board(position)
        say(f"{title}: {name} is to move and wins in {self._own_turns} turns.")
        self._person.start(solver, position.variant)
        try:
            while not self._make(self._person.choose(position)):
                pass
        except _SkipError:
            return False
        return True

    def _make(self, turn: Turn) -> bool:
        """Make a turn of the person, and the defence; return whether the game is won."""
        position = self._position
        played = position.play(turn)
        if self._won():
            show_board(position)
            say(f"{describe_turn(position, played)} {describe_end(position)}")
            return True
        if position.ending:
            self._refuse(f"After {turn}: {describe_end(position)}")
            return False
        defence = self._analyse(position)
        if defence.mate is None or defence.mate > 0:
            other = self._solver.other.name.lower()
            reason = f"{turn} lets the win go: {other} answers {defence.turn}"
            self._refuse(f"{reason}{' and wins by force' if defence.mate else ''}.")
            return False
        made = position.play(defence.turn)
        self._best = None
        show_board(position)
        # A defence may have to complete the person's loop or line itself.
        won = self._won()
        left = plural(-defence.mate // 2, "turn")
        end = describe_end(position) if won else f"You win in {left} at most."
        say(f"Right. {describe_turn(position, made)} {end}")
        return won

    def _won(self) -> bool:
        result = self._position.result
        return result is not None and result.winner is self._solver

    def _refuse(self, reason: str) -> None:
        """Take the person's turn back."""
        self._position.undo()
        self.clean = False
        say(f"{reason} Try another turn.")

    def _win(self) -> Analysis:
        """Return the analysis of the position, in which the person is to move."""
        self._best = self._best or self._analyse(self._position)
        return self._best

    def _hint(self, _position: Position, _words: str) -> None:
        self.clean = False
        say(f"A tile at {self._win().turn.space} wins.")

    def _solution(self, _position: Position, _words: str) -> None:
        """Play the win to its end, and show it."""
        position, line = self._position, [self._win().turn]
        position.play(line[0])
        while not position.ending and len(line) < _LONGEST:
            line.append(self._analyse(position).turn)
            position.play(line[-1])
        show_board(position)
        say(f"The win: {' '.join(map(str, line))}. {describe_end(position)}")
        raise _SkipError

    def _skip(self, _position: Position, _words: str) -> None:
        raise _SkipError
