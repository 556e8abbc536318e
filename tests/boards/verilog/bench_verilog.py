"""cocotb test of a preset's Verilog through its pins: games against the reference model."""

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge, Timer

from loopline.game import Colour
from loopline.sim.benches.opponent import Opponent
from loopline.sim.benches.pins import power_on

THINK_MS = 1


async def hurry(dut):
    """Let the player think for a millisecond, not for the longest time."""
    while True:
        await RisingEdge(dut.thinking)
        await Timer(THINK_MS, "ms")
        dut.move_now.value = 1
        if dut.thinking.value:
            await FallingEdge(dut.thinking)
        dut.move_now.value = 0


@cocotb.test()
async def plays_a_game(dut):
    pins = await power_on(dut)
    cocotb.start_soon(hurry(dut))
    await pins.send(b"-T\n")
    assert await pins.line(0.01) == b"LL"
    opponent = Opponent(pins, Colour.RED)
    await opponent.opening(6)
    await opponent.go_on(40)
