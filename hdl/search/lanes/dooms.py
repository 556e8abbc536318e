"""Dooms: what a lane has to give up, and when."""

from __future__ import annotations

from itertools import pairwise

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.search.config import SHARED_NODES
from loopline.hdl.search.lanes.turnstile import BEAT_BITS, reached

__all__ = ["Dooms"]


class Dooms(wiring.Component):
    """Keeps the plies below which a lane has to give up, each from its own beat on.

    A value that reaches beta dooms what is below a shared node. If one that is above is doomed
    before that is given up, both stay: what is given up at a beat must not depend on how soon the
    lane hears of what it gives up later. All that is below the upper one is doomed already, so each
    new one is above the others, and comes first::

        add, home, beat ─► [0] ──► [1] ──► ... ──► lost
                            └───────┴──────┴─────► the first one that is due ──► target

    A lane is below as many nodes as it may share itself, the one where it helps, and the one where
    it helped before, so no more are doomed. With two lanes the other one works at one of these
    nodes at a time, so one place is enough: a node of its own that the lane itself has closed, when
    it is there or on its way up, may lose its place to one above. Then ``due`` may be that of the
    one for a cycle, and ``target`` that of the other; neither is asked for there.

    Latency: what is added or forgotten counts on ``any`` and ``least`` one cycle later, on ``due``
    and ``is_below`` two. These are a cycle behind ``now`` and ``ply``.

    Parameters
    ----------
    plies : int
        Of the lane's stack.
    lanes : int
        How many there are, 2 or more.

    Members
    -------
    add : In(1), home : In(range(plies)), beat : In(BEAT_BITS)
        What is below this ply, which is less than ``least``, is to be given up at this beat, which
        may have passed.
    forget : In(1), left : In(range(plies))
        What is below this ply, or a greater one, has been left. ``add`` counts after it.
    clear : In(1)
        Nothing is to be given up. It goes before all others.
    now : In(BEAT_BITS)
        The lane's clock. What has become due stays so.
    ply : In(range(plies))
        Where the lane is.
    any : Out(1), least : Out(range(plies))
        Something is to be given up, now or later; the least of those plies.
    due : Out(1), is_below : Out(1)
        Something is to be given up now; ``ply`` is below some of that.
    target : Out(range(plies))
        While ``due``: the least ply of what is to be given up now.
    """

    def __init__(self, plies: int, lanes: int):
        ply = range(plies)
        self._count = 1 if lanes == 2 else SHARED_NODES + 2
        super().__init__(
            {
                "add": In(1),
                "home": In(ply),
                "beat": In(BEAT_BITS),
                "forget": In(1),
                "left": In(ply),
                "clear": In(1),
                "now": In(BEAT_BITS),
                "ply": In(ply),
                "any": Out(1),
                "least": Out(ply),
                "due": Out(1),
                "is_below": Out(1),
                "target": Out(ply),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        doom = data.StructLayout({"ply": self.ply.shape(), "beat": BEAT_BITS})
        valid = Signal(self._count)
        dooms = [Signal(doom, name=f"doom_{n}") for n in range(self._count)]
        # The same a cycle later, since clocks are compared: they have become due.
        due = Signal(self._count)

        stays = Signal(self._count)
        becomes = Signal(self._count)
        for n, each in enumerate(dooms):
            m.d.comb += [
                stays[n].eq(valid[n] & ~(self.forget & (each.ply >= self.left))),
                becomes[n].eq(valid[n] & (due[n] | reached(self.now, each.beat))),
            ]
        m.d.sync += [
            valid.eq(stays),
            due.eq(becomes),
            self.due.eq(becomes.any()),
            self.is_below.eq((becomes & Cat(self.ply > each.ply for each in dooms)).any()),
        ]
        with m.If(self.add):
            m.d.sync += [valid.eq(Cat(1, stays)), due.eq(becomes << 1)]
            m.d.sync += [dooms[0].ply.eq(self.home), dooms[0].beat.eq(self.beat)]
            m.d.sync += [later.eq(each) for each, later in pairwise(dooms)]
        with m.If(self.clear):
            m.d.sync += valid.eq(0)

        target = dooms[-1].ply
        for n in reversed(range(self._count - 1)):
            target = Mux(due[n], dooms[n].ply, target)
        m.d.comb += [
            self.any.eq(valid[0]),
            self.least.eq(dooms[0].ply),
            self.target.eq(target),
        ]
        return m
