"""Writes the payloads of answers that have a fixed form."""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Module, Mux, Signal, Value
from amaranth.lib import enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.game.wire import (
    ANSWERS,
    MAGIC,
    MAX_PAYLOAD,
    PROTOCOL,
    WIN_BOUND,
    WIN_SCORE,
    Command,
    Feature,
    Message,
    Verdict,
    answer_code,
    area_and_flags,
)
from loopline.hdl.core.types import TILE_COUNT_BITS
from loopline.hdl.design import DesignConfig, FrameSet
from loopline.hdl.frames.requests import HISTORY, found_layout, game_layout
from loopline.hdl.link.counters import COUNTER_BITS, counters_port
from loopline.hdl.link.link import COUNTERS
from loopline.hdl.link.types import turn_label_layout
from loopline.hdl.rate import CYCLES_BITS
from loopline.hdl.search.types import SCORE_BITS, TURN_BITS

__all__ = ["AnswerKind", "AnswerMaker", "features_of", "maker_port"]

_FEATURES = {
    FrameSet.FULL: Feature.CONTEST
    | Feature.LIST
    | Feature.SEARCH
    | Feature.POSITION
    | Feature.SELF_TEST
    | Feature.SET_BAUD,
    FrameSet.CONTEST: Feature.CONTEST | Feature.SEARCH,
}


def features_of(config: DesignConfig) -> Feature:
    """Return what a design can do."""
    features = _FEATURES[config.frames]
    if config.evaluator:
        features |= Feature.EVALUATE
    if Command.COUNT in config.commands:
        features |= Feature.COUNT
    return features


_COUNTER_BYTES = COUNTER_BITS // 8

_COLUMN_BITS = 6
"""The bits of a column in a turn's first byte; the shape has the others."""

assert 1 << (SCORE_BITS - 2) <= WIN_BOUND


class AnswerKind(enum.Enum, shape=4):
    """The message of an answer."""

    ERROR = 0
    EMPTY = 1
    """No payload."""
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


def maker_port() -> wiring.Signature:
    """The answer maker, from the commander.

    ``kinds`` : Out(stream of AnswerKind)
        The message to write; taken with its last byte. Its values must not change meanwhile, except
        for counters, each of which is read as a whole.
    ``bytes`` : In(stream of 8 bits)
        The payload.
    ``error`` : Out(4), ``command`` : Out(8)
        Values of ``ERROR``: why, and the code of the frame.
    ``made`` : Out(8), ``status`` : Out(3), ``tiles`` : Out(TILE_COUNT_BITS), ``completed`` : Out(4)
        Values of ``GAME``.
    ``searching`` : Out(1)
        The value of ``STOPPING``.
    """
    return wiring.Signature(
        {
            "kinds": Out(stream.Signature(AnswerKind)),
            "bytes": In(stream.Signature(8)),
            "error": Out(4),
            "command": Out(8),
            "made": Out(8),
            "status": Out(3),
            "tiles": Out(TILE_COUNT_BITS),
            "completed": Out(4),
            "searching": Out(1),
        }
    )


class AnswerMaker(wiring.Component):
    """Write the payload of an answer, one byte in two cycles.

    Parameters
    ----------
    config : DesignConfig
        The values of an identity.

    Members
    -------
    commander : In(maker_port)
        Messages to write, and their bytes.
    game : In(game_layout), turns : In(TURN_BITS)
        More values of ``GAME``.
    found : In(found_layout)
        The values of ``SEARCH``.
    line_index : Out, line_turn : In(turn_label_layout)
        The turn of the principal variation with this number, one cycle later.
    build : In(32)
        The number of the build, for ``IDENTITY``.
    bit_cycles, new_cycles : In(CYCLES_BITS)
        Clock cycles per bit, for ``IDENTITY`` and ``RATE``.
    counters : Out(counters_port)
        The values of ``COUNTERS``.
    """

    def __init__(self, config: DesignConfig):
        self._config = config
        self._is_full = config.frames is FrameSet.FULL
        super().__init__(
            {
                "commander": In(maker_port()),
                "game": In(game_layout()),
                "turns": In(TURN_BITS),
                "found": In(found_layout(config.search)),
                "line_index": Out(range(config.search.line)),
                "line_turn": In(turn_label_layout(config.grid)),
                "build": In(32),
                "bit_cycles": In(CYCLES_BITS),
                "new_cycles": In(CYCLES_BITS),
                "counters": Out(counters_port(len(COUNTERS))),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        kinds, out = self.commander.kinds, self.commander.bytes
        index = Signal(range(MAX_PAYLOAD))
        fetched = Signal()
        byte = Signal(8)
        length = Signal(range(MAX_PAYLOAD + 1))

        with m.Switch(kinds.payload):
            for kind, message in _MESSAGES.items():
                if kind in (AnswerKind.COUNTERS, AnswerKind.RATE) and not self._is_full:
                    continue
                with m.Case(kind):
                    m.d.comb += length.eq(message.width)
                    if kind is AnswerKind.COUNTERS:
                        m.d.comb += byte.eq(
                            Mux(index[0], self.counters.word[:8], self.counters.word[8:])
                        )
                        continue
                    with m.Switch(index):
                        for number, value in enumerate(self._payload(m, kind, message)):
                            with m.Case(number):
                                m.d.comb += byte.eq(value)
        # The turns of a variation follow the fields, two bytes each.
        width = _MESSAGES[AnswerKind.SEARCH].width
        assert width % 2 == 0
        m.d.comb += self.line_index.eq((index >> 1) - width // 2)
        with m.If(kinds.payload == AnswerKind.SEARCH):
            with m.If(self.found.found):
                m.d.comb += length.eq(width + Cat(0, self.found.line_count))
            with m.If(index >= width):
                line = self.line_turn
                first = Cat(line.column, Const(0, _COLUMN_BITS - len(line.column)), line.symbol)
                m.d.comb += byte.eq(Mux(index[0], line.row, first))

        # The counters stand still while the four bytes of one are read.
        counts = Signal()
        if self._is_full:
            m.d.comb += counts.eq(kinds.valid & (kinds.payload == AnswerKind.COUNTERS))
        last_of_counter = (index % _COUNTER_BYTES == _COUNTER_BYTES - 1) & fetched
        m.d.comb += [
            self.counters.index.eq(index >> 2),
            self.counters.half.eq(~index[1]),
            self.counters.hold.eq(counts & ~last_of_counter),
            out.payload.eq(byte),
            out.valid.eq(fetched),
        ]
        done = index + 1 >= length
        with m.If(~fetched):
            with m.If(length == 0):
                m.d.comb += kinds.ready.eq(1)
            with m.Elif(kinds.valid & (self.counters.settled | ~counts)):
                m.d.sync += fetched.eq(1)
        with m.Elif(out.ready):
            m.d.comb += kinds.ready.eq(done)
            m.d.sync += [fetched.eq(0), index.eq(Mux(done, 0, index + 1))]
        return m

    def _payload(self, m: Module, kind: AnswerKind, message: Message) -> list[Value | int]:
        """Return the values of an answer's bytes, in order."""
        config, inputs, found = self._config, self.commander, self.found
        area, rules = area_and_flags(config.variant)
        state = self.game.as_value()
        values: dict[str, Value | int | str] = {
            AnswerKind.ERROR: {"error": inputs.error, "command": inputs.command},
            AnswerKind.IDENTITY: {
                "magic": MAGIC,
                "protocol": PROTOCOL,
                "name": config.name,
                "build": self.build,
                "grid": config.grid.size,
                "lanes": config.search.lanes,
                "clock": config.clock_hz,
                "bit_cycles": self.bit_cycles,
                "baud": config.baud,
                "area": area,
                "rules": int(rules),
                "code": config.code,
                "depth": config.search.deepest,
                "features": int(features_of(config)),
                "history": HISTORY if self._is_full else 0,
            },
            AnswerKind.GAME: {
                "made": inputs.made,
                "status": inputs.status,
                "tiles": inputs.tiles,
                "completed": inputs.completed,
                "state": state,
                "turns": self.turns,
            },
            AnswerKind.SEARCH: {
                "verdict": self._verdict(),
                "score": found.score,
                "depth": found.depth,
                "nodes": found.nodes,
                "cycles": found.cycles,
            },
            AnswerKind.STOPPING: {"searching": inputs.searching},
            AnswerKind.RATE: {"bit_cycles": self.new_cycles},
        }[kind]
        assert list(values) == [field.name for field in message.fields]
        octets: list[Value | int] = []
        for field in message.fields:
            value = values[field.name]
            if isinstance(value, Value):
                # Zero-extended, or sign-extended.
                wide = Signal(8 * field.width, name=f"{kind.name.lower()}_{field.name}")
                m.d.comb += wide.eq(value)
                octets += [wide[8 * part : 8 * part + 8] for part in reversed(range(field.width))]
            else:
                octets += field.pack(value)
        return octets

    def _verdict(self) -> Value:
        """Return the verdict on the best turn. Only forced wins and losses reach 2^14 points."""
        found = self.found
        sign, large = found.score[-1], found.score[-2] ^ found.score[-1]
        lost_next = found.score == 1 - WIN_SCORE
        forced = Mux(sign, Mux(lost_next, Verdict.SUICIDE, Verdict.LOSING), Verdict.WIN)
        other = Mux(found.depth == 0, Verdict.UNKNOWN, Verdict.SAFE)
        return Mux(found.found, Mux(large, forced, other), Verdict.NONE)
