"""The parts that units are measured on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from loopline.boards.families.ecp5 import ECP5, FASTER
from loopline.boards.families.gowin import GOWIN
from loopline.boards.families.ice40 import ICE40, UNINITIALISED
from loopline.boards.presets import PRESETS
from loopline.boards.synthesis import COLLISIONS, SMALLER, TREES, UNCHECKED
from loopline.hdl.config import Banks, GridConfig

__all__ = ["PARTS", "WHOLE_PARTS", "Part", "find_part"]

_LARGE_FROM = 64
"""From this size of grid on, the cell map is in a part's large RAMs. They lie at its corners, so
block RAMs are faster for a smaller map."""

_SHARED_FROM = 32
"""From this size of grid on, the block RAMs of an ECP5 limit how many units fit, not its LUTs. For
a smaller grid synthesis makes the cell map of LUTs."""

_FULL_FROM = 64
"""From this size of grid on, a bank of the cell map fills a block RAM of an ECP5."""


@dataclass(frozen=True)
class Part:
    """A part of a family, and how a design is synthesised and routed for it.

    Parameters
    ----------
    name : str
        Its name on the command line.
    device : str
        The part, its package and its speed grade.
    synthesis : str
        Yosys's commands; the top module and the output are added to the last.
    router : str
        The place and route program, a wheel of that name, and ``router_options``, which choose
        the part. The target frequency is higher than the core can reach, so that the router goes
        on trying.
    cells, flip_flops, memories : str
        Names of resources in the router's report. Where a flip-flop is part of a cell,
        ``flip_flops`` is empty and they are counted in the netlist.
    flip_flop_cell, flip_flop_input : str
        What the netlist's types of flip-flops begin with, and where each has its input; it has its
        output at ``Q``.
    lut_cell : str
        The netlist's type of LUTs, whose output is at ``O``, if one shares a cell with a flip-flop
        that it alone feeds; else empty.
    large_memories : str
        The name of the part's large RAMs with one port in the router's report; empty if it has
        none. They hold the cell map from size :data:`_LARGE_FROM` on; see :class:`GridConfig`.
    lut_memories : bool
        LUTs can be memories, and block RAMs have two ports each of which reads or writes. Then
        units use fewer block RAMs from size :data:`_SHARED_FROM` on, so that more of them fit.
    whole : str
        Yosys's commands for a whole design, if they are others than those for a unit.
    extra : str
        The extra of an installation that brings the router.
    constraints : str
        Where the ports of a whole design are, if the router does not choose their pins.
    """

    name: str
    device: str
    synthesis: str
    router: str
    router_options: tuple[str, ...]
    cells: str
    flip_flops: str
    memories: str
    flip_flop_cell: str
    flip_flop_input: str
    lut_cell: str = ""
    large_memories: str = ""
    lut_memories: bool = False
    whole: str = ""
    extra: str = ECP5.extra
    constraints: str = ""

    def grid(self, size: int) -> GridConfig:
        """Return the configuration for a size of torus. Raises ``ValueError`` for a wrong one."""
        banks, spares = Banks.DUAL_PORT, self.lut_memories and size >= _SHARED_FROM
        if self.large_memories and size >= _LARGE_FROM:
            banks = Banks.SINGLE_PORT
        elif spares and size < _FULL_FROM:
            banks = Banks.PAIRED
        return GridConfig(size=size, banks=banks, lut_memories=spares)


_ICE40: dict[str, Any] = {
    "router": ICE40.tools["NEXTPNR_ICE40"],
    "cells": ICE40.cells,
    "flip_flops": "",
    "memories": ICE40.memories,
    "flip_flop_cell": "SB_DFF",
    "flip_flop_input": "D",
    "lut_cell": "SB_LUT4",
}

PARTS = {
    part.name: part
    for part in (
        Part(
            name="up5k",
            device="iCE40UP5K-SG48",
            synthesis=f"{UNCHECKED}; {COLLISIONS}; {UNINITIALISED}; {TREES}; "
            "synth_ice40 -device u -spram",
            router_options=("--up5k", "--package", "sg48", "--freq", "40"),
            **_ICE40,
            large_memories="ICESTORM_SPRAM",
        ),
        Part(
            name="hx8k",
            device="iCE40HX8K-CT256",
            synthesis=f"{UNCHECKED}; {SMALLER}; {COLLISIONS}; {TREES}; synth_ice40 -device hx",
            router_options=("--hx8k", "--package", "ct256", "--freq", "100"),
            **_ICE40,
        ),
        Part(
            name="ecp5",
            device="LFE5U-25F-6BG381C",
            synthesis=f"{UNCHECKED}; {COLLISIONS}; synth_ecp5",
            whole=f"{UNCHECKED}; {COLLISIONS}; {TREES}; {FASTER}",
            router=ECP5.tools["NEXTPNR_ECP5"],
            router_options=("--25k", "--package", "CABGA381", "--speed", "6", "--freq", "120"),
            cells=ECP5.cells,
            flip_flops="TRELLIS_FF",
            memories=ECP5.memories,
            flip_flop_cell="TRELLIS_FF",
            flip_flop_input="DI",
            lut_memories=True,
        ),
    )
}
"""All parts by name."""

_GOWIN: dict[str, Any] = {
    "router": GOWIN.tools["NEXTPNR_GOWIN"],
    "extra": GOWIN.extra,
    "cells": GOWIN.cells,
    "flip_flops": "",
    "memories": GOWIN.memories,
    "flip_flop_cell": "DFF",
    "flip_flop_input": "D",
}


def _at_pins(pins: str) -> str:
    """Return constraints that put the ports of a whole design at these pins: clock, reset, serial
    line in and out, and eight LEDs."""
    ports = ("clk", "rst", "rx", "tx", *(f"lights[{number}]" for number in range(8)))
    places = zip(ports, pins.split(), strict=True)
    return "".join(f'IO_LOC "{port}" {pin};\n' for port, pin in places)


_WHOLE_GOWIN = f"{UNCHECKED}; {SMALLER}; {COLLISIONS}; {TREES}; synth_gowin -nowidelut"

WHOLE_PARTS = {
    **PARTS,
    **{
        part.name: part
        for part in (
            *(
                replace(
                    PARTS["ecp5"],
                    name=f"ecp5-{size}f",
                    device=f"LFE5U-{size}F-6BG381C",
                    router_options=(
                        f"--{size}k",
                        *PARTS["ecp5"].router_options[1:],
                        *ECP5.routing(PRESETS[f"ecp5-{size}f"].design),
                    ),
                )
                for size in (45, 85)
            ),
            Part(
                name="gw2a-18",
                device="GW2A-LV18PG256C8/I7",
                synthesis=f"{_WHOLE_GOWIN} -family gw2a",
                router_options=(
                    *("--device", "GW2A-LV18PG256C8/I7", "--vopt", "family=GW2A-18C"),
                    *("--freq", "120"),
                ),
                # Pins of a Tang Primer 20K.
                constraints=_at_pins("H11 T10 T13 M11 C13 A13 N16 N14 L14 L16 B11 D11"),
                **_GOWIN,
            ),
            Part(
                name="gw5a-25",
                device="GW5A-LV25MG121NC1/I0",
                synthesis=f"{_WHOLE_GOWIN} -family gw5a -nolutram",
                router_options=(
                    *("--device", "GW5A-LV25MG121NC1/I0", "--vopt", "family=GW5A-25A"),
                    *("--freq", "120"),
                ),
                # Pins of a Tang Primer 25K.
                constraints=_at_pins("E2 H11 B3 C3 E8 D7 G11 D11 B11 C11 G10 D10"),
                **_GOWIN,
            ),
        )
    },
}
"""These, and others that only whole designs are measured on."""


def find_part(name: str) -> Part:
    """Return the part of this name. Raises ``ValueError``, which lists all names."""
    try:
        return PARTS[name]
    except KeyError:
        raise ValueError(f"no part {name!r}; there are: {', '.join(PARTS)}") from None
