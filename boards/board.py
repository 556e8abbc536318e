"""What a build has to know of a board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from amaranth.build import Platform, Resource

from loopline.boards.families import Family, Pll, ProjectFamily
from loopline.boards.pins import Led
from loopline.boards.presets import Preset
from loopline.hdl.config import GridConfig

__all__ = ["Board", "Programmer"]


@dataclass(frozen=True)
class Programmer:
    """The program that writes a bitstream to a board.

    Parameters
    ----------
    tool : str
        The program's name.
    sram : tuple of str or None
        Its arguments before the bitstream's name, to load the FPGA until power-off; None if it
        cannot.
    flash : tuple of str or None
        The same, to write the memory from which the FPGA is loaded at power-on.
    other : Programmer or None
        One that writes to the board where this one is not installed.
    """

    tool: str
    sram: tuple[str, ...] | None
    flash: tuple[str, ...] | None
    other: Programmer | None = None


@dataclass(frozen=True)
class Board:
    """A board: what a build has to know of it.

    Parameters
    ----------
    name : str
        Its name on the command line, of at most 15 characters: the list has no room for more.
    title : str
        Its maker's name for it.
    part : str
        Its FPGA.
    platform : callable
        Makes Amaranth's platform.
    family : Family or ProjectFamily
        The FPGA's family.
    pll : callable
        Returns the settings of the FPGA's PLL for a reference clock and a wanted one, in Hz.
    clock_resource : str
        The platform's clock pin, which feeds the PLL.
    clock_hz : int
        The player's clock, unless the builder asks for another. In ``BOARDS`` it and the preset are
        those of ``tuned.json`` where that has the board.
    preset : Preset
        The player's search and frames.
    serial : str
        Where the contest link is.
    leds : tuple of Led
        The LEDs that show :data:`loopline.boards.pins.LIGHTS`, as many as there are.
    programmer : Programmer
        What writes the bitstream to it.
    button : str or None
        The resource of the button that resets the player; None if there is none.
    resources : tuple of Resource
        What the platform lacks, such as resource ``uart`` 0 on pins of a header.
    too_small : str or None
        Why the player does not fit.
    """

    name: str
    title: str
    part: str
    platform: Callable[[], Platform]
    family: Family | ProjectFamily
    pll: Callable[[float, float], Pll]
    clock_resource: str
    clock_hz: int
    preset: Preset
    serial: str
    leds: tuple[Led, ...]
    programmer: Programmer
    button: str | None = None
    resources: tuple[Resource, ...] = ()
    too_small: str | None = None

    def make_platform(self) -> Platform:
        """Return Amaranth's platform, with all resources."""
        platform = self.platform()
        platform.add_resources(self.resources)
        return platform

    @property
    def reference_hz(self) -> float:
        """The frequency of the clock pin."""
        return self.make_platform().lookup(self.clock_resource).clock.frequency

    @property
    def status(self) -> str:
        """What ``loopline build`` makes: a ``bitstream``, a ``project`` for the vendor's tools, or
        nothing as the FPGA is ``too small``."""
        if isinstance(self.family, ProjectFamily):
            return "project"
        return "too small" if self.too_small else "bitstream"

    @property
    def nodes_per_second(self) -> float | None:
        """How many nodes the search visits in a second at the board's clock; None if no player
        fits."""
        cycles = self.preset.cycles_per_node
        return None if self.too_small or cycles is None else self.clock_hz / cycles

    @property
    def grid(self) -> GridConfig:
        """The turn unit's memories."""
        return self.preset.search.grid
