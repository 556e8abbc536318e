"""Memories that keep to what block RAMs promise, and to no more."""

from __future__ import annotations

import importlib
import pkgutil
import random
from types import SimpleNamespace

from amaranth.hdl import Elaboratable, Module, Mux, Signal, Value
from amaranth.lib.data import Layout
from amaranth.lib.memory import Memory

import loopline.hdl

__all__ = ["scramble"]


class ScrambledMemory(Elaboratable):
    """A memory of which a read and a write of one row in one cycle give the wrong word.

    One that is to have a single port holds anything at first. What was read last through a port
    that writes, too, is lost when it does.
    """

    def __init__(self, *, shape, depth, init, attrs=None):
        self._shape = shape
        self._one_port = (attrs or {}).get("ram_style") == "huge"
        if self._one_port:
            rng = random.Random(depth)
            bits = Value.cast(Signal(shape)).shape().width
            init = [Layout.cast(shape).from_bits(rng.getrandbits(bits)) for _ in range(depth)]
        self._memory = Memory(shape=shape, depth=depth, init=init)
        self._reads, self._writes = [], []

    def write_port(self, **options):
        port = self._memory.write_port(**options)
        self._writes.append(port)
        return port

    def read_port(self, **options):
        port = self._memory.read_port(**options)
        seen = SimpleNamespace(addr=port.addr, en=port.en, data=Signal(self._shape))
        self._reads.append((port, seen))
        return seen

    def elaborate(self, platform) -> Module:
        m = Module()
        m.submodules.memory = self._memory
        one_port = self._one_port or len(self._writes) > 1
        for number, (port, seen) in enumerate(self._reads):
            collides, collided = Signal(), Signal()
            for write in self._writes:
                with m.If(write.en.any() & (write.addr == port.addr)):
                    m.d.comb += collides.eq(1)
            with m.If(port.en):
                m.d.sync += collided.eq(collides)
            if one_port:
                with m.If(self._writes[number].en):
                    m.d.sync += collided.eq(1)
            word = Value.cast(port.data)
            m.d.comb += Value.cast(seen.data).eq(Mux(collided, ~word, word))
        return m


def scramble(monkeypatch):
    """Let all memories of the gateware be such, for as long as a design is being built."""
    names = [
        module.name
        for module in pkgutil.walk_packages(loopline.hdl.__path__, "loopline.hdl.")
        if not module.ispkg
    ]
    modules = [importlib.import_module(name) for name in names]
    users = [module for module in modules if getattr(module, "Memory", None) is Memory]
    assert len(users) >= 6
    for module in users:
        monkeypatch.setattr(module, "Memory", ScrambledMemory)
