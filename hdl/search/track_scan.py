"""Track scan: finds the attacks of both sides, in one pass over the frontier table."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import Colour, Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import extent
from loopline.hdl.core.client import PositionReader
from loopline.hdl.core.rules import is_limited, rules_layout
from loopline.hdl.core.types import place_layout

__all__ = ["TrackScan", "near_layout", "scan_layout"]


def near_layout(grid: GridConfig) -> data.StructLayout:
    """The columns and rows that all loop attacks of one side have in common: of each attack those
    from one end of the track to the other.

    They go from ``west`` to ``east`` and from ``north`` to ``south``, and are counted from those
    beside the box. Without an attack they are all, up to those on its other side. There are none if
    ``west`` is greater than ``east``, or ``north`` greater than ``south``.
    """
    bits = grid.coord_bits
    return data.StructLayout({"west": bits, "east": bits, "north": bits, "south": bits})


def scan_layout(grid: GridConfig) -> data.StructLayout:
    """The result of a scan.

    - ``own``: the side to move has an attack. Then the other fields are not valid.
    - ``other``: the other side has one.
    - ``near``: the other side's loop attacks; see :func:`near_layout`.
    """
    return data.StructLayout({"own": 1, "other": 1, "near": near_layout(grid)})


class _Test:
    """A cell in which a tile may have to fit, relative to the box's corner, for a track."""

    def __init__(self, grid: GridConfig, name: str):
        self.needed = Signal(name=f"{name}_needed")
        self.x = Signal(grid.coord_bits, name=f"{name}_x", reset_less=True)
        self.y = Signal(grid.coord_bits, name=f"{name}_y", reset_less=True)


class _Track:
    """A track in a stage of the pipeline: its colour, and the coordinates of its ends relative to
    the box's corner."""

    def __init__(self, grid: GridConfig, name: str):
        bits = grid.coord_bits
        self.valid = Signal(name=f"{name}_valid")
        self.colour = Signal(name=f"{name}_colour", reset_less=True)
        self.here = Signal(place_layout(grid), name=f"{name}_here", reset_less=True)
        self.there = Signal(place_layout(grid), name=f"{name}_there", reset_less=True)
        self.across = Signal(bits + 1, name=f"{name}_across", reset_less=True)
        self.down = Signal(bits + 1, name=f"{name}_down", reset_less=True)


class TrackScan(wiring.Component):
    """Finds out whether each side has an attack: a track that its owner can close to a loop or
    complete to a line with the next turn, by its pattern.

    ::

        ┌───────┐   ┌────────┐   ┌────────┐   ┌─────────┐   ┌────────┐   ┌───────┐
        │ READ  ├──►│ FOLLOW ├──►│ RELATE ├──►│ MEASURE ├──►│  TEST  ├──►│ JUDGE ├──► result
        └───────┘   └────────┘   └────────┘   └─────────┘   └────────┘   └───────┘
        an entry    other ends   to the box   distance of   a cell       does a tile
                    of its       of one       the ends      between      join the ends?
                    tracks       track

    A track is visited at its end of the lower frontier index. It is an attack in the four cases of
    ``loopline.engine.evaluation.scan``, which has the same results. In two of them a tile has to
    fit between: its space has a socket of the other colour and none of the track's. Up to two cells
    are read for that, one per cycle; meanwhile the stages before stand still.

    The scan ends with the first attack of the side to move.

    Latency: 6 cycles, one for each entry of the frontier table, one more for each at which a track
    is visited, and one more for each track with two cells to read.

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Members
    -------
    jobs : In(stream of 1)
        Scan for this side, which is to move. The turn unit has no command until the result.
    results : Out(stream of scan_layout)
        One for each job, until it is taken.
    rules : In(rules_layout)
        The variant that is played.
    reader : Out(PositionReader)
        The position.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "jobs": In(stream.Signature(1)),
                "results": Out(stream.Signature(scan_layout(grid))),
                "rules": In(rules_layout(grid)),
                "reader": Out(PositionReader(grid)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid, reader = self._grid, self.reader
        bits = grid.coord_bits
        edges = reader.edges
        result = self.results.payload
        scanning, mover = Signal(), Signal()
        # No stage advances in the cycle in which a track's second cell is read.
        go = Signal()
        # The last column and row that a space can have: that beside the box.
        last_x, last_y = Signal(bits), Signal(bits)
        m.d.sync += [
            last_x.eq(extent(reader.box.west, reader.box.east) + 2),
            last_y.eq(extent(reader.box.north, reader.box.south) + 2),
        ]

        def relative(place: data.View) -> Value:
            """A place relative to the box's corner, as the bits of ``place_layout``."""
            x = (place.x - edges.beside[Side.WEST])[:bits]
            y = (place.y - edges.beside[Side.NORTH])[:bits]
            return Cat(x, y)

        def outside(x: Value, y: Value) -> Value:
            """No tile may be laid there, as the area is full."""
            wide = edges.area_full[1] & ((x == 0) | (x == last_x))
            high = edges.area_full[0] & ((y == 0) | (y == last_y))
            return is_limited(self.rules) & (wide | high)

        # READ: the next entry.
        index = Signal(range(grid.frontier_entries + 1), reset_less=True)
        reading, follow = Signal(), Signal()
        m.d.comb += [
            reading.eq(scanning & ~follow & (index != reader.high)),
            reader.active.eq(scanning),
            reader.en.eq(go),
            reader.index.eq(index),
            reader.follow.eq(follow),
        ]

        # FOLLOW: the entry is there. Read the places of the other ends, if a track is visited here.
        entered = Signal()
        entry_index = Signal(grid.index_bits, reset_less=True)
        visited = Signal(2)
        for colour, sockets in ((Colour.WHITE, reader.entry.white), (Colour.RED, reader.entry.red)):
            m.d.comb += visited[colour].eq(
                sockets.any() & (reader.partners[colour] > entry_index) & entered
            )
        m.d.comb += follow.eq(visited.any())
        followed = Signal()
        tracks = Signal(2, reset_less=True)
        here = Signal(place_layout(grid), reset_less=True)

        # RELATE: the places of both are there. One track goes on, Red's in the next cycle if there
        # are two. The next entry's places come two cycles after these.
        waiting = Signal()
        red_place = Signal(place_layout(grid), reset_less=True)
        measured = _Track(grid, "measured")
        both = tracks.all()
        place = Mux(
            waiting,
            Value.cast(red_place),
            Mux(
                tracks[Colour.WHITE],
                Value.cast(reader.places[Colour.WHITE]),
                Value.cast(reader.places[Colour.RED]),
            ),
        )
        there = Signal(place_layout(grid))
        m.d.comb += Value.cast(there).eq(place)

        with m.If(go):
            m.d.sync += [
                entered.eq(reading),
                entry_index.eq(index),
                followed.eq(follow),
                tracks.eq(visited),
                waiting.eq(followed & both),
                red_place.eq(reader.places[Colour.RED]),
                measured.valid.eq(followed | waiting),
                measured.colour.eq(waiting | ~tracks[Colour.WHITE]),
                measured.here.eq(here),
                Value.cast(measured.there).eq(relative(there)),
            ]
            with m.If(reading):
                m.d.sync += index.eq(index + 1)
            with m.If(follow):
                m.d.sync += Value.cast(here).eq(relative(reader.entry.place))

        # MEASURE: which cells have to be tested.
        tested = _Track(grid, "tested")
        one, other = _Test(grid, "one"), _Test(grid, "other")
        sure, loop = Signal(), Signal()
        self._measure(m, go, measured, tested, (one, other), sure, loop, last_x, last_y, outside)

        # TEST: read a cell.
        second = Signal()
        m.d.comb += [
            go.eq(~(tested.valid & one.needed & other.needed) | second),
            reader.cells.en.eq(tested.valid & (one.needed | other.needed)),
        ]
        use_other = second | ~one.needed
        x, y = Mux(use_other, other.x, one.x), Mux(use_other, other.y, one.y)
        m.d.comb += [
            reader.cells.x.eq(x + edges.beside[Side.WEST]),
            reader.cells.y.eq(y + edges.beside[Side.NORTH]),
        ]
        m.d.sync += second.eq(~go)

        # JUDGE: sum up.
        judged = _Track(grid, "judged")
        judged_sure, judged_loop, fits = Signal(), Signal(), Signal()
        m.d.sync += [
            judged.valid.eq(tested.valid),
            judged.colour.eq(tested.colour),
            judged.here.eq(tested.here),
            judged.there.eq(tested.there),
            judged_sure.eq(sure),
            judged_loop.eq(loop),
            fits.eq(reader.cells.en & ~outside(x, y)),
        ]
        cell = reader.cells.cell
        none_own = ~Mux(judged.colour, cell.red, cell.white).any()
        some_other = Mux(judged.colour, cell.white, cell.red).any()
        attack = judged.valid & (judged_sure | (fits & none_own & some_other))
        own = judged.colour == mover
        with m.If(attack & scanning):
            m.d.sync += [result.own.eq(result.own | own), result.other.eq(result.other | ~own)]
            with m.If(judged_loop & ~own):
                self._narrow(m, result.near, judged)

        busy = reading | entered | followed | waiting | measured.valid | tested.valid | judged.valid
        m.d.comb += self.jobs.ready.eq(~scanning & ~self.results.valid)
        with m.If(self.results.valid & self.results.ready):
            m.d.sync += self.results.valid.eq(0)
        with m.If(self.jobs.valid & self.jobs.ready):
            m.d.sync += [
                mover.eq(self.jobs.payload),
                scanning.eq(1),
                index.eq(0),
                result.own.eq(0),
                result.other.eq(0),
                result.near.west.eq(0),
                result.near.north.eq(0),
                result.near.east.eq(last_x),
                result.near.south.eq(last_y),
            ]
        with m.If(scanning & (~busy | (attack & own))):
            m.d.sync += [scanning.eq(0), self.results.valid.eq(1)]
        with m.If(~scanning):
            # Tracks that are under way after the end count no more.
            m.d.sync += [
                stage.eq(0)
                for stage in (
                    entered,
                    followed,
                    waiting,
                    measured.valid,
                    tested.valid,
                    judged.valid,
                    second,
                )
            ]
        return m

    def _measure(self, m, go, track, tested, tests, sure, loop, last_x, last_y, outside) -> None:
        """Compare the ends of a track: an attack for sure, or cells to test."""
        bits = self._grid.coord_bits
        edges, (one, other) = self.reader.edges, tests
        here, there = track.here, track.there
        across, down = there.x - here.x, there.y - here.y
        far_x, far_y = Signal(bits), Signal(bits)
        m.d.comb += [
            far_x.eq(Mux(across[-1], here.x - there.x, across)[:bits]),
            far_y.eq(Mux(down[-1], here.y - there.y, down)[:bits]),
        ]
        columns, rows = [Mux(far < 3, far, 3)[:2] for far in (far_x, far_y)]
        distance = Signal(3)
        m.d.comb += distance.eq(columns + rows)

        # A loop: the ends are neighbours, or two apart in one row or column.
        neighbours = (distance == 1) & ~(outside(here.x, here.y) & outside(there.x, there.y))
        two_apart = (distance == 2) & ((far_x == 0) | (far_y == 0))
        sides = (
            (one, (here.x + Mux(across[-1], -1, 1))[:bits], here.y, far_x != 0),
            (other, here.x, (here.y + Mux(down[-1], -1, 1))[:bits], far_y != 0),
        )

        # A line: along each axis, from the lower end to the higher one.
        sure_line, line_tests = [], []
        for axis, (a, b, last, back) in enumerate(
            (
                (here.x, there.x, last_x, across[-1]),
                (here.y, there.y, last_y, down[-1]),
            )
        ):
            low, high = Mux(back, b, a), Mux(back, a, b)
            long, almost = edges.long[1 - axis], edges.almost[1 - axis]
            sure_line.append(
                (almost & (low == 0) & (high == last))
                | (long & (low == 0) & (high == last - 1))
                | (long & (low == 1) & (high == last))
            )
            beyond_high = long & (low == 0) & (high == last - 2)
            beyond_low = long & (low == 2) & (high == last)
            line_tests.append((beyond_high, beyond_low, low, high, back))
        with m.If(go):
            m.d.sync += [
                tested.valid.eq(track.valid),
                tested.colour.eq(track.colour),
                tested.here.eq(here),
                tested.there.eq(there),
                sure.eq(neighbours | ((distance > 2) & (sure_line[0] | sure_line[1]))),
                loop.eq(distance <= 2),
            ]
            for test, x, y, there_is_one in sides:
                m.d.sync += [test.x.eq(x), test.y.eq(y), test.needed.eq(two_apart & there_is_one)]
            with m.If(distance > 2):
                for axis, test in enumerate((one, other)):
                    beyond_high, beyond_low, low, high, back = line_tests[axis]
                    at = Mux(beyond_high, high + 1, low - 1)[:bits]
                    # The row (column) is that of the end beside which the cell lies.
                    use_here = beyond_high == back
                    beside = Mux(use_here, (here.y, here.x)[axis], (there.y, there.x)[axis])
                    x, y = (at, beside) if axis == 0 else (beside, at)
                    m.d.sync += [
                        test.x.eq(x),
                        test.y.eq(y),
                        test.needed.eq(beyond_high | beyond_low),
                    ]

    @staticmethod
    def _narrow(m: Module, near: data.View, track: _Track) -> None:
        """Leave the columns and rows that this attack has as well."""
        for low, high, one, other in (
            (near.west, near.east, track.here.x, track.there.x),
            (near.north, near.south, track.here.y, track.there.y),
        ):
            first, last = Mux(one < other, one, other), Mux(one < other, other, one)
            with m.If(first > low):
                m.d.sync += low.eq(first)
            with m.If(last < high):
                m.d.sync += high.eq(last)
