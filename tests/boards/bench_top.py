"""cocotb test of a board's top through its pins: serial port and LEDs. See ``bench_positions``."""

import cocotb

from loopline.sim.benches.pins import power_on
from tests.sim.benches.bench_positions import CHOSEN, follow


class Board:
    """The pins under the names that a design has for them."""

    def __init__(self, dut):
        self._dut = dut
        self.clk = dut.clk12_0__io
        self.rx = dut.uart_0__rx__io
        self.tx = dut.uart_0__tx__io

    def __getattr__(self, name):
        if name.startswith("led_"):
            return getattr(self._dut, name)
        raise AttributeError(name)


@cocotb.test()
async def goes_on_from_chosen_positions(dut):
    pins = await power_on(Board(dut))
    await pins.silence(20e-6)  # the reset lasts until block RAMs have settled
    assert CHOSEN
    errors = 0
    for chosen in CHOSEN:
        errors = await follow(pins, chosen, errors)
    assert errors
