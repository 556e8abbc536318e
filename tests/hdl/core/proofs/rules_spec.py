"""The rules of Trax as plainly as they are written, for proofs: tiles in cells, nothing else.

It shares no code with the gateware that is proved against it. A position is an array of
oriented tiles; sockets, the box, forced plays and tracks are worked out anew from them whenever
they are asked for. All of it is logic, so that a solver can reason about all positions at once.
"""

from __future__ import annotations

from collections.abc import Mapping

from amaranth.asserts import AnyConst
from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from loopline.game import Colour, Side, Tile

__all__ = ["Board", "Place", "any_board", "any_of", "beside", "count", "reach"]

Place = tuple[int, int]
"""Column and row; the cells that may hold tiles begin with (0, 0)."""


def beside(place: Place, side: Side) -> Place:
    """The place on one side of another."""
    columns, rows = side.step
    return place[0] + columns, place[1] + rows


def any_of(values) -> Value:
    """Whether any of some conditions, possibly none, holds."""
    return Cat(*values).any()


def count(mask: Value) -> Value:
    """How many sides a mask has."""
    return mask[0] + mask[1] + mask[2] + mask[3]


class Board:
    """Tiles in a rectangle of cells, with the spaces around it.

    Parameters
    ----------
    m : Module
        Gets the logic.
    tiles : mapping of places to 4-bit values
        The white edges of the tile in each cell; 0 for a cell without a tile.
    name : str
        A prefix for signals.

    Attributes
    ----------
    cells : list of places
        Where there may be tiles, row by row.
    places : list of places
        These, and all places beside them.
    white, red : mappings of places to 4-bit values
        By place the sides on which a neighbouring tile's edge of that colour enters.
    """

    def __init__(self, m: Module, tiles: Mapping[Place, Value], *, name: str = "board"):
        self.tiles = dict(tiles)
        self.cells = sorted(tiles, key=lambda place: (place[1], place[0]))
        around = {beside(cell, side) for cell in self.cells for side in Side}
        self.places = sorted({*self.cells, *around}, key=lambda place: (place[1], place[0]))
        self.white, self.red = {}, {}
        for place in self.places:
            entering: dict[Colour, list] = {colour: [] for colour in Colour}
            for side in Side:
                tile = self.tile(beside(place, side))
                facing = side.opposite
                entering[Colour.WHITE].append(tile[facing])
                entering[Colour.RED].append(tile.any() & ~tile[facing])
            number = f"{name}_{self.places.index(place)}"
            self.white[place] = Signal(4, name=f"{number}_white")
            self.red[place] = Signal(4, name=f"{number}_red")
            m.d.comb += [
                self.white[place].eq(Cat(entering[Colour.WHITE])),
                self.red[place].eq(Cat(entering[Colour.RED])),
            ]

    def tile(self, place: Place) -> Value:
        """The tile at a place, 0 if there is none."""
        return self.tiles.get(place, Const(0, 4))

    def taken(self, place: Place) -> Value:
        """Whether there is a tile."""
        return self.tile(place).any()

    def sockets(self, place: Place, colour: Colour) -> Value:
        """The sides of a place on which a track of this colour enters."""
        return self.white[place] if colour is Colour.WHITE else self.red[place]

    def edges(self, place: Place, colour: Colour) -> Value:
        """The edges of this colour of the tile at a place; none without a tile."""
        tile = self.tile(place)
        return tile if colour is Colour.WHITE else Mux(tile.any(), ~tile, 0)[:4]

    def is_space(self, place: Place) -> Value:
        """Whether a place is in the frontier."""
        return ~self.taken(place) & (self.white[place] | self.red[place]).any()

    def most(self, place: Place, number: int) -> Value:
        """Whether an empty place has ``number`` or more sockets of one colour."""
        sockets = self.white[place], self.red[place]
        return ~self.taken(place) & any_of(count(mask) >= number for mask in sockets)

    def is_forced(self, place: Place) -> Value:
        """Whether the rules force a play here."""
        return self.most(place, 2)

    def is_illegal(self) -> Value:
        """Whether some space has three or four sockets of one colour."""
        return any_of(self.most(place, 3) for place in self.places)

    def is_settled(self) -> Value:
        """Whether no play is forced: a turn may end here."""
        return ~any_of(self.is_forced(place) for place in self.places)

    def fits(self, place: Place, tile: int | Value) -> Value:
        """Whether a tile matches all sockets of a place."""
        tile = Value.cast(tile)
        return ~((self.white[place] & ~tile) | (self.red[place] & tile)).any()

    def forced_tile(self, place: Place) -> Value:
        """The tile that fits a space where a play is forced; 0 if there is none."""
        options = [Mux(self.fits(place, Const(tile, 4)), tile, 0)[:4] for tile in Tile]
        result = Const(0, 4)
        for option in options:
            result = result | option
        return result

    def is_sound(self) -> Value:
        """Whether all tiles are tiles, and those side by side meet in one colour."""
        wrong = []
        for cell in self.cells:
            tile = self.tile(cell)
            wrong.append(tile.any() & (count(tile) != 2))
            for side in (Side.EAST, Side.SOUTH):
                other = self.tile(beside(cell, side))
                wrong.append(tile.any() & other.any() & (tile[side] != other[side.opposite]))
        return ~any_of(wrong)

    def columns(self) -> list[Value]:
        """For each column of cells whether it has a tile."""
        width = 1 + max(x for x, _ in self.cells)
        return [
            any_of(self.taken(cell) for cell in self.cells if cell[0] == x) for x in range(width)
        ]

    def rows(self) -> list[Value]:
        """For each row of cells whether it has a tile."""
        height = 1 + max(y for _, y in self.cells)
        return [
            any_of(self.taken(cell) for cell in self.cells if cell[1] == y) for y in range(height)
        ]

    def outermost(self, place: Place, side: Side) -> Value:
        """Whether a cell is in the last row or column of the box on one side, or beyond it."""
        lines = self.rows() if side in (Side.NORTH, Side.SOUTH) else self.columns()
        at = place[1] if side in (Side.NORTH, Side.SOUTH) else place[0]
        beyond = lines[: max(at, 0)] if side in (Side.NORTH, Side.WEST) else lines[at + 1 :]
        return ~any_of(beyond)

    def inside(self, place: Place) -> Value:
        """Whether a place is within the box."""
        x, y = place
        columns, rows = self.columns(), self.rows()
        return (
            any_of(columns[: max(x + 1, 0)])
            & any_of(columns[max(x, 0) :])
            & any_of(rows[: max(y + 1, 0)])
            & any_of(rows[max(y, 0) :])
        )

    def with_tile(self, m: Module, at: Mapping[Place, Value], tile: Value, *, name: str) -> Board:
        """This board with one more tile, at the place whose condition holds."""
        tiles = {}
        for cell in self.cells:
            tiles[cell] = Signal(4, name=f"{name}_{cell[0]}_{cell[1]}")
            m.d.comb += tiles[cell].eq(Mux(at[cell], tile, self.tile(cell)))
        return Board(m, tiles, name=name)


def any_board(m: Module, width: int, height: int, *, name: str = "board") -> Board:
    """A board with anything in its cells: a proof is about all of them."""
    return Board(m, {(x, y): AnyConst(4) for y in range(height) for x in range(width)}, name=name)


def reach(board: Board, colour: Colour, tracks: Mapping[Place, Value]) -> dict[Place, Value]:
    """One more tile along the tracks of a colour, from the tiles that ``tracks`` says it has got to
    so far."""
    result = {}
    for cell in board.cells:
        edges = board.edges(cell, colour)
        ways = [
            edges[side] & board.edges(beside(cell, side), colour)[side.opposite] & tracks[there]
            for side in Side
            if (there := beside(cell, side)) in tracks
        ]
        result[cell] = tracks[cell] | any_of(ways)
    return result
