"""Presets: searches that kinds of FPGAs have room for, most often the largest."""

from __future__ import annotations

from dataclasses import dataclass, replace

from loopline.hdl.config import Banks, GridConfig
from loopline.hdl.design import DesignConfig, FrameSet
from loopline.hdl.search.config import Pruning, SearchConfig, Widths

__all__ = ["PRESETS", "PRESET_COLUMNS", "Preset", "find_preset", "preset_rows"]


@dataclass(frozen=True)
class Preset:
    """What a kind of FPGA has room for.

    Parameters
    ----------
    name : str
        Its name on the command line.
    parts : str
        The FPGAs.
    part : str
        The name of the part for which the preset is measured, one of ``WHOLE_PARTS``.
    clock_hz : int
        The clock that it should reach.
    search : SearchConfig
        The search, with the largest grid and tables that fit.
    cycles_per_node : float or None
        How many clock cycles the search takes for a node: what ``loopline presets`` counts in
        searches to depth 3 of all its positions. None for a design that does not fit, as
        ``loopline presets`` does not search with it.
    frames : FrameSet
        The framed commands that fit.
    ponder : bool
        The player thinks on the opponent's time, too.
    evaluator : bool
        The design has a candidate evaluator.
    """

    name: str
    parts: str
    part: str
    clock_hz: int
    search: SearchConfig
    cycles_per_node: float | None
    frames: FrameSet = FrameSet.FULL
    ponder: bool = False
    evaluator: bool = False

    @property
    def design(self) -> DesignConfig:
        """The whole design."""
        return DesignConfig(
            clock_hz=self.clock_hz,
            search=self.search,
            frames=self.frames,
            ponder=self.ponder,
            evaluator=self.evaluator,
        )


_SMALL = replace(
    SearchConfig(),
    plies=32,
    widths=Widths(evaluation=12),
    pruning=Pruning(killers=0),
)
"""A search that leaves out what is worth least for its cells; see docs/search.md."""

_WHOLE = SearchConfig(grid=GridConfig(size=64, journal=512), table_bits=12)
"""The whole search, with one lane."""

PRESETS = {
    preset.name: preset
    for preset in (
        Preset(
            name="hx8k",
            parts="iCE40-HX8K",
            part="hx8k",
            clock_hz=48_000_000,
            search=replace(_SMALL, grid=GridConfig(size=32, frontier_entries=128), table_bits=8),
            cycles_per_node=98.7,
            frames=FrameSet.CONTEST,
        ),
        Preset(
            name="ecp5",
            parts="ECP5 12F, 25F, one lane",
            part="ecp5",
            clock_hz=65_000_000,
            search=replace(_WHOLE, table_bits=13),
            cycles_per_node=97.6,
            ponder=True,
        ),
        Preset(
            name="ecp5-25f",
            parts="ECP5 12F, 25F",
            part="ecp5",
            clock_hz=60_000_000,
            search=replace(_WHOLE, lanes=2),
            cycles_per_node=55.9,
            ponder=True,
        ),
        Preset(
            name="ecp5-45f",
            parts="ECP5 45F",
            part="ecp5-45f",
            clock_hz=48_000_000,
            search=replace(_WHOLE, lanes=4, table_bits=13),
            cycles_per_node=33.3,
            ponder=True,
        ),
        Preset(
            name="ecp5-85f",
            parts="ECP5 85F",
            part="ecp5-85f",
            clock_hz=40_000_000,
            search=replace(_WHOLE, lanes=8, table_bits=14),
            cycles_per_node=22.5,
            ponder=True,
        ),
        Preset(
            name="gw2a-18",
            parts="Gowin GW2A-18",
            part="gw2a-18",
            clock_hz=75_000_000,
            search=_WHOLE,
            cycles_per_node=97.0,
            ponder=True,
            evaluator=True,
        ),
        Preset(
            name="gw5a-25",
            parts="Gowin GW5A-25",
            part="gw5a-25",
            clock_hz=60_000_000,
            search=replace(_WHOLE, lanes=2, table_bits=9, pruning=Pruning(killers=0)),
            cycles_per_node=55.5,
            ponder=True,
        ),
        Preset(
            name="up5k",
            parts="iCE40UP5K",
            part="up5k",
            clock_hz=24_000_000,
            search=replace(
                _SMALL,
                grid=GridConfig(size=16, banks=Banks.SINGLE_PORT),
                table_bits=6,
                line=4,
                root_turns=64,
                pruning=Pruning(killers=0, locality=0),
            ),
            cycles_per_node=None,
            frames=FrameSet.CONTEST,
        ),
    )
}
"""All presets by name; some FPGAs have room for several."""


PRESET_COLUMNS = (
    *("preset", "FPGAs", "grid", "lanes", "entries of the table", "frames"),
    *("thinks on the opponent's time", "counts turns"),
)
"""What :func:`preset_rows` returns of each preset."""


def preset_rows() -> list[tuple[str, ...]]:
    """Return the :data:`PRESET_COLUMNS` of every preset that has been found to fit."""
    return [
        (
            *(preset.name, preset.parts, str(preset.search.grid.size), str(preset.search.lanes)),
            f"{1 << preset.search.table_bits:,}",
            "five" if preset.frames is FrameSet.CONTEST else "all",
            "yes" if preset.ponder else "no",
            "yes" if preset.evaluator else "no",
        )
        for preset in PRESETS.values()
        if preset.cycles_per_node is not None
    ]


def find_preset(name: str) -> Preset:
    """Return the preset of this name. Raises ``ValueError``, which lists all names."""
    try:
        return PRESETS[name]
    except KeyError:
        raise ValueError(f"no preset {name!r}; there are: {', '.join(PRESETS)}") from None
