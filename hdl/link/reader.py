"""Line reader: from characters to commands, without a buffer for the line."""

from __future__ import annotations

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import ShapeCode
from loopline.hdl.link.types import LinkOp, link_command_layout

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


class Seen(enum.Enum):
    """What the line consists of so far."""

    NOTHING = 0
    DASH = 1
    ORDER = 2
    """A whole ``-W``, ``-B``, ``-T``, ``-S`` or ``-G``."""
    LETTER = 3
    """A column that may have a second letter."""
    COLUMN = 4
    """A column that is complete: ``@`` or two letters."""
    ZERO = 5
    """Row 0, which has no second digit."""
    ROW = 6
    """A row that may have another digit."""
    TURN = 7
    """A whole turn."""
    NOISE = 8
    """Something that no understood line begins with."""


class LineReader(wiring.Component):
    r"""Understand the lines of the contest protocol.

    A line ends with LF or CR. Empty ones are ignored, so CR LF is one end. Understood are ``-W``,
    ``-B``, ``-T``, ``-S``, ``-G`` and turns in notation,
    ``(@|[A-Z]{1,2})(0|[1-9][0-9]*)[+/\\]``, with labels of at most ``grid.limit + 1``; everything
    else is noise, however long it is, up to its end. There is nothing that could fill up: a
    character is taken in every cycle.

    ::

                    ┌───────────┐ fits ┌─────────────┐
        chars ──┬──►│ number    ├─────►│ what is     ├──► commands
                │   │ ×26, ×10  │      │ seen so far ├──► noise
                │   └───────────┘      └──▲───────▲──┘
                └─── kind of character ───┘       └───── damaged

    A command leaves in the cycle in which its line's end arrives.

    Parameters
    ----------
    grid : GridConfig
        Its limit is the largest label that is understood.

    Members
    -------
    chars : In(stream.Signature(8, always_ready=True))
        The characters.
    damaged : In(1)
        A character was lost here: the line is noise. Between two lines it means nothing.
    commands : Out(stream.Signature(link_command_layout(grid), always_ready=True))
        One for each line understood.
    noise : Out(1)
        High for one cycle at the end of each other line that is not empty.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "chars": In(stream.Signature(8, always_ready=True)),
                "damaged": In(1),
                "commands": Out(stream.Signature(link_command_layout(grid), always_ready=True)),
                "noise": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        char = self.chars.payload
        largest = self._grid.limit + 1

        is_end = (char == ord("\n")) | (char == ord("\r"))
        is_digit = (char >= ord("0")) & (char <= ord("9"))
        is_letter = (char >= ord("A")) & (char <= ord("Z"))

        # `@` and the letters count from 0 in their five low bits, the digits in their four.
        seen = Signal(Seen)
        number = Signal(range(largest + 1))
        weighed = Signal(range(largest * _LETTERS + 1))
        total = Signal(range(largest * _LETTERS + 32))
        with m.Switch(seen):
            with m.Case(Seen.LETTER):
                m.d.comb += weighed.eq(Mux(is_digit, 0, number * _LETTERS))
            with m.Case(Seen.ROW):
                m.d.comb += weighed.eq(number * 10)
        m.d.comb += total.eq(weighed + Mux(is_digit, char[:4], char[:5]))
        fits = total <= largest

        command = Signal(link_command_layout(self._grid))
        m.d.comb += [
            self.commands.payload.eq(command),
            self.commands.payload.turn.row.eq(number),
        ]

        with m.If(self.chars.valid & is_end):
            m.d.sync += seen.eq(Seen.NOTHING)
            with m.Switch(seen):
                with m.Case(Seen.NOTHING):
                    pass
                with m.Case(Seen.ORDER, Seen.TURN):
                    m.d.comb += self.commands.valid.eq(1)
                with m.Default():
                    m.d.comb += self.noise.eq(1)

        with m.Elif(self.chars.valid):
            m.d.sync += seen.eq(Seen.NOISE)
            with m.Switch(seen):
                with m.Case(Seen.NOTHING):
                    m.d.sync += number.eq(total)
                    with m.If(char == ord("-")):
                        m.d.sync += seen.eq(Seen.DASH)
                    with m.Elif(char == ord("@")):
                        m.d.sync += seen.eq(Seen.COLUMN)
                    with m.Elif(is_letter & fits):
                        m.d.sync += seen.eq(Seen.LETTER)
                with m.Case(Seen.DASH):
                    for letter, op in _ORDERS.items():
                        with m.If(char == ord(letter)):
                            m.d.sync += [seen.eq(Seen.ORDER), command.op.eq(op)]
                with m.Case(Seen.LETTER, Seen.COLUMN):
                    m.d.sync += number.eq(total)
                    with m.If(is_digit & fits):
                        m.d.sync += command.turn.column.eq(number)
                        m.d.sync += seen.eq(Mux(char == ord("0"), Seen.ZERO, Seen.ROW))
                    with m.Elif((seen == Seen.LETTER) & is_letter & fits):
                        m.d.sync += seen.eq(Seen.COLUMN)
                with m.Case(Seen.ZERO, Seen.ROW):
                    with m.If((seen == Seen.ROW) & is_digit & fits):
                        m.d.sync += [seen.eq(Seen.ROW), number.eq(total)]
                    m.d.sync += command.op.eq(LinkOp.TURN)
                    for mark, symbol in _SYMBOLS.items():
                        with m.If(char == ord(mark)):
                            m.d.sync += [seen.eq(Seen.TURN), command.turn.symbol.eq(symbol)]

        with m.Elif(self.damaged & (seen != Seen.NOTHING)):
            m.d.sync += seen.eq(Seen.NOISE)

        return m
