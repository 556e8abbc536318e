"""A small design with a player's ports, so that the whole flow runs in seconds."""

import re
from pathlib import Path

import pytest
from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
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


def one_board_per_family():
    """All boards as parameters of a test; all but the first of each family are slow."""
    first = {board.family.name: board.name for board in reversed(BOARDS.values())}
    return [
        pytest.param(board, id=name, marks=[] if name in first.values() else [pytest.mark.slow])
        for name, board in BOARDS.items()
    ]


def board_of_the_guide():
    """The board that ``docs/add-a-board.md`` adds."""
    text = (Path(__file__).parents[2] / "docs" / "add-a-board.md").read_text()
    (code,) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    names = {}
    exec(code, names)
    return names["BOARD"]
