"""A small design with a player's ports, so that the whole flow runs in seconds."""

import re
from pathlib import Path

import pytest
from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.boards import BOARDS
from loopline.hdl.config import SEED_BITS
from loopline.hdl.design import DesignConfig

PORTS = {
    "rx": In(1, init=1),
    "tx": Out(1, init=1),
    "seed": In(SEED_BITS),
    "idle": Out(1),
    "thinking": Out(1),
    "over": Out(1),
    "error": Out(1),
    "depth": Out(8),
}


class Counter(wiring.Component):
    """Counts the cycles in which ``rx`` is low, for the LEDs, and sends it back."""

    def __init__(self, config: DesignConfig):
        self.config = config
        super().__init__(PORTS)

    def elaborate(self, platform):
        m = Module()
        count = Signal(16)
        with m.If(~self.rx):
            m.d.sync += count.eq(count + 1)
        m.d.sync += self.tx.eq(self.rx)
        m.d.comb += [
            self.depth.eq(count[8:]),
            self.idle.eq(self.rx),
            self.thinking.eq(~self.rx),
            self.over.eq(count[7]),
            self.error.eq(count[6]),
        ]
        return m


class Multiplier(Counter):
    """Squares its count in one cycle, which no iCE40 does at the PLL's highest clock."""

    def elaborate(self, platform):
        m = Module()
        count = Signal(8, init=1)
        square = Signal(16)
        m.d.sync += [count.eq(count + self.rx), square.eq(count * count)]
        m.d.comb += [self.tx.eq(square.xor()), self.depth.eq(square)]
        return m


class Remembering(Counter):
    """Reads memories of each shape from their first word to the last, and again, and writes back
    the inverse of each word. ``error`` if any word is not what it was built with, or what was
    written; ``idle`` at the end."""

    SHAPES = ((256, 16), (512, 8), (1024, 4), (2048, 2))

    def elaborate(self, platform):
        m = Module()
        m.d.comb += self.tx.eq(self.rx)
        count, last, valid = Signal(13), Signal(13), Signal()
        m.d.sync += [last.eq(count), valid.eq(1), count.eq(count + ~last[-1])]
        m.d.comb += self.idle.eq(last[-1])
        for number, (depth, width) in enumerate(self.SHAPES):
            init = [(7 * address + number) >> 1 & (1 << width) - 1 for address in range(depth)]
            memory = Memory(shape=width, depth=depth, init=init)
            m.submodules[f"memory_{number}"] = memory
            read, write = memory.read_port(), memory.write_port()
            address, again = last[: len(read.addr)], last[len(read.addr)]
            word = (7 * address + number)[1:][:width] ^ again.replicate(width)
            m.d.comb += [
                read.addr.eq(count),
                write.addr.eq(last),
                write.data.eq(~word),
                write.en.eq(valid & ~self.idle),
            ]
            with m.If(write.en & (read.data != word)):
                m.d.sync += self.error.eq(1)
        return m


BITSTREAMS = {name: board for name, board in BOARDS.items() if board.status != "project"}
PROJECTS = {name: board for name, board in BOARDS.items() if board.status == "project"}


def one_board_per_family(boards=BOARDS, quick=()):
    """Boards as parameters of a test; all but the first of each family are slow.

    If quick families are named, the boards of all others are slow, too.
    """
    first = {board.family.name: board.name for board in reversed(boards.values())}
    chosen = {name for family, name in first.items() if not quick or family in quick}
    return [
        pytest.param(board, id=name, marks=[] if name in chosen else [pytest.mark.slow])
        for name, board in boards.items()
    ]


def board_of_the_guide():
    """The board that ``docs/add-a-board.md`` adds."""
    text = (Path(__file__).parents[2] / "docs" / "add-a-board.md").read_text()
    (code,) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    names = {}
    exec(code, names)
    return names["BOARD"]
