"""The turns of shared nodes, and who gives them up when, by docs/search.md, in Python.

The operations on shared nodes are those of ``nodes_model``. Here lanes also have turns under way,
and give up what a cut concerns when they hear of it. A cut is heard by all whom it concerns at the
same time, in the order in which cuts come. Before that a lane may do anything; from then on it
begins no turn and no other work below the node that is cut. That the search stops is heard by all
in the same way: then a lane leaves all that it has, from where it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from tests.hdl.search.lanes.proofs.nodes_model import FINISHES, IDLE, UNWINDS, WORKS, Model

__all__ = ["Node", "Search", "Step", "Turns", "steps"]

Node = tuple[int, int]
"""A shared node: its owner and its slot."""

ROOT: Node = (-1, -1)
"""Above all shared nodes: down to there lane 0 unmakes its turns when the search stops."""

STOP = -1
"""In place of a lane: all of them are to stop."""


@dataclass(frozen=True)
class Turns:
    """What a lane has to do with turns."""

    under_way: frozenset[Node] = frozenset()
    """The nodes at which it has chosen a turn, and not told its value."""
    target: Node | None = None
    """The node down to which it unmakes its turns."""
    hears: int = 0
    """Of the cuts that are not heard yet, those before which its clock does not come."""
    doom: Node | None = None
    """The uppermost node below which it has to give up now."""


@dataclass
class Search:
    """The shared nodes, and the turns of all lanes."""

    model: Model
    turns: list[Turns]
    cuts: list[dict[int, Node]] = field(default_factory=list)
    """The cuts that are not heard yet: by lane, the node below which it has to give up."""
    cut: set[Node] = field(default_factory=set)
    """The nodes that are given up, or at which a value has reached beta."""
    lacking: set[Node] = field(default_factory=set)
    """The nodes at which a turn was left undone before a cut."""
    ends: bool = False
    """It is to stop: that is one of ``cuts``, or has been heard."""

    @property
    def stops(self) -> bool:
        """All lanes have heard that it stops."""
        return self.ends and not any(STOP in cut for cut in self.cuts)

    def copy(self) -> Search:
        model = Model(len(self.model.lanes))
        model.lanes = [replace(lane, slots=dict(lane.slots)) for lane in self.model.lanes]
        model.over = set(self.model.over)
        cuts = [dict(cut) for cut in self.cuts]
        return Search(model, list(self.turns), cuts, set(self.cut), set(self.lacking), self.ends)

    def key(self) -> tuple:
        """The state: what is known of nodes that are shared no more does not count."""
        lanes = (
            (
                *(lane.rest, lane.waits if lane.rest in (FINISHES, UNWINDS) else -1),
                *(lane.job, lane.former, lane.below, tuple(lane.slots), lane.above),
                self.model.is_open(i) and lane.offered,
            )
            for i, lane in enumerate(self.model.lanes)
        )
        cuts = tuple(tuple(sorted(cut.items())) for cut in self.cuts)
        nodes = (frozenset(each) for each in (self.model.over, self.cut, self.lacking))
        return (*lanes, *self.turns, cuts, self.ends, *nodes)

    def path(self, i: int) -> list[Node]:
        """The shared nodes at which a lane is, or below, from the root on."""
        lane = self.model.lanes[i]
        own = [(i, slot) for slot in lane.slots]
        jobs = [lane.job] if lane.job else []
        if not lane.below:
            return jobs + own
        above = [node for node in own if node[1] in lane.above]
        below = [node for node in own if node[1] not in lane.above]
        return ([lane.former] if lane.former else []) + above + jobs + below

    def is_below(self, i: int, node: Node) -> bool:
        path = self.path(i)
        return node in path and (node != path[-1] or node in self.turns[i].under_way)

    def change(self, i: int, **changes: object) -> None:
        self.turns[i] = replace(self.turns[i], **changes)

    def settle(self) -> None:
        """Forget what a lane has left, and cuts that concern none."""
        for i, turns in enumerate(self.turns):
            if turns.doom and not self.is_below(i, turns.doom):
                self.change(i, doom=None)
        for n, cut in reversed(list(enumerate(self.cuts))):
            for i, node in list(cut.items()):
                if i != STOP and not self.is_below(i, node):
                    del cut[i]
            if not cut:
                del self.cuts[n]
                for i, turns in enumerate(self.turns):
                    self.change(i, hears=turns.hears - (turns.hears > n))

    # What lanes do.

    def end(self, node: Node) -> None:
        """Close a node: all whom it concerns are to give up what is below."""
        model, concerned = self.model, {*self.model.helpers(node), node[0]}
        for i in range(len(model.lanes)):
            lane, path = model.lanes[i], self.path(i)
            dooms = [self.turns[i].doom, *(cut.get(i) for cut in self.cuts)]
            above = node in path and not any(
                doom in path and path.index(doom) <= path.index(node) for doom in dooms
            )
            waits = lane.rest != WORKS
            lane.heeds = i in concerned and above and not (waits and node == path[-1])
        waiting = {i for i, lane in enumerate(model.lanes) if lane.rest == FINISHES}
        hit = model.cut(node)
        self.cut.add(node)
        self.cuts.append(dict.fromkeys(hit, node))
        for i in hit & waiting:
            self.change(i, hears=len(self.cuts))

    def hear(self) -> None:
        """The time of the first cut has come."""
        for i, node in self.cuts.pop(0).items():
            if i != STOP:
                self.change(i, doom=node)
        for i, turns in enumerate(self.turns):
            self.change(i, hears=max(0, turns.hears - 1))

    def end_search(self) -> None:
        """A lane gets no more nodes; or the time is over."""
        self.cuts.append({STOP: ROOT})
        self.ends = True

    def offer(self, i: int, slot: int) -> None:
        self.model.offer(i, slot, 0, 0)
        self.choose(i)

    def choose(self, i: int) -> None:
        self.change(i, under_way=self.turns[i].under_way | {self.path(i)[-1]})

    def no_turn(self, i: int) -> None:
        self.model.over.add(self.path(i)[-1])

    def tell(self, i: int, reaches_beta: bool) -> None:
        node = self.path(i)[-1]
        self.change(i, under_way=self.turns[i].under_way - {node})
        if reaches_beta:
            self.end(node)

    def leave(self, i: int) -> None:
        self.model.leave(i)

    def look(self, i: int) -> None:
        """Look for work, at the node where the lane waits if there is one."""
        path = self.path(i)
        self.model.look(i, path[-1][1] if path else None)

    def rest(self, i: int) -> None:
        lane = self.model.lanes[i]
        lane.rest, lane.waits = IDLE, -1

    def withdraw(self, i: int) -> None:
        node = self.path(i)[-1]
        del self.model.lanes[i].slots[node[1]]
        assert not any(node in turns.under_way for turns in self.turns), "a turn has no node"
        for nodes in (self.model.over, self.cut, self.lacking):
            nodes.discard(node)

    def finish(self, i: int) -> None:
        node = self.path(i)[-1]
        assert node in self.cut or node not in self.lacking, "a value lacks a turn"
        self.withdraw(i)

    def unwind_to(self, i: int, node: Node) -> None:
        """Begin to unmake all turns down to a node; close all of the lane's that are below it."""
        lane, path = self.model.lanes[i], self.path(i)
        self.change(i, target=node, doom=None)
        below = path if node == ROOT else path[path.index(node) + 1 :]
        for each in below:
            if each[0] == i and each not in self.cut:
                self.end(each)
        if lane.below and lane.job in below:
            self.change(i, hears=len(self.cuts))

    def unwind(self, i: int) -> None:
        """Leave the deepest node of the path, or wait for its helpers; the target is not left."""
        lane, turns = self.model.lanes[i], self.turns[i]
        node = (self.path(i) or [ROOT])[-1]
        if node in turns.under_way:
            self.change(i, under_way=turns.under_way - {node})
            if node not in self.cut:
                self.lacking.add(node)
        if node == ROOT:
            self.change(i, target=None)
        elif node[0] != i and node != turns.target:
            assert lane.below, "only the target is a node of another lane"
            self.leave(i)
        elif node[0] == i and self.model.helpers(node):
            if node not in self.cut:
                self.end(node)
            lane.rest, lane.waits = UNWINDS, node[1]
        elif node != turns.target:
            self.withdraw(i)
        else:
            assert self.stops or node in self.cut, "a turn is given up without a cut"
            self.change(i, target=None)


Step = Callable[[Search], None]


def steps(search: Search, slots: int, stops: bool) -> Iterator[Step]:
    """All that may come next; the search may stop if so said."""
    model = search.model
    if search.cuts:
        yield Search.hear
    if stops and not search.ends:
        yield Search.end_search
    for i, (lane, turns) in enumerate(zip(model.lanes, search.turns, strict=True)):
        path = search.path(i)
        if lane.rest != WORKS or turns.hears:
            continue
        if turns.target:
            yield partial(Search.unwind, i=i)
            continue
        if turns.doom:
            yield partial(Search.unwind_to, i=i, node=turns.doom)
        # Where it helps, or the root.
        home = lane.job or ROOT
        helps = path[-1:] == [home]
        if search.stops and path and (path[-1] in turns.under_way or not (helps or turns.doom)):
            yield partial(Search.unwind_to, i=i, node=home)
        if (path and path[-1] in turns.under_way) or (not i and not path):
            free = [slot for slot in range(slots) if slot not in lane.slots]
            if free and not model.is_open(i) and (path or not search.stops):
                yield partial(Search.offer, i=i, slot=free[0])
            if path:
                yield partial(Search.tell, i=i, reaches_beta=False)
                if path[-1] not in search.cut:
                    yield partial(Search.tell, i=i, reaches_beta=True)
        elif turns.doom:
            # Before its next turn it gives up.
            pass
        elif search.stops and path and not helps:
            # It does so, too.
            pass
        elif not path:
            yield partial(Search.rest if search.stops else Search.look, i=i)
        elif search.stops:
            yield partial(Search.leave, i=i)
        elif path[-1] not in model.over:
            yield partial(Search.choose, i=i)
            yield partial(Search.no_turn, i=i)
        elif path[-1][0] != i:
            yield partial(Search.leave, i=i)
        elif model.helpers(path[-1]):
            yield partial(Search.look, i=i)
        else:
            yield partial(Search.finish, i=i)
