"""The game supervisor: sessions, whose turn it is, and the clock."""

from __future__ import annotations

from amaranth.hdl import Module, Mux
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import Colour
from loopline.hdl.arbiter import player_core_port
from loopline.hdl.config import DesignConfig
from loopline.hdl.core.rules import rules_layout, rules_of
from loopline.hdl.frames.requests import player_port
from loopline.hdl.link import link_command_layout, turn_label_layout
from loopline.hdl.player.game import Clock, Game, Steps
from loopline.hdl.player.history import keep_turns, replay
from loopline.hdl.player.labels import label_after
from loopline.hdl.player.orders import Orders, take_commands, take_requests
from loopline.hdl.player.sessions import begin, call, grant, wait
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
    core : Out(player_core_port)
        The turn unit. It is granted to another requester while a request for that is done.
    frames : In(player_port)
        What frames ask for.
    contest_rules : In(rules_layout), rules : Out(rules_layout)
        The variant of the contest link's games, and that of the present game.
    game_begins : Out(1)
        Pulses when a game that a frame asked for begins.
    idle : Out(1)
        Nothing goes on: waiting for a command.
    thinking : Out(1)
        It is the player's turn, or a requested search goes on.
    over : Out(1)
        The game has ended: with a loop or a line, or as no legal turn is left in a limited area.
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
                "core": Out(player_core_port(grid)),
                "frames": In(player_port(grid)),
                "contest_rules": In(rules_layout(grid)),
                "rules": Out(rules_layout(grid), init=rules_of(config.variant, grid)),
                "game_begins": Out(1),
                "idle": Out(1),
                "thinking": Out(1),
                "over": Out(1),
                "refused": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid = self._config.grid
        m.submodules.search = search = LookAhead(grid)
        steps, game, orders, clock = Steps(grid), Game(grid), Orders(self, grid), Clock()
        m.d.comb += self.refused.eq(orders.not_played | orders.not_awaited)
        m.d.sync += self.frames.done.eq(0)
        self._count_time(m, orders, clock)
        past = keep_turns(m, self, grid, steps, game)
        self._tell_game(m, steps, game, orders)
        self._set_search(m, search, game, orders, clock)
        m.d.comb += self.core.commands.payload.eq(steps.call)

        with m.Switch(steps.state):
            wait(m, self, steps, orders)
            call(m, self, steps, orders)
            begin(m, self, steps, game, orders)
            reply(m, self, steps, game, orders)
            judge(m, self, steps, game, orders)
            think(m, self, steps, game, orders, clock, search)
            play(m, self, steps, game, orders)
            grant(m, self, steps, orders)
            replay(m, self, steps, game, orders, past)
        self._tell_found(m, search, steps, game, clock)
        take_requests(m, self, steps, game, orders, clock)
        take_commands(m, self, game, orders, clock)
        return m

    def _count_time(self, m: Module, orders: Orders, clock: Clock) -> None:
        """Count the time, to the end of a requested search."""
        limit = Mux(orders.searching, self.frames.limits.cycles, self._config.think_cycles)
        with m.If(~clock.stopped & ~self.frames.frozen):
            m.d.sync += clock.elapsed.eq(clock.elapsed + 1)
        with m.If((clock.elapsed == limit) & (limit != 0)):
            m.d.sync += clock.late.eq(1)

    def _tell_game(self, m: Module, steps: Steps, game: Game, orders: Orders) -> None:
        """What goes on."""
        contest_thinks = game.on & ~game.awaited & ~self.over
        m.d.comb += [
            self.thinking.eq(contest_thinks | orders.searching),
            self.frames.game.on.eq(game.on),
            self.frames.game.over.eq(self.over),
            self.frames.game.red_to_move.eq(game.to_move == Colour.RED),
            self.frames.game.contest.eq(game.on & ~game.setting_up),
            self.frames.game.thinking.eq(contest_thinks),
            self.core.abandon.eq(orders.requested),
            self.frames.rules.eq(self.rules),
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
            search.jobs.payload.shallow.eq(searching & self.frames.limits.shallow),
            search.jobs.payload.exact.eq(searching),
            search.limit.eq(Mux(searching, self.frames.limits.nodes, 0)),
            search.late.eq(clock.late | (searching & self.frames.stop)),
            search.abandon.eq(orders.requested),
            search.reseed.eq(self.frames.reseed),
            search.core.outcomes.payload.eq(self.core.outcomes.payload),
        ]

    def _tell_found(
        self, m: Module, search: LookAhead, steps: Steps, game: Game, clock: Clock
    ) -> None:
        """What the search has found, by labels."""
        best, found = search.best, self.frames.found
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
