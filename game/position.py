"""The position: a board with players and turns. This is the class that most users need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from loopline.game.board import Board
from loopline.game.chain import Chain, entering
from loopline.game.grid import Box, coordinates, key
from loopline.game.legality import GameOverError, IllegalTurnError, chain_of
from loopline.game.notation import Turn, parse_turn
from loopline.game.result import Draw, Ending, Placed, Played, Result, result_after
from loopline.game.tiles import SHAPE_OF_CODE, Colour, Side, Tile
from loopline.game.tracks import winning_tracks
from loopline.game.variant import STANDARD, Variant

__all__ = ["Position", "ending_of", "play_game"]

_SHAPE_CODE: Final = {tile: tile.shape.code for tile in Tile}


class _Record(NamedTuple):
    """A turn made, its tiles, and the box before the turn."""

    played: Played
    chain: Chain
    box: Box


class Position:
    """A game of Trax: makes turns, takes them back, and lists the legal ones.

    Coordinates are absolute: the first tile lies at (0, 0), columns grow to the east and rows to
    the south. Labels, as in notation, count from the box as it stands; see :meth:`label`.

    Parameters
    ----------
    variant : Variant
        The variant that is played.
    """

    def __init__(self, variant: Variant = STANDARD) -> None:
        """Make an empty board with white to move."""
        self._board = Board(variant)
        self._records: list[_Record] = []

    def __repr__(self) -> str:
        """Return a summary in one line."""
        state = str(self.ending or f"{self.to_move.name.lower()} to move")
        return f"<Position: {self.turns} turns, {self.tiles} tiles, {state}>"

    def copy(self) -> Position:
        """Return an independent position with the same history."""
        position = Position(self.variant)
        position._board = self._board.copy()
        position._records = self._records.copy()
        return position

    # The game so far.

    @property
    def variant(self) -> Variant:
        """The variant that is played."""
        return self._board.variant

    @property
    def lines(self) -> bool:
        """Whether lines win."""
        return self.variant.line_length is not None

    @property
    def to_move(self) -> Colour:
        """The player whose turn it is, or would be if the game were not over. White begins."""
        return Colour(len(self._records) & 1)

    @property
    def turns(self) -> int:
        """The number of turns made."""
        return len(self._records)

    @property
    def result(self) -> Result | None:
        """The win that has ended the game; None if it goes on or is drawn."""
        return self._records[-1].played.result if self._records else None

    @property
    def draw(self) -> Draw | None:
        """The draw that has ended the game; None if it goes on or is won."""
        return self._records[-1].played.draw if self._records else None

    @property
    def ending(self) -> Result | Draw | None:
        """The win or the draw that has ended the game; None if it goes on."""
        return self.result or self.draw

    @property
    def history(self) -> tuple[Played, ...]:
        """The turns made, first to last."""
        return tuple(record.played for record in self._records)

    # What is on the board.

    @property
    def tiles(self) -> int:
        """The number of tiles on the board."""
        return len(self._board.tiles)

    @property
    def west(self) -> int:
        """The leftmost occupied column; 1 on the empty board."""
        return self._board.box.west

    @property
    def north(self) -> int:
        """The topmost occupied row; 1 on the empty board."""
        return self._board.box.north

    @property
    def east(self) -> int:
        """The rightmost occupied column; 0 on the empty board."""
        return self._board.box.east

    @property
    def south(self) -> int:
        """The lowest occupied row; 0 on the empty board."""
        return self._board.box.south

    @property
    def width(self) -> int:
        """The number of columns from the leftmost to the rightmost tile."""
        return self._board.box.width

    @property
    def height(self) -> int:
        """The number of rows from the topmost to the lowest tile."""
        return self._board.box.height

    def tile_at(self, x: int, y: int) -> Tile | None:
        """Return the tile in a space, or None."""
        return self._board.tiles.get(key(x, y))

    def cells(self) -> Iterator[Placed]:
        """Yield the tiles on the board in the order in which they were laid."""
        for space, tile in self._board.tiles.items():
            yield Placed(*coordinates(space), tile)

    def sockets(self, x: int, y: int) -> dict[Side, Colour]:
        """Return the colours by the sides on which tracks enter a space; empty for a tile's."""
        sockets = self._board.sockets.get(key(x, y), 0)
        return {
            side: colour
            for side in Side
            for colour in Colour
            if entering(sockets, colour) & side.bit
        }

    def frontier(self) -> list[tuple[int, int]]:
        """Return the empty spaces next to a tile, sorted by column, then by row."""
        return sorted(coordinates(space) for space in self._board.sockets)

    def label(self, x: int, y: int) -> tuple[int, int]:
        """Return column and row of a space in notation: the leftmost and topmost occupied are 1."""
        return self._board.box.label(x, y)

    def locate(self, turn: Turn) -> tuple[int, int]:
        """Return the absolute coordinates of the space that a turn names."""
        return self._board.box.locate(turn.column, turn.row)

    def winning_tracks(self) -> dict[Colour, list[tuple[int, int]]]:
        """Return the cells of loops and lines by colour, in order along the tracks.

        See :mod:`.tracks` for each track by itself.
        """
        board = {(x, y): tile for x, y, tile in self.cells()}
        cells: dict[Colour, list[tuple[int, int]]] = {}
        for track in winning_tracks(board, self.variant.line_length):
            cells.setdefault(track.colour, []).extend(track.cells)
        return cells

    # Turns.

    def legal_turns(self) -> list[Turn]:
        """Return all legal turns by column, row and shape in the order ``+ / \\``.

        The list is empty when the game is over.
        """
        if self.ending:
            return []
        labelled = sorted(
            (*self.label(*coordinates(space)), _SHAPE_CODE[tile])
            for space, tile in self._board.legal_placements()
        )
        return [Turn(column, row, SHAPE_OF_CODE[code]) for column, row, code in labelled]

    def count_legal_turns(self) -> int:
        """Return the number of legal turns, faster than by a list of them."""
        return 0 if self.ending else sum(1 for _ in self._board.legal_placements())

    def is_legal(self, turn: Turn | str) -> bool:
        """Return whether :meth:`play` would make this turn.

        Raises :exc:`NotationError` for a text that is not a turn, and :exc:`ValueError` for a
        column or row below zero.
        """
        try:
            self._chain_of(turn)
        except IllegalTurnError:
            return False
        return True

    def play(self, turn: Turn | str) -> Played:
        """Make a turn with all its forced plays.

        Raises a :exc:`TraxError` if the turn cannot be read or is not legal, and :exc:`ValueError`
        for a column or row below zero; nothing changes then.
        """
        turn, chain = self._chain_of(turn)
        mover, box = self.to_move, self._board.box
        loops, lines = self._board.lay(chain)
        placed = tuple(Placed(*coordinates(step.space), step.tile) for step in chain.steps)
        result, draw = result_after(mover, loops, lines), None
        if result and result.both and self.variant.both == "draw":
            result, draw = None, Draw("both")
        elif not result and self.variant.size and not any(self._board.legal_placements()):
            draw = Draw("blocked")
        played = Played(turn, mover, placed, loops, lines, result, draw)
        self._records.append(_Record(played, chain, box))
        return played

    def undo(self) -> Played:
        """Take back the last turn and return it. Raises :exc:`IndexError` on the empty board."""
        if not self._records:
            raise IndexError("there is no turn to take back")
        played, chain, box = self._records.pop()
        self._board.lift(chain)
        self._board.box = box
        return played

    def _chain_of(self, turn: Turn | str) -> tuple[Turn, Chain]:
        """Return the turn, parsed if it is a text, and its tiles. Raises as :meth:`play` does."""
        turn = parse_turn(turn) if isinstance(turn, str) else turn
        if self.ending:
            raise GameOverError(turn, self.ending)
        return turn, chain_of(self._board, turn)


def ending_of(position: Position) -> Ending | None:
    """Return how the game has ended by the rules, or None while it goes on."""
    if position.result:
        return Ending(position.result.winner, position.result.kind)
    return Ending(None, position.draw.reason) if position.draw else None


def play_game(turns: Iterable[Turn | str], variant: Variant = STANDARD) -> Position:
    """Return the position after these turns.

    Raises a :exc:`TraxError` at the first turn that cannot be read or is not legal.
    """
    position = Position(variant)
    for turn in turns:
        position.play(turn)
    return position
