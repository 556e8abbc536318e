"""No memory is read where it is written in the same cycle, unless nobody uses what is read.

Block RAMs promise nothing there, and the boards are built accordingly. Here such a read gives the
complement of what the memory held, and everything goes on as before.
"""

from __future__ import annotations

import importlib
import pkgutil
import random
from types import SimpleNamespace

import pytest
from amaranth.hdl import Elaboratable, Module, Mux, Signal, Value
from amaranth.lib.memory import Memory

import loopline.hdl
from loopline.game import Position, Shape
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status
from loopline.sim.trials import NativeTrials


class ScrambledMemory(Elaboratable):
    """A memory of which a read and a write of one row in one cycle give the wrong word."""

    def __init__(self, *, shape, depth, init):
        self._shape = shape
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
        for port, seen in self._reads:
            collides, collided = Signal(), Signal()
            for write in self._writes:
                with m.If(write.en.any() & (write.addr == port.addr)):
                    m.d.comb += collides.eq(1)
            with m.If(port.en):
                m.d.sync += collided.eq(collides)
            word = Value.cast(port.data)
            m.d.comb += Value.cast(seen.data).eq(Mux(collided, ~word, word))
        return m


@pytest.fixture
def scrambled(monkeypatch):
    """All memories of the gateware, for as long as a design is being built."""
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


@pytest.mark.xdist_group("collisions")
def test_turns_are_made_listed_tried_and_taken_back(scrambled):
    unit = NativeTrials(GridConfig(size=16, spaces=64))
    rng = random.Random(7)
    tried = 0
    for _ in range(6):
        position = Position()
        unit.clear(position.variant)
        while (
            not position.ending
            and position.turns < 24
            and max(position.width, position.height) < 13
        ):
            turn = rng.choice(position.legal_turns())
            x, y = position.locate(turn) if position.turns else (0, 0)
            position.play(turn)
            assert unit.place(x, y, turn.shape).status == Status.LEGAL.value
            made = {}
            for index, (column, row) in unit.spaces().items():
                for shape in Shape:
                    found = unit.place(column, row, shape)
                    if found.status == Status.MISMATCH.value:
                        continue
                    made[index, shape.code] = (found.status, found.tiles, found.loops, found.lines)
                    if found.status == Status.LEGAL.value:
                        unit.undo()
                    else:
                        made[index, shape.code] = (found.status,)
            trials = {
                (trial.index, trial.shape): (
                    (trial.status.value, trial.tiles, trial.loops, trial.lines)
                    if trial.status is Status.LEGAL
                    else (trial.status.value,)
                )
                for trial in unit.try_all()
            }
            assert trials == made
            labels = {(*position.locate(turn), turn.shape.code) for turn in position.legal_turns()}
            if not position.ending:
                legal = sum(result[0] == Status.LEGAL.value for result in made.values())
                assert legal == len(labels)
            tried += len(trials)
    assert tried > 1000
