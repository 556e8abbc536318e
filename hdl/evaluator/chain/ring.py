"""What the stages of the chain share."""

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
from loopline.hdl.evaluator.types import PENDING_SPACES, track_id_layout
from loopline.hdl.evaluator.union_find import UnionFind

__all__ = ["Ring", "deferred_layout", "stack_row"]


def deferred_layout(grid: GridConfig) -> data.StructLayout:
    """The second row of a union-find that a play writes, a cycle after the first one, if ``valid``:
    colour, id and way of the track, and its exits."""
    return data.StructLayout(
        {"valid": 1, "colour": 1, "id": track_id_layout(grid), "second_way": 1, "exits": 4}
    )


class Ring(NamedTuple):
    """What the stages of the chain share.

    - ``read``, ``pick``, ``join``, ``decide``: the token in each stage;
    - ``threads``: by stage, the thread of its token;
    - the parts, ``track_ids`` and ``union_finds`` by colour;
    - ``deferred``: the row that DECIDE writes a cycle later;
    - ``grid``: widths;
    - ``ports``: the :class:`Chain`.
    """

    read: data.View
    pick: data.View
    join: data.View
    decide: data.View
    threads: list[Value]
    overlay: Overlay
    track_ids: list[TrackIds]
    union_finds: list[UnionFind]
    epochs: Epochs
    exits: Exits
    neighbourhood: Neighbourhood
    next_space: NextSpace
    deferred: data.View
    grid: GridConfig
    ports: wiring.Component

    @property
    def tokens(self) -> tuple[data.View, ...]:
        """The tokens of all stages."""
        return self.read, self.pick, self.join, self.decide


def stack_row(pending: Value) -> Value:
    """Return the row within a thread's stack that is free with this many pending spaces."""
    return pending[: (PENDING_SPACES - 1).bit_length()]
