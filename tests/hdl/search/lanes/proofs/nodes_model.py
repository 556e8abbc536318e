"""What the operations on shared nodes do, by docs/search.md, in Python."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from loopline.hdl.search.lanes.nodes import SharedNodes

__all__ = ["FINISHES", "IDLE", "UNWINDS", "WORKS", "Lane", "Model", "bits", "compare"]

WORKS, FINISHES, UNWINDS, IDLE = "works", "finishes", "unwinds", "idle"


@dataclass
class Lane:
    """A lane as the engine has it: what it does, where it helps, its own nodes by slot."""

    rest: str = IDLE
    waits: int = -1
    job: tuple[int, int] | None = None
    former: tuple[int, int] | None = None
    below: bool = False
    slots: dict[int, int] = field(default_factory=dict)
    """The plies of its nodes."""
    above: frozenset[int] = frozenset()
    """The slots of those above the node of its job, while it helps below one of them."""
    offered: int = -1
    depth: int = 0
    heeds: bool = True

    @property
    def helps_at(self) -> set[tuple[int, int]]:
        return {job for job in (self.job, self.former if self.below else None) if job}


class Model:
    """What the operations do, by docs/search.md."""

    def __init__(self, lanes: int) -> None:
        self.lanes = [Lane() for _ in range(lanes)]
        self.lanes[0].rest = WORKS
        self.words: dict[tuple[int, int], int] = {}
        self.terms: dict[tuple[int, int], int] = {}
        self.over: set[tuple[int, int]] = set()

    def helpers(self, node: tuple[int, int]) -> list[int]:
        return [i for i, lane in enumerate(self.lanes) if node in lane.helps_at]

    def is_waited_for_at(self, node: tuple[int, int]) -> bool:
        """Whether a lane that a cut there concerns waits for helpers elsewhere."""
        below = {*self.helpers(node), node[0]}
        return any(self.lanes[i].rest == FINISHES for i in below)

    def is_open(self, k: int) -> bool:
        lane = self.lanes[k]
        return lane.offered in lane.slots and (k, lane.offered) not in self.over

    def may_help_below(self, i: int, slot: int, k: int) -> bool:
        one, other = self.lanes[i], self.lanes[k]
        return not one.below and not other.below and other.job == (i, slot)

    def join(self, i: int, k: int) -> None:
        lane = self.lanes[i]
        below = lane.rest != IDLE
        lane.former, lane.below = (lane.job, True) if below else (None, False)
        lane.job, lane.rest = (k, self.lanes[k].offered), WORKS
        lane.above = frozenset(lane.slots)

    def offer(self, k: int, slot: int, ply: int, depth: int) -> set[int]:
        own = self.lanes[k]
        own.slots[slot], own.offered, own.depth = ply, slot, depth
        joined = set()
        for i, lane in enumerate(self.lanes):
            waits = lane.rest == FINISHES and self.may_help_below(i, lane.waits, k)
            if i != k and (lane.rest == IDLE or waits):
                joined.add(i)
        for i in joined:
            self.join(i, k)
        return joined

    def cut(self, node: tuple[int, int]) -> set[int]:
        self.over.add(node)
        hit = {i for i in {*self.helpers(node), node[0]} if self.lanes[i].heeds}
        for i in hit:
            if self.lanes[i].rest == FINISHES:
                self.lanes[i].rest = WORKS
        return hit

    def leave(self, i: int) -> set[int]:
        lane = self.lanes[i]
        node = lane.job
        lane.job, lane.former, lane.below = lane.former if lane.below else None, None, False
        lane.above = frozenset()
        owner = self.lanes[node[0]]
        waits = owner.rest in (FINISHES, UNWINDS) and owner.waits == node[1]
        if waits and not self.helpers(node):
            owner.rest = WORKS
            return {node[0]}
        return set()

    def look(self, i: int, slot: int | None) -> int | None:
        """Where a lane goes that has no work, or waits at a slot."""
        best = None
        for k, lane in enumerate(self.lanes):
            allowed = k != i and (slot is None or self.may_help_below(i, slot, k))
            deeper = best is None or lane.depth > self.lanes[best].depth
            if allowed and self.is_open(k) and deeper:
                best = k
        lane = self.lanes[i]
        lane.rest, lane.waits = (IDLE, -1) if slot is None else (FINISHES, slot)
        if best is not None:
            self.join(i, best)
        return best


def bits(lanes: Iterable[int]) -> int:
    """A bit for each of these lanes."""
    return sum(1 << i for i in lanes)


def compare(ctx, dut: SharedNodes, model: Model, where: str) -> None:
    """The gateware says of all lanes what the model says."""
    for i, lane in enumerate(model.lanes):
        expected = (lane.rest == WORKS, lane.job is not None, lane.below, model.is_open(i))
        found = (dut.works, dut.has_job, dut.below, dut.opened)
        assert tuple(ctx.get(each) >> i & 1 for each in found) == expected, f"lane {i}, {where}"
        if lane.job:
            job = ctx.get(dut.jobs[i].owner), ctx.get(dut.jobs[i].slot)
            assert job == lane.job, f"lane {i}, {where}"
