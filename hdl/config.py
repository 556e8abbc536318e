"""The configuration of a design: every width and limit in the gateware comes from here."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from loopline.game import STANDARD, Variant

__all__ = ["Banks", "DesignConfig", "GridConfig"]


def _is_power_of_two(value: int) -> bool:
    return value > 0 and value & (value - 1) == 0


class Banks(Enum):
    """The memories of the cell map's four banks, by what an FPGA's block RAMs can do."""

    DUAL_PORT = "dual port"
    """Each has a port that reads and one that writes."""

    SINGLE_PORT = "single port"
    """Each has one port, which reads or writes: the four large ones of an iCE40 UltraPlus, which
    leaves block RAMs to others. What they hold after power-on is unknown until ``CLEAR``."""

    PAIRED = "paired"
    """Two banks share a memory with two ports, each of which reads or writes: an ECP5's block RAM,
    of which a bank of 32 × 32 cells fills a quarter."""


@dataclass(frozen=True)
class GridConfig:
    """The size of the turn unit's memories.

    Parameters
    ----------
    size : int
        Cells per row and per column of the torus; a power of two from 8 to 64. A formation may
        grow to ``size - 2`` in each direction: the spaces around it must fit in, too.
    spaces : int
        Entries of the frontier table, a power of two from 16 to 256. A turn that could overflow it
        is refused as out of bounds.
    journal : int
        Entries of the undo journal, a power of two from 32 to 512. A turn that could overflow it
        is refused as out of bounds. A tile takes one and one for each end of a track that it
        moves, five at most: 256 entries hold any 51 tiles that can still be taken back. A unit with
        trials leaves 16 of them to the spaces that wait, and holds any 48.
    banks : Banks
        The kind of memory that the cell map is in.
    lut_memories : bool
        The trials' names of one colour are kept in a memory made of LUTs, which lets go of a block
        RAM. For FPGAs whose LUTs can be memories (ECP5) and whose block RAMs limit how many units
        fit beside each other.
    """

    size: int = 64
    spaces: int = 256
    journal: int = 256
    banks: Banks = Banks.DUAL_PORT
    lut_memories: bool = False

    def __post_init__(self) -> None:
        if not _is_power_of_two(self.size) or not 8 <= self.size <= 64:
            raise ValueError(f"grid size must be 8, 16, 32 or 64, not {self.size!r}")
        if not _is_power_of_two(self.spaces) or not 16 <= self.spaces <= 256:
            raise ValueError(
                f"frontier table must have a power of two of 16 to 256 spaces, not {self.spaces!r}"
            )
        if not _is_power_of_two(self.journal) or not 32 <= self.journal <= 512:
            raise ValueError(
                f"journal must have a power of two of 32 to 512 entries, not {self.journal!r}"
            )

    @property
    def coord_bits(self) -> int:
        """Width of a coordinate on the torus."""
        return (self.size - 1).bit_length()

    @property
    def index_bits(self) -> int:
        """Width of an index into the frontier table."""
        return (self.spaces - 1).bit_length()

    @property
    def limit(self) -> int:
        """The largest width and height of a formation."""
        return self.size - 2

    @property
    def label_bits(self) -> int:
        """Width of a column or row number in notation, 0 (``@`` or ``0``) to ``limit + 1``."""
        return (self.limit + 1).bit_length()


@dataclass(frozen=True)
class DesignConfig:
    """A whole player: grid, clock and link, and the variant that it plays.

    Parameters
    ----------
    clock_hz : int
        Frequency of the ``sync`` domain.
    baud : int
        Rate of the contest link in bits per second; the contest's own is 19200. At least eight
        clock cycles per bit.
    grid : GridConfig
        The turn unit's memories.
    code : str
        The two characters that answer ``-T``.
    think_ms : int
        The time after which the player answers with the best turn found so far. The contest
        allows 1000 ms from the last byte received to the answer's arrival.
    variant : Variant
        Of the contest link's games. Its area may be larger than the grid, which then is the limit.
    name : str
        How the design calls itself when it is asked over the link: up to 12 ASCII characters.
    build : int
        Which build it is: 32 bits, 0 if unknown.
    """

    clock_hz: int = 12_000_000
    baud: int = 115_200
    grid: GridConfig = field(default_factory=GridConfig)
    code: str = "LL"
    think_ms: int = 800
    variant: Variant = STANDARD
    name: str = "loopline"
    build: int = 0

    def __post_init__(self) -> None:
        if self.clock_hz <= 0:
            raise ValueError(f"clock must be positive, not {self.clock_hz!r} Hz")
        if self.baud <= 0 or self.clock_hz < 8 * self.baud:
            raise ValueError(
                f"baud rate must be positive and at most an eighth of the clock "
                f"({self.clock_hz} Hz), not {self.baud!r}"
            )
        if len(self.code) != 2 or not all(" " < char < "\x7f" for char in self.code):
            raise ValueError(f"player code must be two printable characters, not {self.code!r}")
        if not 1 <= len(self.name) <= 12 or not all(" " < char < "\x7f" for char in self.name):
            raise ValueError(f"name must be 1 to 12 printable characters, not {self.name!r}")
        if not 0 <= self.build < 1 << 32:
            raise ValueError(f"build must be a number of 32 bits, not {self.build!r}")
        if not 1 <= self.think_ms <= 900:
            raise ValueError(f"thinking time must be 1 to 900 ms, not {self.think_ms!r}")

    @property
    def think_cycles(self) -> int:
        """The thinking time in clock cycles."""
        return self.clock_hz * self.think_ms // 1000
