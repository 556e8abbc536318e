"""The configuration of a design. Every width and limit of the gateware comes from here."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from loopline.game import STANDARD, Variant

__all__ = ["SEED_BITS", "Banks", "DesignConfig", "GridConfig"]

SEED_BITS = 15
"""Width of the seed from which a player varies its games."""


def _is_power_of_two(value: int) -> bool:
    return value > 0 and value & (value - 1) == 0


class Banks(Enum):
    """The memories of the cell map's four banks, by what an FPGA's block RAMs can do."""

    DUAL_PORT = "dual port"
    """Each bank has a read port and a write port."""

    SINGLE_PORT = "single port"
    """Each bank has one port, which reads or writes: the four large memories of an iCE40 UltraPlus,
    which leaves its block RAMs to others. Their contents are unknown from power-on to ``CLEAR``."""

    PAIRED = "paired"
    """Two banks share a memory with two ports, each of which reads or writes: a block RAM of an
    ECP5, of which a bank of a torus of 32 × 32 cells fills a quarter."""


@dataclass(frozen=True)
class GridConfig:
    """The size of the turn unit's memories.

    Parameters
    ----------
    size : int
        Cells per row and per column of the torus; a power of two from 8 to 64. A formation may
        grow to ``size - 2`` in each direction, as the spaces around it must fit in, too.
    frontier_entries : int
        Entries of the frontier table, a power of two from 16 to 256. A turn that might overflow
        the table is refused as out of bounds.
    journal : int
        Entries of the journal, a power of two from 32 to 512. A turn that might overflow it is
        refused as out of bounds. A tile takes one entry and one for each end of a track that it
        moves, at most five: 256 entries hold any 51 tiles that can still be taken back. A unit
        with a candidate evaluator keeps 16 of them for pending spaces, and holds any 48.
    banks : Banks
        The kind of memory for the cell map.
    lut_memories : bool
        Make one memory of the candidate evaluator, for the track ids of one colour, of LUTs, which
        saves a block RAM. For FPGAs whose LUTs can be memories (ECP5) and whose block RAMs limit
        how many units fit side by side.
    """

    size: int = 64
    frontier_entries: int = 256
    journal: int = 256
    banks: Banks = Banks.DUAL_PORT
    lut_memories: bool = False

    def __post_init__(self) -> None:
        if not _is_power_of_two(self.size) or not 8 <= self.size <= 64:
            raise ValueError(f"grid size must be 8, 16, 32 or 64, not {self.size!r}")
        if not _is_power_of_two(self.frontier_entries) or not 16 <= self.frontier_entries <= 256:
            raise ValueError(
                "frontier table must have a power of two of 16 to 256 entries, "
                f"not {self.frontier_entries!r}"
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
        return (self.frontier_entries - 1).bit_length()

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
        Rate of the serial line at power-on, in bits per second; contests use 19200. A bit has at
        least eight clock cycles.
    grid : GridConfig
        The turn unit's memories.
    code : str
        The two characters that answer ``-T``.
    think_ms : int
        The time after which the player answers with the best turn found so far, 1 to 900. The
        contest allows 1000 ms from the last byte received to the arrival of the answer.
    variant : Variant
        The variant of the contest link's games. If its area is larger than the grid, the grid is
        the limit.
    name : str
        The name that ``IDENTIFY`` is answered with: 1 to 12 printable ASCII characters.
    build : int or None
        The number of the build, 32 bits; 0 if unknown. None: the design has an input for it.
    """

    clock_hz: int = 12_000_000
    baud: int = 115_200
    grid: GridConfig = field(default_factory=GridConfig)
    code: str = "LL"
    think_ms: int = 800
    variant: Variant = STANDARD
    name: str = "loopline"
    build: int | None = 0

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
        if not 0 <= (self.build or 0) < 1 << 32:
            raise ValueError(f"build must be a number of 32 bits, not {self.build!r}")
        if not 1 <= self.think_ms <= 900:
            raise ValueError(f"thinking time must be 1 to 900 ms, not {self.think_ms!r}")

    @property
    def think_cycles(self) -> int:
        """The thinking time in clock cycles."""
        return self.clock_hz * self.think_ms // 1000
