"""Turnstile: which of several lanes may use what they have in common."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal, Value
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from loopline.hdl.search.config import BEATS_DELAY, MOST_LANES

__all__ = ["BEAT_BITS", "Turnstile", "reached"]

BEAT_BITS = 12
"""Width of a lane's clock. Clocks are compared by the sign of their difference, so those of active
lanes, and ``least``, may differ by less than half the range. A lane that waits while it is
``ahead`` is less than ``BEATS_DELAY`` ahead before a step. The longest one, with the largest grid,
is a turn that fills the journal, and a scan of 256 tracks: 11 + 2 · 256 + 256 + 3 beats. A tile
beside another one takes two of the journal's 512 entries at least: one, and one for a track."""


def reached(clock: Value, beat: Value) -> Value:
    """Return whether a clock has reached a beat."""
    return ~(clock - beat)[BEAT_BITS - 1]


class Turnstile(wiring.Component):
    """Gives the grant to lanes in the order of their clocks, and of their numbers at the same beat.

    A walk looks at one lane per cycle, and keeps the least clock so far::

        clocks, active, asks ──► lane number ──► less? ──► least so far ──┬──► least, granted
                                                   ▲                      │    after the last lane
                                                   └──────────────────────┘

    While a lane has the grant, and while no lane is active, the walk stands at lane 0: a walk sees
    the same lanes active from its beginning to its end.

    Latency: a lane has the grant at most 2 · ``lanes`` - 1 cycles after the first one of those in
    which it asks, no lane has the grant, and no active lane is before it; ``lanes`` cycles after
    the grant before at the least. ``least`` is the least clock after as many cycles in which no
    clock changes.

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
        from the cycle after one without active lanes, or after reset, until a walk has ended.
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
        # The lane that is looked at, and what is known of those before it: whether one is active,
        # and the least clock, whose it is, and whether that one asked.
        number = Signal(range(self._lanes))
        found = Signal()
        clock = Signal(BEAT_BITS)
        first = Signal(ceil_log2(self._lanes))
        asked = Signal()
        # The same with this lane. Of equal clocks the first one stays.
        beat = Signal(BEAT_BITS)
        less = Signal()
        first_now = Signal.like(first)
        asks_now = Signal()
        m.d.comb += [
            beat.eq(self.clocks[number]),
            less.eq(self.active.bit_select(number, 1) & (~found | (beat - clock)[BEAT_BITS - 1])),
            asks_now.eq(Mux(less, self.asks.bit_select(number, 1), asked)),
            first_now.eq(Mux(less, number, first)),
        ]
        least_now = Mux(less, beat, clock)

        m.d.sync += self.granted.eq(self.granted & self.asks)
        with m.If(~self.active.any()):
            m.d.sync += self.known.eq(0)
        with m.If((self.granted & self.asks).any() | ~self.active.any()):
            m.d.sync += [number.eq(0), found.eq(0)]
        with m.Else():
            m.d.sync += [
                number.eq(number + 1),
                found.eq(found | less),
                asked.eq(asks_now),
                clock.eq(least_now),
                first.eq(first_now),
            ]
            with m.If(number == self._lanes - 1):
                # Since the walk has seen them, clocks may have gone on, but that of a lane that
                # asked then has not: it is still before all others. One that asks only now may
                # have gone on before, so it does not count.
                m.d.sync += [
                    number.eq(0),
                    found.eq(0),
                    self.known.eq(1),
                    self.least.eq(least_now),
                ]
                m.d.sync += [
                    self.granted[each].eq(asks_now & (first_now == each))
                    for each in range(self._lanes)
                ]

        for each in range(self._lanes):
            above = (self.clocks[each] - self.least)[:BEAT_BITS]
            m.d.comb += self.ahead[each].eq(~self.known | (above >= BEATS_DELAY))
        return m
