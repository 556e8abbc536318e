"""Writes contest lines: turns and the player's code, as characters."""

from __future__ import annotations

from amaranth.hdl import Cat, Const, Module, Mux, Signal
from amaranth.lib import enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import ShapeCode
from loopline.hdl.link.types import turn_label_layout

__all__ = ["MAX_CODES", "LineWriter"]

MAX_CODES = 7
"""How many codes can wait to be written. A code is as long as its request: only a host that sends
without a pause, and faster than its rate, reaches this limit."""

_LETTERS = 26
_MARKS = {ShapeCode.CROSS: "+", ShapeCode.SLASH: "/", ShapeCode.BACKSLASH: "\\"}


class State(enum.Enum, shape=4):
    """What is being computed or written."""

    IDLE = 0
    SPLIT_COLUMN = 1
    """Divide the column by 26."""
    COLUMN = 2
    """Its one or two letters."""
    ROW_NEXT = 3
    SPLIT_ROW = 4
    """Divide the row by 10."""
    ROW = 5
    """Its one or two digits."""
    SYMBOL = 6
    TURN_END = 7
    CODE_1 = 8
    CODE_2 = 9
    CODE_END = 10


class LineWriter(wiring.Component):
    """Write lines, each to its end before the next one begins.

    ::

        turns ──► column ─┐    ┌── subtract 26 or 10, count ──┐
                  row ────┴──► rest ◄─────────────────────────┘
                                │ count, rest
        request ──► codes ──► character ──► text

    Labels are split into two characters by repeated subtraction, in at most eleven cycles per turn.
    A turn is taken only while nothing else is being written. Until then it can be discarded. Codes
    have priority.

    Parameters
    ----------
    grid : GridConfig
        Gives the width of labels; the largest is at most 99.
    code : str
        The player's code: two ASCII characters.

    Members
    -------
    turns : In(stream.Signature(turn_label_layout(grid)))
        Turns to write.
    discard : In(1)
        While high, turns are taken and not written.
    request : In(1)
        Each cycle in which it is high adds one code to write. Ignored while ``MAX_CODES`` wait.
    text : Out(stream.Signature(8))
        Characters.
    sent : Out(1)
        High in the cycle in which the last character of a turn is transferred.
    busy : Out(1)
        A line is being written or waits to be written.
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

        state = Signal(State)

        def split(base: int, least: int):
            """Move one ``base`` from ``rest`` to ``count``; return whether ``rest`` is final."""
            with m.If(rest >= base + least):
                m.d.sync += [rest.eq(rest - base), count.eq(count + 1)]
            return rest < base + least

        def write(char, then: State, *, again: State | None = None):
            """Offer a character and go on in ``then``; in ``again`` after the first of two."""
            m.d.comb += [self.text.valid.eq(1), self.text.payload.eq(char)]
            with m.If(self.text.ready):
                m.d.sync += state.eq(then)
                if again is not None:
                    m.d.sync += count.eq(0)
                    with m.If(count != 0):
                        m.d.sync += state.eq(again)

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
                write(letter, State.ROW_NEXT, again=State.COLUMN)
            with m.Case(State.ROW_NEXT):
                m.d.sync += rest.eq(turn.row)
                m.d.sync += state.eq(State.SPLIT_ROW)
            with m.Case(State.SPLIT_ROW), m.If(split(10, least=0)):
                m.d.sync += state.eq(State.ROW)
            with m.Case(State.ROW):
                write(digit, State.SYMBOL, again=State.ROW)
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
                # An unused code, after an upset: recover as after power-on.
                m.d.sync += state.eq(State.IDLE)

        with m.If(self.discard):
            m.d.comb += self.turns.ready.eq(1)

        return m
