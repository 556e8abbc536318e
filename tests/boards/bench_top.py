"""cocotb test of a board's top through its pins: serial port and LEDs. See ``bench_positions``."""

import cocotb

from loopline.boards.pins import LIGHTS
from loopline.sim.benches.pins import power_on
from tests.sim.benches.bench_positions import CHOSEN, follow


class Lights:
    """What some LEDs show, the lowest bit first."""

    def __init__(self, dut, names):
        self._leds = [getattr(dut, f"led_{LIGHTS.index(name)}__io") for name in names]

    @property
    def value(self):
        return sum(int(led.value) << bit for bit, led in enumerate(self._leds))


class Board:
    """The pins under the names that a design has for them."""

    def __init__(self, dut):
        self.clk = dut.clk12_0__io
        self.rx = dut.uart_0__rx__io
        self.tx = dut.uart_0__tx__io
        self.errors = Lights(dut, LIGHTS[4:])
        for name in LIGHTS[:4]:
            setattr(self, name, Lights(dut, [name]))


@cocotb.test()
async def serial_port_and_leds(dut):
    """A player that sends ``rx`` back, a cycle later, and shows it on two LEDs."""
    board = Board(dut)
    pins = await power_on(board)
    await pins.silence(20e-6)
    await pins.send(b"\x55@")
    assert [await pins.receive(1e-3) for _ in range(2)] == list(b"\x55@")
    for level in (0, 1):
        dut.uart_0__rx__io.value = level
        await pins.wait_bits(1)
        assert (board.idle.value, board.thinking.value) == (level, 1 - level)


@cocotb.test()
async def goes_on_from_chosen_positions(dut):
    pins = await power_on(Board(dut))
    await pins.silence(20e-6)  # the reset lasts until block RAMs have settled
    assert CHOSEN
    errors = 0
    for chosen in CHOSEN:
        errors = await follow(pins, chosen, errors)
    assert errors
