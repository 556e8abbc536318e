"""Crew: several lanes that search one position together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from amaranth.hdl import Array, Cat, Module, Mux, ResetInserter, Signal, Value
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out, connect, flipped

from loopline.hdl.arbiter import core_port
from loopline.hdl.core.client import PositionReader
from loopline.hdl.core.types import laid_layout
from loopline.hdl.search.config import QUOTA, SearchConfig
from loopline.hdl.search.lane import Activity
from loopline.hdl.search.lanes.member import Member
from loopline.hdl.search.lanes.nodes import SharedNodes, ShareOp
from loopline.hdl.search.lanes.shared_table import SharedTable
from loopline.hdl.search.lanes.turnstile import BEAT_BITS, Turnstile
from loopline.hdl.search.root_list import RootList
from loopline.hdl.search.table import TableMemory
from loopline.hdl.search.types import NODE_BITS, lane_port

__all__ = ["Crew"]


class Crew(wiring.Component):
    """Several lanes, each with a turn unit of its own, by docs/search.md, "Several lanes".

    ::

        jobs, limits ──► Member 0 ◄──┐     ┌───────────┐
        best, answers ◄── │  ▲       ├────►│ Turnstile │  who has the grant
                          ▼  │       │     └───────────┘
                        core 0       │     ┌─────────────┐
                                     ├────►│ SharedNodes │  what is shared, who helps whom
                      Member 1 ◄─────┤     └─────────────┘
                        core 1       │     ┌─────────────┐
                                     ├────►│ SharedTable ├──► memory
                         ...         │     └─────────────┘
                      Member n ◄─────┤     ┌──────────┐
                        core n       └────►│ RootList │
                                           └──────────┘

    Parameters
    ----------
    config : SearchConfig
        All constants and sizes; ``lanes`` is 2 or more.
    weights : mapping
        The evaluation, as :func:`loopline.hdl.search.evaluation.weights.read_groups` returns it.

    Members
    -------
    jobs : In(stream of search_layout), answers : Out(stream of 1)
        Search in the present position: as of :class:`Lane`, as all up to ``rules``.
    limits : In(search_limits_layout), stop : In(1)
        Limits, and the early end of the search; they stay until the answer.
    abandon : In(1), busy : Out(1)
        Drop the job, until this is not busy; the position is undefined then.
    freeze : In(1), frozen : Out(1)
        Stand still, so that ``best``, ``nodes`` and the line can be read as a whole.
    best : Out(best_layout), nodes : Out(32)
        The best turn so far, and the nodes of all lanes.
    iteration : Out(1)
        Pulses when an iteration is complete.
    line_index : In, line_turn : Out(line_layout), line_count : Out
        The principal variation: the turn of this number, one cycle later; how many there are.
    rules : In(rules_layout)
        The variant that is played.
    activity : Out(Activity)
        What this cycle of lane 0 goes to, for measurements.
    cores : Out(core_port).array(lanes), readers : Out(PositionReader).array(lanes)
        The turn units, which have the same position when a job comes.
    laid : In(laid_layout).array(lanes)
        The tiles that they lay.
    memory : Out(TableMemory)
        The memory of the transposition table, unless there is none.
    """

    def __init__(self, config: SearchConfig, weights: Mapping[str, Sequence[int]]):
        self._config = config
        self._weights = weights
        grid, lanes = config.grid, config.lanes
        super().__init__(
            {
                **lane_port(config).flip().members,
                "activity": Out(Activity),
                "cores": Out(core_port(grid)).array(lanes),
                "readers": Out(PositionReader(grid)).array(lanes),
                "laid": In(laid_layout(grid)).array(lanes),
                **({"memory": Out(TableMemory(config))} if config.table_bits else {}),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        config, lanes = self._config, self._config.lanes
        everyone = range(lanes)
        members = [Member(config, self._weights, i) for i in everyone]
        teams = [member.team for member in members]
        first = members[0]
        # Dropped jobs leave nothing behind.
        drops = Signal()
        m.submodules.turnstile = turnstile = Turnstile(lanes)
        nodes = SharedNodes(config, lanes)
        m.submodules.nodes = ResetInserter(drops)(nodes)
        root_list = RootList(config)
        m.submodules.list = ResetInserter(drops)(root_list)
        for i, member in enumerate(members):
            m.submodules[f"lane_{i}"] = member
            connect(m, member.core, flipped(self.cores[i]))
            connect(m, member.reader, flipped(self.readers[i]))
            m.d.comb += [
                member.laid.eq(self.laid[i]),
                member.jobs.payload.eq(self.jobs.payload),
                member.limits.eq(self.limits),
                member.rules.eq(self.rules),
                member.stop.eq(self.stop),
                member.freeze.eq(self.freeze),
            ]

        # The crew as one lane.
        m.d.comb += [
            first.jobs.valid.eq(self.jobs.valid),
            self.jobs.ready.eq(first.jobs.ready),
            self.answers.valid.eq(first.answers.valid),
            self.answers.payload.eq(first.answers.payload),
            first.answers.ready.eq(self.answers.ready),
            *(
                getattr(self, name).eq(getattr(first, name))
                for name in ("frozen", "best", "iteration", "line_turn", "line_count", "activity")
            ),
            first.line_index.eq(self.line_index),
        ]
        begins = Signal()
        all_rest = Signal()
        dropping = Signal()
        m.d.comb += [
            begins.eq(self.jobs.valid & self.jobs.ready),
            self.busy.eq(first.busy | ~all_rest),
            drops.eq(dropping & ~self.busy),
        ]
        # A register: no lane offers work in the cycle between.
        m.d.sync += all_rest.eq(Cat(team.rests for team in teams[1:]).all())
        m.d.sync += dropping.eq((dropping | self.abandon) & self.busy)
        gives_up = dropping | self.abandon
        counted = Signal(range(lanes + 1))
        m.d.comb += counted.eq(sum(team.counts for team in teams))
        m.d.sync += self.nodes.eq(Mux(begins, 0, self.nodes + counted))

        # The grant. A lane whose job is dropped has no part in the order. Which lane has the grant
        # is known a cycle later, as soon as an operation on shared nodes is.
        number = Signal(range(lanes))
        holder = Signal(range(lanes))
        m.d.sync += number.eq(holder)
        clock = Signal(BEAT_BITS)
        m.d.comb += clock.eq(Array(team.clock for team in teams)[number])
        for i, (member, team) in enumerate(zip(members, teams, strict=True)):
            with m.If(turnstile.granted[i]):
                m.d.comb += holder.eq(i)
            m.d.comb += [
                member.abandon.eq(gives_up),
                turnstile.clocks[i].eq(team.clock),
                turnstile.active[i].eq(nodes.works[i] & (~gives_up | member.busy)),
                turnstile.asks[i].eq(team.asks),
                team.granted.eq(turnstile.granted[i]),
                team.ahead.eq(turnstile.ahead[i]),
                team.grant_clock.eq(clock),
                team.least.eq(turnstile.least),
                team.begins.eq(begins),
                team.all_rest.eq(all_rest),
            ]
        self._share_nodes(m, nodes, teams, holder, number)
        self._share_paths(m, teams)
        self._share_lines(m, teams, number)
        self._share_list(m, root_list, teams)
        starts = nodes.valid & (nodes.op == ShareOp.CLEAR)
        self._limit(m, teams, number, begins, starts, clock)
        if config.table_bits:
            m.submodules.table = table = SharedTable(config, lanes)
            connect(m, table.memory, flipped(self.memory))
            for team, port in zip(teams, table.ports, strict=True):
                connect(m, team.table, port)
            m.d.comb += [table.least.eq(turnstile.least), table.known.eq(turnstile.known)]
        return m

    def _share_nodes(
        self,
        m: Module,
        nodes: SharedNodes,
        teams: Sequence,
        holder: Signal,
        number: Signal,
    ) -> None:
        """Give the operations of the lane that has the grant to the shared nodes, one cycle later:
        a lane's state is not to decide within a cycle what becomes of all others."""
        m.d.comb += [nodes.lane.eq(number), nodes.heeds.eq(Cat(team.heeds for team in teams))]
        with m.Switch(number):
            for i, team in enumerate(teams):
                with m.Case(i):
                    m.d.comb += [
                        nodes.written.eq(team.written),
                        nodes.offered.eq(team.offered),
                    ]
        with m.Switch(holder):
            for i, team in enumerate(teams):
                with m.Case(i):
                    m.d.sync += [
                        nodes.valid.eq(team.valid & ~nodes.ready),
                        nodes.op.eq(team.op),
                        nodes.node.eq(team.node),
                        nodes.ply.eq(team.ply),
                    ]
        for i, team in enumerate(teams):
            m.d.comb += [
                team.ready.eq(nodes.ready & (number == i)),
                *(
                    getattr(team, name).eq(getattr(nodes, name))
                    for name in ("read", "terms", "result", "home")
                ),
                team.job.eq(nodes.jobs[i]),
                *(
                    getattr(team, name).eq(getattr(nodes, name)[i])
                    for name in ("has_job", "works", "opened", "joined", "woken", "gives_up")
                ),
            ]

    def _share_paths(self, m: Module, teams: Sequence) -> None:
        """Read turns of the owners' paths for all that ask, one lane after the other."""
        asker = Signal(range(self._config.lanes))
        read_for = Signal.like(asker)
        was_asked = Signal()
        ply = Signal(range(self._config.plies))
        owner = Signal.like(asker)
        asked = Array(team.path_asked for team in teams)[asker]
        m.d.comb += ply.eq(Array(team.path_ply for team in teams)[asker])
        m.d.sync += [
            asker.eq(Mux(asker == self._config.lanes - 1, 0, asker + 1)),
            read_for.eq(asker),
            was_asked.eq(asked),
            owner.eq(Array(team.job.owner for team in teams)[asker]),
        ]
        move = Array(team.path_turn for team in teams)[owner]
        for i, team in enumerate(teams):
            m.d.comb += [
                team.path_read.eq(ply),
                team.path_move.eq(move),
                team.path_given.eq(was_asked & (read_for == i)),
            ]

    def _share_lines(self, m: Module, teams: Sequence, number: Signal) -> None:
        """Give the variation of the helper that has the grant to the owner."""
        lines = [team.line for team in teams]
        valid = Array(line.valid for line in lines)[number]
        owner = Array(team.job.owner for team in teams)[number]
        told = Signal(lines[0].payload.shape())
        m.d.comb += told.eq(Array(line.payload for line in lines)[number])
        ready = Array(team.told.ready for team in teams)[owner]
        for i, team in enumerate(teams):
            m.d.comb += [
                team.told.valid.eq(valid & (owner == i)),
                team.told.payload.eq(told),
                team.line.ready.eq(ready & (number == i)),
            ]

    def _share_list(self, m: Module, root_list: RootList, teams: Sequence) -> None:
        """At any time there is one lane at most that needs the root's list."""
        for team in teams:
            with m.If(team.list_ops.valid):
                m.d.comb += root_list.ops.payload.eq(team.list_ops.payload)
            m.d.comb += [
                team.list_ops.ready.eq(root_list.ops.ready),
                team.list_results.valid.eq(root_list.results.valid),
                team.list_results.payload.eq(root_list.results.payload),
                team.list_count.eq(root_list.count),
            ]
        m.d.comb += [
            root_list.ops.valid.eq(Cat(team.list_ops.valid for team in teams).any()),
            root_list.results.ready.eq(Cat(team.list_results.ready for team in teams).any()),
        ]

    def _limit(
        self,
        m: Module,
        teams: Sequence,
        number: Signal,
        begins: Signal,
        starts: Value,
        clock: Signal,
    ) -> None:
        """Share out the nodes that are left. The first lane that gets none ends the search."""
        limits = self.limits
        limited = Signal()
        given = Signal(NODE_BITS)
        left = Signal(NODE_BITS + 1)
        quota = Signal(range(QUOTA + 1))
        # From so many nodes on that are left a lane has as many as it may.
        few = (QUOTA << 4).bit_length() - 1
        above = Signal()
        stopping = Signal()
        # The root's turns are listed.
        opening = Signal()
        stop_at = Signal(BEAT_BITS)
        takes = Cat(team.takes for team in teams).any()
        spent = Signal()
        returns = Cat(team.returns for team in teams).any()
        returned = Array(team.left for team in teams)[number]
        m.d.comb += above.eq(left[few:-1].any() & ~left[-1])
        # The nodes of the root's turns count, too; they may be more than the limit. What is left,
        # and the share of a lane, are known two cycles later: as many pass between two grants. The
        # limit comes from far away, so that there is one is known a cycle later.
        m.d.sync += [
            limited.eq((limits.nodes != 0) & ~limits.free),
            left.eq(limits.nodes - given),
            quota.eq(Mux(left[-1], 0, Mux(above, QUOTA, (left[:few] + 15) >> 4))),
        ]
        m.d.sync += spent.eq(takes & (quota == 0))
        with m.If(spent & ~stopping):
            # That lane's clock is at the end already.
            m.d.sync += [stopping.eq(1), stop_at.eq(clock)]
        with m.If(begins):
            m.d.sync += [given.eq(0), stopping.eq(0), opening.eq(1)]
        with m.Elif(opening):
            m.d.sync += [given.eq(self.nodes), opening.eq(~starts)]
        with m.Elif(takes):
            m.d.sync += given.eq(given + quota)
        with m.Elif(returns):
            m.d.sync += given.eq(given - returned)
        for team in teams:
            m.d.comb += [
                team.limited.eq(limited),
                team.quota.eq(quota),
                team.stopping.eq(stopping),
                team.stop_at.eq(stop_at),
            ]
