"""A comparison whose operand is known late."""

from __future__ import annotations

from amaranth.hdl import Cat, Module, Signal, Value

__all__ = ["equal"]


def equal(m: Module, left: Value, right: Value, name: str) -> Value:
    """Whether two words are equal, in two steps of logic: bits in twos, then all of them.

    A block RAM's output is late, which synthesis for the ECP5 does not know: it would save cells
    by a chain of steps, unless the first step is kept as it is.
    """
    width = len(left)
    pairs = Signal((width + 1) // 2, name=name, attrs={"keep": 1})
    m.d.comb += pairs.eq(Cat(left[n : n + 2] == right[n : n + 2] for n in range(0, width, 2)))
    return pairs.all()
