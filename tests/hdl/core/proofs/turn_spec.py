"""A turn by the rules, for proofs: one tile after the other, then its tracks, tile by tile."""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from loopline.game import Colour, Shape, Side
from loopline.hdl.core.types import Status
from tests.hdl.core.proofs.rules_spec import Board, any_of, beside, reach

__all__ = ["TurnSpec", "spans"]


def spans(board: Board, side: Side, length: int) -> Value:
    """Whether the box is at least so long from this side to the opposite one."""
    lines = board.columns() if side in (Side.EAST, Side.WEST) else board.rows()
    return any_of(
        lines[first] & lines[last]
        for first in range(len(lines))
        for last in range(first + length - 1, len(lines))
    )


class TurnSpec:
    """What becomes of a turn.

    Forced plays are found by looking at all spaces, one play after the other in the order of the
    cells. A loop is a track that cannot be reached from any open end, a line one that can be
    reached from ends on opposite sides of the box; the tracks are followed by a tile per cycle.

    Parameters
    ----------
    m : Module
        Gets the logic.
    before : Board
        The position; settled, and with no loop or line.
    at : mapping of places to conditions
        Where the first tile goes. None of them holds for a place that no tile is beside.
    shape : Value
        Its shape's code.
    load, start : Value
        Take the position; begin with the turn.
    area, line_length : int
        The most columns and rows, and how long a line is.

    Attributes
    ----------
    board : Board
        The position as it is now; when ``done``, after the turn.
    done : Signal
        The turn is complete, or known to be none.
    status : Signal
        What a turn unit has to answer.
    tiles, loops, lines : Signal
        The same; bit 0 of the latter two is White's.
    place_fits, too_large : Signal
        The first tile has a shape that fits; it would make the box larger than the area.
    """

    def __init__(self, m: Module, before: Board, at, shape, *, load, start, area, line_length):
        self._before, self._at, self._shape = before, at, shape
        self._area, self._line_length = area, line_length
        now = {cell: Signal(4, name=f"now_{cell[0]}_{cell[1]}") for cell in before.cells}
        self.board = Board(m, now, name="now")
        self.done, self.status = Signal(name="spec_done"), Signal(Status, name="spec_status")
        self.tiles = Signal(range(len(before.cells) + 2), name="spec_tiles")
        self.loops, self.lines = Signal(2, name="spec_loops"), Signal(2, name="spec_lines")
        self.place_fits, self.too_large = Signal(), Signal()
        tile = Signal(4)
        self._first_tile(m, tile)
        running, steps = Signal(), Signal(range(len(before.cells) + 1))
        forced = self._next_forced(m)
        with m.If(load):
            m.d.sync += [now[cell].eq(before.tile(cell)) for cell in before.cells]
        with m.Elif(start):
            with m.If(~self.place_fits):
                m.d.sync += [self.status.eq(Status.MISMATCH), self.done.eq(1)]
            with m.Elif(self.too_large):
                m.d.sync += [self.status.eq(Status.AREA), self.done.eq(1)]
            with m.Else():
                m.d.sync += [running.eq(1), self.tiles.eq(1)]
                m.d.sync += [now[cell].eq(Mux(at[cell], tile, now[cell])) for cell in before.cells]
        with m.Elif(running & self.board.is_illegal()):
            m.d.sync += [self.status.eq(Status.FORCED), self.done.eq(1), running.eq(0)]
            m.d.sync += [now[cell].eq(before.tile(cell)) for cell in before.cells]
        with m.Elif(running & ~self.board.is_settled()):
            m.d.sync += self.tiles.eq(self.tiles + 1)
            for cell in before.cells:
                with m.If(forced[cell]):
                    m.d.sync += now[cell].eq(self.board.forced_tile(cell))
        with m.Elif(running):
            m.d.sync += steps.eq(steps + 1)
            with m.If(steps == len(before.cells)):
                m.d.sync += [running.eq(0), self.done.eq(1)]
        self.following = Signal()
        m.d.comb += self.following.eq(running & (steps != 0))
        self._judge(m)

    def _first_tile(self, m: Module, tile: Signal) -> None:
        """Which tile has the shape, and whether it may be put there."""
        before, at = self._before, self._at
        empty = Signal()
        m.d.comb += empty.eq(~any_of(before.taken(cell) for cell in before.cells))
        for place, here in at.items():
            may_be = before.is_space(place)
            if place in before.cells:
                # The first turn of all: not with a backslash, and white on the north side.
                may_be = may_be | (empty & (self._shape != Shape.BACKSLASH.code))
            for kind in Shape:
                for oriented in reversed(kind.tiles):
                    with m.If(
                        here & may_be & (self._shape == kind.code) & before.fits(place, oriented)
                    ):
                        m.d.comb += [tile.eq(oriented), self.place_fits.eq(1)]
        width, height = (1 + max(cell[axis] for cell in before.cells) for axis in (0, 1))
        for axis, size, side in ((0, width, Side.WEST), (1, height, Side.NORTH)):
            if size == self._area:
                full = spans(before, side, self._area)
                outside = any_of(at[place] for place in at if place[axis] in (-1, size))
                with m.If(full & outside):
                    m.d.comb += self.too_large.eq(1)

    def _next_forced(self, m: Module) -> dict:
        """The first cell where a play is forced."""
        result, earlier = {}, Const(0)
        for cell in self.board.cells:
            result[cell] = Signal(name=f"forced_{cell[0]}_{cell[1]}")
            m.d.comb += result[cell].eq(self.board.is_forced(cell) & ~earlier)
            earlier = earlier | self.board.is_forced(cell)
        return result

    def follow(self, m: Module, colour: Colour, starts, *, name: str) -> dict:
        """Follow tracks of a colour from those cells where ``starts`` holds; all cells that belong
        to them when ``done``."""
        found = {cell: Signal(name=f"{name}_{cell[0]}_{cell[1]}") for cell in self.board.cells}
        on = reach(self.board, colour, found)
        with m.If(~self.done):
            for cell in self.board.cells:
                m.d.sync += found[cell].eq(Mux(self.following, on[cell], starts[cell]))
        return found

    def ends(self, cell, colour: Colour, side: Side) -> Value:
        """Whether a track of the colour has an open end on this side of a cell."""
        return self.board.edges(cell, colour)[side] & ~self.board.taken(beside(cell, side))

    def _judge(self, m: Module) -> None:
        """Loops and lines."""
        board = self.board
        for colour in Colour:
            name = colour.name.lower()
            ends = {
                cell: any_of(self.ends(cell, colour, side) for side in Side) for cell in board.cells
            }
            open_tracks = self.follow(m, colour, ends, name=f"open_{name}")
            m.d.comb += self.loops[colour].eq(
                any_of(board.taken(cell) & ~open_tracks[cell] for cell in board.cells)
            )
            lines = []
            for side in (Side.WEST, Side.NORTH):
                out = {
                    way: {
                        cell: self.ends(cell, colour, way) & board.outermost(cell, way)
                        for cell in board.cells
                    }
                    for way in (side, side.opposite)
                }
                tracks = self.follow(m, colour, out[side], name=f"{side.name.lower()}_{name}")
                across = any_of(tracks[cell] & out[side.opposite][cell] for cell in board.cells)
                lines.append(across & spans(board, side, self._line_length))
            m.d.comb += self.lines[colour].eq(Cat(lines).any())
