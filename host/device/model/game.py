"""The game of the model device: what a board makes of each command, worked out by the rules.

Payloads come in as values by the names of the definition, and go out so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from loopline.game import (
    Colour,
    ForcedPlayError,
    GameOverError,
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

__all__ = ["GRID", "Cell", "ModelGame", "variant_of"]

GRID: Final = 64
"""Cells per row and column of the torus that the model would have: a turn can name no more."""

_LARGEST: Final = GRID - 2

Values = dict[str, Any]
Cell = tuple[int, int]


def variant_of(area: int, rules: RuleFlag) -> Variant:
    """The variant that a new game's command asks for."""
    return Variant(
        "framed",
        size=area if 0 < area <= _LARGEST else None,
        line_length=LINE_LENGTH if RuleFlag.LINES in rules else None,
        both="draw" if RuleFlag.BOTH_DRAW in rules else "mover",
    )


class ModelGame:
    """One game, on a board that holds 62 columns and rows.

    Parameters
    ----------
    area : int
        The most columns and rows that the variant allows; 0, or more than 62: 62.
    rules : RuleFlag
        What counts.
    """

    def __init__(self, area: int, rules: RuleFlag) -> None:
        self.position = Position(variant_of(area, rules))

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.position.ending is not None

    def state(self) -> GameFlag:
        """The state, as far as it is the game's."""
        flags = GameFlag.ON
        if self.over:
            flags |= GameFlag.OVER
        if self.position.to_move is Colour.RED:
            flags |= GameFlag.RED_TO_MOVE
        return flags

    def play(self, turns: Sequence[Turn]) -> Values:
        """Make turns, up to the first that is refused."""
        made = 0
        status = TurnStatus.LEGAL
        for turn in turns:
            status = self._make(turn)
            if status is not TurnStatus.LEGAL:
                break
            made += 1
        return self._changed(made, status, made > 0)

    def take_back(self, count: int) -> Values:
        """Take back so many turns, of which there are as many."""
        for _ in range(count):
            self.position.undo()
        return self._changed(count, TurnStatus.LEGAL, False)

    def candidates(self) -> Iterator[Values]:
        """All turns whose first tile fits, and what comes of each."""
        board = self._board()
        for space, tile in _placements(board):
            turn = Turn(*board.box.label(*coordinates(space)), tile.shape)
            status = self._make(turn)
            legal = status is TurnStatus.LEGAL
            played = self.position.undo() if legal else None
            yield {
                "turn": turn,
                "status": status,
                "tiles": len(played.tiles) if played else 0,
                "completed": completed_by(played) if played else 0,
            }

    def rows(self) -> Iterator[Values]:
        """The formation, row by row."""
        position = self.position
        for y in range(position.north, position.south + 1):
            columns = range(position.west, position.east + 1)
            yield {"row": y - position.north + 1, "cells": [self._cell(x, y) for x in columns]}

    def spaces(self) -> Iterator[Values]:
        """The spaces that tracks enter, with the other ends of these tracks."""
        ends: dict[tuple[Cell, Colour], Cell] = {}
        for colour, one, other in self._board().open_tracks():
            here, there = coordinates(one), coordinates(other)
            ends[here, colour], ends[there, colour] = there, here
        for x, y in self.position.frontier():
            column, row = self.position.label(x, y)
            values: Values = {"column": column, "row": row, "sockets": self._cell(x, y)}
            for colour in Colour:
                end = ends.get(((x, y), colour))
                place = self.position.label(*end) if end else (0xFF, 0xFF)
                name = colour.name.lower()
                values[f"{name}_column"], values[f"{name}_row"] = place
            yield values

    def summary(self) -> Values:
        """What comes after rows and spaces."""
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

    def _make(self, turn: Turn) -> TurnStatus:
        """Make a turn, or say why not."""
        position = self.position
        if self.over:
            return TurnStatus.OVER
        if turn.column > position.width + 1 or turn.row > position.height + 1:
            return TurnStatus.OUTSIDE
        if position.tiles and (
            (turn.column in (0, position.width + 1) and position.width == _LARGEST)
            or (turn.row in (0, position.height + 1) and position.height == _LARGEST)
        ):
            return TurnStatus.BOUNDS
        try:
            position.play(turn)
        except GameOverError:
            return TurnStatus.OVER
        except OutsideAreaError:
            return TurnStatus.AREA
        except ForcedPlayError:
            return TurnStatus.FORCED
        except IllegalTurnError:
            return TurnStatus.MISMATCH
        return TurnStatus.LEGAL

    def _cell(self, x: int, y: int) -> int:
        """A cell as frames carry it."""
        tile = self.position.tile_at(x, y)
        if tile is not None:
            return tile.edges(Colour.WHITE) << 4 | tile.edges(Colour.RED)
        return sides_of(self.position.sockets(x, y))

    def _board(self) -> Board:
        """The position as a board of its own, which knows the ends of tracks."""
        board = Board(self.position.variant)
        for played in self.position.history:
            first = played.tiles[0]
            board.lay(make_chain(board.sockets, key(first.x, first.y), first.tile))
        return board


def _placements(board: Board) -> Iterator[tuple[int, Tile]]:
    """Every first tile that fits, within the area; what it forces may still conflict."""
    if not board.tiles:
        for tile in FIRST_TILES:
            yield FIRST_SPACE, tile
    for space, sockets in board.sockets.items():
        if board.variant.size is None or board.is_inside(space):
            for tile in FITTING[sockets]:
                yield space, tile
