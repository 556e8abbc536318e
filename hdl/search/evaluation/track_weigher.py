"""Track weigher: looks up what a track is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value, signed
from amaranth.lib import enum, stream, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import place_layout
from loopline.hdl.search.evaluation.classes import (
    DISTANCE_CLASS,
    DISTANCES,
    END_CLASS,
    LINE_FROM,
    LINE_GAPS,
    LINE_SPANS,
    REACH,
    end_row,
)
from loopline.hdl.search.evaluation.weights import SIDES, bits_of
from loopline.hdl.search.track_scan import visit_layout

__all__ = ["TrackWeigher"]

_ROWS = 2048
_HEIGHT = 2 * REACH + 1
_DISTANCES_AT, _LINES_AT = 0b11 << 9, 0b1010 << 7
"""Addresses of the distances and of the lines. The ends are at 0."""


def _contents(weights: Mapping[str, Sequence[int]]) -> list[int]:
    """Return the contents of the memory: the weights of the other side's tracks are negative."""
    rows = [0] * _ROWS
    for other, name in enumerate(SIDES):
        sign = 1 - 2 * other
        ends, distances, lines = (
            [sign * weight for weight in weights[f"{name} {kind}"]]
            for kind in ("ends", "distances", "lines")
        )
        for x in range(REACH + 1):
            for y in range(-REACH, REACH + 1):
                for side in range(4):
                    address = (x * _HEIGHT + y + REACH) << 3 | side << 1 | other
                    rows[address] = ends[END_CLASS[end_row(x, y, side)]]
        for distance in range(DISTANCES):
            for here in range(3):
                for there in range(3):
                    row = (distance * 3 + here) * 3 + there
                    address = distance << 5 | (there + 1) << 3 | (here + 1) << 1 | other
                    rows[_DISTANCES_AT | address] = distances[DISTANCE_CLASS[row]]
        for span in range(LINE_SPANS):
            for gap in range(LINE_GAPS):
                address = span << 4 | gap << 1 | other
                rows[_LINES_AT | address] = lines[span * LINE_GAPS + gap]
    return rows


class _Step(enum.Enum, shape=2):
    """Which weight of a track is looked up. All codes are steps."""

    DISTANCE = 0
    ENDS = 1
    ACROSS = 2
    DOWN = 3


class TrackWeigher(wiring.Component):
    """Looks up the weights of tracks: those of the distance and of the ends, and those of a line
    along each axis on which the ends are far apart.

    ::

        tracks ──► row of the distance, the ends or a line ──► memory ──► weight

    The offset of the ends is turned until the first track enters from the north, and mirrored
    until the other end is not to the west.

    Latency: a track's weights come 2 to 5 cycles after it, and the next one is taken after 2 to 4.

    Parameters
    ----------
    grid : GridConfig
        Widths.
    weights : mapping
        The weights, as :func:`loopline.hdl.search.evaluation.weights.read_groups` returns them.

    Members
    -------
    tracks : In(stream of visit_layout)
        The tracks.
    mover : In(1), lines : In(1)
        The side to move; whether lines count.
    last : In(place_layout)
        The last column and row that a space can have, counted from those beside the box.
    weight : Out(signed), valid : Out(1)
        A weight, that of a track of the other side negative.
    idle : Out(1)
        No weight comes before the next track is taken.
    drop : In(1)
        Forget the track.
    """

    def __init__(self, grid: GridConfig, weights: Mapping[str, Sequence[int]]):
        self._grid = grid
        self._contents = _contents(weights)
        super().__init__(
            {
                "tracks": In(stream.Signature(visit_layout(grid))),
                "mover": In(1),
                "lines": In(1),
                "last": In(place_layout(grid)),
                "weight": Out(signed(bits_of(self._contents))),
                "valid": Out(1),
                "idle": Out(1),
                "drop": In(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        # The scan goes on while a track is weighed.
        track = Signal(visit_layout(self._grid), reset_less=True)
        busy = Signal()
        m.submodules.weights = weights = Memory(
            shape=self.weight.shape(), depth=_ROWS, init=self._contents
        )
        read = weights.read_port()
        step = Signal(_Step)
        # Known in ``ENDS``: the row, and which lines have a weight.
        ends = Signal(10, reset_less=True)
        across = Signal(reset_less=True)
        down = Signal(reset_less=True)
        m.d.sync += [
            ends.eq(self._ends(track)),
            across.eq(self.lines & (track.across.cells >= LINE_FROM)),
            down.eq(self.lines & (track.down.cells >= LINE_FROM)),
        ]
        other = Signal()
        m.d.comb += other.eq(track.colour ^ self.mover)

        last = Signal()
        m.d.sync += self.valid.eq(busy & ~self.drop)
        m.d.comb += [
            self.tracks.ready.eq(~busy | last),
            self.idle.eq(~busy & ~self.valid),
            self.weight.eq(read.data),
        ]
        with m.Switch(step):
            with m.Case(_Step.DISTANCE):
                m.d.comb += read.addr.eq(Cat(other, self._distance(track), Const(0b11, 2)))
            with m.Case(_Step.ENDS):
                m.d.comb += [read.addr.eq(Cat(other, ends)), last.eq(~across & ~down)]
            with m.Case(_Step.ACROSS):
                line = self._line(track.across.cells, self.last.x)
                m.d.comb += [read.addr.eq(Cat(other, line, Const(0b1010, 4))), last.eq(~down)]
            with m.Case(_Step.DOWN):
                line = self._line(track.down.cells, self.last.y)
                m.d.comb += [read.addr.eq(Cat(other, line, Const(0b1010, 4))), last.eq(1)]
        with m.If(busy):
            m.d.sync += step.eq(step.as_value() + 1)
            with m.If((step == _Step.ENDS) & ~across):
                m.d.sync += step.eq(_Step.DOWN)
        with m.If(last):
            m.d.sync += [busy.eq(0), step.eq(_Step.DISTANCE)]
        with m.If(self.tracks.valid & self.tracks.ready):
            m.d.sync += [busy.eq(1), track.eq(self.tracks.payload)]
        with m.If(self.drop):
            m.d.sync += [busy.eq(0), step.eq(_Step.DISTANCE)]
        return m

    @staticmethod
    def _ends(track) -> Value:
        """The row of the ends: the offset, turned and mirrored, and the relative side."""
        side = track.here.side
        odd = side[0]
        cut_x, cut_y = (_cut(far.cells, REACH) for far in (track.across, track.down))
        x, y = Mux(odd, cut_y, cut_x), Mux(odd, cut_x, cut_y)
        west, north = track.across.back, track.down.back
        mirrored = Mux(odd, north, west) ^ side[1]
        up = Mux(odd, west, north) ^ side[1] ^ odd
        relative = (track.there.side - side)[:2]
        row = x * _HEIGHT + (REACH + Mux(up, -y, y))
        return Cat(Mux(mirrored, -relative, relative)[:2], row[:8])

    @staticmethod
    def _distance(track) -> Value:
        distance = _cut(track.across.cells + track.down.cells, REACH)
        return Cat(track.here.meeting, track.there.meeting, distance[:4])

    @staticmethod
    def _line(cells: Value, last: Value) -> Value:
        """The row of a line: how far the ends are apart, and how many cells are missing."""
        gap = _cut((last - cells)[: len(last)], LINE_GAPS - 1)
        span = (_cut(cells, LINE_FROM + LINE_SPANS - 1) - LINE_FROM)[:3]
        return Cat(gap[:3], span)


def _cut(value: Value, most: int) -> Value:
    return Mux(value < most, value, most)
