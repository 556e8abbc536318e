"""A cocotb test that fails, to see that a failure is not lost."""

import cocotb

from loopline.sim.benches.pins import power_on


@cocotb.test()
async def fails(dut):
    pins = await power_on(dut)
    await pins.send(b"this\n")
    assert await pins.line() == b"that"
