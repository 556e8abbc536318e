"""A player on a board's pins: serial port and LEDs."""

from __future__ import annotations

from amaranth.build import Platform
from amaranth.hdl import Cat, Elaboratable, Module, Signal
from amaranth.lib import io, wiring

__all__ = ["LEDS", "PlayerPins"]

LEDS = ("idle", "thinking", "over", "error", "errors 0", "errors 1", "errors 2", "errors 3")
"""What each LED shows, LED 0 first; the last four count refused lines in binary."""


class PlayerPins(Elaboratable):
    """Connect a player to resource ``uart`` 0 and to ``led`` 0 to 7, which ``LEDS`` names.

    Parameters
    ----------
    player : wiring.Component
        Ports ``rx``, ``tx``, ``seed``, ``idle``, ``thinking``, ``over``, ``error`` and ``errors``,
        as :class:`loopline.hdl.top.Loopline` has them. ``tx`` and the LEDs follow it without delay.
        ``seed`` counts the clock cycles.
    """

    def __init__(self, player: wiring.Component):
        self.player = player

    def elaborate(self, platform: Platform) -> Module:
        m = Module()
        m.submodules.player = player = self.player

        uart = platform.request("uart", 0, dir="-")
        m.submodules.rx_pin = rx_pin = io.Buffer("i", uart.rx)
        m.submodules.tx_pin = tx_pin = io.Buffer("o", uart.tx)
        m.d.comb += [player.rx.eq(rx_pin.i), tx_pin.o.eq(player.tx)]

        cycles = Signal.like(player.seed)
        m.d.sync += cycles.eq(cycles + 1)
        m.d.comb += player.seed.eq(cycles)

        lights = Cat(player.idle, player.thinking, player.over, player.error, player.errors[:4])
        for number, light in enumerate(lights):
            led = io.Buffer("o", platform.request("led", number, dir="-"))
            m.submodules[f"led_{number}"] = led
            m.d.comb += led.o.eq(light)
        return m
