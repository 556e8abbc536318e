"""The game supervisor: sessions, whose turn it is, and the clock."""

from __future__ import annotations

from amaranth.hdl import Module, Mux
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import Colour
from loopline.hdl.config import DesignConfig
from loopline.hdl.core.rules import rules_layout
from loopline.hdl.core.types import command_layout, outcome_layout
from loopline.hdl.frames.requests import (
    TURN_BITS,
    found_layout,
    game_layout,
    limits_layout,
    request_layout,
    result_layout,
)
from loopline.hdl.link import link_command_layout, turn_label_layout
from loopline.hdl.player.game import Clock, Game, State, Steps
from loopline.hdl.player.history import keep_turns, replay
from loopline.hdl.player.labels import label_after
from loopline.hdl.player.orders import Orders, take_commands, take_requests
from loopline.hdl.player.sessions import begin, call, lend, wait
from loopline.hdl.player.turns import judge, play, reply, think
from loopline.hdl.search.lookahead import LookAhead

__all__ = ["Player"]


class Player(wiring.Component):
    """Plays one game at a time, as either colour: turns come in, turns go out.

    What the contest's lines ask for are ``commands``::

        commands ──► session or turn ──► WAIT ─► REPLY ─► JUDGE ─► THINK ─► JUDGE ─► ANSWER ──►
                     (kept until            ▲    make the   │      search,             │ answers
                     it is begun)           │    opponent's │      make own            │
                                            └───────────────┴──────────────────────────┘
                                                 over, or a set-up

    A session command is obeyed at once, whatever goes on: a search is dropped as soon as the turn
    unit has finished its operation. The search may take ``config.think_cycles`` from the command
    that it answers; it is then told to answer with the best turn found so far.

    Within a set-up the turns of both sides come in. ``-G`` ends it, or takes the opponent's place
    in a game: it asks for a turn of the side to move.

    Where the area is limited, each turn that does not end the game is followed by a probe: if no
    legal turn is left, the game is over.

    What frames ask for are ``requests``, about the same game. ``NEW`` and ``STOP`` are obeyed as a
    session command is; others only while nothing goes on, else their error is ``BUSY``. A turn that
    comes so, or is taken back so, makes a set-up of the game. To take turns back, the board is
    cleared, and those before them are made again: all turns are kept in a memory.

    A session command drops a request that is under way, with ``DROPPED``. ``NEW`` and ``STOP`` drop
    it, too, and say nothing: who asks knows.

    Parameters
    ----------
    config : DesignConfig
        Grid and thinking time.

    Members
    -------
    commands : In(stream of link_command_layout)
        Sessions, turns and ``-G``. Always ready for a session; a turn or ``-G`` waits while the
        turn before it is being judged, which takes no search.
    answers : Out(stream of turn_label_layout)
        The own turns.
    core_commands : Out(stream of command_layout), core_outcomes : In(stream of outcome_layout)
        The turn unit.
    requests : In(stream of request_layout, always ready)
        What frames ask for, one at a time, but for ``NEW`` and ``STOP``.
    done : Out(1), result : Out(result_layout)
        Pulses when a request is done; ``result`` then says how, until the next request.
    limits : In(limits_layout), stop : In(1)
        Limits of a requested search, and its end; both stay until it is done.
    found : Out(found_layout)
        What the requested search has found so far, or at its end.
    freeze : In(1), frozen : Out(1)
        Let the search stand still so that ``found`` can be read as a whole; it does once
        ``frozen``, and its time, too. A search that ends meanwhile is ``done`` as usual.
    reseed : In(1)
        Let the random numbers begin as after power-on.
    hold : In(1)
        Take no turn and no ``-G`` for now.
    begins : Out(1), framed : Out(1)
        Pulses when a session begins, before the board is cleared: ``rules`` may change, to those
        of a frame or those of contests. They come with the cycle after.
    game : Out(game_layout), turns : Out(TURN_BITS)
        The state of the game.
    lent : Out(1), abandon : Out(1), guest_busy : In(1), guest_done : In(1)
        The turn unit is the guest's from when it is ``lent`` until ``guest_done``, or until it has
        been told to ``abandon`` and is not busy any more. It leaves the position as it was, but
        for one that abandons.
    guest_commands : In(stream of command_layout), guest_outcomes : Out(stream of outcome_layout)
        The turn unit, for the guest.
    idle : Out(1)
        Nothing goes on: waiting for a command.
    thinking : Out(1)
        It is the player's turn, or a requested search goes on.
    over : Out(1)
        The game has ended: with a loop or a line, or as no legal turn is left in a limited area.
    rules : In(rules_layout)
        The variant that is played.
    refused : Out(1)
        Pulses for each turn that was not made and left the game as it was: illegal, too large for
        the grid, not awaited; for each ``-G`` that finds no side to take; also when the player
        itself finds no turn that fits into the grid, which ends the session.
    """

    def __init__(self, config: DesignConfig):
        self._config = config
        grid = config.grid
        super().__init__(
            {
                "commands": In(stream.Signature(link_command_layout(grid))),
                "answers": Out(stream.Signature(turn_label_layout(grid))),
                "requests": In(stream.Signature(request_layout(grid), always_ready=True)),
                "done": Out(1),
                "result": Out(result_layout()),
                "limits": In(limits_layout()),
                "stop": In(1),
                "found": Out(found_layout(grid)),
                "freeze": In(1),
                "frozen": Out(1),
                "reseed": In(1),
                "hold": In(1),
                "begins": Out(1),
                "framed": Out(1),
                "game": Out(game_layout()),
                "turns": Out(TURN_BITS),
                "lent": Out(1),
                "abandon": Out(1),
                "guest_busy": In(1),
                "guest_done": In(1),
                "guest_commands": In(stream.Signature(command_layout(grid))),
                "guest_outcomes": Out(stream.Signature(outcome_layout(grid))),
                "core_commands": Out(stream.Signature(command_layout(grid))),
                "core_outcomes": In(stream.Signature(outcome_layout(grid))),
                "idle": Out(1),
                "thinking": Out(1),
                "over": Out(1),
                "rules": In(rules_layout(grid)),
                "refused": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid = self._config.grid
        m.submodules.search = search = LookAhead(grid)
        steps, game, orders, clock = Steps(grid), Game(grid), Orders(self, grid), Clock()
        m.d.comb += self.refused.eq(orders.not_played | orders.not_awaited)
        m.d.sync += self.done.eq(0)
        self._count_time(m, orders, clock)
        past = keep_turns(m, self, grid, steps, game)
        self._tell_game(m, steps, game, orders)
        self._set_search(m, search, game, orders, clock)
        m.d.comb += self.core_commands.payload.eq(steps.call)

        with m.Switch(steps.state):
            wait(m, self, steps, orders)
            call(m, self, steps, orders)
            begin(m, self, steps, game, orders)
            reply(m, self, steps, game, orders)
            judge(m, self, steps, game, orders)
            think(m, self, steps, game, orders, clock, search)
            play(m, self, steps, game, orders)
            lend(m, self, steps, orders)
            replay(m, self, steps, game, orders, past)
        self._tell_found(m, search, steps, game, clock)
        take_requests(m, self, steps, game, orders, clock)
        take_commands(m, self, game, orders, clock)
        return m

    def _count_time(self, m: Module, orders: Orders, clock: Clock) -> None:
        """Count the time, to the end of a requested search."""
        limit = Mux(orders.searching, self.limits.cycles, self._config.think_cycles)
        with m.If(~clock.stopped & ~self.frozen):
            m.d.sync += clock.elapsed.eq(clock.elapsed + 1)
        with m.If((clock.elapsed == limit) & (limit != 0)):
            m.d.sync += clock.late.eq(1)

    def _tell_game(self, m: Module, steps: Steps, game: Game, orders: Orders) -> None:
        """What goes on."""
        contest_thinks = game.on & ~game.awaited & ~self.over
        m.d.comb += [
            self.thinking.eq(contest_thinks | orders.searching),
            self.game.on.eq(game.on),
            self.game.over.eq(self.over),
            self.game.red_to_move.eq(game.to_move == Colour.RED),
            self.game.contest.eq(game.on & ~game.setting_up),
            self.game.thinking.eq(contest_thinks),
            self.lent.eq(steps.state == State.LENT),
            self.abandon.eq(orders.requested),
            self.guest_outcomes.payload.eq(self.core_outcomes.payload),
            self.answers.payload.eq(game.answer),
        ]

    def _set_search(
        self, m: Module, search: LookAhead, game: Game, orders: Orders, clock: Clock
    ) -> None:
        """What the search is to do, and how far it may go."""
        searching = orders.searching
        m.d.comb += [
            search.rules.eq(self.rules),
            search.jobs.payload.colour.eq(game.to_move),
            search.jobs.payload.probe.eq(game.probed),
            search.jobs.payload.shallow.eq(searching & self.limits.shallow),
            search.jobs.payload.exact.eq(searching),
            search.limit.eq(Mux(searching, self.limits.nodes, 0)),
            search.late.eq(clock.late | (searching & self.stop)),
            search.abandon.eq(orders.requested),
            search.reseed.eq(self.reseed),
            search.core_outcomes.payload.eq(self.core_outcomes.payload),
        ]

    def _tell_found(
        self, m: Module, search: LookAhead, steps: Steps, game: Game, clock: Clock
    ) -> None:
        """What the search has found, by labels."""
        best, found = search.best, self.found
        label = label_after(best.turn, best.reply, steps.outcome.box)
        m.d.comb += [
            found.reply.column.eq(label["column"]),
            found.reply.row.eq(label["row"]),
            found.rank.eq(best.rank),
            found.score.eq(best.score),
            found.depth.eq(best.depth),
            found.nodes.eq(search.nodes),
            found.cycles.eq(clock.elapsed),
            found.best.eq(game.answer),
            found.reply.symbol.eq(best.reply.symbol),
        ]
