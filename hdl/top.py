"""The whole design: link, player and turn unit between two pins."""

from __future__ import annotations

from collections.abc import Sequence

from amaranth.hdl import Cat, Module, ResetInserter
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out, connect

from loopline.hdl.arbiter import Arbiter
from loopline.hdl.config import SEED_BITS
from loopline.hdl.core.rules import rules_of
from loopline.hdl.core.unit import TurnUnit
from loopline.hdl.design import DesignConfig
from loopline.hdl.frames.frames import Frames
from loopline.hdl.link import Link, cycles_per_ms, is_session
from loopline.hdl.player import Player
from loopline.hdl.rate import CYCLES_BITS
from loopline.hdl.search.evaluation.weights import read_groups
from loopline.hdl.search.lane import Lane
from loopline.hdl.search.lanes.crew import Crew
from loopline.hdl.search.lanes.units import UnitSwitch
from loopline.hdl.search.table import BlockTableMemory
from loopline.hdl.search.types import DEPTH_BITS
from loopline.hdl.watchdog import Watchdog, watchdog_ticks

__all__ = ["ERROR_BITS", "Loopline", "Refusals", "connect_lane", "connect_units"]

ERROR_BITS = 8
"""Width of the counter of refused lines."""


class Loopline(wiring.Component):
    """A Trax player on a serial line.

    ::

              ┌──────┐ commands, answers ┌────────┐     ┌─────────┐     ┌──────────┐
        rx ──►│      │◄─────────────────►│ Player │◄───►│         │     │          │
              │      │                   └───▲────┘     │         │     │          │
              │      │     job, best turn ┌──▼───┐      │ Arbiter │◄───►│ TurnUnit │
              │ Link │                    │ Lane │◄────►│         │     │          │
              │      │                    └──▲───┘      │         │     │          │
              │      │                       └──────────┼─────────┼─────┤ reader   │
              │      │ frames, answers   ┌────────┐     │         │     │          │
        tx ◄──┤      │◄─────────────────►│ Frames │◄───►│         │     │          │
              └──────┘          player ◄►└────────┘     └─────────┘     └──────────┘

    The :class:`~loopline.hdl.watchdog.Watchdog` resets all of them when the design stands still,
    which only a flip-flop that changes by itself can cause. The game is lost then, and the rate is
    that after power-on; the link's counters go on, and count the restart.

    Parameters
    ----------
    config : DesignConfig
        Clock, link, search and variant.

    Members
    -------
    rx : In(1, init=1), tx : Out(1, init=1)
        The serial line: contest lines and frames.
    seed : In(SEED_BITS)
        Varies the openings of contest games. It is taken with the first contest line after power-on
        or a reset: a counter that runs freely varies the games.
    move_now : In(1)
        If this is high for a cycle while it is the player's turn, the search ends at its next node:
        the player answers with the best turn found so far.
    idle : Out(1)
        The design waits for the next line, and every answer is out, to the last cycle but one of
        the last stop bit. While this is high and ``rx`` at rest for longer than a character, the
        clock may stand still.
    thinking : Out(1)
        It is the player's turn, or a search goes on that a frame has asked for.
    over : Out(1)
        The game has ended: with a loop or a line, or as no legal turn is left in a limited area.
    error : Out(1)
        A line was refused since the last new game: not understood, or no legal turn; or the player
        found no turn that the grid can hold.
    errors : Out(ERROR_BITS)
        How many since power-on or a reset by a frame; stays at the largest value.
    depth : Out(DEPTH_BITS)
        The progress of the search: turns ahead that it has searched completely. It stays until the
        next search.
    bit_cycles : Out(CYCLES_BITS)
        Clock cycles of a bit on the serial line, now.
    build : In(32)
        The number of the build; only if the configuration has none.

    Raises
    ------
    ValueError
        The gateware does not know the variant's rules; see :func:`rules_of`.
    """

    def __init__(self, config: DesignConfig):
        self._config = config
        self._rules = rules_of(config.variant, config.grid)
        super().__init__(
            {
                "rx": In(1, init=1),
                "tx": Out(1, init=1),
                "seed": In(SEED_BITS),
                "move_now": In(1),
                "idle": Out(1),
                "thinking": Out(1),
                "over": Out(1),
                "error": Out(1),
                "errors": Out(ERROR_BITS),
                "depth": Out(DEPTH_BITS),
                "bit_cycles": Out(CYCLES_BITS),
                **({"build": In(32)} if config.build is None else {}),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        config, grid = self._config, self._config.grid
        ticks = watchdog_ticks(cycles_per_ms(config.clock_hz))
        m.submodules.watchdog = watchdog = Watchdog(ticks)
        restarted = ResetInserter(watchdog.restart)
        link, player, frames = Link(config), Player(config), Frames(config)
        lanes = config.search.lanes
        lane = (Lane if lanes == 1 else Crew)(config.search, read_groups())
        arbiter = Arbiter(grid, len(frames.requesters))
        # The first unit is the one that others use, too.
        units = [
            TurnUnit(grid, evaluator=config.evaluator and n == 0, reader=True) for n in range(lanes)
        ]
        unit = units[0]
        refusals = Refusals()
        m.submodules.link = restarted(link)
        m.submodules.player = restarted(player)
        m.submodules.lane = restarted(lane)
        m.submodules.frames = restarted(frames)
        m.submodules.arbiter = restarted(arbiter)
        for n, each in enumerate(units):
            m.submodules[f"unit_{n}" if n else "unit"] = restarted(each)
        m.submodules.refusals = refusals

        # Contest lines.
        connect(m, link.commands, player.commands)
        connect(m, player.answers, link.answers)
        m.d.comb += [
            player.session_follows.eq(link.session_follows),
            player.contest_rules.eq(self._rules),
        ]

        # Frames.
        connect(m, link.frames, frames.frames)
        connect(m, frames.answers, link.frame_answers)
        connect(m, frames.counters, link.counters)
        connect(m, frames.rates, link.rates)
        connect(m, frames.player, player.frames)
        m.d.comb += [
            link.repeated.eq(frames.repeated),
            link.clear_counters.eq(frames.reset),
            frames.bit_cycles.eq(link.bit_cycles),
            frames.build.eq(self.build if config.build is None else config.build),
            frames.tick.eq(link.tick),
        ]

        # The search.
        connect_lane(m, player, lane)
        if config.search.table_bits:
            table = BlockTableMemory(config.search)
            m.submodules.table = restarted(table)
            connect(m, lane.memory, table.port)

        # The turn units.
        connect(m, player.core, arbiter.player)
        for requester, port in zip(frames.requesters, arbiter.requesters, strict=True):
            connect(m, requester, port)
        switch = None
        if lanes > 1:
            m.submodules.switch = switch = restarted(UnitSwitch(grid, lanes))
        connect_units(m, player, arbiter, lane, units, switch)
        m.d.comb += [
            arbiter.cell.eq(unit.cell),
            *(port.eq(end) for port, end in zip(arbiter.partners, unit.partners, strict=True)),
        ]

        # Refused lines.
        command = link.commands
        session = command.valid & command.ready & is_session(command.payload)
        # That a turn is refused is known late: what counts it has it in the next cycle.
        m.d.sync += [
            refusals.refused.eq(link.noise | player.refused),
            refusals.game_begins.eq(session | player.game_begins),
            refusals.clear.eq(frames.reset),
            refusals.restart.eq(watchdog.restart),
            link.refused.eq(player.refused),
        ]
        m.d.comb += [self.error.eq(refusals.error), self.errors.eq(refusals.errors)]

        # A turn unit that works gives outcomes; all else waits for it, or for the line. These signs
        # arrive late, so the watchdog has them in the next cycle.
        outcome = Cat(each.outcomes.valid & each.outcomes.ready for each in units).any()
        m.d.sync += [
            watchdog.at_rest.eq(player.idle & ~link.waiting & ~frames.busy),
            watchdog.progress.eq(link.progress | outcome),
        ]
        m.d.comb += [watchdog.tick.eq(link.tick), link.restarted.eq(watchdog.restarted)]

        # Pins and status.
        m.d.comb += [
            link.rx.eq(self.rx),
            self.tx.eq(link.tx),
            player.seed.eq(self.seed),
            player.move_now.eq(self.move_now),
            self.bit_cycles.eq(link.bit_cycles),
            self.idle.eq(player.idle & ~link.busy & ~frames.busy),
            self.thinking.eq(player.thinking),
            self.over.eq(player.over),
            self.depth.eq(lane.best.depth),
        ]
        return m


def connect_lane(m: Module, player: Player, lane: Lane | Crew) -> None:
    """Connect the player to what searches for it."""
    port = player.lane
    connect(m, port.jobs, lane.jobs)
    connect(m, lane.answers, port.answers)
    for name, member in port.signature.members.items():
        if member.is_port:
            near, far = getattr(port, name), getattr(lane, name)
            m.d.comb += far.eq(near) if member.flow is Out else near.eq(far)


def connect_units(
    m: Module,
    player: Player,
    arbiter: Arbiter,
    lane: Lane | Crew,
    units: Sequence[TurnUnit],
    switch: UnitSwitch | None,
) -> None:
    """Connect the lane to its turn unit, or each of several lanes to one of its own through the
    switch. Others have the units through the arbiter."""
    if switch is None:
        connect(m, lane.core, arbiter.lane)
        ports = [(arbiter.core, lane.reader, lane.laid)]
    else:
        connect(m, arbiter.core, switch.common)
        for core, port in zip(lane.cores, switch.lanes, strict=True):
            connect(m, core, port)
        m.d.comb += switch.searches.eq(player.core.searches)
        ports = list(zip(switch.cores, lane.readers, lane.laid, strict=True))
    for unit, (core, reader, laid) in zip(units, ports, strict=True):
        connect(m, core.commands, unit.commands)
        connect(m, unit.outcomes, core.outcomes)
        connect(m, reader, unit.reader)
        m.d.comb += [unit.rules.eq(player.rules), laid.eq(unit.laid)]


class Refusals(wiring.Component):
    """Count refused lines.

    Members
    -------
    refused : In(1)
        A line is refused.
    game_begins, restart : In(1)
        A game begins, or the design is restarted: ``error`` ends.
    clear : In(1)
        Start ``errors`` from 0.
    error : Out(1)
        A line was refused since the last new game.
    errors : Out(ERROR_BITS)
        How many were refused; stays at the largest value.
    """

    def __init__(self) -> None:
        super().__init__(
            {
                "refused": In(1),
                "game_begins": In(1),
                "restart": In(1),
                "clear": In(1),
                "error": Out(1),
                "errors": Out(ERROR_BITS),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        with m.If(self.game_begins):
            m.d.sync += self.error.eq(0)
        with m.If(self.refused):
            m.d.sync += self.error.eq(1)
            with m.If(~self.errors.all()):
                m.d.sync += self.errors.eq(self.errors + 1)
        with m.If(self.clear):
            m.d.sync += self.errors.eq(0)
        with m.If(self.restart):
            m.d.sync += self.error.eq(0)
        return m
