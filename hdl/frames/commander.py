"""The commander: obeys frames, and answers each of them.

Its states are in ``commander_check``, ``commander_obey`` and ``commander_answer``, in the order in
which a frame meets them; what they share is in ``commander_steps``.
"""

from __future__ import annotations

from amaranth.hdl import Module, Mux
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.game.wire import PROGRESS_MS, Command, answer_code
from loopline.hdl.config import DesignConfig
from loopline.hdl.core.types import TILE_COUNT_BITS
from loopline.hdl.frames.answers import AnswerKind
from loopline.hdl.frames.commander_answer import freeze, make, release, send
from loopline.hdl.frames.commander_check import Traits, check, choose, describe, load
from loopline.hdl.frames.commander_obey import go_on, name_turn, play, run
from loopline.hdl.frames.commander_steps import Kept, Search, State, Steps
from loopline.hdl.frames.requests import player_port
from loopline.hdl.frames.turn_list import piece_layout
from loopline.hdl.link.types import answer_port, frame_port
from loopline.hdl.link.uart import CYCLES_BITS

__all__ = ["Commander"]


class Commander(wiring.Component):
    """Takes frames, asks the player, and has answers made.

    ::

                                ┌────────── error, kept ──────────┐
        IDLE ─► CHECK ─► DECIDE ┴─► LOAD ─► RUN ─► WAIT ──────────┴─► MAKE ─► SEND
         │                           ▲              │ turn by turn      ▲       │
         │                           └──────────────┤                   │       │ item by item
         │                                          └─► REPORT ◄────────┼───────┘
         └─► FREEZE: what the search has found so far ──────────────────┘

    A search goes on while the commander is idle again; its last answer follows by itself.
    ``docs/link.md`` says what each command does, ``loopline.game.wire`` which bytes it has.

    Parameters
    ----------
    config : DesignConfig
        Grid, clock and rate, and the rules of contests.

    Members
    -------
    frames : In(frame_port)
        Frames and their payloads. A frame is taken when it has been answered.
    kinds : Out(stream.Signature(AnswerKind)), made_put : In(stream.Signature(8))
        Payloads to be made, and their bytes.
    pieces : In(stream of piece_layout)
        Reports.
    answers : Out(answer_port)
        Answers. A payload is cleared while none is to be made, and when a report is abandoned.
    repeated : Out(1)
        Pulses when a kept answer is sent again.
    error : Out(4), command : Out(8), made : Out(8), status : Out(3)
    tiles : Out(TILE_COUNT_BITS), completed : Out(4), searching : Out(1)
        What answers say.
    rates : Out(stream.Signature(CYCLES_BITS))
        A new rate, offered when the answer that says so is out.
    tick : In(1)
        A pulse in each millisecond.
    player : Out(player_port)
        The player. ``new_rules`` are those of the game that a frame has begun last; after a reset
        those of contests, and for a test those without a limit.
    report_turns, report_position, test : Out(1)
        Pulses when the turn unit is granted for one of them.
    reset : Out(1)
        Pulses when all but the line's rate is to be as after power-on.
    busy : Out(1)
        A frame is being obeyed, or a search goes on.
    """

    def __init__(self, config: DesignConfig):
        self._config = config
        grid = config.grid
        super().__init__(
            {
                "frames": In(frame_port()),
                "kinds": Out(stream.Signature(AnswerKind)),
                "made_put": In(stream.Signature(8)),
                "pieces": In(stream.Signature(piece_layout())),
                "answers": Out(answer_port()),
                "repeated": Out(1),
                "error": Out(4),
                "command": Out(8),
                "made": Out(8),
                "status": Out(3),
                "tiles": Out(TILE_COUNT_BITS),
                "completed": Out(4),
                "searching": Out(1),
                "rates": Out(stream.Signature(CYCLES_BITS)),
                "tick": In(1),
                "player": Out(player_port(grid)),
                "report_turns": Out(1),
                "report_position": Out(1),
                "test": Out(1),
                "reset": Out(1),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        config = self._config
        search, kept = Search(), Kept()
        steps = Steps(self, search)
        traits = describe(m, self.frames.headers.payload)
        turn_fits, turn_status = name_turn(m, self, config.grid, steps.pair)
        self._tell(m, steps, search)
        self._head(m, steps, search, traits)
        self._follow(m, search)

        with m.Switch(steps.state):
            choose(m, self, steps, search)
            check(m, self, steps, search, kept, traits)
            load(m, self, steps)
            run(m, self, config, steps, search)
            play(m, self, steps, turn_fits, turn_status)
            go_on(m, self, steps)
            freeze(m, self, steps, search)
            make(m, self, steps)
            send(m, self, steps, search, kept)
            release(m, self, steps)
        return m

    def _tell(self, m: Module, steps: Steps, search: Search) -> None:
        """What the player and the others are told all the time."""
        state, limits = steps.state, steps.limits
        m.d.comb += [
            self.frames.index.eq(steps.at),
            self.player.stop.eq(search.stopping),
            self.player.freeze.eq(
                (state == State.FREEZE) | (search.answered & (state == State.MAKE))
            ),
            self.player.hold.eq((state != State.IDLE) & (state != State.SEND)),
            self.busy.eq((state != State.IDLE) | self.frames.headers.valid | self.searching),
            self.command.eq(Mux(search.answered, Command.SEARCH, self.frames.headers.payload.code)),
            self.player.limits.shallow.eq(limits[64:] == 1),
            self.player.limits.nodes.eq(limits[32:64]),
            self.player.limits.cycles.eq(limits[:32]),
            self.player.reseed.eq(self.reset),
            self.rates.payload.eq(steps.pair),
            self.kinds.payload.eq(steps.kind),
        ]

    def _head(self, m: Module, steps: Steps, search: Search, traits: Traits) -> None:
        """The head of the answer, and whether it is kept: the last answers, and no errors."""
        answer, code, again = self.answers.headers.payload, steps.code, steps.again
        m.d.comb += [
            answer.sequence.eq(
                Mux(search.answered, search.sequence, self.frames.headers.payload.sequence)
            ),
            answer.code.eq(code),
            answer.again.eq(again),
            answer.keep.eq(traits.keeps & (code[6] == 0) & (code != answer_code(0)) & ~again),
        ]
        with m.If(search.answered):
            m.d.comb += answer.keep.eq(code == answer_code(Command.SEARCH))

    def _follow(self, m: Module, search: Search) -> None:
        """The search comes to its end, and from time to time says what it has found so far."""
        with m.If(self.player.done & self.searching):
            m.d.sync += search.finished.eq(1)
        with m.If(self.tick & self.searching):
            m.d.sync += search.waited.eq(search.waited + 1)
            with m.If(search.waited == PROGRESS_MS - 1):
                m.d.sync += [search.waited.eq(0), search.due.eq(1)]
