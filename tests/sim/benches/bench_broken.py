"""cocotb tests that fail, to see that a failure is not lost."""

import cocotb

from loopline.sim.benches.pins import power_on


@cocotb.test()
async def fails(dut):
    pins = await power_on(dut)
    await pins.send(b"this\n")
    assert await pins.line() == b"that"


@cocotb.test()
async def hears_a_break(dut):
    """The design sends what it receives."""
    pins = await power_on(dut)
    dut.rx.value = 0
    await pins.wait_bits(12)
    dut.rx.value = 1
    await pins.send(b"\n")
    assert await pins.line() == b""
