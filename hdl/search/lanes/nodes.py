"""What lanes know of the nodes that they share: who owns them, who helps, and what was found."""

from __future__ import annotations

from amaranth.hdl import Array, Module, Mux, Signal, Value
from amaranth.lib import data, enum, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.hdl.search.config import MOST_LANES, SHARED_NODES, SearchConfig
from loopline.hdl.search.scores import Scores
from loopline.hdl.search.types import STAGE_BITS, optional_move_layout

__all__ = [
    "Over",
    "ShareOp",
    "ShareResult",
    "SharedNodes",
    "node_layout",
    "shared_node_layout",
    "terms_layout",
]


class Over(enum.Enum, shape=2):
    """Whether more turns of a shared node are tried."""

    OPEN = 0
    NO_TURN = 1
    """A lane has found no more turns: those under way still count."""
    CUT = 2
    """A value has reached beta: nothing else counts."""


class ShareOp(enum.Enum, shape=4):
    """What the lane that has the grant does."""

    CLEAR = 0
    """Lane 0 begins a search: no node is shared, and all other lanes are without work."""
    GET = 1
    """Read a node."""
    PUT = 2
    """Write a node."""
    OFFER = 3
    """Share a node of its own: lanes without work come, and who may help below."""
    CUT = 4
    """A value has reached beta: write the node, and let all below it give up."""
    LEAVE = 5
    """End its help at the node of its job."""
    FINISH = 6
    """Leave a node of its own, if it has no helpers; else help one of them, or wait."""
    UNWIND = 7
    """The same, but wait if there are helpers: the lane gives the node up."""
    WITHDRAW = 8
    """Share a node of its own, which has no helpers, no more."""
    LOOK = 9
    """It has no work: help at the node that has the greatest depth left, or rest."""
    REST = 10
    """It has no work, and looks for none."""


class ShareResult(enum.Enum, shape=2):
    """What came of ``FINISH``, ``UNWIND`` or ``LOOK``."""

    ALONE = 0
    """The node has no helpers."""
    JOINED = 1
    """The lane has a job."""
    RESTS = 2
    """It waits for its helpers, or for an offer."""


class _Rest(enum.Enum, shape=2):
    """Whether a lane works."""

    WORKS = 0
    FINISHES = 1
    """It waits for its helpers, and may help one of them."""
    UNWINDS = 2
    """It waits for its helpers, who give up."""
    IDLE = 3


class _State(enum.Enum, shape=2):
    """What the component does in a cycle. All codes are states."""

    DECIDE = 0
    """Begin an operation, which most often is its end."""
    READ = 1
    """Offer the node that was read."""
    WALK = 2
    """Look at the offer of one lane."""
    GO = 3
    """Take the deepest one."""


def node_layout(lanes: int) -> data.StructLayout:
    """A shared node: its owner, and a number that the owner has given it."""
    return data.StructLayout({"owner": range(lanes), "slot": range(SHARED_NODES)})


def shared_node_layout(config: SearchConfig) -> data.StructLayout:
    """What changes while lanes share a node; see :func:`loopline.hdl.search.lane.frame_layout`.

    ``number`` and ``best_number`` are those of the root's list: of the next turn, and of the best.
    """
    grid = config.grid
    return data.StructLayout(
        {
            "alpha": Scores(config).shape,
            "best": Scores(config).shape,
            "raised": 1,
            "tried": 1,
            "move": optional_move_layout(grid),
            "stage": STAGE_BITS,
            "index": grid.index_bits,
            "symbol": 2,
            "number": range(config.root_turns + 1),
            "best_number": range(config.root_turns),
            "count": range(config.counted + 1),
            "over": Over,
        }
    )


def terms_layout(config: SearchConfig) -> data.StructLayout:
    """What stays while lanes share a node; ``first`` and ``second`` are its owner's killers."""
    move = optional_move_layout(config.grid)
    return data.StructLayout(
        {
            "beta": Scores(config).shape,
            "depth": range(config.plies),
            "extensions": range(config.pruning.extensions + 1),
            "under": 1,
            "table": move,
            "first": move,
            "second": move,
        }
    )


class _Registers:
    """The registers of all lanes."""

    def __init__(self, config: SearchConfig, lanes: int):
        everyone = range(lanes)
        slot, ply, node = range(SHARED_NODES), range(config.plies), node_layout(lanes)
        # Whether a lane works; if it waits, at which node of its own.
        self.rests = [
            Signal(_Rest, init=_Rest.IDLE if i else _Rest.WORKS, name=f"rest_{i}") for i in everyone
        ]
        self.waits = [Signal(slot, name=f"waits_{i}") for i in everyone]
        # The job before that below its own node; lane 0 may have had none.
        self.former = [Signal(node, name=f"former_{i}") for i in everyone]
        self.had_job = Signal(lanes)
        # The node that it has offered last: where is it?
        self.offered = [Signal(slot, name=f"offered_{i}") for i in everyone]
        self.plies = [Signal(ply, name=f"ply_{i}") for i in everyone]
        self.depths = [Signal(ply, name=f"depth_{i}") for i in everyone]
        # The walk over all offers: its place, and the deepest one so far.
        self.number = Signal(everyone)
        self.found = Signal()
        self.best = Signal(everyone)
        self.deepest = Signal(ply)


class SharedNodes(wiring.Component):
    """Keeps the nodes that lanes share, and the lanes' jobs, by docs/search.md.

    ::

        lane with the grant ──► op ──► memory of nodes
                                 │
                                 ├──► jobs: whom each lane helps, and below whom
                                 └──► joins, wakes, gives up ──► lanes

    Only the lane that has the grant (:class:`.turnstile.Turnstile`) has it do something, so nothing
    happens at the same time.

    Latency: ``GET`` takes 2 cycles; ``LOOK``, and ``FINISH`` of a node with helpers, one for each
    lane and 2; all others 1.

    Parameters
    ----------
    config : SearchConfig
        Widths.
    lanes : int
        How many there are, from 2 to 16.

    Members
    -------
    lane : In(range(lanes))
        The lane that has the grant. It stays as long as ``valid``.
    valid : In(1), op : In(ShareOp), ready : Out(1)
        An operation, and that it is done: its results are there in this cycle. All inputs stay
        until then, but that ``LOOK`` may become ``REST``: then what it has found counts.
    node : In(node_layout)
        The node of ``GET``, ``PUT``, ``OFFER`` and ``CUT``; that of ``OFFER`` has the owner
        ``lane``. ``FINISH``, ``UNWIND`` and ``WITHDRAW`` use its slot only: the owner is ``lane``.
        ``LEAVE`` ignores it: the node is that of the lane's job.
    written : In(shared_node_layout), read : Out(shared_node_layout)
        What ``PUT``, ``OFFER`` and ``CUT`` write; what ``GET`` has read.
    offered : In(terms_layout), terms : Out(terms_layout)
        What ``OFFER`` writes, too; what ``GET`` has read, too.
    ply : In(range(plies))
        The node's ply, with ``OFFER`` and ``CUT``.
    result : Out(ShareResult)
        Of ``FINISH``, ``UNWIND`` and ``LOOK``.
    jobs : Out(node_layout for each lane), has_job : Out(lanes)
        Where each lane helps.
    below : Out(lanes)
        It helps below a node of its own, and will have its former job again.
    works : Out(lanes)
        The lane's clock counts: it works.
    opened : Out(lanes)
        A node that the lane has offered is open: it offers no other one.
    joined, woken, gives_up : Out(lanes)
        For one cycle, when an operation is done: the lane has a new job, and begins ``BEATS_JOIN``
        beats after the clock of the lane that has the grant; it has no helpers any more, and goes
        on at that clock; it is to give up what is below ``home``, ``BEATS_DELAY`` beats after that
        clock. A lane that waits for its helpers to finish goes on then.
    home : Out(range(plies))
        The ply of the node of which ``joined`` and ``gives_up`` speak.
    heeds : In(lanes)
        The lane is below ``home``, or works at it; and it has not been told yet to give up what is
        below that ply, or below one above it.
    """

    def __init__(self, config: SearchConfig, lanes: int):
        if not 2 <= lanes <= MOST_LANES:
            raise ValueError(f"2 to {MOST_LANES} lanes share nodes, not {lanes}")
        self._config = config
        self._lanes = lanes
        node, shared, terms = node_layout(lanes), shared_node_layout(config), terms_layout(config)
        super().__init__(
            {
                "lane": In(range(lanes)),
                "valid": In(1),
                "op": In(ShareOp),
                "ready": Out(1),
                "node": In(node),
                "written": In(shared),
                "read": Out(shared),
                "offered": In(terms),
                "terms": Out(terms),
                "ply": In(range(config.plies)),
                "result": Out(ShareResult),
                "jobs": Out(data.ArrayLayout(node, lanes)),
                "has_job": Out(lanes),
                "below": Out(lanes),
                "works": Out(lanes, init=1),
                "opened": Out(lanes),
                "joined": Out(lanes),
                "woken": Out(lanes),
                "gives_up": Out(lanes),
                "home": Out(range(config.plies)),
                "heeds": In(lanes),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        everyone = range(self._lanes)
        r = _Registers(self._config, self._lanes)
        state = Signal(_State)
        write = self._memory(m, "nodes", shared_node_layout(self._config), self.written, self.read)
        note = self._memory(m, "terms", terms_layout(self._config), self.offered, self.terms)

        # The node in question, and who helps there.
        asked = Signal(node_layout(self._lanes))
        helps = Signal(self._lanes)
        owns = (self.op == ShareOp.FINISH) | (self.op == ShareOp.UNWIND)
        with m.If(self.op == ShareOp.LEAVE):
            m.d.comb += asked.eq(Array(self.jobs)[self.lane])
        with m.Else():
            m.d.comb += [asked.eq(self.node), asked.owner.eq(Mux(owns, self.lane, self.node.owner))]
        for i in everyone:
            now = self.has_job[i] & (self.jobs[i] == asked)
            before = self.below[i] & r.had_job[i] & (r.former[i] == asked)
            m.d.comb += [helps[i].eq(now | before), self.works[i].eq(r.rests[i] == _Rest.WORKS)]

        m.d.comb += self.home.eq(self.ply)
        with m.Switch(state):
            with m.Case(_State.DECIDE), m.If(self.valid), m.Switch(self.op):
                m.d.comb += self.ready.eq(1)
                with m.Case(ShareOp.CLEAR):
                    self._clear(m, r)
                with m.Case(ShareOp.GET):
                    m.d.comb += self.ready.eq(0)
                    m.d.sync += state.eq(_State.READ)
                with m.Case(ShareOp.PUT):
                    m.d.comb += write.en.eq(1)
                    self._close(m, r)
                with m.Case(ShareOp.OFFER):
                    m.d.comb += [write.en.eq(1), note.en.eq(1)]
                    self._offer(m, r)
                with m.Case(ShareOp.CUT):
                    m.d.comb += write.en.eq(1)
                    self._close(m, r)
                    self._cut(m, r, helps)
                with m.Case(ShareOp.LEAVE):
                    self._leave(m, r, asked, helps)
                with m.Case(ShareOp.FINISH, ShareOp.UNWIND):
                    m.d.comb += self.result.eq(ShareResult.ALONE)
                    with m.If(helps.any()):
                        m.d.comb += self.result.eq(ShareResult.RESTS)
                        with m.If(self.op == ShareOp.FINISH):
                            m.d.comb += self.ready.eq(0)
                            m.d.sync += state.eq(_State.WALK)
                        with m.Else():
                            self._rest(m, r, _Rest.UNWINDS)
                with m.Case(ShareOp.WITHDRAW):
                    for i in everyone:
                        with m.If((self.lane == i) & (r.offered[i] == self.node.slot)):
                            m.d.sync += self.opened[i].eq(0)
                with m.Case(ShareOp.LOOK):
                    m.d.comb += self.ready.eq(0)
                    m.d.sync += state.eq(_State.WALK)
                with m.Case(ShareOp.REST):
                    self._rest(m, r, _Rest.IDLE)
            with m.Case(_State.READ):
                m.d.comb += self.ready.eq(1)
                m.d.sync += state.eq(_State.DECIDE)
            with m.Case(_State.WALK):
                self._walk(m, r, state)
            with m.Case(_State.GO):
                m.d.comb += [
                    self.ready.eq(1),
                    self.result.eq(Mux(r.found, ShareResult.JOINED, ShareResult.RESTS)),
                    self.home.eq(Array(r.plies)[r.best]),
                ]
                m.d.sync += [r.found.eq(0), state.eq(_State.DECIDE)]
                with m.If(r.found):
                    for i in everyone:
                        with m.If(self.lane == i):
                            self._join(m, r, i, r.best, Array(r.offered)[r.best], owns)
                with m.Elif(owns):
                    self._rest(m, r, _Rest.FINISHES)
                with m.Else():
                    self._rest(m, r, _Rest.IDLE)
        return m

    def _memory(self, m: Module, name: str, shape: data.StructLayout, written: Value, read: Value):
        """Add a memory with a word for each node, and return its write port."""
        address = Value.cast(self.node)
        m.submodules[name] = memory = Memory(shape=shape, depth=1 << len(address), init=[])
        write_port, read_port = memory.write_port(), memory.read_port()
        m.d.comb += [
            read_port.addr.eq(address),
            read_port.en.eq(1),
            Value.cast(read).eq(Value.cast(read_port.data)),
            write_port.addr.eq(address),
            Value.cast(write_port.data).eq(Value.cast(written)),
        ]
        return write_port

    def _clear(self, m: Module, r: _Registers) -> None:
        m.d.sync += [self.has_job.eq(0), self.below.eq(0), self.opened.eq(0), r.found.eq(0)]
        m.d.sync += [rest.eq(_Rest.IDLE if i else _Rest.WORKS) for i, rest in enumerate(r.rests)]

    def _close(self, m: Module, r: _Registers) -> None:
        """A node that is over is no offer any more."""
        for i in range(self._lanes):
            here = (self.node.owner == i) & (r.offered[i] == self.node.slot)
            with m.If(here & (self.written.over != Over.OPEN)):
                m.d.sync += self.opened[i].eq(0)

    def _offer(self, m: Module, r: _Registers) -> None:
        for i in range(self._lanes):
            with m.If(self.lane == i):
                m.d.sync += [
                    self.opened[i].eq(1),
                    r.offered[i].eq(self.node.slot),
                    r.plies[i].eq(self.ply),
                    r.depths[i].eq(self.offered.depth),
                ]
            waits = (r.rests[i] == _Rest.FINISHES) & self._helps_below(i, r.waits[i], self.lane)
            with m.If((self.lane != i) & ((r.rests[i] == _Rest.IDLE) | waits)):
                self._join(m, r, i, self.lane, self.node.slot, waits)

    def _helps_below(self, waiting: Value, slot: Value, helper: Value) -> Value:
        """Return whether a lane that waits at this node of its own may help its helper."""
        job = Array(self.jobs)[helper]
        neither = ~self.below.bit_select(waiting, 1) & ~self.below.bit_select(helper, 1)
        here = (job.owner == waiting) & (job.slot == slot)
        return neither & self.has_job.bit_select(helper, 1) & here

    def _join(
        self, m: Module, r: _Registers, i: int, owner: Value, slot: Value, below: Value
    ) -> None:
        """Give a lane a job."""
        m.d.comb += self.joined[i].eq(1)
        m.d.sync += [
            r.rests[i].eq(_Rest.WORKS),
            r.former[i].eq(self.jobs[i]),
            r.had_job[i].eq(self.has_job[i]),
            self.below[i].eq(below),
            self.jobs[i].owner.eq(owner),
            self.jobs[i].slot.eq(slot),
            self.has_job[i].eq(1),
        ]

    def _cut(self, m: Module, r: _Registers, helps: Value) -> None:
        for i in range(self._lanes):
            with m.If((helps[i] | (self.node.owner == i)) & self.heeds[i]):
                m.d.comb += self.gives_up[i].eq(1)
                with m.If(r.rests[i] == _Rest.FINISHES):
                    m.d.sync += r.rests[i].eq(_Rest.WORKS)

    def _leave(self, m: Module, r: _Registers, job: data.View, helps: Value) -> None:
        for i in range(self._lanes):
            with m.If(self.lane == i):
                m.d.sync += [
                    self.jobs[i].eq(r.former[i]),
                    self.has_job[i].eq(self.below[i] & r.had_job[i]),
                    self.below[i].eq(0),
                ]
            waits = (r.rests[i] == _Rest.FINISHES) | (r.rests[i] == _Rest.UNWINDS)
            last = (helps & ~(1 << self.lane)) == 0
            with m.If((job.owner == i) & (job.slot == r.waits[i]) & waits & last):
                m.d.comb += self.woken[i].eq(1)
                m.d.sync += r.rests[i].eq(_Rest.WORKS)

    def _rest(self, m: Module, r: _Registers, rest: _Rest) -> None:
        for i in range(self._lanes):
            with m.If(self.lane == i):
                m.d.sync += [r.rests[i].eq(rest), r.waits[i].eq(self.node.slot)]

    def _walk(self, m: Module, r: _Registers, state: Signal) -> None:
        """Find the deepest offer, by depth left, one lane a cycle."""
        offer, depth = self.opened.bit_select(r.number, 1), Array(r.depths)[r.number]
        below = self._helps_below(self.lane, self.node.slot, r.number)
        allowed = offer & (r.number != self.lane) & ((self.op == ShareOp.LOOK) | below)
        with m.If(allowed & (~r.found | (depth > r.deepest))):
            m.d.sync += [r.found.eq(1), r.best.eq(r.number), r.deepest.eq(depth)]
        m.d.sync += r.number.eq(r.number + 1)
        with m.If(r.number == self._lanes - 1):
            m.d.sync += [r.number.eq(0), state.eq(_State.GO)]
