"""Turnstile: which of several lanes may use what they have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from amaranth.hdl import Const, Module, Mux, Signal, Value
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.search.config import BEATS_DELAY, MOST_LANES

__all__ = ["BEAT_BITS", "GRANT_CYCLES", "Turnstile", "reached"]

GRANT_CYCLES = 2
"""From the cycle in which a lane may have the grant to the first one in which it has it."""

BEAT_BITS = 12
"""Width of a lane's clock. Clocks are compared by the sign of their difference, so those of active
lanes, and ``least``, may differ by less than half the range. A lane that waits while it is
``ahead`` is less than ``BEATS_DELAY`` ahead before a step. The longest one, with the largest grid,
is a turn that fills the journal, and a scan of 256 tracks: 11 + 2 · 256 + 256 + 3 beats. A tile
beside another one takes two of the journal's 512 entries at least: one, and one for a track."""


def reached(clock: Value, beat: Value) -> Value:
    """Return whether a clock has reached a beat."""
    return ~(clock - beat)[BEAT_BITS - 1]


class _First(NamedTuple):
    """The one of some lanes that is before the others."""

    works: Value
    """One of them is active."""
    clock: Value
    asks: Value
    lane: Value
    """One bit is set."""


class Turnstile(wiring.Component):
    """Gives the grant to lanes in the order of their clocks, and of their numbers at the same beat.

    A tree finds the lane that is before all others, in each cycle anew::

        clocks, active, asks ──► the first of two ──► register ──► of four ... of all ──► least,
                                                                                          granted

    Latency: a lane has the grant ``GRANT_CYCLES`` after the first one of the cycles in which it
    asks, no lane has the grant, and no active lane is before it. In these cycles nobody has it.
    ``least`` is the least clock as long ago, but stays while a lane has the grant, and a cycle
    longer.

    Parameters
    ----------
    lanes : int
        How many lanes there are, 2 to 16.

    Members
    -------
    clocks : In(ArrayLayout of BEAT_BITS)
        The clock of each lane in beats, modulo 2^BEAT_BITS. That of an active lane never goes back,
        but to 0 when a search begins: lanes that still look for work then may have the grant in
        another order, and find none. See ``BEAT_BITS`` for how far clocks may be apart.
    active : In(lanes)
        The lanes that work; the others have no part in the order. A lane becomes active only by the
        act of one that has the grant, with a clock that is not less than that one's, or when no
        lane is active; it becomes inactive only while it or another one has the grant, or when all
        do, or while a job is abandoned, when no order counts.
    asks : In(lanes)
        High from when the lane wants the grant until it is done with it, or is not active any more;
        its clock does not change meanwhile. What has been done with the grant is on ``active`` and
        ``clocks`` in the cycle in which this is low again.
    granted : Out(lanes)
        The lane has the grant, up to the cycle in which it does not ask any more, which is no part
        of it. At most one lane has it. It was given to an active lane when each other active one
        had a greater clock, or the same clock and a greater number.
    least : Out(BEAT_BITS), known : Out(1)
        While ``known``, no active lane's clock is less than this, now or later. It is not known
        from the cycle after one without active lanes, or after reset, until one has been active for
        ``GRANT_CYCLES``.
    ahead : Out(lanes)
        The lane's clock is ``BEATS_DELAY`` or more above ``least``, or that is not known: an active
        lane waits before its next node or turn. If it goes on, no other lane can make it give up
        any more at a beat that its clock has reached.

    Raises
    ------
    ValueError
        For another number of lanes.
    """

    def __init__(self, lanes: int):
        if not 2 <= lanes <= MOST_LANES:
            raise ValueError(f"a turnstile is for 2 to {MOST_LANES} lanes, not {lanes!r}")
        self._lanes = lanes
        super().__init__(
            {
                "clocks": In(data.ArrayLayout(BEAT_BITS, lanes)),
                "active": In(lanes),
                "asks": In(lanes),
                "granted": Out(lanes),
                "least": Out(BEAT_BITS),
                "known": Out(1),
                "ahead": Out(lanes),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        lanes = [
            _First(self.active[i], self.clocks[i], self.asks[i], Const(1 << i, self._lanes))
            for i in range(self._lanes)
        ]
        # Since a lane has been seen asking its clock has not changed, and those of others have not
        # gone back. One that asks only now may have gone on since, so it does not count.
        seen = [self._register(m, first) for first in self._pairs(m, lanes)]
        while len(seen) > 1:
            seen = self._pairs(m, seen)
        first = seen[0]
        # Who has the grant may wake others, so what is seen meanwhile does not count.
        held = Signal()
        was_held = Signal()
        m.d.comb += held.eq((self.granted & self.asks).any())
        m.d.sync += [was_held.eq(held), self.granted.eq(self.granted & self.asks)]
        with m.If(~self.active.any()):
            m.d.sync += self.known.eq(0)
        with m.Elif(~held & ~was_held):
            m.d.sync += [
                self.known.eq(first.works),
                self.least.eq(first.clock),
                self.granted.eq(Mux(first.works & first.asks, first.lane, 0)),
            ]

        for each in range(self._lanes):
            above = (self.clocks[each] - self.least)[:BEAT_BITS]
            m.d.comb += self.ahead[each].eq(~self.known | (above >= BEATS_DELAY))
        return m

    @staticmethod
    def _pairs(m: Module, lanes: Sequence[_First]) -> list[_First]:
        """Compare the lanes two by two. Of equal clocks the first one counts."""
        firsts = []
        for one, other in zip(lanes[::2], lanes[1::2], strict=False):
            less = Signal()
            m.d.comb += less.eq(
                other.works & (~one.works | (other.clock - one.clock)[BEAT_BITS - 1])
            )
            clock, asks, lane = (
                Mux(less, its, own) for own, its in zip(one[1:], other[1:], strict=True)
            )
            firsts.append(_First(one.works | other.works, clock, asks, lane))
        return firsts + list(lanes[2 * len(firsts) :])

    @staticmethod
    def _register(m: Module, first: _First) -> _First:
        """Return what has been found a cycle ago."""
        seen = _First(
            *(Signal(value.shape(), name=name) for name, value in first._asdict().items())
        )
        m.d.sync += [now.eq(value) for now, value in zip(seen, first, strict=True)]
        return seen
