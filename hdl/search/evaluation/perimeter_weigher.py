"""Perimeter weigher: looks up what a socket is worth by its window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from amaranth.hdl import Cat, Module, Mux, Signal, Value, signed
from amaranth.lib import data, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.hdl.search.evaluation.classes import PERIMETER_CLASS, PERIMETER_SIDES
from loopline.hdl.search.evaluation.perimeter_walk import window_layout
from loopline.hdl.search.evaluation.weights import SIDES, bits_of

__all__ = ["PerimeterWeigher"]

_HALF = 32
_FROM = _HALF - PERIMETER_SIDES // 2
"""Kinds are numbered from here on, 5 to 58, so that the complement of one is one."""


def _contents(weights: Mapping[str, Sequence[int]]) -> list[int]:
    """Return the contents of the memory: the weights of the other side's sockets are negative."""
    rows = [0] * (2 * _HALF * 2 * _HALF)
    for low in range(PERIMETER_SIDES):
        for high in range(low, PERIMETER_SIDES):
            number = PERIMETER_CLASS[low * PERIMETER_SIDES + high]
            row, column = low + _FROM, high + _FROM
            if row >= _HALF:
                row, column = ~row & 63, 63 if row == column else ~column & 63
            for other, name in enumerate(SIDES):
                weight = weights[f"{name} rims"][number]
                rows[other << 11 | row << 6 | column] = -weight if other else weight
    return rows


class PerimeterWeigher(wiring.Component):
    """Looks up the weights of sockets.

    ::

        window ──► KINDS ──────────────► FOLD ──────────► memory ──► weight
                   of the steps before,  as mirror
                   and of those after    images are one

    The steps in one direction are one of 54 kinds. Of the table of 54 by 54 kinds half is needed:
    the lower kind counts the rows. Its first 27 rows are stored as they are, and the others,
    shorter ones, turned upside down in the places that are left of these rows.

    Latency: 2 cycles; one window per cycle.

    Parameters
    ----------
    weights : mapping
        The weights, as :func:`loopline.hdl.search.evaluation.weights.read_groups` returns them.

    Members
    -------
    window : In({valid, window})
        A window.
    mover : In(1)
        The side to move.
    weight : Out(signed), valid : Out(1)
        A weight, that of a socket of the other side negative.
    idle : Out(1)
        No weight comes before the next window.
    drop : In(1)
        Forget the windows.
    """

    def __init__(self, weights: Mapping[str, Sequence[int]]):
        self._contents = _contents(weights)
        super().__init__(
            {
                "window": In(data.StructLayout({"valid": 1, "window": window_layout()})),
                "mover": In(1),
                "weight": Out(signed(bits_of(self._contents))),
                "valid": Out(1),
                "idle": Out(1),
                "drop": In(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        m.submodules.weights = weights = Memory(
            shape=self.weight.shape(), depth=len(self._contents), init=self._contents
        )
        read = weights.read_port()
        window = self.window.window
        # KINDS. The last socket is bit 0, the middle one bit 2.
        first, second, middle, fourth, fifth = reversed(window.colours)
        steps = [window.shapes.word_select(3 - n, 2) for n in range(4)]
        before, after = Signal(6, reset_less=True), Signal(6, reset_less=True)
        folding, other = Signal(), Signal(reset_less=True)
        m.d.sync += [
            folding.eq(self.window.valid & ~self.drop),
            other.eq(middle ^ self.mover),
            before.eq(_kind(steps[1], second == middle, steps[0], first == middle, window.before)),
            after.eq(_kind(steps[2], fourth == middle, steps[3], fifth == middle, window.after)),
        ]
        # FOLD.
        swap, low, high = Signal(), Signal(6), Signal(6)
        m.d.comb += [
            swap.eq(before > after),
            low.eq(Mux(swap, after, before)),
            high.eq(Mux(swap, before, after)),
        ]
        turn = low[5]
        row = low[:5] ^ turn.replicate(5)
        column = (high ^ turn.replicate(6)) | (turn & (low == high)).replicate(6)
        m.d.comb += [
            read.addr.eq(Cat(column, row, other)),
            self.weight.eq(read.data),
            self.idle.eq(~folding & ~self.valid),
        ]
        m.d.sync += self.valid.eq(folding & ~self.drop)
        return m


def _kind(near: Value, near_own: Value, far: Value, far_own: Value, joined: Value) -> Value:
    """The number of two steps in one direction; see :data:`PERIMETER_CLASS`."""
    ahead = far * 3 + Mux(far_own, Mux(joined, 2, 1), 0)
    return Cat(near_own, near) * 9 + (ahead + _FROM)
