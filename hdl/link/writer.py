"""Line writer: from turns to characters, and the player's code in between."""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Module, Mux, Signal
from amaranth.lib import enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import ShapeCode
from loopline.hdl.link.types import turn_label_layout

__all__ = ["MAX_CODES", "LineWriter"]

MAX_CODES = 7
"""How many codes may wait to be written. A code is as long as its request, so that only a host
that sends without a pause, and faster than its rate, ever gets there."""

_LETTERS = 26
_MARKS = {ShapeCode.CROSS: "+", ShapeCode.SLASH: "/", ShapeCode.BACKSLASH: "\\"}


class LineWriter(wiring.Component):
    """Write lines, each to its end before the next one begins.

    ::

        turns ──► column ─┐    ┌── subtract 26 or 10, count ──┐
                  row ────┴──► rest ◄─────────────────────────┘
                                │ count, rest
        code ───► waiting ──► which character ──► text

    Labels are split into two characters by repeated subtraction, in at most eleven cycles a turn. A
    turn is taken only when nothing else is being written, so it waits outside, where it can still
    be discarded. Codes go first.

    Parameters
    ----------
    grid : GridConfig
        Gives the width of labels; none is above 99.
    code : str
        The player's code: two ASCII characters.

    Members
    -------
    turns : In(stream.Signature(turn_label_layout(grid)))
        Turns to write.
    discard : In(1)
        While it is high, turns are taken and not written.
    request : In(1)
        One more code to write for each cycle in which it is high; ignored when ``MAX_CODES`` wait.
    text : Out(stream.Signature(8))
        Characters.
    sent : Out(1)
        High in the cycle in which the last character of a turn is transferred.
    busy : Out(1)
        A line is being written, or there is one to write.
    """

    def __init__(self, grid: GridConfig, code: str):
        if len(code) != 2 or not code.isascii():
            raise ValueError(f"player code must be two ASCII characters, not {code!r}")
        self._grid = grid
        self._code = code
        super().__init__(
            {
                "turns": In(stream.Signature(turn_label_layout(grid))),
                "discard": In(1),
                "request": In(1),
                "text": Out(stream.Signature(8)),
                "sent": Out(1),
                "busy": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()

        codes = Signal(range(MAX_CODES + 1))
        begin_code = Signal()
        with m.If(self.request & ~begin_code & (codes != MAX_CODES)):
            m.d.sync += codes.eq(codes + 1)
        with m.Elif(begin_code & ~self.request):
            m.d.sync += codes.eq(codes - 1)

        turn = Signal(turn_label_layout(self._grid))
        count = Signal(range(10))
        rest = Signal(self._grid.label_bits)
        part = Signal(5)
        m.d.comb += part.eq(Mux(count == 0, rest, count))
        letter = Cat(part, Const(0b010, 3))
        digit = Cat(part[:4], Const(0b0011, 4))

        def split(base: int, least: int):
            """Move multiples of ``base`` from ``rest`` to ``count``; true when ``rest`` is left."""
            with m.If(rest >= base + least):
                m.d.sync += [rest.eq(rest - base), count.eq(count + 1)]
            return rest < base + least

        class State(enum.Enum, shape=4):
            IDLE = 0
            SPLIT_COLUMN = 1
            COLUMN = 2
            ROW_NEXT = 3
            SPLIT_ROW = 4
            ROW = 5
            SYMBOL = 6
            TURN_END = 7
            CODE_1 = 8
            CODE_2 = 9
            CODE_END = 10

        state = Signal(State)

        def write(char, then: State, *, otherwise: State | None = None):
            """Offer a character; ``otherwise`` is next if it was the first of two."""
            m.d.comb += [self.text.valid.eq(1), self.text.payload.eq(char)]
            with m.If(self.text.ready):
                m.d.sync += state.eq(then)
                if otherwise is not None:
                    m.d.sync += count.eq(0)
                    with m.If(count != 0):
                        m.d.sync += state.eq(otherwise)

        m.d.comb += self.busy.eq(1)
        with m.Switch(state):
            with m.Case(State.IDLE):
                m.d.comb += begin_code.eq(codes != 0)
                m.d.comb += self.busy.eq(begin_code | self.request | self.turns.valid)
                m.d.comb += self.turns.ready.eq(~begin_code)
                m.d.sync += [turn.eq(self.turns.payload), rest.eq(self.turns.payload.column)]
                with m.If(begin_code):
                    m.d.sync += state.eq(State.CODE_1)
                with m.Elif(self.turns.valid & ~self.discard):
                    m.d.sync += state.eq(State.SPLIT_COLUMN)
            with m.Case(State.SPLIT_COLUMN), m.If(split(_LETTERS, least=1)):
                m.d.sync += state.eq(State.COLUMN)
            with m.Case(State.COLUMN):
                write(letter, State.ROW_NEXT, otherwise=State.COLUMN)
            with m.Case(State.ROW_NEXT):
                m.d.sync += rest.eq(turn.row)
                m.d.sync += state.eq(State.SPLIT_ROW)
            with m.Case(State.SPLIT_ROW), m.If(split(10, least=0)):
                m.d.sync += state.eq(State.ROW)
            with m.Case(State.ROW):
                write(digit, State.SYMBOL, otherwise=State.ROW)
            with m.Case(State.SYMBOL):
                mark = Signal(8)
                with m.Switch(turn.symbol):
                    for symbol, char in _MARKS.items():
                        with m.Case(symbol):
                            m.d.comb += mark.eq(ord(char))
                write(mark, State.TURN_END)
            with m.Case(State.TURN_END):
                m.d.comb += self.sent.eq(self.text.ready)
                write(ord("\n"), State.IDLE)
            with m.Case(State.CODE_1):
                write(ord(self._code[0]), State.CODE_2)
            with m.Case(State.CODE_2):
                write(ord(self._code[1]), State.CODE_END)
            with m.Case(State.CODE_END):
                write(ord("\n"), State.IDLE)
            with m.Default():
                # No code of a state: as after power-on.
                m.d.sync += state.eq(State.IDLE)

        with m.If(self.discard):
            m.d.comb += self.turns.ready.eq(1)

        return m
