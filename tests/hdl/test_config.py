"""The configuration: what is accepted, what is refused and how, and the widths that follow."""

from __future__ import annotations

import re

import pytest
from amaranth.back import rtlil

from loopline.hdl.config import GridConfig
from loopline.hdl.core.unit import TurnUnit
from loopline.hdl.design import DesignConfig

REFUSED_GRIDS = [
    *(
        ({"size": size}, f"grid size must be 8, 16, 32 or 64, not {size}")
        for size in (-8, 4, 12, 63, 65, 128)
    ),
    *(
        (
            {"frontier_entries": entries},
            f"frontier table must have a power of two of 16 to 256 entries, not {entries}",
        )
        for entries in (-16, 8, 100, 512)
    ),
    *(
        (
            {"journal": journal},
            f"journal must have a power of two of 32 to 512 entries, not {journal}",
        )
        for journal in (-32, 16, 100, 1024)
    ),
]

REFUSED_DESIGNS = [
    *(
        ({"clock_hz": clock}, f"clock and baud rate must be positive, not {clock} and 115200")
        for clock in (-1, 0)
    ),
    *(
        ({"baud": baud}, f"clock and baud rate must be positive, not 12000000 and {baud}")
        for baud in (-1, 0)
    ),
    (
        {"clock_hz": 800_000, "baud": 110_000},
        "110000 baud needs a clock of at least 880000 Hz, not 800000 Hz: 8 cycles per bit",
    ),
    (
        {"clock_hz": 1_000_000},
        "a clock of 1000000 Hz makes 111111 baud of 115200: -3.5%, and at most 2% is accepted",
    ),
    *(
        ({"code": code}, f"player code must be two printable characters, not {code!r}")
        for code in ("", "L", "LLL", "L ", "L\n", "\x7fL", "Lé")
    ),
    *(
        ({"think_ms": time}, f"thinking time must be 1 to 900 ms, not {time}")
        for time in (-1, 0, 901)
    ),
    *(
        ({"name": name}, f"name must be 1 to 12 printable characters, not {name!r}")
        for name in ("", "loopline-bench", "loop line", "Ö")
    ),
    *(
        ({"build": build}, f"build must be a number of 32 bits, not {build}")
        for build in (-1, 1 << 32)
    ),
]


@pytest.mark.parametrize(
    ("config", "fields", "message"),
    [
        *((GridConfig, *case) for case in REFUSED_GRIDS),
        *((DesignConfig, *case) for case in REFUSED_DESIGNS),
    ],
)
def test_it_is_refused(config, fields, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        config(**fields)


@pytest.mark.parametrize("size", [8, 16, 32, 64])
def test_widths_of_a_grid_hold_what_they_name(size):
    grid = GridConfig(size=size, frontier_entries=128)
    assert 1 << grid.coord_bits == size
    assert 1 << grid.index_bits == 128
    assert grid.limit == size - 2
    # The column and row beside the last occupied ones have names, too.
    assert 1 << (grid.label_bits - 1) <= grid.limit + 1 < 1 << grid.label_bits


def test_thinking_time_in_cycles():
    assert DesignConfig(clock_hz=12_000_000, think_ms=800).think_cycles == 9_600_000
    assert DesignConfig(clock_hz=1_000_000, baud=9600, think_ms=1).think_cycles == 1000


@pytest.mark.parametrize(
    "grid", [GridConfig(frontier_entries=16, journal=32), GridConfig(journal=512)]
)
def test_every_grid_that_is_accepted_can_be_elaborated(grid):
    assert rtlil.convert(TurnUnit(grid), emit_src=False)
