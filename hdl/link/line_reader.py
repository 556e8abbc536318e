"""Parses contest lines: characters in, commands out, without a line buffer."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import ShapeCode
from loopline.hdl.link.types import LinkOp, line_chars_port, link_command_layout

__all__ = ["LineReader"]

_ORDERS = {
    "W": LinkOp.NEW_WHITE,
    "B": LinkOp.NEW_RED,
    "T": LinkOp.STOP,
    "S": LinkOp.SET_UP,
    "G": LinkOp.GO,
}
_SYMBOLS = {"+": ShapeCode.CROSS, "/": ShapeCode.SLASH, "\\": ShapeCode.BACKSLASH}
_LETTERS = 26


class State(enum.Enum):
    """What the line consists of so far."""

    NOTHING = 0
    DASH = 1
    ORDER = 2
    """A complete ``-W``, ``-B``, ``-T``, ``-S`` or ``-G``."""
    LETTER = 3
    """A column that may still get a second letter."""
    COLUMN = 4
    """A complete column: ``@`` or two letters."""
    ZERO = 5
    """Row 0, which has no further digit."""
    ROW = 6
    """A row that may still get another digit."""
    TURN = 7
    """A complete turn."""
    NOISE = 8
    """No valid line begins like this."""


class LineReader(wiring.Component):
    r"""Parse the lines of the contest protocol.

    A line ends with LF or CR. Empty lines are ignored, so CR LF counts as one line end. Valid are
    ``-W``, ``-B``, ``-T``, ``-S``, ``-G`` and turns in notation,
    ``(@|[A-Z]{1,2})(0|[1-9][0-9]*)[+/\\]``, with labels of at most ``grid.limit + 1``. Any other
    line, however long, is noise up to its end. The reader takes a character in every cycle.

    ::

                         ┌───────────┐ fits ┌───────────┐
        line.chars ──┬──►│ number    ├─────►│   state   ├──► commands
                     │   │ ×26, ×10  │      │           ├──► noise
                     │   └───────────┘      └──▲─────▲──┘
                     └─── kind of character ───┘     └───── line.broken

    A command is offered in the cycle in which its line's end arrives.

    Parameters
    ----------
    grid : GridConfig
        ``grid.limit + 1`` is the largest valid label.

    Members
    -------
    line : In(line_chars_port)
        The characters.
    commands : Out(stream.Signature(link_command_layout(grid), always_ready=True))
        One command for each valid line.
    noise : Out(1)
        Pulses for one cycle at the end of each line that is neither valid nor empty.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "line": In(line_chars_port()),
                "commands": Out(stream.Signature(link_command_layout(grid), always_ready=True)),
                "noise": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        chars = self.line.chars
        char = chars.payload
        largest = self._grid.limit + 1

        is_end = (char == ord("\n")) | (char == ord("\r"))
        is_digit = (char >= ord("0")) & (char <= ord("9"))
        is_letter = (char >= ord("A")) & (char <= ord("Z"))

        # The five low bits of ``@`` and the letters count from 0; so do the four of the digits.
        state = Signal(State)
        number = Signal(range(largest + 1))
        scaled = Signal(range(largest * _LETTERS + 1))
        total = Signal(range(largest * _LETTERS + 32))
        with m.Switch(state):
            with m.Case(State.LETTER):
                m.d.comb += scaled.eq(Mux(is_digit, 0, number * _LETTERS))
            with m.Case(State.ROW):
                m.d.comb += scaled.eq(number * 10)
        m.d.comb += total.eq(scaled + Mux(is_digit, char[:4], char[:5]))
        fits = total <= largest

        command = Signal(link_command_layout(self._grid))
        m.d.comb += [
            self.commands.payload.eq(command),
            self.commands.payload.turn.row.eq(number),
        ]

        with m.If(chars.valid & is_end):
            m.d.sync += state.eq(State.NOTHING)
            with m.Switch(state):
                with m.Case(State.NOTHING):
                    pass
                with m.Case(State.ORDER, State.TURN):
                    m.d.comb += self.commands.valid.eq(1)
                with m.Default():
                    m.d.comb += self.noise.eq(1)

        with m.Elif(chars.valid):
            m.d.sync += state.eq(State.NOISE)
            with m.Switch(state):
                with m.Case(State.NOTHING):
                    m.d.sync += number.eq(total)
                    with m.If(char == ord("-")):
                        m.d.sync += state.eq(State.DASH)
                    with m.Elif(char == ord("@")):
                        m.d.sync += state.eq(State.COLUMN)
                    with m.Elif(is_letter & fits):
                        m.d.sync += state.eq(State.LETTER)
                with m.Case(State.DASH):
                    for letter, op in _ORDERS.items():
                        with m.If(char == ord(letter)):
                            m.d.sync += [state.eq(State.ORDER), command.op.eq(op)]
                with m.Case(State.LETTER, State.COLUMN):
                    m.d.sync += number.eq(total)
                    with m.If(is_digit & fits):
                        m.d.sync += command.turn.column.eq(number)
                        m.d.sync += state.eq(Mux(char == ord("0"), State.ZERO, State.ROW))
                    with m.Elif((state == State.LETTER) & is_letter & fits):
                        m.d.sync += state.eq(State.COLUMN)
                with m.Case(State.ZERO, State.ROW):
                    with m.If((state == State.ROW) & is_digit & fits):
                        m.d.sync += [state.eq(State.ROW), number.eq(total)]
                    m.d.sync += command.op.eq(LinkOp.TURN)
                    for mark, symbol in _SYMBOLS.items():
                        with m.If(char == ord(mark)):
                            m.d.sync += [state.eq(State.TURN), command.turn.symbol.eq(symbol)]

        with m.Elif(self.line.broken & (state != State.NOTHING)):
            m.d.sync += state.eq(State.NOISE)

        return m
