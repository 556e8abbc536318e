"""Answer maker: the bytes of an answer's payload, from what is known where."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal, Value
from amaranth.lib import enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.game.wire import (
    ANSWERS,
    MAGIC,
    MAX_PAYLOAD,
    PROTOCOL,
    Command,
    Feature,
    Message,
    answer_code,
    area_and_flags,
)
from loopline.hdl.config import DesignConfig
from loopline.hdl.core.types import TILE_COUNT_BITS
from loopline.hdl.frames.requests import HISTORY, TURN_BITS, found_layout, game_layout
from loopline.hdl.link.counters import counters_port
from loopline.hdl.link.link import COUNTERS
from loopline.hdl.link.uart import CYCLES_BITS
from loopline.hdl.search.types import DEPTH, Rank

__all__ = ["FEATURES", "AnswerKind", "AnswerMaker"]

FEATURES = (
    Feature.CONTEST
    | Feature.LIST
    | Feature.SEARCH
    | Feature.POSITION
    | Feature.SELF_TEST
    | Feature.SET_BAUD
)
"""What this gateware offers."""

_COUNTER_BYTES = 4


class AnswerKind(enum.Enum, shape=4):
    """What an answer says."""

    ERROR = 0
    EMPTY = 1
    """Nothing: its code says it."""
    IDENTITY = 2
    COUNTERS = 3
    GAME = 4
    SEARCH = 5
    STOPPING = 6
    RATE = 7


_MESSAGES = {
    AnswerKind.ERROR: ANSWERS[answer_code(0)],
    AnswerKind.IDENTITY: ANSWERS[answer_code(Command.IDENTIFY)],
    AnswerKind.COUNTERS: ANSWERS[answer_code(Command.STATISTICS)],
    AnswerKind.GAME: ANSWERS[answer_code(Command.PLAY)],
    AnswerKind.SEARCH: ANSWERS[answer_code(Command.SEARCH)],
    AnswerKind.STOPPING: ANSWERS[answer_code(Command.STOP)],
    AnswerKind.RATE: ANSWERS[answer_code(Command.SET_BAUD)],
}


class AnswerMaker(wiring.Component):
    """Put the payload of an answer, a byte in two cycles.

    Parameters
    ----------
    config : DesignConfig
        What an identity says.

    Members
    -------
    kinds : In(stream.Signature(AnswerKind))
        What to make; taken with its last byte. The values that it says may not change meanwhile,
        but for counters: each of them is read as a whole.
    put : Out(stream.Signature(8))
        The bytes.
    error : In(4), command : In(8)
        Of ``ERROR``: why, and the code of the frame.
    made : In(8), status : In(3), tiles : In(TILE_COUNT_BITS), completed : In(4)
    game : In(game_layout), turns : In(TURN_BITS)
        Of ``GAME``.
    found : In(found_layout)
        Of ``SEARCH``.
    searching : In(1)
        Of ``STOPPING``.
    bit_cycles, new_cycles : In(CYCLES_BITS)
        Of ``IDENTITY`` and of ``RATE``: clock cycles of a bit.
    counters : Out(counters_port)
        Of ``COUNTERS``.
    """

    def __init__(self, config: DesignConfig):
        self._config = config
        super().__init__(
            {
                "kinds": In(stream.Signature(AnswerKind)),
                "put": Out(stream.Signature(8)),
                "error": In(4),
                "command": In(8),
                "made": In(8),
                "status": In(3),
                "tiles": In(TILE_COUNT_BITS),
                "completed": In(4),
                "game": In(game_layout()),
                "turns": In(TURN_BITS),
                "found": In(found_layout(config.grid)),
                "searching": In(1),
                "bit_cycles": In(CYCLES_BITS),
                "new_cycles": In(CYCLES_BITS),
                "counters": Out(counters_port(len(COUNTERS))),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        at = Signal(range(MAX_PAYLOAD))
        fetched = Signal()
        byte = Signal(8)
        length = Signal(range(MAX_PAYLOAD + 1))

        with m.Switch(self.kinds.payload):
            for kind, message in _MESSAGES.items():
                with m.Case(kind):
                    m.d.comb += length.eq(message.width)
                    if kind is AnswerKind.COUNTERS:
                        m.d.comb += byte.eq(
                            Mux(at[0], self.counters.word[:8], self.counters.word[8:])
                        )
                        continue
                    with m.Switch(at):
                        for place, value in enumerate(self._payload(m, kind, message)):
                            with m.Case(place):
                                m.d.comb += byte.eq(value)
        # The turns of a variation come after the fields of what was found.
        with m.If(self.kinds.payload == AnswerKind.SEARCH):
            width = _MESSAGES[AnswerKind.SEARCH].width
            with m.If(self.found.rank == Rank.LOSING):
                m.d.comb += length.eq(width + 4)
            with m.Elif(self.found.rank != Rank.NONE):
                m.d.comb += length.eq(width + 2)

        # A counter has four bytes. Between two of them the counting goes on.
        counts = self.kinds.valid & (self.kinds.payload == AnswerKind.COUNTERS)
        last_of_counter = (at % _COUNTER_BYTES == _COUNTER_BYTES - 1) & fetched
        m.d.comb += [
            self.counters.index.eq(at >> 2),
            self.counters.half.eq(~at[1]),
            self.counters.hold.eq(counts & ~last_of_counter),
            self.put.payload.eq(byte),
            self.put.valid.eq(fetched),
        ]
        done = at + 1 >= length
        with m.If(~fetched):
            with m.If(length == 0):
                m.d.comb += self.kinds.ready.eq(1)
            with m.Elif(self.kinds.valid & (self.counters.settled | ~counts)):
                m.d.sync += fetched.eq(1)
        with m.Elif(self.put.ready):
            m.d.comb += self.kinds.ready.eq(done)
            m.d.sync += [fetched.eq(0), at.eq(Mux(done, 0, at + 1))]
        return m

    def _payload(self, m: Module, kind: AnswerKind, message: Message) -> list[Value | int]:
        """What each byte of an answer is."""
        config, game, found = self._config, self.game, self.found
        area, rules = area_and_flags(config.variant)
        state = game.as_value()
        values: dict[str, Value | int | str] = {
            AnswerKind.ERROR: {"error": self.error, "command": self.command},
            AnswerKind.IDENTITY: {
                "magic": MAGIC,
                "protocol": PROTOCOL,
                "name": config.name,
                "build": config.build,
                "grid": config.grid.size,
                "lanes": 1,
                "clock": config.clock_hz,
                "bit_cycles": self.bit_cycles,
                "baud": config.baud,
                "area": area,
                "rules": int(rules),
                "code": config.code,
                "depth": DEPTH,
                "features": int(FEATURES),
                "history": HISTORY,
            },
            AnswerKind.GAME: {
                "made": self.made,
                "status": self.status,
                "tiles": self.tiles,
                "completed": self.completed,
                "state": state,
                "turns": self.turns,
            },
            AnswerKind.SEARCH: {
                "verdict": found.rank.as_value(),
                "score": found.score,
                "depth": found.depth,
                "nodes": found.nodes,
                "cycles": found.cycles,
            },
            AnswerKind.STOPPING: {"searching": self.searching},
            AnswerKind.RATE: {"bit_cycles": self.new_cycles},
        }[kind]
        assert list(values) == [field.name for field in message.fields]
        places: list[Value | int] = []
        for field in message.fields:
            value = values[field.name]
            if isinstance(value, Value):
                # Filled up with zeros, or the sign.
                wide = Signal(8 * field.width, name=f"{kind.name.lower()}_{field.name}")
                m.d.comb += wide.eq(value)
                places += [wide[8 * part : 8 * part + 8] for part in reversed(range(field.width))]
            else:
                places += field.pack(value)
        if kind is AnswerKind.SEARCH:
            for turn in (found.best, found.reply):
                first = Signal(8)
                m.d.comb += [first[:6].eq(turn.column), first[6:].eq(turn.symbol)]
                places += [first, turn.row]
        return places
