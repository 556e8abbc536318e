"""cocotb tests of the bench's own pins, on a design that echoes lines."""

import cocotb
import pytest
from cocotb.triggers import SimTimeoutError
from cocotb.utils import get_sim_time

from loopline.sim.benches.pins import power_on


@cocotb.test()
async def lines_come_back(dut):
    pins = await power_on(dut)
    for line in (b"A1/", bytes(byte for byte in range(128) if byte != 10), b""):
        await pins.send(line + b"\n")
        assert await pins.line() == line


@cocotb.test()
async def gaps_between_bytes_do_no_harm(dut):
    pins = await power_on(dut)
    await pins.send(b"slow\n", gap=3.3)
    assert await pins.line() == b"slow"


@cocotb.test()
async def frames_take_their_time(dut):
    pins = await power_on(dut)
    begun = get_sim_time("ns")
    await pins.send(b"x" * 10)
    assert get_sim_time("ns") - begun == 100 * 16 * 1000


@cocotb.test()
async def silence_is_noticed(dut):
    pins = await power_on(dut)
    await pins.silence(0.001)
    with pytest.raises(SimTimeoutError):
        await pins.receive(0.001)
    await pins.send(b"\n")
    with pytest.raises(AssertionError, match="unexpected byte 0x0a"):
        await pins.silence(0.001)
