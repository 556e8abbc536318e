"""The sizes of the turn unit's memories, from which most widths of the gateware follow."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

__all__ = ["SEED_BITS", "Banks", "GridConfig"]

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
