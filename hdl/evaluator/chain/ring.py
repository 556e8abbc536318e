"""What the stages of the ring share."""

from __future__ import annotations

from typing import NamedTuple

from amaranth.hdl import Value
from amaranth.lib import data, wiring

from loopline.hdl.config import GridConfig
from loopline.hdl.evaluator.epochs import Epochs
from loopline.hdl.evaluator.exits import Exits
from loopline.hdl.evaluator.neighbourhood import Neighbourhood
from loopline.hdl.evaluator.next_space import NextSpace
from loopline.hdl.evaluator.overlay import Overlay
from loopline.hdl.evaluator.track_ids import TrackIds
from loopline.hdl.evaluator.types import PENDING, name_layout
from loopline.hdl.evaluator.union_find import UnionFind

__all__ = ["Ring", "late_layout", "stack_row"]


def late_layout(grid: GridConfig) -> data.StructLayout:
    """A second row of a table of unions that a play writes, a cycle after the first one: whose, or
    without ``valid`` none, and on which sides that track leaves the box."""
    return data.StructLayout(
        {"valid": 1, "colour": 1, "name": name_layout(grid), "spare": 1, "mask": 4}
    )


class Ring(NamedTuple):
    """The tokens by stage, by stage which thread's they are, and what the stages share.

    That is the parts of the ring, the row that DECIDE writes a cycle later (``late``), the widths,
    and the ports of :class:`Chain`.
    """

    read: data.View
    pick: data.View
    join: data.View
    decide: data.View
    threads: list[Value]
    overlay: Overlay
    names: list[TrackIds]
    unions: list[UnionFind]
    epochs: Epochs
    exits: Exits
    surroundings: Neighbourhood
    onward: NextSpace
    late: data.View
    grid: GridConfig
    ports: wiring.Component

    @property
    def tokens(self) -> tuple[data.View, ...]:
        """Those of all stages."""
        return self.read, self.pick, self.join, self.decide


def stack_row(waiting: Value) -> Value:
    """So many spaces that wait, as a row of a thread's stack."""
    return waiting[: (PENDING - 1).bit_length()]
