"""A player on a board's pins: serial port and LEDs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from amaranth.build import Platform
from amaranth.hdl import Cat, Elaboratable, Module, Signal
from amaranth.lib import io, wiring

__all__ = ["LIGHTS", "Led", "PlayerPins", "lights_of"]

LIGHTS = ("idle", "thinking", "over", "error", "depth 0", "depth 1", "depth 2", "depth 3")
"""What each LED shows, the first LED first. The last four show in binary, the lowest bit first, how
many turns ahead the search is complete, modulo 16."""


class Led(NamedTuple):
    """An LED of a platform: the resource, and one of its signals if it has several colours."""

    resource: str
    number: int = 0
    colour: str | None = None


def lights_of(m: Module, player: wiring.Component) -> Cat:
    """Let a player's ``seed`` count the clock cycles, and return what :data:`LIGHTS` show."""
    cycles = Signal.like(player.seed)
    m.d.sync += cycles.eq(cycles + 1)
    m.d.comb += player.seed.eq(cycles)
    return Cat(player.idle, player.thinking, player.over, player.error, player.depth[:4])


class PlayerPins(Elaboratable):
    """Connect a player to resource ``uart`` 0 and to LEDs, which show :data:`LIGHTS`.

    Parameters
    ----------
    leds : sequence of Led
        The board's LEDs, as many as it has. Those behind the last of :data:`LIGHTS` stay dark.
    player : wiring.Component
        Ports ``rx``, ``tx``, ``seed``, ``idle``, ``thinking``, ``over``, ``error`` and ``depth``,
        as :class:`loopline.hdl.top.Loopline` has them. ``tx`` and the LEDs follow it without delay.
        ``seed`` counts the clock cycles.
    """

    def __init__(self, leds: Sequence[Led], player: wiring.Component):
        self.leds = leds
        self.player = player

    def elaborate(self, platform: Platform) -> Module:
        m = Module()
        m.submodules.player = player = self.player

        uart = platform.request("uart", 0, dir="-")
        m.submodules.rx_pin = rx_pin = io.Buffer("i", uart.rx)
        m.submodules.tx_pin = tx_pin = io.Buffer("o", uart.tx)
        m.d.comb += [player.rx.eq(rx_pin.i), tx_pin.o.eq(player.tx)]

        lights = lights_of(m, player)
        ports: dict[tuple[str, int], Any] = {}
        for number, (led, light) in enumerate(zip(self.leds, lights, strict=False)):
            key = led.resource, led.number
            if key not in ports:
                ports[key] = platform.request(*key, dir="-")
            port = getattr(ports[key], led.colour) if led.colour else ports[key]
            m.submodules[f"led_{number}"] = buffer = io.Buffer("o", port)
            m.d.comb += buffer.o.eq(light)
        return m
