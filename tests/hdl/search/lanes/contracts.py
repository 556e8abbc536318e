"""Whether lanes do what the proofs of their parts assume, in every cycle of a simulation.

The proofs of ``test_turnstile_formal.py``, ``test_shared_table_formal.py`` and
``test_dooms_formal.py`` let the lanes do whatever the contracts of turnstile, table and dooms
allow. Here each of these parts has an observer, which notes what they do not allow.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce
from operator import or_

import pytest
from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value

from loopline.hdl.search.config import (
    BEATS_EXPAND,
    BEATS_TILE,
    BEATS_TURN,
    SHARED_NODES,
    SearchConfig,
)
from loopline.hdl.search.lanes import crew, member
from loopline.hdl.search.lanes.dooms import Dooms
from loopline.hdl.search.lanes.shared_table import SharedTable
from loopline.hdl.search.lanes.turnstile import BEAT_BITS, Turnstile
from loopline.hdl.search.table import TableOp

__all__ = ["Contracts"]

TURNSTILE = (
    "a lane that asks moves its clock",
    "a clock goes back",
    "a lane that works stops asking without the grant",
    "a lane rests while none has the grant",
    "a lane is woken while none has the grant, or into the past",
    "clocks are too far apart",
)
TABLE = (
    "a request is withdrawn or changed",
    "a lane's requests go back",
    "a request is below the least clock",
    "the table is emptied while another lane asks",
)
DOOMS = (
    "a ply is doomed that is not above all others",
    "a ply is doomed for a beat that has passed for long",
    "more plies are doomed than there are places",
    "the clock goes back while a ply is doomed",
)

_LONGEST = BEATS_TURN + BEATS_TILE * 256 + 256 + BEATS_EXPAND
"""The longest step of a lane, see ``BEAT_BITS``."""


def difference(clock: Value, other: Value) -> Value:
    """How many beats a clock is after another one."""
    return (clock - other)[:BEAT_BITS].as_signed()


class Contracts:
    """What lanes have done that the contracts do not allow.

    Attributes
    ----------
    watched : Value
        A bit for each of the rules, which stays high once it is broken. Those of the turnstile
        begin again with each search, as a lane whose job is abandoned has no part in the order: ask
        before the next one.
    """

    def __init__(self, lanes: int) -> None:
        self.turnstile = Signal(len(TURNSTILE))
        self.table = Signal(len(TABLE))
        self.dooms = [Signal(len(DOOMS), name=f"dooms_{lane}") for lane in range(lanes)]
        self.watched = Cat(self.turnstile, self.table, reduce(or_, self.dooms))

    def broken(self, bits: int) -> list[str]:
        """Return the rules that these bits of ``watched`` say are broken."""
        return [name for n, name in enumerate((*TURNSTILE, *TABLE, *DOOMS)) if bits >> n & 1]

    @contextmanager
    def observing(self) -> Iterator[None]:
        """A crew that is elaborated within this has observers."""
        dooms = iter(self.dooms)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(crew, "Turnstile", lambda lanes: ObservedTurnstile(lanes, self.turnstile))
            patch.setattr(
                crew, "SharedTable", lambda config, lanes: ObservedTable(config, lanes, self.table)
            )
            patch.setattr(
                member, "Dooms", lambda plies, lanes: ObservedDooms(plies, lanes, next(dooms))
            )
            yield


class ObservedTurnstile(Turnstile):
    """A turnstile that notes in ``broken`` what its lanes must not do."""

    def __init__(self, lanes: int, broken: Signal) -> None:
        super().__init__(lanes)
        self._broken = broken

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        active, asks, clocks = self.active, self.asks, list(self.clocks)
        was_active, asked, acted = (Signal.like(active, name=n) for n in ("was", "asked", "acted"))
        before = [Signal(BEAT_BITS, name=f"before_{n}") for n in range(len(clocks))]
        m.d.sync += [was_active.eq(active), asked.eq(asks), acted.eq(self.granted & asks)]
        m.d.sync += [was.eq(clock) for was, clock in zip(before, clocks, strict=True)]
        works = active & was_active
        waker = Signal(BEAT_BITS)
        far_waker = Signal(32)
        goes_on = was_active.any() & active.any()
        steps = [difference(*both) for both in zip(clocks, before, strict=True)]
        # Lanes that still look for work begin again with the next search.
        at_0 = Cat(~active[n] | (clock == 0) for n, clock in enumerate(clocks)).all()
        again = at_0 & Cat(works[n] & (steps[n] != 0) for n in range(len(clocks))).any()
        begins = (~was_active.any() & active.any()) | again
        # Clocks that do not overflow.
        far = [Signal(32, name=f"far_{n}") for n in range(len(clocks))]
        for n in range(len(clocks)):
            with m.If(acted[n]):
                m.d.comb += [waker.eq(before[n]), far_waker.eq(far[n])]
        now = [
            Mux(
                begins,
                clock,
                Mux(works[n], far[n] + steps[n], far_waker + difference(clock, waker)),
            )[:32]
            for n, clock in enumerate(clocks)
        ]
        m.d.sync += [each.eq(value) for each, value in zip(far, now, strict=True)]
        woken = active & ~was_active & goes_on.replicate(len(active))
        rests = was_active & ~active & goes_on.replicate(len(active))
        half = 1 << (BEAT_BITS - 1)
        faults = [
            [asked[n] & asks[n] & (steps[n] != 0) for n in range(len(clocks))],
            [works[n] & (steps[n] < 0) for n in range(len(clocks))],
            [asked & ~asks & ~acted & active],
            [rests.any() & ~acted.any()],
            [
                woken[n] & (~acted.any() | (difference(clock, waker) < 0))
                for n, clock in enumerate(clocks)
            ],
            [
                active[i] & active[j] & ((now[i] - now[j] + half)[:32] >= 2 * half)
                for i in range(len(clocks))
                for j in range(i)
            ],
        ]
        with m.If(begins):
            m.d.sync += self._broken.eq(0)
        with m.Else():
            m.d.sync += self._broken.eq(self._broken | Cat(Cat(each).any() for each in faults))
        return m


class ObservedTable(SharedTable):
    """A table that notes in ``broken`` what its lanes must not ask."""

    def __init__(self, config: SearchConfig, lanes: int, broken: Signal) -> None:
        super().__init__(config, lanes)
        self._broken = broken

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        lanes = range(len(self.ports))
        changed, back, low, alone = [], [], [], []
        earlier = [Signal(BEAT_BITS, name=f"earlier_{n}") for n in lanes]
        for n, port in enumerate(self.ports):
            valid, ready = port.requests.valid, port.requests.ready
            request, bits = port.requests.payload, Value.cast(port.requests.payload)
            empties = request.op == TableOp.CLEAR
            waits, was = Signal(name=f"waits_{n}"), Signal(len(bits), name=f"was_{n}")
            m.d.sync += [waits.eq(valid & ~ready), was.eq(bits)]
            # It follows ``least``, as a lane may have no request for long.
            with m.If(self.known & (difference(self.least, earlier[n]) > 0)):
                m.d.sync += earlier[n].eq(self.least)
            with m.If(valid & ready):
                m.d.sync += earlier[n].eq(request.beat)
                with m.If(empties):
                    m.d.sync += [each.eq(request.beat) for each in earlier]
            counts = valid & ~empties
            changed.append(waits & (~valid | (bits != was)))
            back.append(counts & (difference(request.beat, earlier[n]) < 0))
            low.append(counts & self.known & (difference(request.beat, self.least) < 0))
            others = [other.requests.valid for other in self.ports if other is not port]
            alone.append(valid & empties & (Const(n) | Cat(others).any()))
        faults = Cat(Cat(each).any() for each in (changed, back, low, alone))
        m.d.sync += self._broken.eq(self._broken | faults)
        return m


class ObservedDooms(Dooms):
    """What a lane gives up, and in ``broken`` what it must not be told."""

    def __init__(self, plies: int, lanes: int, broken: Signal) -> None:
        super().__init__(plies, lanes)
        self._plies, self._is_alone = plies, lanes == 2
        self._broken = broken

    def elaborate(self, platform: object) -> Module:
        m = super().elaborate(platform)
        here, stays = Signal(self._plies), Signal(self._plies)
        now = Signal(BEAT_BITS)
        gone = Cat(self.forget & (self.left <= ply) for ply in range(self._plies))
        m.d.comb += stays.eq(here & ~gone)
        kept = Mux(self._is_alone, 0, stays)
        added = Mux(self.add, kept | (Const(1) << self.home), stays)[: self._plies]
        m.d.sync += [here.eq(Mux(self.clear, 0, added)), now.eq(self.now)]
        adds = self.add & ~self.clear
        places = SHARED_NODES + 2
        is_full = sum(stays) >= places if not self._is_alone else Const(0)
        m.d.sync += self._broken.eq(
            self._broken
            | Cat(
                adds & self.any & (self.home >= self.least),
                # It was due less than a step before.
                adds & (difference(self.beat, self.now) < -_LONGEST),
                adds & is_full,
                here.any() & ~self.clear & (difference(self.now, now) < 0),
            )
        )
        return m
