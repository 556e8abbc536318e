"""Member: one of several lanes that search together.

It has a second state machine beside that of a lane alone; :class:`Member` says how the two go
together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.hdl.core.types import Status
from loopline.hdl.search.config import (
    BEATS_ATTACK,
    BEATS_DELAY,
    BEATS_EXPAND,
    BEATS_JOIN,
    BEATS_TILE,
    BEATS_TURN,
    QUOTA,
    SHARED_NODES,
    SPLIT_DEPTH,
    SearchConfig,
)
from loopline.hdl.search.lane import Lane, Registers, State
from loopline.hdl.search.lanes.dooms import Dooms
from loopline.hdl.search.lanes.nodes import (
    Over,
    ShareOp,
    ShareResult,
    node_layout,
    shared_node_layout,
    terms_layout,
)
from loopline.hdl.search.lanes.shared_table import table_port
from loopline.hdl.search.lanes.turnstile import BEAT_BITS, reached
from loopline.hdl.search.root_list import list_op_layout, listed_layout
from loopline.hdl.search.table import TranspositionTable
from loopline.hdl.search.types import move_layout, optional_move_layout
from loopline.hdl.search.variation import Variation, VariationOp

__all__ = ["Member", "team_port"]

QUOTA_BITS = QUOTA.bit_length()
"""Width of a number of nodes that a lane has for itself."""


class Step(enum.Enum, shape=5):
    """What the lane does in a cycle, while its state is ``TEAM``."""

    JOINED = 0
    """It has a new job. If that is below a shared node of its own, the frame of that node goes to
    the stack first."""
    REPLAY = 1
    """Get the next turn of the path, and make it."""
    REPLAYING = 2
    """Wait until the turn is made."""
    REPLAYED = 3
    """Wait for its hash, and go one ply down."""
    ASK = 4
    """Wait for the grant, and read the shared node."""
    CHOOSE = 5
    """At a shared node: what is to be done?"""
    CHOOSE_TURN = 6
    """Find the next turn."""
    CHOSEN = 7
    """Write the node: the turn is this lane's."""
    NO_TURN = 8
    """Write the node: no turn is left."""
    OFFER = 9
    """A legal turn has been made at a node that may be offered: offer it, with the grant."""
    AGAIN = 10
    """The child of a shared node's turn is searched again."""
    TAKE = 11
    """After ``ASK``: to the state ``TAKE``."""
    TAKEN = 12
    """Write the node, to which the value has been added."""
    COPY = 13
    """A helper gives the variation to the owner: read the next turn of it."""
    COPYING = 14
    """Give that turn to the owner."""
    LEAVE = 15
    """End the help."""
    BACK = 16
    """Unmake the path."""
    BACK_HOME = 17
    """Get the node of its own, below which it has helped, from the stack."""
    FREE = 18
    """Look for work."""
    FINISH = 19
    """No turn is left at a node of its own: leave it, or help, or wait."""
    WITHDRAW = 20
    """The node has no helpers: share it no more."""
    REST = 21
    """Wait until the helpers have left, or for work below."""
    CUT = 22
    """Give up what is below ``target``: first close the shared nodes of its own there."""
    AT_FRAME = 23
    """Give up the turns of the frame, unless it is the target."""
    UNWIND = 24
    """At a shared node of its own: read it."""
    UNWIND_CUT = 25
    """The search stops: close the node, so that its helpers take no other turn of it."""
    UNWIND_WAIT = 26
    """Leave it, or wait until the helpers have left."""
    UNWIND_REST = 27
    """Wait until the last helper has left."""
    UNWIND_LEAVE = 28
    """Share the node no more, and go up, unless it is the target."""


def team_port(config: SearchConfig, lanes: int) -> wiring.Signature:
    """What several lanes have in common, as seen by one of them.

    ``asks`` : Out(1), ``granted`` : In(1), ``clock`` : Out(BEAT_BITS), ``ahead`` : In(1)
        The grant, as of :class:`.turnstile.Turnstile`.
    ``op`` : Out(ShareOp), ``valid`` : Out(1), ``node`` : Out(node_layout), ``ply`` : Out
        An operation on a shared node, as of :class:`.nodes.SharedNodes`. ``valid`` only while the
        lane has the grant.
    ``written`` : Out(shared_node_layout), ``offered`` : Out(terms_layout), ``heeds`` : Out(1)
        What it writes; whether the lane is to hear of it, if it is a ``CUT``.
    ``ready`` : In(1), ``read`` : In(shared_node_layout), ``terms`` : In(terms_layout)
        It is done, and what has been read.
    ``result`` : In(ShareResult), ``home`` : In
        Its other results.
    ``job`` : In(node_layout), ``has_job`` : In(1), ``works`` : In(1), ``opened`` : In(1)
        What :class:`.nodes.SharedNodes` says of this lane.
    ``joined`` : In(1), ``woken`` : In(1), ``gives_up`` : In(1)
        What an operation, of whichever lane, does to this one.
    ``grant_clock`` : In(BEAT_BITS), ``least`` : In(BEAT_BITS)
        The clock of the lane that has the grant; the least one of those that work.
    ``begins`` : In(1)
        A search begins.
    ``rests`` : Out(1), ``all_rest`` : In(1)
        The lane has no job, no turn of its own to unmake, and no operation under way that an
        abandoned job has left; so it is with all but lane 0.
    ``path_asked`` : Out(1), ``path_ply`` : Out, ``path_given`` : In(1), ``path_move`` : In
        For the turn of the owner's path at this ply.
    ``path_read`` : In, ``path_turn`` : Out
        The turn of the lane's own path at a ply, one cycle later.
    ``line`` : Out(stream), ``told`` : In(stream)
        A turn of the variation that a helper gives to the owner, as the operation ``WRITE``.
    ``list_ops`` : Out(stream), ``list_results`` : In(stream), ``list_count`` : In
        The root's list, as of :class:`RootList`. Lane 0 has it when no other one needs it.
    ``table`` : Out(table_port)
        The table, if there is one.
    ``limited`` : In(1), ``quota`` : In, ``takes`` : Out(1), ``returns`` : Out(1), ``left`` : Out
        Nodes are limited: with the grant the lane takes ``quota`` nodes, or gives back ``left``. A
        lane that gets none sets its clock to ``BEATS_DELAY`` later, when the search ends.
    ``stopping`` : In(1), ``stop_at`` : In(BEAT_BITS)
        The limit of nodes has been reached: end at this clock.
    ``counts`` : Out(1)
        A node is counted.
    """
    grid = config.grid
    ply, beat = range(config.plies), BEAT_BITS
    move = move_layout(grid)
    told = data.StructLayout({"ply": ply, "number": range(config.line), "move": move})
    ports = {
        "asks": Out(1),
        "granted": In(1),
        "clock": Out(beat),
        "ahead": In(1),
        "op": Out(ShareOp),
        "valid": Out(1),
        "node": Out(node_layout(lanes)),
        "written": Out(shared_node_layout(config)),
        "offered": Out(terms_layout(config)),
        "ply": Out(ply),
        "heeds": Out(1),
        "ready": In(1),
        "read": In(shared_node_layout(config)),
        "terms": In(terms_layout(config)),
        "result": In(ShareResult),
        "job": In(node_layout(lanes)),
        "has_job": In(1),
        "works": In(1),
        "opened": In(1),
        "joined": In(1),
        "woken": In(1),
        "gives_up": In(1),
        "home": In(ply),
        "grant_clock": In(beat),
        "least": In(beat),
        "begins": In(1),
        "rests": Out(1),
        "all_rest": In(1),
        "path_asked": Out(1),
        "path_ply": Out(ply),
        "path_given": In(1),
        "path_move": In(move),
        "path_read": In(ply),
        "path_turn": Out(move),
        "line": Out(stream.Signature(told)),
        "told": In(stream.Signature(told)),
        "list_ops": Out(stream.Signature(list_op_layout(config))),
        "list_results": In(stream.Signature(listed_layout(config))),
        "list_count": In(range(config.root_turns + 1)),
        "limited": In(1),
        "quota": In(QUOTA_BITS),
        "takes": Out(1),
        "returns": Out(1),
        "left": Out(QUOTA_BITS),
        "stopping": In(1),
        "stop_at": In(beat),
        "counts": Out(1),
        **({"table": Out(table_port(config))} if config.table_bits else {}),
    }
    return wiring.Signature(ports)


class _TeamRegisters(Registers):
    """The registers of one of several lanes, and wires."""

    def __init__(self, config: SearchConfig):
        super().__init__(config)
        ply, slot = range(config.plies), range(SHARED_NODES)
        self.step = Signal(Step)
        self.after = Signal(Step)
        self.asks = Signal()
        self.clock = Signal(BEAT_BITS)
        # The child of the frame's turn is searched.
        self.child = Signal()
        # Where it helps: the node's ply; whether that is below a node of its own, and where that
        # is and where it helped before.
        self.home = Signal(ply)
        self.below = Signal()
        self.above = Signal(ply)
        self.former_home = Signal(ply)
        self.first = Signal(optional_move_layout(config.grid))
        self.second = Signal.like(self.first)
        self.killers_shown = Signal()
        # The shared nodes of its own.
        self.used = Signal(SHARED_NODES)
        self.cut = Signal(SHARED_NODES)
        self.plies = [Signal(ply, name=f"ply_{n}") for n in range(SHARED_NODES)]
        # The shared node that was read: whether more turns are tried, the number of the next turn
        # of the root's list.
        self.over = Signal(Over)
        self.cursor = Signal(range(config.root_turns + 1))
        # The number of the last turn that was chosen here, and whether that was refused; then the
        # next one has the same number.
        self.tried = Signal(range(config.counted + 1))
        self.again = Signal()
        # The turn has ended the game; the value raises alpha.
        self.completed = Signal()
        self.raised = Signal()
        self.copied = Signal(range(config.line))
        # What is below ``target`` is given up.
        self.unwinds = Signal()
        self.target = Signal(ply)
        self.quota = Signal(QUOTA_BITS)
        # Wires: the lane has the grant; the frame is the node where it helps, or one of its own
        # that is shared, and which.
        self.granted = Signal()
        self.helps = Signal()
        self.owns = Signal()
        self.slot = Signal(slot)
        # The search stops.
        self.halts = Signal()
        self.is_late = Signal()
        # Registers again: the lane stands still; it is not ahead; the search ends; the frame is a
        # shared node.
        self.freezes = Signal()
        self.goes = Signal()
        self.late = Signal()
        self.shares = Signal()
        self.free_slot = Signal(slot)


class Member(Lane):
    """One of several :class:`Lane` that search together, by docs/search.md, "Several lanes".

    It searches below a node as a lane alone. Where others matter it is in the state ``TEAM``, and
    ``step`` says what it does. Lane 0 has the root; the others wait for a node to help at.

    *A shared node.* What changes there is not in the frame but in :class:`.nodes.SharedNodes`: the
    window, the best value, the next turn. The lane waits until the turnstile gives it the grant,
    reads the node into its frame (``ASK``), tells the value of the last turn, chooses the next one,
    and writes the node. No other lane changes it meanwhile. The rest of the frame is its own::

        state CHOOSE ──► ASK ──► CHOOSE ──► CHOOSE_TURN ──► CHOSEN ──► state MAKING
                                    ▲
        state VALUE ───► ASK ──► TAKE, state TAKE ──► TAKEN, COPY

    If the child is to be searched again, ``AGAIN`` comes in place of ``TAKE``: the window is the
    node's present one.

    *Offers.* At a node of its own ``OFFER`` comes after a turn. From then on the node is shared,
    has a slot, and its ply is in ``plies``.

    *Help.* ``home`` is the node's ply. The turns of the path come from the owner::

        FREE ──► JOINED ──► REPLAY ──► state CHOOSE ... ──► LEAVE ──► BACK ──► FREE

    *The end of a node of its own.* After the last turn, or a value that reaches beta, the lane goes
    from the step ``CHOOSE`` to ``FINISH``: without helpers on to ``WITHDRAW`` and the state
    ``FINISH``; otherwise it waits in ``REST``, or helps below a helper's node and comes back by
    ``BACK_HOME``. While it does so its own frame is on the stack.

    *Giving up.* ``gives_up`` says that all below a ply is of no use from a beat on: the lane notes
    it in :class:`.dooms.Dooms`. When its clock has come there it first ends the shared nodes of its
    own below (``CUT``), then goes up frame by frame to ``target``. At each node of its own it waits
    for its helpers, who give up as well::

        CUT ──► AT_FRAME ──────────────────────────────► states UNWOUND, UNWIND ──► AT_FRAME
                   │ a shared node of its own                      ▲
                   └──► UNWIND, UNWIND_WAIT, UNWIND_LEAVE ─────────┘

    The end of the search is the same, with lane 0's root as the target, or a helper's ``home``.

    *The clock* counts beats. Before each node and each turn the lane waits while it is ``ahead``,
    so that it hears of what it has to give up before its clock is there.

    Parameters
    ----------
    config : SearchConfig
        All constants and sizes; of several lanes.
    weights : mapping
        The evaluation.
    number : int
        Which one of the lanes this is.

    Members
    -------
    team : Out(team_port)
        What lanes have in common.
    others
        As of :class:`Lane`. Jobs are offered to lane 0 only, but the payload is that of all.
    """

    def __init__(self, config: SearchConfig, weights: Mapping[str, Sequence[int]], number: int):
        self._number = number
        super().__init__(config, weights)

    def _ports(self, config: SearchConfig) -> dict[str, wiring.Member]:
        ports = super()._ports(config)
        ports.pop("memory", None)
        return {**ports, "team": Out(team_port(config, config.lanes))}

    # What is connected all the time.

    def _new_registers(self) -> _TeamRegisters:
        return _TeamRegisters(self._config)

    def _acts(self) -> dict:
        return {**super()._acts(), State.TEAM: self._team}

    def _add_stores(self, m: Module, r: _TeamRegisters, part: Callable) -> None:
        config, team = self._config, self.team
        if config.table_bits:
            self._table = self._wire_table(m, r)
        else:
            self._table = part("table", TranspositionTable(config))
        self._list = SimpleNamespace(
            ops=team.list_ops, results=team.list_results, count=team.list_count
        )
        variation = part("variation", Variation(config))
        own = stream.Signature(variation.ops.payload.shape()).create(path=("own",))
        self._variation = SimpleNamespace(ops=own, results=variation.results)
        told, op = team.told.payload, variation.ops.payload
        with m.If(own.valid):
            m.d.comb += [
                variation.ops.valid.eq(1),
                op.eq(own.payload),
                own.ready.eq(variation.ops.ready),
            ]
        with m.Else():
            m.d.comb += [
                variation.ops.valid.eq(team.told.valid),
                op.op.eq(VariationOp.WRITE),
                op.ply.eq(told.ply),
                op.number.eq(told.number),
                op.move.eq(told.move),
                team.told.ready.eq(variation.ops.ready),
            ]

    def _wire_table(self, m: Module, r: _TeamRegisters) -> SimpleNamespace:
        """Return the table, one cycle away in each direction: no signal goes from lane to lane
        through it within a cycle. A request stays on offer until the table has taken it."""
        port = self.team.table
        requests = stream.Signature(port.requests.payload.shape()).create(path=("requests",))
        answers = stream.Signature(port.answers.payload.shape()).create(path=("answers",))
        offered = Signal()
        taken = Signal()
        done = Signal()
        takes = port.requests.valid & port.requests.ready
        payload = Signal.like(requests.payload)
        m.d.sync += [
            offered.eq(requests.valid & ~takes & ~taken),
            payload.eq(requests.payload),
            taken.eq(takes),
            done.eq(answers.valid & answers.ready),
        ]
        m.d.comb += [
            port.requests.valid.eq(offered),
            port.requests.payload.eq(payload),
            port.requests.payload.beat.eq(r.clock),
            requests.ready.eq(taken),
            answers.valid.eq(port.answers.valid & ~done),
            answers.payload.eq(port.answers.payload),
            port.answers.ready.eq(done),
        ]
        return SimpleNamespace(requests=requests, answers=answers)

    def _show_killers(self, m: Module, r: _TeamRegisters) -> None:
        """Where the lane helps, the killers are the owner's. The memory is slow: what it says is
        there a cycle later."""
        walk, killers = self._walk, self._killers
        m.d.sync += [
            walk.first.eq(Mux(r.helps, r.first, killers.first)),
            walk.second.eq(Mux(r.helps, r.second, killers.second)),
            r.killers_shown.eq(killers.ready),
        ]

    def _knows_killers(self) -> Value:
        # The ply has been the same for a cycle.
        return self._registers.killers_shown

    def _add_parts(self, m: Module, r: _TeamRegisters) -> None:
        super()._add_parts(m, r)
        config, team, f = self._config, self.team, r.f
        m.submodules.path = path = Memory(
            shape=move_layout(config.grid), depth=config.plies, init=[]
        )
        write, read = path.write_port(), path.read_port()
        m.d.comb += [
            read.addr.eq(team.path_read),
            team.path_turn.eq(read.data),
            write.addr.eq(r.ply),
            write.data.eq(f.made),
            write.en.eq(self._makes(r)),
            team.path_ply.eq(r.ply),
        ]
        # The nodes at which the lane is.
        here = Cat(used & (ply == r.ply) for used, ply in zip(r.used, r.plies, strict=True))
        m.d.comb += [
            r.granted.eq(team.granted & r.asks),
            r.helps.eq(team.has_job & (r.ply == r.home)),
            r.owns.eq(here.any()),
        ]
        for n in reversed(range(SHARED_NODES)):
            with m.If(here[n]):
                m.d.comb += r.slot.eq(n)
            with m.If(~r.used[n]):
                m.d.comb += r.free_slot.eq(n)
        # The end of the search; lane 0 hears of it when it begins a node or is at a shared one.
        late = self.stop | (team.stopping & reached(r.clock, team.stop_at))
        # What follows from clocks is known a cycle later: a lane decides in its second cycle of
        # CHOOSE or ENTER, and until then its clock stays.
        decides = (r.state == State.CHOOSE) | (r.state == State.ENTER)
        # The clock of a lane that waits stands still, for more beats than can be compared.
        waits = Signal()
        self._dooms = dooms = Dooms(config.plies, config.lanes)
        m.submodules.dooms = dooms
        m.d.comb += [
            dooms.add.eq(team.gives_up),
            dooms.home.eq(team.home),
            dooms.beat.eq(team.grant_clock + BEATS_DELAY),
            dooms.clear.eq(self._dropped),
            dooms.now.eq(Mux(waits, team.least, r.clock)),
            dooms.ply.eq(r.ply),
        ]
        m.d.sync += [
            r.freezes.eq(self.freeze),
            r.goes.eq(decides & ~team.ahead),
            r.late.eq(late),
            r.shares.eq(r.helps | r.owns),
        ]
        m.d.comb += [
            r.is_late.eq(r.stopped | r.late),
            r.halts.eq(r.stopped | (r.late & bool(self._number))),
        ]
        # On the way to a node and back the lane counts as if it were there. It need not hear of the
        # end of the node at which it waits.
        at = Signal.like(r.ply)
        m.d.comb += at.eq(r.ply)
        with m.If(r.state == State.TEAM), m.Switch(r.step):
            with m.Case(Step.JOINED, Step.REPLAY, Step.REPLAYING, Step.REPLAYED):
                m.d.comb += at.eq(r.home)
            with m.Case(Step.BACK, Step.BACK_HOME):
                m.d.comb += at.eq(r.above)
            with m.Case(Step.REST, Step.UNWIND_REST):
                m.d.comb += waits.eq(1)
        # A lane that looks for work when the job is abandoned has not dropped it yet.
        alone = (r.state == State.TEAM) & (r.step == Step.FREE) & ~(self.abandon & r.granted)
        m.d.comb += [
            team.rests.eq(~self.busy | alone),
            team.asks.eq(r.asks),
            team.clock.eq(r.clock),
            team.left.eq(r.quota),
            team.heeds.eq(
                (~dooms.any | (team.home < dooms.least))
                & ((at > team.home) | ((at == team.home) & ~waits))
            ),
        ]
        # The shared node.
        written, offered = team.written, team.offered
        m.d.comb += [
            team.ply.eq(r.ply),
            team.node.owner.eq(self._number),
            team.node.slot.eq(r.slot),
            *(written[name].eq(f[name]) for name in _KEPT),
            written.number.eq(r.cursor),
            written.best_number.eq(r.best_number),
            written.over.eq(r.over),
            *(offered[name].eq(f[name]) for name in _TERMS),
            offered.first.eq(self._killers.first),
            offered.second.eq(self._killers.second),
        ]
        with m.If(r.helps):
            m.d.comb += team.node.eq(team.job)
        # What is shown stays as it is in these states, but for the root's first turn.
        m.d.comb += self.frozen.eq(
            r.freezes
            & r.best.found
            & (r.state.as_value() >= State.CHOOSE.value)
            & ((r.state.as_value() <= State.ITERATED.value) | (r.state == State.TEAM))
        )
        with m.If(team.begins):
            m.d.sync += [r.clock.eq(0), r.quota.eq(0)]
            if self._number:
                m.d.comb += self._killers.clear.eq(1)

    def _may_walk(self, r: _TeamRegisters) -> Value:
        chooses = (r.state == State.TEAM) & (r.step == Step.CHOOSE_TURN)
        return super()._may_walk(r) | chooses

    def _makes(self, r: _TeamRegisters) -> Value:
        replays = (r.state == State.TEAM) & (r.step == Step.REPLAYING)
        return super()._makes(r) | replays

    def _count(self, m: Module) -> None:
        m.d.comb += self.team.counts.eq(1)

    def _drive_unit(self, m: Module, r: _TeamRegisters) -> None:
        super()._drive_unit(m, r)
        command, made = self.core.commands.payload, r.f.made
        with m.If((r.state == State.TEAM) & (r.step == Step.REPLAYING)):
            m.d.comb += [
                command.x.eq(made.place.x),
                command.y.eq(made.place.y),
                command.symbol.eq(made.symbol),
            ]

    def _give_up(self, m: Module, r: _TeamRegisters) -> None:
        """The job is abandoned, between two commands of the turn unit, of the table, and of the
        shared nodes."""
        super()._give_up(m, r)
        with m.If(self._dropped):
            m.d.sync += [r.asks.eq(0), r.used.eq(0)]

    def _has_request(self) -> Value:
        # While the lane has the grant it may have an operation on a shared node under way. What it
        # waits for with the grant comes also after ``abandon``.
        return super()._has_request() | self._registers.granted

    # Helpers, which return statements for ``sync``.

    @staticmethod
    def _go(r: _TeamRegisters, step: Step) -> list:
        return [r.state.eq(State.TEAM), r.step.eq(step)]

    def _ask(self, r: _TeamRegisters, after: Step) -> list:
        """Wait for the grant, read the frame's node, and go on."""
        return [r.asks.eq(1), r.after.eq(after), *self._go(r, Step.ASK)]

    def _join(self, r: _TeamRegisters) -> list:
        """Help at the node at ``home``."""
        team = self.team
        return [
            r.asks.eq(0),
            r.clock.eq(team.grant_clock + BEATS_JOIN),
            r.home.eq(team.home),
            r.former_home.eq(r.home),
            *self._go(r, Step.JOINED),
        ]

    def _forget(self, m: Module, ply: Value) -> None:
        """What is below this ply has been left."""
        m.d.comb += [self._dooms.forget.eq(1), self._dooms.left.eq(ply)]

    def _unwind_to(self, m: Module, r: _TeamRegisters, ply: Value) -> None:
        """Begin to unmake all turns from this ply on."""
        self._forget(m, ply)
        m.d.sync += [r.target.eq(ply), r.cut.eq(0), *self._go(r, Step.CUT)]

    def _operate(self, m: Module, op: ShareOp | Value) -> Value:
        """Have the shared nodes do something, with the grant; return whether it is done."""
        team, granted = self.team, self._registers.granted
        m.d.comb += [team.valid.eq(granted), team.op.eq(op)]
        return granted & team.ready

    # States of a lane alone.

    def _idle(self, m: Module, r: _TeamRegisters) -> None:
        super()._idle(m, r)
        m.d.sync += [
            r.below.eq(0),
            r.above.eq(0),
            r.asks.eq(0),
            r.child.eq(0),
            r.unwinds.eq(0),
            r.used.eq(0),
        ]
        with m.If(self.team.joined & ~self.abandon):
            m.d.comb += self._dooms.clear.eq(1)
            m.d.sync += self._join(r)

    def _iterate(self, m: Module, r: _TeamRegisters) -> None:
        """All others begin anew with this lane."""
        m.d.comb += self._dooms.clear.eq(1)
        m.d.sync += [r.asks.eq(1), r.used.eq(0), r.child.eq(0)]
        with m.If(self.team.all_rest):
            done = self._operate(m, ShareOp.CLEAR)
            with m.If(done):
                super()._iterate(m, r)
                m.d.sync += r.asks.eq(0)

    def _choose(self, m: Module, r: _TeamRegisters) -> None:
        """Make the next turn of a node, unless it is to be given up."""
        with m.If(r.goes):
            with m.If(self._dooms.is_below):
                self._unwind_to(m, r, self._dooms.target)
            with m.Elif(r.shares):
                m.d.sync += self._ask(r, Step.CHOOSE)
            with m.Elif(r.halts & r.at_root):
                m.d.sync += r.state.eq(State.ITERATED)
            with m.Elif(r.halts):
                self._unwind_all(m, r)
            with m.Else():
                super()._choose(m, r)

    def _unwind_all(self, m: Module, r: _TeamRegisters) -> None:
        """End the lane's part of the search: unmake all turns to where it helps, or to the root."""
        self._unwind_to(m, r, Mux(self.team.has_job, r.home, 0))

    def _no_turn(self, m: Module, r: _TeamRegisters) -> None:
        with m.If(r.asks):
            m.d.sync += [r.over.eq(Over.NO_TURN), *self._go(r, Step.NO_TURN)]
        with m.Else():
            super()._no_turn(m, r)

    def _begin_turn(self, m: Module, r: _TeamRegisters) -> None:
        m.d.sync += r.cursor.eq(r.number + 1)
        with m.If(r.asks):
            m.d.sync += self._go(r, Step.CHOSEN)
        with m.Else():
            m.d.sync += r.clock.eq(r.clock + BEATS_TURN)
            super()._begin_turn(m, r)

    def _making(self, m: Module, r: _TeamRegisters) -> None:
        f, outcome = r.f, self.core.outcomes.payload
        shared = r.helps | r.owns
        may_offer = (f.depth >= SPLIT_DEPTH) & ~f.leaf & (f.count != 0) & ~r.used.all()
        verdict = super()._making(m, r)
        completed = verdict.wins | verdict.loses | verdict.draws
        with m.If(self.core.outcomes.valid):
            with m.If(outcome.status != Status.LEGAL):
                m.d.sync += r.again.eq(shared)
            with m.Else():
                m.d.sync += [
                    r.clock.eq(r.clock + BEATS_TILE * outcome.tiles),
                    r.child.eq(~completed),
                ]
                with m.If(may_offer & ~shared):
                    m.d.sync += [
                        r.asks.eq(1),
                        r.completed.eq(completed),
                        r.over.eq(Over.OPEN),
                        *self._go(r, Step.OFFER),
                    ]

    def _enter(self, m: Module, r: _TeamRegisters) -> None:
        team, jobs = self.team, self._scan.jobs
        spent = team.limited & (r.quota == 0)
        with m.If(r.goes):
            with m.If(r.is_late):
                m.d.sync += r.stopped.eq(1)
                self._unwind_all(m, r)
            with m.Elif(spent):
                m.d.sync += r.asks.eq(1)
                with m.If(r.granted):
                    m.d.comb += team.takes.eq(1)
                    m.d.sync += [
                        r.quota.eq(team.quota),
                        r.stopped.eq(team.quota == 0),
                        r.asks.eq(0),
                    ]
                    with m.If(team.quota == 0):
                        # It ends with all others, and not before it may go on at that beat.
                        m.d.sync += [r.clock.eq(r.clock + BEATS_DELAY), r.goes.eq(0)]
            with m.Elif(self._dooms.due):
                self._unwind_to(m, r, self._dooms.target)
            with m.Elif(~r.freezes):
                m.d.comb += [jobs.valid.eq(1), jobs.payload.mover.eq(~self._mover(r))]
                with m.If(jobs.ready):
                    self._count(m)
                    m.d.sync += r.state.eq(State.EMPTY)
                    with m.If(team.limited):
                        m.d.sync += r.quota.eq(r.quota - 1)

    def _scanning(self, m: Module, r: _TeamRegisters) -> None:
        super()._scanning(m, r)
        results = self._scan.results
        result = results.payload
        with m.If(results.valid & results.ready):
            m.d.sync += r.clock.eq(r.clock + Mux(result.own, BEATS_ATTACK, result.tracks))

    def _expand(self, m: Module, r: _TeamRegisters) -> None:
        super()._expand(m, r)
        with m.If(~self._stack.busy):
            m.d.sync += [r.clock.eq(r.clock + BEATS_EXPAND), r.child.eq(0)]

    def _value(self, m: Module, r: _TeamRegisters) -> Value:
        """The turn is unmade, while the lane waits to tell its value."""
        again = super()._value(m, r)
        with m.If(~r.busy):
            m.d.sync += r.child.eq(again)
            with m.If(r.helps | r.owns):
                m.d.sync += self._ask(r, Step.TAKE)
                with m.If(again):
                    m.d.sync += r.after.eq(Step.AGAIN)
        return again

    def _take(self, m: Module, r: _TeamRegisters) -> None:
        f = r.f
        raises, cuts = r.value > f.alpha, r.value >= f.beta
        with m.If(r.asks & (r.over == Over.CUT)):
            m.d.sync += self._go(r, Step.CHOOSE)
        with m.Elif(r.asks):
            with m.If(raises & ~cuts):
                self._put_variation(m, r)
            with m.If(~raises | cuts | self._variation.ops.ready):
                self._merge(m, r, raises)
                m.d.sync += [r.raised.eq(raises & ~cuts), *self._go(r, Step.TAKEN)]
                with m.If(raises & cuts):
                    m.d.sync += r.over.eq(Over.CUT)
        with m.Else():
            super()._take(m, r)

    def _finished(self, m: Module, r: _TeamRegisters) -> None:
        super()._finished(m, r)
        m.d.sync += r.child.eq(1)

    def _unwind(self, m: Module, r: _TeamRegisters) -> None:
        with m.If(~r.busy):
            m.d.sync += [*self._unmake(r), r.child.eq(0), *self._go(r, Step.AT_FRAME)]
            with m.If(r.at_root):
                self._empty_variation(m, r)

    def _unwound(self, m: Module, r: _TeamRegisters) -> None:
        super()._unwound(m, r)
        m.d.sync += r.child.eq(1)

    def _iterated(self, m: Module, r: _TeamRegisters) -> None:
        with m.If(~r.freezes):
            super()._iterated(m, r)

    def _answer(self, m: Module, r: _TeamRegisters) -> None:
        with m.If(self.team.all_rest):
            super()._answer(m, r)

    # Steps of one of several lanes.

    def _team(self, m: Module, r: _TeamRegisters) -> None:
        acts = {
            Step.JOINED: self._joined,
            Step.REPLAY: self._replay,
            Step.REPLAYING: self._replaying,
            Step.REPLAYED: self._replayed,
            Step.ASK: self._asking,
            Step.CHOOSE: self._choose_shared,
            Step.CHOOSE_TURN: self._choose_turn,
            Step.CHOSEN: self._chosen_shared,
            Step.NO_TURN: self._no_turn_shared,
            Step.OFFER: self._offer,
            Step.AGAIN: self._again,
            Step.TAKEN: self._taken,
            Step.COPY: self._copy,
            Step.COPYING: self._copying,
            Step.LEAVE: self._leave,
            Step.BACK: self._back,
            Step.BACK_HOME: self._back_home,
            Step.FREE: self._free,
            Step.FINISH: self._finish_shared,
            Step.WITHDRAW: self._withdraw,
            Step.REST: self._rest,
            Step.CUT: self._cut,
            Step.AT_FRAME: self._at_frame,
            Step.UNWIND: self._unwind_shared,
            Step.UNWIND_CUT: self._unwind_cut,
            Step.UNWIND_WAIT: self._unwind_wait,
            Step.UNWIND_REST: self._unwind_rest,
            Step.UNWIND_LEAVE: self._unwind_leave,
        }
        with m.Switch(r.step):
            for step, act in acts.items():
                with m.Case(step):
                    act(m, r)
            with m.Default():
                # Not the code of a step: give up.
                m.d.sync += [r.state.eq(State.IDLE), r.asks.eq(0)]

    # Help.

    def _joined(self, m: Module, r: _TeamRegisters) -> None:
        f = r.f
        with m.If(r.below), m.If(~self._stack.busy):
            m.d.comb += self._stack.push.eq(1)
            m.d.sync += [r.above.eq(r.ply), r.noise.eq(0), *self._go(r, Step.REPLAY)]
        with m.Else():
            m.d.sync += [
                r.noise.eq(0),
                f.hash.eq(0),
                f.turns[0].valid.eq(0),
                f.turns[1].valid.eq(0),
                *self._go(r, Step.REPLAY),
            ]

    def _replay(self, m: Module, r: _TeamRegisters) -> None:
        team = self.team
        m.d.sync += r.again.eq(0)
        with m.If(r.ply == r.home):
            m.d.sync += r.state.eq(State.CHOOSE)
        with m.Else():
            m.d.comb += team.path_asked.eq(~r.busy)
            with m.If(team.path_given & ~r.busy):
                m.d.comb += [self._hash.start.eq(1), self._span.start.eq(1)]
                m.d.sync += [
                    r.f.made.eq(team.path_move),
                    *self._make(r),
                    *self._go(r, Step.REPLAYING),
                ]

    def _replaying(self, m: Module, r: _TeamRegisters) -> None:
        with m.If(self.core.outcomes.valid):
            m.d.sync += self._go(r, Step.REPLAYED)

    def _replayed(self, m: Module, r: _TeamRegisters) -> None:
        f = r.f
        with m.If(self._hash.ready):
            m.d.sync += [
                f.hash.eq(self._hash.hash),
                f.turns[0].eq(self._span.span),
                f.turns[1].eq(f.turns[0]),
                r.ply.eq(r.ply + 1),
                r.at_root.eq(0),
                *self._go(r, Step.REPLAY),
            ]

    def _leave(self, m: Module, r: _TeamRegisters) -> None:
        """The former job goes on after help below a node of its own."""
        done = self._operate(m, ShareOp.LEAVE)
        with m.If(done):
            self._forget(m, r.home)
            m.d.comb += self.team.returns.eq(~r.below)
            m.d.sync += [r.asks.eq(0), r.home.eq(r.former_home), *self._go(r, Step.BACK)]
            with m.If(~r.below):
                m.d.sync += r.quota.eq(0)

    def _back(self, m: Module, r: _TeamRegisters) -> None:
        with m.If(~r.busy):
            with m.If(r.ply != r.above):
                m.d.sync += [*self._unmake(r), r.ply.eq(r.ply - 1)]
            with m.Elif(r.below):
                m.d.comb += self._stack.pop.eq(1)
                m.d.sync += self._go(r, Step.BACK_HOME)
            with m.Else():
                m.d.sync += [r.at_root.eq(1), *self._go(r, Step.FREE)]

    def _back_home(self, m: Module, r: _TeamRegisters) -> None:
        with m.If(~self._stack.busy):
            m.d.sync += [
                r.f.eq(self._stack.top),
                r.at_root.eq(r.ply == 0),
                r.below.eq(0),
                r.above.eq(0),
                r.unwinds.eq(0),
            ]
            with m.If(r.unwinds):
                m.d.sync += self._go(r, Step.AT_FRAME)
            with m.Else():
                m.d.sync += r.state.eq(State.CHOOSE)

    def _free(self, m: Module, r: _TeamRegisters) -> None:
        team = self.team
        with m.If(~team.works):
            m.d.sync += [r.asks.eq(0), r.state.eq(State.IDLE)]
        with m.Elif(~r.busy):
            m.d.sync += r.asks.eq(1)
            done = self._operate(m, Mux(r.halts, ShareOp.REST, ShareOp.LOOK))
            with m.If(done):
                m.d.sync += [r.asks.eq(0), r.state.eq(State.IDLE)]
                with m.If(team.joined):
                    m.d.comb += self._dooms.clear.eq(1)
                    m.d.sync += self._join(r)

    # A shared node.

    def _asking(self, m: Module, r: _TeamRegisters) -> None:
        team, f = self.team, r.f
        done = self._operate(m, ShareOp.GET)
        read, terms = team.read, team.terms
        with m.If(done):
            m.d.sync += [
                *(f[name].eq(read[name]) for name in _KEPT),
                r.over.eq(read.over),
                r.step.eq(r.after),
            ]
            with m.If(r.at_root):
                m.d.sync += [r.cursor.eq(read.number), r.best_number.eq(read.best_number)]
            with m.If(r.after == Step.TAKE):
                m.d.sync += r.state.eq(State.TAKE)
            with m.If(r.helps):
                m.d.sync += [
                    *(f[name].eq(terms[name]) for name in _TERMS),
                    f.leaf.eq(0),
                    r.first.eq(terms.first),
                    r.second.eq(terms.second),
                ]

    def _choose_shared(self, m: Module, r: _TeamRegisters) -> None:
        with m.If(r.at_root):
            m.d.sync += r.number.eq(r.cursor)
        over = r.over != Over.OPEN
        # Helpers that end leave turns undone: their owner, lane 0 too, does not count the others.
        ends = r.halts | r.late
        with m.If(ends):
            m.d.sync += r.stopped.eq(1)
        self._forget(m, r.ply)
        with m.If(self._dooms.is_below):
            self._unwind_to(m, r, self._dooms.target)
        with m.Elif(r.helps & (over | ends)):
            m.d.sync += self._go(r, Step.LEAVE)
        with m.Elif(ends):
            self._unwind_all(m, r)
        with m.Elif(over):
            m.d.sync += self._go(r, Step.FINISH)
        with m.Else():
            m.d.sync += self._go(r, Step.CHOOSE_TURN)

    def _choose_turn(self, m: Module, r: _TeamRegisters) -> None:
        with m.If(r.at_root & (r.number == self._list.count)):
            m.d.sync += [r.over.eq(Over.NO_TURN), *self._go(r, Step.NO_TURN)]
        with m.Else():
            super()._choose(m, r)

    def _chosen_shared(self, m: Module, r: _TeamRegisters) -> None:
        """A turn that was refused gives its number to the next one."""
        f = r.f
        more = ~r.again & (f.count != self._config.counted)
        m.d.comb += self.team.written.count.eq(f.count + more)
        done = self._operate(m, ShareOp.PUT)
        with m.If(done):
            m.d.sync += [
                r.clock.eq(r.clock + BEATS_TURN),
                r.asks.eq(0),
                r.tried.eq(Mux(r.again, r.tried, f.count)),
                f.count.eq(Mux(r.again, r.tried, f.count)),
            ]
            super()._begin_turn(m, r)

    def _no_turn_shared(self, m: Module, r: _TeamRegisters) -> None:
        done = self._operate(m, ShareOp.PUT)
        with m.If(done):
            m.d.sync += self._go(r, Step.CHOOSE)

    def _offer(self, m: Module, r: _TeamRegisters) -> None:
        """Offer the node, unless another one of the lane is open."""
        team = self.team
        offers = r.granted & ~team.opened
        m.d.comb += [
            team.valid.eq(offers),
            team.op.eq(ShareOp.OFFER),
            team.node.slot.eq(r.free_slot),
        ]
        with m.If(r.granted & (team.opened | team.ready)):
            m.d.sync += [
                r.asks.eq(0),
                r.again.eq(0),
                r.state.eq(Mux(r.completed, State.COMPLETED, State.ENTER)),
            ]
            for n, ply in enumerate(r.plies):
                with m.If(offers & (r.free_slot == n)):
                    m.d.sync += [r.used[n].eq(1), ply.eq(r.ply)]

    def _again(self, m: Module, r: _TeamRegisters) -> None:
        """Search the child again, with the node's present window."""
        m.d.sync += [*self._child(r, 0, 0), r.asks.eq(0), r.state.eq(State.ENTER)]
        with m.If(r.over == Over.CUT):
            m.d.sync += [*self._unmake(r), r.child.eq(0), r.state.eq(State.CHOOSE)]

    def _taken(self, m: Module, r: _TeamRegisters) -> None:
        done = self._operate(m, Mux(r.over == Over.CUT, ShareOp.CUT, ShareOp.PUT))
        with m.If(done):
            with m.If(r.helps & r.raised & (r.ply < self._config.line)):
                m.d.sync += [r.copied.eq(0), *self._go(r, Step.COPY)]
            with m.Else():
                self._go_on(m, r)

    def _go_on(self, m: Module, r: _TeamRegisters) -> None:
        """Choose the next turn with the same grant, unless the last one is still unmade."""
        m.d.sync += [r.asks.eq(~r.busy), r.again.eq(0), r.step.eq(Step.CHOOSE)]
        with m.If(r.busy):
            m.d.sync += r.state.eq(State.CHOOSE)

    def _copy(self, m: Module, r: _TeamRegisters) -> None:
        ops = self._variation.ops
        m.d.comb += [
            ops.valid.eq(1),
            ops.payload.op.eq(VariationOp.READ),
            ops.payload.ply.eq(r.ply),
            ops.payload.number.eq(r.copied),
        ]
        with m.If(ops.ready):
            m.d.sync += self._go(r, Step.COPYING)

    def _copying(self, m: Module, r: _TeamRegisters) -> None:
        results, line = self._variation.results, self.team.line
        last = ~results.payload.valid | (r.copied + r.ply == self._config.line - 1)
        m.d.comb += [
            line.valid.eq(results.valid),
            line.payload.ply.eq(r.ply),
            line.payload.number.eq(r.copied),
            line.payload.move.eq(results.payload.move),
            results.ready.eq(line.ready),
        ]
        with m.If(line.valid & line.ready):
            m.d.sync += [r.copied.eq(r.copied + 1), *self._go(r, Step.COPY)]
            with m.If(last):
                self._go_on(m, r)

    # The end of a shared node of its own.

    def _finish_shared(self, m: Module, r: _TeamRegisters) -> None:
        result = self.team.result
        done = self._operate(m, ShareOp.FINISH)
        with m.If(done):
            with m.If(result == ShareResult.ALONE):
                m.d.sync += self._go(r, Step.WITHDRAW)
            with m.Elif(result == ShareResult.JOINED):
                m.d.sync += [r.below.eq(1), *self._join(r)]
            with m.Else():
                m.d.sync += [r.asks.eq(0), *self._go(r, Step.REST)]

    def _withdraw(self, m: Module, r: _TeamRegisters) -> None:
        """After a cut the node's best turn becomes a killer."""
        killers = self._killers
        cut = r.over == Over.CUT
        m.d.comb += killers.move.eq(r.f.move.move)
        with m.If(killers.ready | ~cut):
            done = self._operate(m, ShareOp.WITHDRAW)
            with m.If(done):
                self._release(m, r)
                self._forget(m, r.ply)
                m.d.comb += killers.note.eq(cut)
                m.d.sync += r.asks.eq(0)
                m.d.sync += r.state.eq(Mux(r.at_root, State.ITERATED, State.FINISH))

    @staticmethod
    def _release(m: Module, r: _TeamRegisters) -> None:
        """The frame is no shared node any more."""
        for n in range(SHARED_NODES):
            with m.If(r.slot == n):
                m.d.sync += r.used[n].eq(0)

    def _rest(self, m: Module, r: _TeamRegisters) -> None:
        """Wait at a node of its own. When it is given up the lane goes on, too."""
        team = self.team
        with m.If(team.joined):
            m.d.sync += [r.below.eq(1), *self._join(r)]
        with m.Elif(team.woken | team.gives_up):
            m.d.sync += [
                r.clock.eq(team.grant_clock + Mux(team.gives_up, BEATS_DELAY, 0)),
                r.state.eq(State.CHOOSE),
            ]

    # Giving up.

    def _cut(self, m: Module, r: _TeamRegisters) -> None:
        """Close the shared nodes of its own below the target, so that their helpers give up.

        The lane that it helps below one of these has heard of it before this lane leaves.
        """
        team = self.team
        due = Signal(SHARED_NODES)
        number = Signal(range(SHARED_NODES))
        m.d.comb += due.eq(
            Cat(r.used[n] & ~r.cut[n] & (ply > r.target) for n, ply in enumerate(r.plies))
        )
        for n in reversed(range(SHARED_NODES)):
            with m.If(due[n]):
                m.d.comb += [number.eq(n), team.ply.eq(r.plies[n])]
        with m.If(due.any()):
            m.d.sync += r.asks.eq(1)
            m.d.comb += [
                team.node.owner.eq(self._number),
                team.node.slot.eq(number),
                team.written.over.eq(Over.CUT),
            ]
            done = self._operate(m, ShareOp.CUT)
            with m.If(done):
                for n in range(SHARED_NODES):
                    with m.If(number == n):
                        m.d.sync += r.cut[n].eq(1)
        with m.Else():
            m.d.sync += [r.asks.eq(0), *self._go(r, Step.AT_FRAME)]
            with m.If(r.child):
                m.d.sync += r.state.eq(State.UNWIND)
            with m.If(r.below & (r.target < r.home)):
                m.d.sync += r.clock.eq(r.clock + BEATS_DELAY)

    def _at_frame(self, m: Module, r: _TeamRegisters) -> None:
        above = r.ply > r.target
        with m.If(r.helps & r.below & above):
            m.d.sync += [r.asks.eq(1), r.unwinds.eq(1), *self._go(r, Step.LEAVE)]
        with m.Elif(r.owns):
            m.d.sync += self._ask(r, Step.UNWIND)
        with m.Else():
            self._go_up(m, r)

    def _go_up(self, m: Module, r: _TeamRegisters) -> None:
        """Give up the frame's node, unless it is the target."""
        m.d.sync += r.asks.eq(0)
        with m.If(r.ply > r.target):
            m.d.comb += self._stack.pop.eq(1)
            m.d.sync += r.state.eq(State.UNWOUND)
        with m.Else():
            self._forget(m, r.target)
            m.d.sync += r.state.eq(State.CHOOSE)

    def _unwind_shared(self, m: Module, r: _TeamRegisters) -> None:
        """The node has been read."""
        stops = r.halts & (r.ply == r.target)
        m.d.sync += r.step.eq(Mux(stops, Step.UNWIND_CUT, Step.UNWIND_WAIT))

    def _unwind_cut(self, m: Module, r: _TeamRegisters) -> None:
        m.d.comb += self.team.written.over.eq(Over.CUT)
        done = self._operate(m, ShareOp.CUT)
        with m.If(done):
            m.d.sync += self._go(r, Step.UNWIND_WAIT)

    def _unwind_wait(self, m: Module, r: _TeamRegisters) -> None:
        done = self._operate(m, ShareOp.UNWIND)
        with m.If(done):
            with m.If(self.team.result == ShareResult.RESTS):
                m.d.sync += [r.asks.eq(0), *self._go(r, Step.UNWIND_REST)]
            with m.Elif((r.ply > r.target) | r.halts):
                m.d.sync += self._go(r, Step.UNWIND_LEAVE)
            with m.Else():
                self._go_up(m, r)

    def _unwind_rest(self, m: Module, r: _TeamRegisters) -> None:
        with m.If(self.team.woken):
            m.d.sync += [r.clock.eq(self.team.grant_clock), *self._go(r, Step.AT_FRAME)]

    def _unwind_leave(self, m: Module, r: _TeamRegisters) -> None:
        done = self._operate(m, ShareOp.WITHDRAW)
        with m.If(done):
            self._release(m, r)
            self._go_up(m, r)


_KEPT = ("alpha", "best", "raised", "tried", "move", "stage", "index", "symbol", "count")
"""What a shared node has in common with a frame, and changes."""

_TERMS = ("beta", "depth", "extensions", "under", "table")
"""What a shared node has in common with a frame, and stays."""
