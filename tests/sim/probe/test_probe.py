# amaranth: UnusedElaboratable=no
"""The stream pump: commands in, outcomes out, at native speed."""

import random

import pytest
from amaranth.hdl import unsigned
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.sim.probe.packing import Packing
from loopline.sim.probe.probe import Probe, ProbeTimeoutError
from tests.sim.dummies import Accumulator

pytestmark = pytest.mark.xdist_group("accumulator")  # Compiled once.


@pytest.fixture(scope="module")
def probe():
    with Probe(Accumulator(), limit=100) as probe:
        yield probe


@pytest.fixture(autouse=True)
def fresh(probe):
    probe.reset()


def random_commands(seed, count, probe):
    """Commands, and what each must give."""
    rng = random.Random(seed)
    cells = list(range(16))
    commands, expected = [], []
    for _ in range(count):
        cell, amount, delay = rng.randrange(16), rng.getrandbits(50), rng.randrange(7)
        old, cells[cell] = cells[cell], (cells[cell] + amount) % (1 << 50)
        commands.append(probe.commands.pack(cell=cell, amount=amount, delay=delay))
        expected.append((old, cells[cell], cells[cell] & 1))
    return commands, expected


def test_single_calls_keep_the_state(probe):
    add = probe.commands.pack(cell=3, amount=1 << 40)
    first, second = (probe.outcomes.unpack(probe.call(add)) for _ in range(2))
    assert first == (3, 3 + (1 << 40), 1)
    assert (second.old, second.values__new) == (3 + (1 << 40), 3 + (1 << 41))


def test_a_call_counts_its_cycles(probe):
    taken = []
    for delay in range(7):
        probe.call(probe.commands.pack(delay=delay))
        taken.append(probe.last_cycles)
    assert taken == [2, 3, 4, 5, 6, 7, 8]
    assert probe.cycles == sum(taken)


@pytest.mark.parametrize("seed", [0, 1, 99])
def test_calls_with_stalls(probe, seed):
    commands, expected = random_commands(5, 2000, probe)
    probe.stall(seed)
    assert [probe.outcomes.unpack(probe.call(command)) for command in commands] == expected


def test_stalls_change_only_the_time(probe):
    commands, _ = random_commands(6, 500, probe)
    times = []
    for seed in (0, 1):
        probe.reset()
        probe.stall(seed)
        for command in commands:
            probe.call(command)
        times.append(probe.cycles)
    assert times[0] < times[1]


def test_a_missing_outcome_is_an_error(probe):
    with pytest.raises(ProbeTimeoutError, match=r"^no outcome within 100 cycles$"):
        probe.call(probe.commands.pack(delay=7))


def test_reset_goes_back_to_power_on(probe):
    add = probe.commands.pack(cell=2, amount=5)
    probe.call(add)
    assert probe.cycles == 2
    probe.reset()
    assert probe.cycles == 0
    assert probe.outcomes.unpack(probe.call(add)).old == 2


def test_memories_by_name(probe):
    assert probe.memories == ("cells",)
    for cell, amount in ((3, 7), (15, (1 << 50) - 1)):
        probe.call(probe.commands.pack(cell=cell, amount=amount))
    expected = list(range(16))
    expected[3] += 7
    expected[15] = 14
    assert probe.read_memory("cells") == expected


@pytest.mark.parametrize("after", range(1, 6))
def test_an_interrupted_command(probe, after):
    """The reset input ends a command that is under way, and keeps memories."""
    add = probe.commands.pack(cell=1, amount=3, delay=3)
    probe.interrupt(add, after)
    assert probe.cycles == min(after, 5) + 1
    old = 1 if after < 4 else 4
    assert probe.read_memory("cells")[1] == old
    assert probe.outcomes.unpack(probe.call(add)).old == old
    assert probe.last_cycles == 5


def test_wide_streams_are_refused():
    class Wide(wiring.Component):
        commands: In(stream.Signature(65))
        outcomes: Out(stream.Signature(8))

    with pytest.raises(ValueError, match=r"^commands must have 1 to 64 bits, not 65$"):
        Probe(Wide())


class Op(enum.Enum, shape=2):
    READ = 1
    WRITE = 2


def test_packing_names_nested_fields():
    inner = data.StructLayout({"x": 3, "op": Op})
    packing = Packing(data.StructLayout({"a": inner, "ends": data.ArrayLayout(unsigned(2), 2)}))
    assert packing.width == 9
    assert packing.fields == {"a__x": (0, 3), "a__op": (3, 2), "ends__0": (5, 2), "ends__1": (7, 2)}
    word = packing.pack(a__x=5, a__op=Op.WRITE, ends__1=3)
    assert word == 5 | 2 << 3 | 3 << 7
    assert packing.unpack(word) == (5, 2, 0, 3)


def test_packing_of_a_plain_shape():
    assert Packing(unsigned(4)).unpack(9).value == 9


@pytest.mark.parametrize("value", [-1, 8])
def test_packing_refuses_what_does_not_fit(value):
    packing = Packing(data.StructLayout({"x": 3}))
    with pytest.raises(ValueError, match=rf"^x has 3 bits: {value} does not fit$"):
        packing.pack(x=value)
