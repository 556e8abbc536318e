"""The game of the device: what the rules answer to each command.

Payloads are values by the names of their fields, see :mod:`loopline.game.wire.messages`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from loopline.game import (
    Colour,
    ForcedPlayError,
    IllegalTurnError,
    OutsideAreaError,
    Position,
    Turn,
    Variant,
)
from loopline.game.board import FIRST_SPACE, FIRST_TILES, Board
from loopline.game.chain import FITTING, make_chain
from loopline.game.grid import coordinates, key
from loopline.game.tiles import Tile
from loopline.game.tracks import LINE_LENGTH
from loopline.game.wire import (
    GameFlag,
    RuleFlag,
    TurnStatus,
    area_and_flags,
    completed_by,
    sides_of,
)

__all__ = ["Game", "variant_of"]

_GRID: Final = 64
"""Cells per row and column of the largest torus: as many as turns can name."""

_LARGEST: Final = _GRID - 2
"""The most columns and rows of a formation there: the spaces around it have to fit in, too."""

_NO_END: Final = (0xFF, 0xFF)

Values = dict[str, Any]
Cell = tuple[int, int]


def variant_of(area: int, rules: RuleFlag) -> Variant:
    """Return the variant that ``NEW_GAME`` describes.

    Parameters
    ----------
    area : int
        The most columns and rows of a formation; 0, or more than 62, is no limit of the variant.
    rules : RuleFlag
        What counts.
    """
    return Variant(
        "framed",
        size=area if 0 < area <= _LARGEST else None,
        line_length=LINE_LENGTH if RuleFlag.LINES in rules else None,
        both="draw" if RuleFlag.BOTH_DRAW in rules else "mover",
    )


class Game:
    """A game on a torus.

    Parameters
    ----------
    variant : Variant
        What is played.
    own : Colour or None
        The colour whose turns the device makes by itself; None for both sides' turns coming in.
    grid : int
        Cells per row and column. A formation may have two less.

    Attributes
    ----------
    position : Position
        The game so far.
    own : Colour or None
        As above; may change in the course of the game.
    """

    def __init__(self, variant: Variant, own: Colour | None = None, grid: int = _GRID) -> None:
        self.position = Position(variant)
        self._largest = grid - 2
        self.own = own

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.position.ending is not None

    @property
    def awaits_turn(self) -> bool:
        """Whether a turn from outside is due, or ``-G``."""
        return not self.over and self.own is not self.position.to_move

    def state(self) -> GameFlag:
        """Return the flags of this game."""
        flags = GameFlag.ON
        if self.own is not None:
            flags |= GameFlag.CONTEST
        if self.over:
            flags |= GameFlag.OVER
        if self.position.to_move is Colour.RED:
            flags |= GameFlag.RED_TO_MOVE
        return flags

    def play(self, turns: Sequence[Turn]) -> Values:
        """Make turns, up to the first that is refused, and return the answer to ``PLAY``."""
        made = 0
        status = TurnStatus.LEGAL
        for turn in turns:
            status = self.make(turn)
            if status is not TurnStatus.LEGAL:
                break
            made += 1
        return self._changed(made, status, made > 0)

    def take_back(self, count: int) -> Values:
        """Take turns back, at most as many as the game has; return the answer to ``TAKE_BACK``."""
        for _ in range(count):
            self.position.undo()
        return self._changed(count, TurnStatus.LEGAL, False)

    def candidates(self) -> Iterator[Values]:
        """Yield an answer to ``LIST`` for each turn whose first tile fits."""
        board = self._board()
        for space, tile in _placements(board):
            turn = Turn(*board.box.label(*coordinates(space)), tile.shape)
            status = self.make(turn)
            legal = status is TurnStatus.LEGAL
            played = self.position.undo() if legal else None
            yield {
                "turn": turn,
                "status": status,
                "tiles": len(played.tiles) if played else 0,
                "completed": completed_by(played) if played else 0,
            }

    def rows(self) -> Iterator[Values]:
        """Yield the rows of the formation from north to south."""
        position = self.position
        for y in range(position.north, position.south + 1):
            columns = range(position.west, position.east + 1)
            yield {"row": y - position.north + 1, "cells": [self._cell(x, y) for x in columns]}

    def spaces(self) -> Iterator[Values]:
        """Yield the spaces that tracks enter, with the other ends of these tracks."""
        ends: dict[tuple[Cell, Colour], Cell] = {}
        for colour, one, other in self._board().open_tracks():
            here, there = coordinates(one), coordinates(other)
            ends[here, colour], ends[there, colour] = there, here
        for x, y in self.position.frontier():
            column, row = self.position.label(x, y)
            values: Values = {"column": column, "row": row, "sockets": self._cell(x, y)}
            for colour in Colour:
                end = ends.get(((x, y), colour))
                place = self.position.label(*end) if end else _NO_END
                name = colour.name.lower()
                values[f"{name}_column"], values[f"{name}_row"] = place
            yield values

    def summary(self) -> Values:
        """Return the last answer to ``POSITION``, without the state."""
        position = self.position
        area, rules = area_and_flags(position.variant)
        return {
            "turns": position.turns,
            "area": area,
            "rules": rules,
            "columns": position.width,
            "rows": position.height,
            "tiles": position.tiles,
            "spaces": len(position.frontier()),
        }

    def _changed(self, made: int, status: TurnStatus, has_last: bool) -> Values:
        last = self.position.history[-1] if has_last else None
        return {
            "made": made,
            "status": status,
            "tiles": len(last.tiles) if last else 0,
            "completed": completed_by(last) if last else 0,
            "state": self.state(),
            "turns": self.position.turns,
        }

    def make(self, turn: Turn) -> TurnStatus:
        """Make a turn if it is legal and fits. Return its status."""
        position = self.position
        if self.over:
            return TurnStatus.OVER
        if turn.column > position.width + 1 or turn.row > position.height + 1:
            return TurnStatus.OUTSIDE
        beyond = position.tiles > 0 and (
            (turn.column in (0, position.width + 1) and position.width == self._largest)
            or (turn.row in (0, position.height + 1) and position.height == self._largest)
        )
        # The grid's edge is asked for where the gateware does: behind the first tile's fit and the
        # area, before forced plays.
        try:
            position.play(turn)
        except OutsideAreaError:
            return TurnStatus.AREA
        except ForcedPlayError:
            return TurnStatus.BOUNDS if beyond else TurnStatus.FORCED
        except IllegalTurnError:
            return TurnStatus.MISMATCH
        if beyond:
            position.undo()
            return TurnStatus.BOUNDS
        return TurnStatus.LEGAL

    def _cell(self, x: int, y: int) -> int:
        """Return a cell as frames carry it."""
        tile = self.position.tile_at(x, y)
        if tile is not None:
            return tile.edges(Colour.WHITE) << 4 | tile.edges(Colour.RED)
        return sides_of(self.position.sockets(x, y))

    def _board(self) -> Board:
        """Return the position as a board of its own, which has the ends of the tracks."""
        board = Board(self.position.variant)
        for played in self.position.history:
            first = played.tiles[0]
            board.lay(make_chain(board.sockets, key(first.x, first.y), first.tile))
        return board


def _placements(board: Board) -> Iterator[tuple[int, Tile]]:
    """Yield each first tile that fits within the area; its forced plays may conflict."""
    if not board.tiles:
        for tile in FIRST_TILES:
            yield FIRST_SPACE, tile
    for space, sockets in board.sockets.items():
        if board.variant.size is None or board.is_inside(space):
            for tile in FITTING[sockets]:
                yield space, tile
