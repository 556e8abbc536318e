"""The position: tiles, frontier, track ends and box, kept up to date turn by turn.

A turn is worked out on the sockets first (:mod:`.chain`), which also decides whether it is legal;
only then are its tiles laid and the ends of tracks joined (:mod:`.ends`). A loop shows when the two
ends that meet belong to one track already, a line by where the ends of a track that the turn has
changed leave the box: no track is ever followed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from .chain import FITTING, Chain, Step, entering, forces_no_conflict, make_chain, socket
from .ends import TrackEnds
from .errors import (
    ColourMismatchError,
    FirstTurnError,
    ForcedPlayError,
    GameOverError,
    NotAdjacentError,
    OccupiedError,
    TraxError,
)
from .grid import EMPTY_BOX, Box, coordinates, key
from .notation import Turn, parse_turn, space_name
from .result import Placed, Played, Result, judge
from .tiles import Colour, Shape, Side, Tile
from .tracks import LINE_LENGTH, winning_tracks

__all__ = ["Position"]

_SHAPES: Final = tuple(sorted(Shape, key=lambda shape: shape.code))
_SHAPE_CODE: Final = {tile: tile.shape.code for tile in Tile}
_FIRST_TILES: Final = (Tile.NORTH_SOUTH, Tile.NORTH_WEST)


class _Record(NamedTuple):
    """A turn made, and what to restore when it is taken back."""

    played: Played
    steps: list[Step]
    sockets: dict[int, int]
    box: Box


class Position:
    """A game of Trax on the unlimited plane: make turns, take them back, ask what is legal.

    Parameters
    ----------
    lines : bool
        Whether lines win (standard Trax). If not, only loops do (Loop Trax).

    Coordinates are absolute: the first tile lies at (0, 0), columns grow to the east and rows to
    the south. Labels, as in notation, count from the box as it stands; see :meth:`label`.
    """

    def __init__(self, *, lines: bool = True) -> None:
        self.lines: Final = lines
        self._tiles: dict[int, Tile] = {}
        self._sockets: dict[int, int] = {}
        self._ends = TrackEnds()
        self._box = EMPTY_BOX
        self._records: list[_Record] = []

    def __repr__(self) -> str:
        return f"<Position: {self.turns} turns, {self.tiles} tiles, {self._state()}>"

    def _state(self) -> str:
        """Who moves, or who has won."""
        return str(self.result) if self.result else f"{self.to_move.name.lower()} to move"

    # What is on the board.

    @property
    def to_move(self) -> Colour:
        """The player whose turn it is, or would be if the game were not over. White begins."""
        return Colour(len(self._records) & 1)

    @property
    def turns(self) -> int:
        """The number of turns made."""
        return len(self._records)

    @property
    def tiles(self) -> int:
        """The number of tiles on the board."""
        return len(self._tiles)

    @property
    def result(self) -> Result | None:
        """How the game has ended, or none if it goes on."""
        return self._records[-1].played.result if self._records else None

    @property
    def history(self) -> tuple[Played, ...]:
        """The turns made, first to last."""
        return tuple(record.played for record in self._records)

    @property
    def west(self) -> int:
        """The leftmost occupied column; 1 on the empty board."""
        return self._box.west

    @property
    def north(self) -> int:
        """The topmost occupied row; 1 on the empty board."""
        return self._box.north

    @property
    def east(self) -> int:
        """The rightmost occupied column; 0 on the empty board."""
        return self._box.east

    @property
    def south(self) -> int:
        """The lowest occupied row; 0 on the empty board."""
        return self._box.south

    @property
    def width(self) -> int:
        """The number of columns that the box spans."""
        return self._box.width

    @property
    def height(self) -> int:
        """The number of rows that the box spans."""
        return self._box.height

    def tile_at(self, x: int, y: int) -> Tile | None:
        """The tile in a space, or none."""
        return self._tiles.get(key(x, y))

    def cells(self) -> Iterator[Placed]:
        """The tiles on the board in the order in which they were laid."""
        for space, tile in self._tiles.items():
            yield Placed(*coordinates(space), tile)

    def sockets(self, x: int, y: int) -> dict[Side, Colour]:
        """The sides of an empty space on which a track enters; none where a tile lies."""
        sockets = self._sockets.get(key(x, y), 0)
        return {
            side: colour
            for side in Side
            for colour in Colour
            if entering(sockets, colour) & side.bit
        }

    def frontier(self) -> list[tuple[int, int]]:
        """The spaces next to a tile, from left to right and there from top to bottom."""
        return sorted(coordinates(space) for space in self._sockets)

    def label(self, x: int, y: int) -> tuple[int, int]:
        """Column and row of a space in notation: the box begins at 1, 1."""
        return x - self._box.west + 1, y - self._box.north + 1

    def locate(self, turn: Turn) -> tuple[int, int]:
        """The absolute coordinates of the space that a turn names."""
        return turn.column + self._box.west - 1, turn.row + self._box.north - 1

    def winning_tracks(self) -> dict[Colour, list[tuple[int, int]]]:
        """The cells of the loops and lines on the board, each colour's in order along them.

        Empty if there are none. For the kind of each, see :func:`.tracks.winning_tracks`.
        """
        cells: dict[Colour, list[tuple[int, int]]] = {}
        board = {(x, y): tile for x, y, tile in self.cells()}
        for track in winning_tracks(board):
            if self.lines or track.completes == "loop":
                cells.setdefault(track.colour, []).extend(track.cells)
        return cells

    # What is legal.

    def legal_turns(self) -> list[Turn]:
        """All legal turns, by column, row and shape in the order ``+ / \\``; none at the end."""
        labelled = sorted(
            (*self.label(*coordinates(space)), _SHAPE_CODE[tile])
            for space, tile in self._legal_placements()
        )
        return [Turn(column, row, _SHAPES[code]) for column, row, code in labelled]

    def count_legal_turns(self) -> int:
        """How many legal turns there are, without a list of them."""
        return sum(1 for _ in self._legal_placements())

    def is_legal(self, turn: Turn | str) -> bool:
        """Whether :meth:`play` would make this turn.

        Raises :exc:`NotationError` for a text that is not a turn.
        """
        turn = parse_turn(turn) if isinstance(turn, str) else turn
        try:
            self._make_chain(turn)
        except TraxError:
            return False
        return True

    def _legal_placements(self) -> Iterator[tuple[int, Tile]]:
        """The space and the first tile of every legal turn, in no order to rely on."""
        if self.result:
            return
        if not self._tiles:
            for tile in _FIRST_TILES:
                yield key(0, 0), tile
            return
        sockets = self._sockets
        for space, here in sockets.items():
            for tile in FITTING[here]:
                if forces_no_conflict(sockets, space, tile):
                    yield space, tile

    # Turns.

    def play(self, turn: Turn | str) -> Played:
        """Make a turn with all its forced plays.

        Raises a :exc:`TraxError` and changes nothing if the turn cannot be read or is not legal.
        """
        turn = parse_turn(turn) if isinstance(turn, str) else turn
        chain = self._make_chain(turn)
        colour = self.to_move
        sockets = {space: self._sockets.get(space, 0) for space in chain.changed}
        sockets[chain.steps[0].space] = chain.steps[0].sockets
        record_box = self._box
        self._box = self._box.including(*self.locate(turn))

        loops, lines = self._lay(chain)
        placed = tuple(Placed(*coordinates(step.space), Tile(step.tile)) for step in chain.steps)
        played = Played(turn, colour, placed, loops, lines, judge(colour, loops, lines))
        self._records.append(_Record(played, chain.steps, sockets, record_box))
        return played

    def undo(self) -> Played:
        """Take the last turn back. Raises :exc:`IndexError` if there is none."""
        if not self._records:
            raise IndexError("there is no turn to take back")
        record = self._records.pop()
        for step in reversed(record.steps):
            self._ends.cut(step)
            del self._tiles[step.space]
        for space, sockets in record.sockets.items():
            if sockets:
                self._sockets[space] = sockets
            else:
                self._sockets.pop(space, None)
        self._box = record.box
        return record.played

    def copy(self) -> Position:
        """An independent position with the same history."""
        position = Position(lines=self.lines)
        position._tiles = self._tiles.copy()
        position._sockets = self._sockets.copy()
        position._ends = self._ends.copy()
        position._box = self._box
        position._records = self._records.copy()
        return position

    def _lay(self, chain: Chain) -> tuple[frozenset[Colour], frozenset[Colour]]:
        """Lay the tiles of a legal turn; the colours that have completed a loop, and a line."""
        loops: set[Colour] = set()
        joined: list[tuple[Colour, tuple[int, int]]] = []
        self._sockets.update(chain.changed)
        for step in chain.steps:
            self._tiles[step.space] = step.tile
            self._sockets.pop(step.space, None)
            for colour in Colour:
                ends = self._ends.join(step, colour)
                if ends is None:
                    loops.add(colour)
                else:
                    joined.append((colour, ends))
        lines: set[Colour] = set()
        if self.lines and max(self.width, self.height) >= LINE_LENGTH:
            lines.update(colour for colour, ends in joined if self._is_line(*ends))
        return frozenset(loops), frozenset(lines)

    def _is_line(self, one: int, other: int) -> bool:
        """Whether the ends of a track leave the box on opposite sides that are far enough apart.

        Ends outside the box are never met by a forced play, so if both are, they still are ends.
        """
        side = self._box.side_of(one)
        return (
            side is not None
            and self._box.side_of(other) is side.opposite
            and self._box.extent(side) >= LINE_LENGTH
        )

    def _make_chain(self, turn: Turn) -> Chain:
        """All tiles of a turn. Raises the fitting :exc:`IllegalTurnError` if it is not legal."""
        if self.result:
            raise GameOverError(turn, self.result)
        space = key(*self.locate(turn))
        if not self._tiles:
            tile = turn.shape.tiles[0]
            if space != key(0, 0) or tile not in _FIRST_TILES:
                raise FirstTurnError(turn)
            return make_chain({}, space, tile)
        if space in self._tiles:
            raise OccupiedError(turn)
        if space not in self._sockets:
            raise NotAdjacentError(turn)
        chain = make_chain(self._sockets, space, self._orient(turn, self._sockets[space]))
        if chain.conflict:
            conflict, colour = chain.conflict
            label = space_name(*self.label(*coordinates(conflict)))
            raise ForcedPlayError(turn, label, colour)
        return chain

    @staticmethod
    def _orient(turn: Turn, sockets: int) -> Tile:
        """The tile of the turn's shape that fits the sockets.

        Raises :exc:`ColourMismatchError` if neither does: the tile is turned to fit the first
        socket, clockwise from the north, and the edge that is wrong then is reported.
        """
        fitting = next((tile for tile in FITTING[sockets] if tile.shape is turn.shape), None)
        if fitting is not None:
            return fitting
        entries = [
            (side, colour)
            for side in Side
            for colour in Colour
            if sockets & socket(side, colour)
        ]
        side, colour = entries[0]
        tile = next(tile for tile in turn.shape.tiles if tile.colour(side) is colour)
        side, colour = next(entry for entry in entries if tile.colour(entry[0]) is not entry[1])
        raise ColourMismatchError(turn, side, colour)
