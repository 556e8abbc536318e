"""The turn that a person chooses: a space, and one of the tiles that fit there."""

from __future__ import annotations

from loopline.game import Played, Position, Shape, Turn
from loopline.host.render.view import Cell

__all__ = ["Choice"]


class Choice:
    """The spaces where a turn is legal, the one that is looked at, and the turn chosen there.

    Parameters
    ----------
    position : Position
        The position; it is not changed.
    near : Cell or None
        The space looked at is the nearest one to this.

    Attributes
    ----------
    space : Cell or None
        The space that is looked at; None if there is no legal turn.
    """

    def __init__(self, position: Position, near: Cell | None = None) -> None:
        self._position = position
        self._turns: dict[Cell, list[Turn]] = {}
        for turn in position.legal_turns():
            self._turns.setdefault(position.locate(turn), []).append(turn)
        self._chosen: int | None = None
        x, y = near or (0, 0)
        self.space = min(
            self._turns, key=lambda at: (abs(at[0] - x) + abs(at[1] - y), at), default=None
        )

    @property
    def turns(self) -> list[Turn]:
        """The turns in this space."""
        return self._turns[self.space] if self.space else []

    @property
    def number(self) -> int:
        """The number of the chosen turn in its space, from 1; 0 if none is chosen."""
        return 0 if self._chosen is None else self._chosen + 1

    @property
    def turn(self) -> Turn | None:
        """The chosen turn."""
        return None if self._chosen is None else self.turns[self._chosen]

    def outcome(self) -> tuple[Position, Played] | None:
        """Return the position after the chosen turn, and the turn with all that it forces."""
        if self.turn is None:
            return None
        after = self._position.copy()
        return after, after.play(self.turn)

    def next_tile(self, step: int = 1) -> None:
        """Choose the next tile that fits, or the one before."""
        if self._chosen is None:
            self._chosen = 0 if step > 0 else len(self.turns) - 1
        else:
            self._chosen = (self._chosen + step) % len(self.turns)
        if not self.turns:
            self._chosen = None

    def take_shape(self, shape: Shape) -> bool:
        """Choose the tile of this shape, if it fits."""
        for number, turn in enumerate(self.turns):
            if turn.shape is shape:
                self._chosen = number
                return True
        return False

    def take(self, turn: Turn) -> None:
        """Look at the space of a legal turn, and choose the turn."""
        self.space = self._position.locate(turn)
        self._chosen = self.turns.index(turn)

    def drop(self) -> None:
        """Choose no turn; the space stays."""
        self._chosen = None

    def look_at(self, space: Cell) -> bool:
        """Look at a space, and choose its first turn; return False if there is none."""
        if space not in self._turns:
            return False
        self.space, self._chosen = space, 0
        return True

    def move(self, across: int, down: int) -> None:
        """Look at the nearest space in one of the four directions."""
        if self.space is None:
            return
        x, y = self.space
        found = []
        for space in self._turns:
            ahead = (space[0] - x) * across + (space[1] - y) * down
            aside = abs((space[0] - x) * down) + abs((space[1] - y) * across)
            if ahead > 0:
                found.append((ahead + 2 * aside, aside, space))
        if found:
            self.look_at(min(found)[2])

    def move_on(self, step: int) -> None:
        """Look at the next space in reading order, or the one before."""
        spaces = sorted(self._turns, key=lambda at: (at[1], at[0]))
        if self.space:
            self.look_at(spaces[(spaces.index(self.space) + step) % len(spaces)])
