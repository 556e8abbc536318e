"""Perimeter weigher: looks up what a socket is worth by its window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value, signed
from amaranth.lib import data, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.hdl.search.evaluation.classes import PERIMETER_CLASS, PERIMETER_SIDES
from loopline.hdl.search.evaluation.perimeter_walk import window_layout
from loopline.hdl.search.evaluation.weights import SIDES, bits_of

__all__ = ["PerimeterWeigher"]

_SHAPES = ("00", "01", "1-")
"""Patterns of the shape of a step. There is no fourth shape."""

_ENDS = ("0-", "10", "11")
"""Patterns of the farther socket: of the other colour, of the own colour, the track's other end."""


def _codes(weights: Mapping[str, Sequence[int]]) -> list[int]:
    """Return a code for each kind: different ones from 1 on for those of which any socket has a
    weight, and 0 for all others."""
    codes, last = [], 0
    for kind in range(PERIMETER_SIDES):
        row = PERIMETER_CLASS[kind * PERIMETER_SIDES : (kind + 1) * PERIMETER_SIDES]
        some = any(weights[f"{name} rims"][number] for name in SIDES for number in row)
        last += some
        codes.append(last if some else 0)
    return codes


def _contents(weights: Mapping[str, Sequence[int]]) -> list[int]:
    """Return the contents of the memory: the weights of the other side's sockets are negative."""
    codes = _codes(weights)
    bits = max(codes).bit_length()
    rows = [0] * (2 << 2 * bits)
    for before in range(PERIMETER_SIDES):
        for after in range(PERIMETER_SIDES):
            number = PERIMETER_CLASS[before * PERIMETER_SIDES + after]
            for other, name in enumerate(SIDES):
                weight = weights[f"{name} rims"][number]
                address = (other << bits | codes[before]) << bits | codes[after]
                rows[address] = -weight if other else weight
    return rows


class PerimeterWeigher(wiring.Component):
    """Looks up the weights of sockets.

    ::

        window ──► codes ───────────────────► memory ──► weight
                   of the steps before,
                   and of those after

    The steps in one direction are one of 54 kinds. A kind of which no socket has a weight has the
    code 0; the memory has a row for each pair of codes. The weights of the player have 28 other
    kinds, so that 5 bits are enough.

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
        self._codes = _codes(weights)
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
        # The last socket is bit 0, the middle one bit 2.
        first, second, middle, fourth, fifth = reversed(window.colours)
        steps = [window.shapes.word_select(3 - n, 2) for n in range(4)]
        bits = max(self._codes).bit_length()
        codes = Signal(2 * bits, reset_less=True)
        looks = Signal()
        other = Signal(reset_less=True)
        before = self._code(m, steps[1], second == middle, steps[0], first == middle, window.before)
        after = self._code(m, steps[2], fourth == middle, steps[3], fifth == middle, window.after)
        m.d.sync += [
            looks.eq(self.window.valid & ~self.drop),
            other.eq(middle ^ self.mover),
            codes.eq(Cat(after, before)),
        ]
        m.d.comb += [
            read.addr.eq(Cat(codes, other)),
            self.weight.eq(read.data),
            self.idle.eq(~looks & ~self.valid),
        ]
        m.d.sync += self.valid.eq(looks & ~self.drop)
        return m

    def _code(
        self, m: Module, near: Value, near_own: Value, far: Value, far_own: Value, joined: Value
    ) -> Value:
        """The code of two steps in one direction; see :data:`PERIMETER_CLASS`."""
        # ``joined`` arrives late.
        bits = max(self._codes).bit_length()
        codes = [Signal(bits, name=f"code{value}") for value in range(2)]
        for value, code in enumerate(codes):
            with m.Switch(Cat(Const(value, 1), far_own, far, near_own, near)):
                for kind, number in enumerate(self._codes):
                    step, rest = divmod(kind, 18)
                    own, rest = divmod(rest, 9)
                    next_step, end = divmod(rest, 3)
                    if number:
                        with m.Case(f"{_SHAPES[step]}{own}{_SHAPES[next_step]}{_ENDS[end]}"):
                            m.d.comb += code.eq(number)
        return Mux(joined, codes[1], codes[0])
