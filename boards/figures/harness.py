"""A harness for units alone in an FPGA: registers at their ports, shift registers to four pins."""

from __future__ import annotations

from amaranth.back import rtlil
from amaranth.hdl import Cat, Const, Elaboratable, Module, Mux, Signal, Value
from amaranth.lib import wiring
from amaranth.lib.wiring import In

from loopline.tools.collector import collector_paused

__all__ = ["CAUGHT", "FED", "SHIFTED", "TOP", "Harness", "harnessed", "unit_modules"]

TOP = "harness"
"""The top module's name in the netlist."""

FED, CAUGHT, SHIFTED = "fed", "caught", "shifted"
"""The names, in the netlist, of the harness's registers: before the unit, behind it, to the pin."""


class Harness(Elaboratable):
    """Connect any units to four pins, with every path of a unit between two registers.

    ::

        data_in ──► fed ──────────► units ─────────► caught ──► shifted ──► data_out
                    shift register  (all its bits)   register   shift register, loaded
                    of all inputs                               from caught with load

    In each cycle the units see the last bits of ``data_in``, the oldest at the first input's
    lowest bit. None of the harness's logic is in a path with a unit's: ``fed`` has none before
    it, and the multiplexers of ``shifted`` are behind ``caught``.

    Parameters
    ----------
    units : wiring.Component
        One or more, in domain ``sync``; each has inputs and outputs of its own.

    Attributes
    ----------
    data_in, load, data_out : Signal
        The pins, besides clock and reset. After a cycle with ``load``, ``data_out`` is the lowest
        bit of the first output as it was the cycle before that one, and in each cycle without it
        the next bit, after the last one what ``data_in`` was as many cycles ago.
    inputs, outputs : int
        Bits of the units' ports.
    """

    def __init__(self, *units: wiring.Component):
        self.units = units
        self.data_in = Signal()
        self.load = Signal()
        self.data_out = Signal()
        ports: dict[bool, list[Value]] = {True: [], False: []}
        for unit in units:
            for _path, member, value in unit.signature.flatten(unit):
                # An always ready stream has a constant for a port.
                if not isinstance(value, Const):
                    ports[member.flow is In].append(Value.cast(value))
        self._inputs, self._outputs = Cat(ports[True]), Cat(ports[False])
        self.inputs, self.outputs = len(self._inputs), len(self._outputs)

    def elaborate(self, platform) -> Module:
        m = Module()
        for number, unit in enumerate(self.units):
            m.submodules[_submodule(number)] = unit
        # By these names the netlist's reader tells the registers from the unit's own.
        kept = {"keep": 1}
        fed = Signal(self.inputs, name=FED, reset_less=True, attrs=kept)
        caught = Signal(self.outputs, name=CAUGHT, reset_less=True, attrs=kept)
        shifted = Signal(self.outputs, name=SHIFTED, reset_less=True, attrs=kept)
        m.d.comb += [self._inputs.eq(fed), self.data_out.eq(shifted[0])]
        m.d.sync += [
            fed.eq(Cat(fed[1:], self.data_in)),
            caught.eq(self._outputs),
            shifted.eq(Mux(self.load, caught, Cat(shifted[1:], self.data_in))),
        ]
        return m


def _submodule(number: int) -> str:
    return f"unit{number or ''}"


def unit_modules(units: int) -> list[str]:
    """Return the names of the units' modules in the harness's RTLIL."""
    return [f"{TOP}.{_submodule(number)}" for number in range(units)]


def harnessed(*units: wiring.Component) -> str:
    """Return units in a harness as RTLIL; the text does not depend on where the sources lie."""
    harness = Harness(*units)
    pins = [harness.data_in, harness.load, harness.data_out]
    with collector_paused():
        text: str = rtlil.convert(harness, name=TOP, ports=pins, emit_src=False)
    return text
