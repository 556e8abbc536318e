"""Track scan: finds the attacks of both sides, in one pass over the frontier table."""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import Colour, Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.box import extent
from loopline.hdl.core.client import PositionReader
from loopline.hdl.core.types import Meeting, end_layout, place_layout

__all__ = ["TrackScan", "near_layout", "scan_layout", "visit_layout"]


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

    - ``own``: the side to move has an attack. Unless the scan is ``whole``, the other fields are
      not valid then.
    - ``other``: the other side has one.
    - ``near``: the other side's loop attacks; see :func:`near_layout`.
    """
    return data.StructLayout({"own": 1, "other": 1, "near": near_layout(grid)})


_ENTRANCE = data.StructLayout({"side": 2, "meeting": Meeting})
"""How a track enters the space at one end: see :func:`end_layout`."""


def visit_layout(grid: GridConfig) -> data.StructLayout:
    """A track, by its ends: ``here``, that of the lower frontier index, and ``there``.

    - ``colour``;
    - ``here``, ``there``: the side on which it enters the space, and where the other colour does;
    - ``across``, ``down``: the columns and rows between the ends, and whether ``there`` is to the
      west (north) of ``here``.
    """
    far = data.StructLayout({"cells": grid.coord_bits, "back": 1})
    return data.StructLayout(
        {"colour": 1, "here": _ENTRANCE, "there": _ENTRANCE, "across": far, "down": far}
    )


class _Along:
    """The ends of a track along one axis, counted from the column (row) beside the box."""

    def __init__(self, grid: GridConfig, name: str):
        self.low = Signal(grid.coord_bits, name=f"{name}_low", reset_less=True)
        self.high = Signal(grid.coord_bits, name=f"{name}_high", reset_less=True)
        # The other end is the lower one.
        self.back = Signal(name=f"{name}_back", reset_less=True)


class _Track:
    """A track in a stage of the pipeline."""

    def __init__(self, grid: GridConfig, name: str):
        self.valid = Signal(name=f"{name}_valid")
        # Its frontier index, from which the next scan begins if it is an attack.
        self.index = Signal(grid.index_bits, name=f"{name}_index", reset_less=True)
        self.colour = Signal(name=f"{name}_colour", reset_less=True)
        self.columns = _Along(grid, f"{name}_columns")
        self.rows = _Along(grid, f"{name}_rows")
        self.axes = (self.columns, self.rows)

    def eq(self, other: _Track) -> list:
        """Statements: the same track as in another stage."""
        return [
            self.index.eq(other.index),
            self.colour.eq(other.colour),
            *(
                getattr(mine, name).eq(getattr(theirs, name))
                for mine, theirs in zip(self.axes, other.axes, strict=True)
                for name in ("low", "high", "back")
            ),
        ]


class _Cell:
    """A cell in which a tile has to fit: where it is along an axis, and across it."""

    def __init__(self, grid: GridConfig, name: str):
        self.needed = Signal(name=f"{name}_needed", reset_less=True)
        self.at = Signal(grid.coord_bits, name=f"{name}_at", reset_less=True)
        self.beside = Signal(grid.coord_bits, name=f"{name}_beside", reset_less=True)


class _Registers:
    """The registers between the stages, and some wires."""

    def __init__(self, grid: GridConfig):
        bits = grid.coord_bits
        self.scanning = Signal()
        self.mover = Signal()
        self.whole = Signal()
        # The last column and row that a space can have: that beside the box.
        self.last_x = Signal(bits)
        self.last_y = Signal(bits)
        # READ: the next entry, the first one, and whether any is left; where to begin next time.
        self.index = Signal(grid.index_bits, reset_less=True)
        self.first = Signal(grid.index_bits, reset_less=True)
        self.more = Signal()
        self.hint = Signal(grid.index_bits)
        # FOLLOW: an entry is there.
        self.entered = Signal()
        self.entry_index = Signal(grid.index_bits, reset_less=True)
        # RELATE: the other ends are there; the tracks' colours, and their ends here. Then Red's
        # other end, if both colours have a track.
        self.followed = Signal()
        self.tracks = Signal(2, reset_less=True)
        self.here_index = Signal(grid.index_bits, reset_less=True)
        self.here = Signal(place_layout(grid), reset_less=True)
        self.entrances = [
            Signal(_ENTRANCE, name=f"{colour.name.lower()}_entrance", reset_less=True)
            for colour in Colour
        ]
        self.waiting = Signal()
        self.red_end = Signal(end_layout(grid), reset_less=True)
        # MEASURE.
        self.measured = _Track(grid, "measured")
        self.measured_here = Signal(_ENTRANCE, reset_less=True)
        self.measured_there = Signal(_ENTRANCE, reset_less=True)
        # TEST: attacks for sure and by the cells; whether the first cell has been read.
        self.tested = _Track(grid, "tested")
        self.visit = Signal(visit_layout(grid), reset_less=True)
        self.sure = Signal()
        self.loop = Signal()
        self.cells = (_Cell(grid, "column"), _Cell(grid, "row"))
        self.second = Signal()
        # JUDGE: the first cell that was read is there.
        self.judged = _Track(grid, "judged")
        self.judged_sure = Signal()
        self.judged_loop = Signal()
        self.fits = Signal()

        # Wires: the stages up to MEASURE advance; TEST has done its work; a track is visited; an
        # attack of the side to move is found.
        self.go = Signal()
        self.leaves = Signal()
        self.follow = Signal(2)
        self.reads = Signal()
        self.wins = Signal()


class TrackScan(wiring.Component):
    """Finds out whether each side has an attack: a track that its owner can close to a loop or
    complete to a line with the next turn, by its pattern. Hands on each track to be weighed.

    ::

        ┌───────┐   ┌────────┐   ┌────────┐   ┌─────────┐   ┌────────┐   ┌───────┐
        │ READ  ├──►│ FOLLOW ├──►│ RELATE ├──►│ MEASURE ├──►│  TEST  ├──►│ JUDGE ├──► found
        └───────┘   └────────┘   └────────┘   └─────────┘   └───┬────┘   └───────┘
        an entry    other ends   to the box   distance of   a cell       does a tile
                    of its       of one       the ends      between      join the ends?
                    tracks       track                          │
                                                                └──► tracks

    A track is visited at its end of the lower frontier index. It is an attack in the four cases of
    ``loopline.engine.evaluation.scan``, which has the same results. In two of them a tile has to
    fit between: its space has a socket of the other colour and none of the track's. One cell is
    read for that, or one for each axis.

    Unless it is ``whole``, the scan ends with the first attack of the side to move. The next scan
    begins where the last attack was found, as most positions are searched one after another whose
    attacks are the same.

    Latency: about 6 cycles, one for each entry of the frontier table, and one more for each at
    which a track is visited; more while ``tracks`` are not taken or ``tracks_taken``.

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Members
    -------
    start : In(1), mover : In(1), whole : In(1)
        Scan for the side ``mover``, which is to move; the first entry is read in this cycle. Not
        before the second cycle of ``done``.
    done : Out(1)
        ``found`` is valid: from the end of the scan to the next ``start``, and with the first
        attack of the side to move.
    found : Out(scan_layout)
        The result.
    tracks : Out(stream of visit_layout)
        All tracks, until ``done``.
    entered : Out({valid, index})
        The reader has this entry of the frontier table. It comes in one cycle, or in several one
        after another.
    counts : Out(1)
        It comes for the last time.
    last : Out(place_layout)
        The last column and row that a space can have, counted from those beside the box.
    reader : Out(PositionReader)
        The position.
    tracks_taken : In(1), tracks_free : Out(1)
        Another unit reads the other ends of tracks in this cycle. It may do so if ``tracks_free``.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "start": In(1),
                "mover": In(1),
                "whole": In(1),
                "done": Out(1),
                "found": Out(scan_layout(grid)),
                "tracks": Out(stream.Signature(visit_layout(grid))),
                "entered": Out(data.StructLayout({"valid": 1, "index": grid.index_bits})),
                "counts": Out(1),
                "last": Out(place_layout(grid)),
                "reader": Out(PositionReader(grid)),
                "tracks_taken": In(1),
                "tracks_free": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        r = _Registers(self._grid)
        box = self.reader.box
        m.d.sync += [
            r.last_x.eq(extent(box.west, box.east) + 2),
            r.last_y.eq(extent(box.north, box.south) + 2),
        ]
        m.d.comb += [self.last.x.eq(r.last_x), self.last.y.eq(r.last_y)]
        self._read(m, r)
        self._follow(m, r)
        self._relate(m, r)
        self._measure(m, r)
        self._test(m, r)
        self._judge(m, r)
        self._control(m, r)
        return m

    def _relative(self, place: data.View) -> tuple[Value, Value]:
        """Column and row of a place, counted from those beside the box."""
        beside, bits = self.reader.edges.beside, self._grid.coord_bits
        return (place.x - beside[Side.WEST])[:bits], (place.y - beside[Side.NORTH])[:bits]

    def _read(self, m: Module, r: _Registers) -> None:
        """Read the next entry, and the other ends of its tracks."""
        reader = self.reader
        following = Signal(self._grid.index_bits)
        active = self.start | r.scanning
        m.d.comb += [
            r.reads.eq(active & r.more & ~r.follow.any() & ~self.tracks_taken),
            reader.active.eq(active),
            reader.index.eq(r.index),
            reader.en.eq(r.go),
            reader.follow.eq(r.follow.any()),
            reader.tracks_of.eq(r.index),
            # Whether the entry is read as well arrives late.
            reader.tracks_en.eq(r.go),
            # Their last answer is needed as long as FOLLOW has an entry.
            self.tracks_free.eq(r.go | ~r.entered),
            following.eq(Mux(r.index + 1 == reader.high, 0, r.index + 1)),
        ]
        with m.If(r.go):
            m.d.sync += [r.entered.eq(r.reads), r.entry_index.eq(r.index)]
            with m.If(r.reads):
                m.d.sync += [r.index.eq(following), r.more.eq(following != r.first)]

    def _follow(self, m: Module, r: _Registers) -> None:
        """The entry is there. Read the other ends, if a track is visited here."""
        reader = self.reader
        for colour in Colour:
            ends = reader.ends[colour].meeting != Meeting.ABSENT
            lower = reader.partners[colour] > r.entry_index
            m.d.comb += r.follow[colour].eq(ends & lower & r.entered)
        m.d.comb += [
            self.entered.valid.eq(r.entered),
            self.entered.index.eq(r.entry_index),
            self.counts.eq(r.go),
        ]
        with m.If(r.go):
            m.d.sync += [r.followed.eq(r.follow.any()), r.tracks.eq(r.follow)]
            with m.If(r.follow.any()):
                m.d.sync += [
                    r.here_index.eq(r.entry_index),
                    Cat(r.here.x, r.here.y).eq(
                        Cat(*self._relative(reader.ends[Colour.WHITE].place))
                    ),
                ]
                for colour in Colour:
                    end = reader.ends[colour]
                    m.d.sync += [
                        r.entrances[colour].side.eq(end.side),
                        r.entrances[colour].meeting.eq(end.meeting),
                    ]

    def _relate(self, m: Module, r: _Registers) -> None:
        """The other ends are there. One track goes on, Red's in the next cycle if there are two.
        The ends of the next entry's tracks come two cycles after these."""
        reader, track = self.reader, r.measured
        white = r.tracks[Colour.WHITE] & ~r.waiting
        there = Signal(end_layout(self._grid))
        m.d.comb += Value.cast(there).eq(
            Mux(
                r.waiting,
                Value.cast(r.red_end),
                Mux(
                    white,
                    Value.cast(reader.ends[Colour.WHITE]),
                    Value.cast(reader.ends[Colour.RED]),
                ),
            )
        )
        with m.If(r.go):
            m.d.sync += [
                r.waiting.eq(r.followed & r.tracks.all()),
                r.red_end.eq(reader.ends[Colour.RED]),
                track.valid.eq(r.followed | r.waiting),
                track.index.eq(r.here_index),
                track.colour.eq(~white),
                r.measured_here.eq(
                    Mux(
                        white,
                        Value.cast(r.entrances[Colour.WHITE]),
                        Value.cast(r.entrances[Colour.RED]),
                    )
                ),
                r.measured_there.side.eq(there.side),
                r.measured_there.meeting.eq(there.meeting),
            ]
            for axis, here, at in zip(
                track.axes, (r.here.x, r.here.y), self._relative(there.place), strict=True
            ):
                back = at < here
                m.d.sync += [
                    axis.low.eq(Mux(back, at, here)),
                    axis.high.eq(Mux(back, here, at)),
                    axis.back.eq(back),
                ]

    def _measure(self, m: Module, r: _Registers) -> None:
        """Compare the ends: an attack for sure, or cells to test."""
        edges, track = self.reader.edges, r.measured
        bits = self._grid.coord_bits
        columns, rows = track.axes
        lasts = (r.last_x, r.last_y)
        # Along each axis: the cells between the ends, and from the higher one to the last.
        far = [Signal(bits, name=f"far_{name}") for name in ("x", "y")]
        gap = [Signal(bits, name=f"gap_{name}") for name in ("x", "y")]
        few = [Mux(cells < 3, cells, 3)[:2] for cells in far]
        distance = Signal(3)
        m.d.comb += distance.eq(few[0] + few[1])
        outside_low, outside_high, sure_line = Const(0), Const(0), Const(0)
        crossed = columns.back ^ rows.back
        values = []
        for axis, (along, across) in enumerate(((columns, rows), (rows, columns))):
            first, last = along.low == 0, gap[axis] == 0
            long, almost = edges.long[1 - axis], edges.almost[1 - axis]
            beyond_high = long & first & (gap[axis] == 2)
            beyond_low = long & (along.low == 2) & last
            m.d.comb += [
                far[axis].eq(along.high - along.low),
                gap[axis].eq(lasts[axis] - along.high),
            ]
            sure_line = sure_line | (
                (almost & first & last)
                | (long & first & (gap[axis] == 1))
                | (long & (along.low == 1) & last)
            )
            # For neighbours: an end is in the row or column beside an area that is full.
            full, one = edges.area_full[1 - axis], few[axis] == 0
            outside_low = outside_low | (full & (first | (one & last)))
            outside_high = outside_high | (full & (last | (one & first)))
            values.append(
                {
                    "needed": ((distance == 2) & (few[axis] == 2)) | beyond_high | beyond_low,
                    "at": Mux(beyond_high, along.high + 1, along.low + Mux(beyond_low, -1, 1))[
                        :bits
                    ],
                    # That of the end beside which the cell lies.
                    "beside": Mux(beyond_high ^ crossed, across.high, across.low),
                }
            )
        neighbours = (distance == 1) & ~(outside_low & outside_high)
        m.d.comb += r.go.eq(~track.valid | r.leaves | ~r.tested.valid)
        with m.If(r.leaves | ~r.tested.valid):
            m.d.sync += [
                r.tested.valid.eq(track.valid),
                *r.tested.eq(track),
                r.visit.colour.eq(track.colour),
                r.visit.here.eq(r.measured_here),
                r.visit.there.eq(r.measured_there),
                r.visit.across.cells.eq(far[0]),
                r.visit.across.back.eq(columns.back),
                r.visit.down.cells.eq(far[1]),
                r.visit.down.back.eq(rows.back),
                r.sure.eq(neighbours | sure_line),
                r.loop.eq(distance <= 2),
                r.second.eq(0),
            ]
            for cell, value in zip(r.cells, values, strict=True):
                m.d.sync += [
                    cell.needed.eq(value["needed"]),
                    cell.at.eq(value["at"]),
                    cell.beside.eq(value["beside"]),
                ]

    def _test(self, m: Module, r: _Registers) -> None:
        """Read a cell, or one for each axis. Offer the track to be weighed."""
        reader, edges = self.reader, self.reader.edges
        column, row = r.cells
        both = column.needed & row.needed
        down = r.second | ~column.needed
        beside = Mux(down, row.beside, column.beside)
        outside = Mux(down, edges.area_full[1], edges.area_full[0]) & (
            (beside == 0) | (beside == Mux(down, r.last_x, r.last_y))
        )
        reads = r.tested.valid & Mux(r.second, both, column.needed | row.needed)
        m.d.comb += [
            self.tracks.valid.eq(r.tested.valid & (r.second | ~both)),
            self.tracks.payload.eq(r.visit),
            r.leaves.eq(self.tracks.valid & self.tracks.ready),
            reader.cells.en.eq(reads),
            reader.cells.x.eq(Mux(down, row.beside, column.at) + edges.beside[Side.WEST]),
            reader.cells.y.eq(Mux(down, row.at, column.beside) + edges.beside[Side.NORTH]),
        ]
        m.d.sync += [
            r.judged.valid.eq(r.tested.valid),
            *r.judged.eq(r.tested),
            r.judged_sure.eq(r.sure),
            r.judged_loop.eq(r.loop),
            r.fits.eq(reads & ~outside),
        ]
        with m.If(r.tested.valid & ~r.leaves):
            m.d.sync += r.second.eq(1)

    def _judge(self, m: Module, r: _Registers) -> None:
        """Sum up the attacks."""
        found, track, cell = self.found, r.judged, self.reader.cells.cell
        none_own = ~Mux(track.colour, cell.red, cell.white).any()
        some_other = Mux(track.colour, cell.white, cell.red).any()
        attack = track.valid & (r.judged_sure | (r.fits & none_own & some_other)) & r.scanning
        own = track.colour == r.mover
        # An attack for sure ends the scan one cycle earlier.
        soon = r.tested.valid & r.sure & (r.tested.colour == r.mover) & r.scanning
        m.d.comb += r.wins.eq((attack & own) | soon)
        m.d.sync += found.own.eq(found.own | r.wins)
        with m.If(soon):
            m.d.sync += r.hint.eq(r.tested.index)
        with m.If(attack):
            m.d.sync += [found.other.eq(found.other | ~own), r.hint.eq(track.index)]
            with m.If(r.judged_loop & ~own):
                for low, high, axis in (
                    (found.near.west, found.near.east, track.columns),
                    (found.near.north, found.near.south, track.rows),
                ):
                    with m.If(axis.low > low):
                        m.d.sync += low.eq(axis.low)
                    with m.If(axis.high < high):
                        m.d.sync += high.eq(axis.high)

    def _control(self, m: Module, r: _Registers) -> None:
        """Begin and end."""
        found = self.found
        valid = (r.entered, r.followed, r.waiting, r.measured.valid, r.tested.valid, r.judged.valid)
        m.d.comb += self.done.eq(~r.scanning)
        with m.If(self.start):
            m.d.sync += [
                r.scanning.eq(1),
                r.mover.eq(self.mover),
                r.whole.eq(self.whole),
                found.own.eq(0),
                found.other.eq(0),
                found.near.west.eq(0),
                found.near.north.eq(0),
                found.near.east.eq(r.last_x),
                found.near.south.eq(r.last_y),
            ]
        with m.Elif(r.scanning & ((r.wins & ~r.whole) | (~r.more & ~Cat(valid).any()))):
            m.d.sync += r.scanning.eq(0)
        with m.Elif(~r.scanning):
            # Tracks that are under way after the end count no more. Where to begin is known ahead.
            first = Mux(r.hint < self.reader.high, r.hint, 0)
            m.d.sync += [
                *(stage.eq(0) for stage in (*valid, r.fits)),
                r.index.eq(first),
                r.first.eq(first),
                r.more.eq(self.reader.high != 0),
            ]
