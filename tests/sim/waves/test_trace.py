"""Signals of a simulated component by name."""

import pytest
from amaranth.hdl import Module, Signal
from amaranth.lib import data, enum, wiring
from amaranth.lib.wiring import In, Out

from loopline.sim.waves.trace import record


class Step(enum.Enum, shape=1):
    EVEN = 0
    ODD = 1


class Counter(wiring.Component):
    """Counts while ``en``."""

    en: In(1)
    count: Out(4)

    def elaborate(self, platform):
        m = Module()
        with m.If(self.en):
            m.d.sync += self.count.eq(self.count + 1)
        return m


class Pair(wiring.Component):
    """A counter, and a register of the same name as one of its ports, one cycle later."""

    en: In(1)
    seen: Out(data.StructLayout({"step": Step, "high": 3}))

    def elaborate(self, platform):
        m = Module()
        m.submodules.counter = counter = Counter()
        count = Signal(4)
        twice = [Signal(name="twice") for _ in range(2)]
        m.d.comb += [counter.en.eq(self.en), self.seen.as_value().eq(counter.count)]
        m.d.sync += [count.eq(counter.count), *(one.eq(self.en) for one in twice)]
        return m


@pytest.fixture(scope="module")
def trace():
    unit = Pair()

    async def bench(ctx):
        for en in (0, 1, 1, 0, 1, 1):
            ctx.set(unit.en, en)
            await ctx.tick()

    return record(unit, bench)


def test_values_are_those_before_each_edge(trace):
    assert trace["en"][:6] == [0, 1, 1, 0, 1, 1]
    assert trace["counter.count"][:6] == [0, 0, 1, 2, 2, 3]
    assert trace.cycles == len(trace["en"])


def test_a_name_in_two_modules_is_told_apart(trace):
    assert trace["count"][:6] == [0, 0, 0, 1, 2, 2]


def test_fields_have_names_and_members_of_enumerations_too(trace):
    assert trace["seen.step"][:6] == ["EVEN", "EVEN", "ODD", "EVEN", "EVEN", "ODD"]
    assert trace["seen.high"][:6] == [0, 0, 0, 1, 1, 1]


def test_names_that_say_no_signal(trace):
    with pytest.raises(LookupError, match="^the gateware has no signal counter.total$"):
        trace["counter.total"]
    with pytest.raises(LookupError, match="^the gateware has 2 signals twice$"):
        trace["twice"]
