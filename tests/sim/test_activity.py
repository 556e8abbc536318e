"""A model that computes only what may have changed does in each cycle what one does that computes
everything: all registers, all memories, all outputs."""

from __future__ import annotations

import ctypes
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from amaranth.hdl import Cat, Module, Mux, ResetInserter, Signal
from amaranth.lib import memory, wiring
from amaranth.lib.wiring import In, Out
from amaranth.sim import Simulator, SimulatorContext

from loopline.game.wire import Command, RuleFlag, command_frame, pack_frame
from loopline.hdl.config import GridConfig
from loopline.hdl.design import DesignConfig
from loopline.hdl.search.config import SearchConfig
from loopline.hdl.top import Loopline
from loopline.sim import native
from loopline.sim.activity import by_activity

DRIVER = str(Path(__file__).with_name("lockstep.cc"))
RESET = 1 << 63


class Lockstep:
    """Both models of a component with the ports ``inputs`` and ``outputs``."""

    def __init__(self, component: wiring.Component, optimise: str = "-O0") -> None:
        path = native.compile_native(component, DRIVER, library=True, optimise=optimise)
        self._library = library = ctypes.CDLL(str(path))
        library.lockstep_new.restype = ctypes.c_void_p
        library.lockstep_delete.argtypes = [ctypes.c_void_p]
        library.lockstep_run.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_size_t]
        library.lockstep_run.restype = ctypes.c_size_t
        library.lockstep_awake.argtypes = [ctypes.c_void_p]
        library.lockstep_awake.restype = ctypes.c_uint64
        self._both = library.lockstep_new()
        self.outputs: list[int] = []

    def run(self, inputs: Sequence[int]) -> bool:
        """Whether both do the same, for one cycle with each of the inputs. Keeps the outputs."""
        count = len(inputs)
        words, outputs = (ctypes.c_uint64 * count)(*inputs), (ctypes.c_uint64 * count)()
        same = self._library.lockstep_run(self._both, words, outputs, count)
        self.outputs = outputs[:]
        return bool(same == count)

    @property
    def awake(self) -> int:
        """Parts that began a cycle active, in all cycles together."""
        return int(self._library.lockstep_awake(self._both))

    def close(self) -> None:
        self._library.lockstep_delete(self._both)


class Store(wiring.Component):
    """A memory that two write to, the first as long as it is told to, and a register behind it."""

    def __init__(self) -> None:
        super().__init__({"inputs": In(16), "read": Out(4)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.words = words = memory.Memory(shape=4, depth=4, init=[])
        write = [words.write_port() for _ in range(2)]
        read = words.read_port()
        m.d.comb += [
            write[0].addr.eq(self.inputs[:2]),
            write[0].data.eq(self.inputs[2:6]),
            write[0].en.eq(self.inputs[6]),
            write[1].addr.eq(self.inputs[7:9]),
            write[1].data.eq(~self.inputs[2:6]),
            # Never both at once, since nothing says which one would win.
            write[1].en.eq(self.inputs[9] & ~self.inputs[6]),
            read.addr.eq(self.inputs[10:12]),
            read.en.eq(1),
        ]
        with m.If(self.inputs[12]):
            m.d.sync += self.read.eq(read.data)
        return m


class Steps(wiring.Component):
    """A state, a slow clock, and a sum that goes through both units before it is used."""

    def __init__(self) -> None:
        super().__init__({"inputs": In(4), "there": In(4), "sum": Out(6), "ticks": Out(1)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        clock, seen = Signal(32), Signal(5)
        m.d.sync += clock.eq(clock + 1)
        m.d.comb += [self.ticks.eq(clock[:7] == 0), self.sum.eq(seen + self.there)]
        with m.FSM():
            with m.State("WAIT"), m.If(self.ticks & self.inputs[0]):
                m.next = "TAKE"
            with m.State("TAKE"), m.If(self.ticks):
                m.d.sync += seen.eq(self.sum + self.inputs)
                m.next = "WAIT"
        return m


class Mixed(wiring.Component):
    """Both, each with an eye on the other."""

    def __init__(self) -> None:
        super().__init__({"inputs": In(20), "outputs": Out(11)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.store = store = Store()
        m.submodules.steps = steps = Steps()
        m.d.comb += [
            store.inputs.eq(self.inputs ^ steps.ticks),
            steps.inputs.eq(self.inputs[16:]),
            steps.there.eq(store.read),
            self.outputs.eq(store.read | steps.sum << 4 | steps.ticks << 10),
        ]
        return m


class Machine(wiring.Component):
    """Signals of all kinds that switches on the same state drive."""

    def __init__(self) -> None:
        super().__init__({"inputs": In(12), "outputs": Out(64)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        state, wide, count, late = Signal(3), Signal(90, init=1), Signal(5, init=3), Signal(7)
        told, sum_, twice = Signal(6, init=9), Signal(8), Signal(4)
        code, go, data = self.inputs[:3], self.inputs[3], self.inputs[4:]
        m.d.comb += self.outputs.eq(Cat(state, count, late, told, sum_, twice, wide[-31:]))
        with m.Switch(state):
            with m.Case(0):
                m.d.comb += [told.eq(data), sum_.eq(data[:4] + count)]
                with m.If(go):
                    m.d.sync += [state.eq(code), wide.eq(Cat(data, wide)), count.eq(count + 1)]
                with m.Elif(data[0]):
                    m.d.sync += [wide[40:55].eq(wide[:15] ^ data), late.eq(sum_)]
            with m.Case(1, 2):
                m.d.sync += [state.eq(state + 1), wide[29:35].eq(sum_), count[1:4].eq(told)]
                with m.Switch(data):
                    with m.Case("1-------"):
                        m.d.comb += [told.eq(1), sum_.eq(~data)]
                        m.d.sync += late[2:].eq(count)
                    with m.Case("-1------"):
                        m.d.comb += told[1:3].eq(data)
            with m.Case(3), m.If(go):
                m.d.comb += sum_.eq(wide[20:50])
                m.d.sync += [state.eq(code), wide.eq(wide.rotate_left(37))]
            with m.Case(5):
                m.d.sync += [state.eq(0), late.eq(late + told)]
            with m.Default():
                m.d.comb += told.eq(late)
                m.d.sync += [state.eq(Mux(go, code, 5)), count.eq(0)]
        with m.Switch(sum_[:2]):
            with m.Case(1):
                m.d.comb += twice.eq(told)
            with m.Case(2):
                m.d.comb += twice.eq(late)
                m.d.sync += wide[88:].eq(told)
            with m.Default():
                m.d.sync += wide[60].eq(go)
        return m


class Pins(wiring.Component):
    """The whole design, at its pins."""

    def __init__(self) -> None:
        super().__init__({"inputs": In(1), "outputs": Out(1)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        config = DesignConfig(
            1_000_000, 125_000, SearchConfig(grid=GridConfig(size=16), table_bits=8)
        )
        m.submodules.loopline = loopline = Loopline(config)
        m.d.comb += [loopline.rx.eq(self.inputs), self.outputs.eq(loopline.tx)]
        return m


@pytest.fixture
def lockstep() -> Iterator[list[Lockstep]]:
    """What is put there is closed."""
    made: list[Lockstep] = []
    yield made
    for both in made:
        both.close()


def changes(rng: random.Random, bits: int, cycles: int) -> list[int]:
    """Inputs that often stay as they are, and a reset now and then."""
    inputs, value = [], 0
    while len(inputs) < cycles:
        value ^= rng.getrandbits(bits) & rng.getrandbits(bits) & rng.getrandbits(bits)
        reset = RESET if rng.random() < 0.01 else 0
        inputs += [value | reset] * rng.choice((1, 1, 2, 3, 40))
    return inputs


def test_small_units(lockstep):
    lockstep.append(both := Lockstep(Mixed()))
    assert both.run(changes(random.Random(1), 20, 200_000))


def test_switches(lockstep):
    """As Amaranth's simulator."""
    rng = random.Random(3)
    inputs = [rng.getrandbits(12) | RESET * (rng.random() < 0.01) for _ in range(3_000)]
    lockstep.append(both := Lockstep(Machine()))
    assert both.run(inputs)

    machine, outputs = Machine(), []

    async def testbench(context: SimulatorContext) -> None:
        for value in inputs:
            context.set(machine.inputs, value & ~RESET)
            context.set(reset, value >> 63)
            outputs.append(context.get(machine.outputs))
            await context.tick()

    reset = Signal()
    simulator = Simulator(ResetInserter(reset)(machine))
    simulator.add_clock(1e-6)
    simulator.add_testbench(testbench)
    simulator.run()
    assert both.outputs == outputs
    assert len(set(outputs)) > 1000


def characters(text: bytes, bit: int = 8) -> list[int]:
    """Levels at rx, cycle by cycle."""
    frames = [0x200 | byte << 1 for byte in text]
    return [frame >> place & 1 for frame in frames for place in range(10) for _ in range(bit)]


@pytest.mark.slow
def test_the_whole_design(lockstep):
    """Games of the contest and by frames, searches, noise, a reset in the middle; and most of it is
    left out while it waits."""
    lockstep.append(both := Lockstep(Pins(), "-O1"))
    rng = random.Random(2)
    frames = [
        pack_frame(1, Command.IDENTIFY),
        command_frame(2, Command.NEW_GAME, area=0, rules=RuleFlag(0)),
        command_frame(3, Command.SEARCH, depth=1, nodes=200, cycles=0),
        pack_frame(4, Command.POSITION),
        pack_frame(5, Command.SELF_TEST),
    ]
    for text in (b"-W\n", b"A2+\n", b"B1/\n", b"-T\n", *frames, rng.randbytes(40), b"-B\n@0/\n"):
        assert both.run(characters(text) + [1] * 30_000)
    assert both.run([RESET | 1] * 3 + characters(b"-W\n") + [1] * 500 + [RESET | 1] + [1] * 5_000)
    awake = both.awake
    assert both.run([1] * 1000)
    idle = (both.awake - awake) / 1000
    assert both.run(characters(b"-W\n") + [1] * 1000)
    assert 0 < idle < 10


@pytest.mark.parametrize(
    ("forgotten", "instead"),
    [
        (r"\tif \((\w+) != was_\1\) \{ active.*\n", ""),  # by another part
        (r"if \((\w+) != was_\1\) \{ was_\1 = \1; .* \}\n", ""),  # inputs
        (r"(if \(memory_\w+)\.commit\(observer\)\) next.*;", r"\1.commit(observer)) {}"),
        (r"(if \(p_\w+)\.commit\(observer\)\) next.*;", r"\1.commit(observer)) {}"),
    ],
    ids=["values", "inputs", "memories", "registers"],
)
def test_changes_that_nobody_is_told_of(lockstep, monkeypatch, tmp_path, forgotten, instead):
    """The same test, with models that forget something."""

    def forgetful(design: str) -> str:
        text, times = re.subn(forgotten, instead, by_activity(design))
        assert times
        return text

    monkeypatch.setattr(native, "by_activity", forgetful)
    monkeypatch.setenv("LOOPLINE_CACHE", str(tmp_path))
    lockstep.append(both := Lockstep(Mixed()))
    assert not both.run(changes(random.Random(1), 20, 200_000))


@pytest.mark.parametrize("text", ["", "bool p_top::eval(performer *performer) {\n}\n"])
def test_another_text(text):
    with pytest.raises(ValueError, match="not a model of one flattened design"):
        by_activity(text)


class Ring(wiring.Component):
    """A signal whose bits are made of each other, and none of itself."""

    def __init__(self) -> None:
        super().__init__({"inputs": In(2), "outputs": Out(2)})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        ring = Signal(2)
        with m.If(self.inputs[0]):
            m.d.comb += [ring[0].eq(self.inputs[1]), ring[1].eq(ring[0])]
        m.d.comb += self.outputs.eq(ring)
        return m


def test_combinational_feedback(monkeypatch, tmp_path):
    monkeypatch.setenv("LOOPLINE_CACHE", str(tmp_path))
    with pytest.raises(ValueError, match="the design has combinational feedback"):
        Lockstep(Ring())


def test_the_compiler_is_told_of_the_folder_by_name(monkeypatch, tmp_path):
    """One keeps results and tells files from one another by the names that it is given: those of
    one build must not be the next one's."""
    monkeypatch.setenv("LOOPLINE_CACHE", str(tmp_path))
    commands = []

    def run_tool(what: str, command: Sequence[str], folder: Path) -> None:
        commands.append((list(command), folder))

    monkeypatch.setattr(native, "run_tool", run_tool)
    native.compile_native(Mixed(), DRIVER, library=True)
    ((command, folder),) = commands
    includes = [Path(word[2:]) for word in command if word.startswith("-I")]
    assert folder in includes
    assert all(path.is_absolute() for path in includes)
