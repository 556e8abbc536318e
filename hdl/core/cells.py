"""Cell map: the torus in four banks, so that one read returns the four neighbours of a cell."""

from __future__ import annotations

from amaranth.hdl import Array, Cat, Module, Mux, Signal, Value
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import Side
from loopline.hdl.config import Banks, GridConfig
from loopline.hdl.core.bank import Bank, BankPair
from loopline.hdl.core.types import cell_layout, place_layout

__all__ = [
    "CellMap",
    "CellReader",
    "CellWrite",
    "PairReader",
    "beside",
    "neighbour",
    "rows_around",
]


def beside(place: data.View, sides: Value, *, late: bool = False) -> tuple[Value, Value]:
    """Coordinates of the neighbour on the side whose bit is set, modulo the size of the torus. If
    no bit is set, those of the place itself. Not for two sides at a time. With ``late``, the
    results for all sides are computed first, as the side arrives late: that takes more LUTs."""

    def step(value: Value, less: Side, more: Side) -> Value:
        if late:
            either = Mux(sides[more], value + 1, value - 1)
            return Mux(sides[less] | sides[more], either, value)[: len(value)]
        # Add 1 by the carry, or all ones to subtract 1.
        less, more = sides[less], sides[more]
        return (value + Cat(less | more, less.replicate(len(value) - 1)))[: len(value)]

    return step(place.x, Side.WEST, Side.EAST), step(place.y, Side.NORTH, Side.SOUTH)


def neighbour(x: Value, y: Value, side: Side) -> tuple[Value, Value]:
    """Coordinates of the cell on one side, modulo the size of the torus."""
    columns, rows = side.step
    return (x + columns)[: len(x)], (y + rows)[: len(y)]


def rows_around(x: Value, y: Value) -> list[Value]:
    """By bank, the row of the cell's neighbour that lies there; see :class:`CellMap`.

    Each bank holds one neighbour. Which of two opposite ones it is follows from bit 1 of its
    coordinate, which follows from the bank. So the upper bits are one of two values.
    """

    def uppers(at: Value) -> tuple[Value, Value]:
        # By the neighbour's bit 1. Up from 3 modulo 4 there is a carry, and down from 0 a borrow.
        upper = at[2:]
        return (upper + at[:2].all())[: len(upper)], (upper - ~at[:2].any())[: len(upper)]

    uppers_x, uppers_y = uppers(x), uppers(y)
    rows: list[Value] = []
    for number in range(4):
        vertical = x[0] == number & 1
        x1, y1 = (at[1] ^ bool(number >> 1) for at in (y, x))
        rows.append(
            Cat(
                y[0] ^ vertical,
                Mux(vertical, Mux(y1, uppers_y[1], uppers_y[0]), y[2:])[: len(y) - 2],
                Mux(vertical, x[1], x1),
                Mux(vertical, x[2:], Mux(x1, uppers_x[1], uppers_x[0]))[: len(x) - 2],
            )
        )
    return rows


class CellReader(wiring.Signature):
    """The read port of the cell map, as seen by the unit that uses it.

    Members
    -------
    en : Out(1), x, y : Out
        Read a cell.
    cell : In(cell_layout)
        Its word, one cycle later, until the next read.
    """

    def __init__(self, grid: GridConfig):
        super().__init__(
            {
                "x": Out(grid.coord_bits),
                "y": Out(grid.coord_bits),
                "en": Out(1),
                "cell": In(cell_layout(grid)),
            }
        )


class PairReader(wiring.Signature):
    """The read port of the cell map, as seen by a unit that knows late which of two neighbours of a
    cell it needs.

    Members
    -------
    en : Out(1), place : Out(place_layout), beside : Out(place_layout), down : Out(1)
        Read the neighbour of the cell at ``place`` in the column ``beside.x``, or with ``down``
        that in the row ``beside.y``. The memories read both, so none of them waits for ``down``.
    cell : In(cell_layout)
        Its word, one cycle later, until the next read.
    """

    def __init__(self, grid: GridConfig):
        super().__init__(
            {
                "en": Out(1),
                "place": Out(place_layout(grid)),
                "beside": Out(place_layout(grid)),
                "down": Out(1),
                "cell": In(cell_layout(grid)),
            }
        )


class CellWrite(wiring.Signature):
    """The write port of the cell map, as seen by the unit that uses it.

    Members
    -------
    en : Out(1)
        Write a cell.
    x, y : Out
        Its coordinates.
    cell : Out(cell_layout)
        Its new word.
    space : Out(1)
        The word is a space with sockets. It says so for the frontier table, as ``cell`` arrives
        late.
    """

    def __init__(self, grid: GridConfig):
        super().__init__(
            {
                "en": Out(1),
                "x": Out(grid.coord_bits),
                "y": Out(grid.coord_bits),
                "cell": Out(cell_layout(grid)),
                "space": Out(1),
            }
        )


class CellMap(wiring.Component):
    """Keeps one word for each cell of the torus; one read and one write per cycle.

    Unless ``grid.banks`` is ``DUAL_PORT`` a bank reads or writes in a cycle: then a cell must not
    be written in the cycle of a read from the same bank, nor in that of a read of ``pair`` or with
    ``around``.

    A read returns the cell itself or its four neighbours. The bank of a cell is
    ``{x[1] ^ y[1], x[0]}``: the neighbours to the east and west differ from the cell in ``x[0]``
    and from each other in ``x[1]``; those to the north and south share ``x[0]`` and differ in
    ``y[1]``. So they lie in four different banks. Of a pair, one lies in a bank with the ``x[0]``
    of the cell between them, and one in another.

    Members
    -------
    read : In(CellReader)
        Read a cell. Latency: one cycle. The result is undefined if the cell is written in the same
        cycle. Where a bank reads or writes, it is valid until the next write only.
    pair : In(PairReader)
        Read one of two cells instead, while ``read.en`` is high as well. Not with ``around``.
    around : In(1), centre : In(place_layout)
        Read the neighbours of the cell at ``centre`` instead. These are other coordinates than
        those of ``read``, as the latter arrive late.
    neighbours : Out(ArrayLayout(cell_layout, 4))
        The words of the neighbours by side, after a read with ``around``.
    banks : Out(ArrayLayout(cell_layout, 4))
        The same by bank.
    write : In(CellWrite)
        Write one cell.
    wipe : In(1), wipe_row : In
        Clear row ``wipe_row`` of all banks; ``rows`` rows clear the board.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        self.rows = grid.size * grid.size // 4
        row_bits = 2 * grid.coord_bits - 2
        cell = cell_layout(grid)
        super().__init__(
            {
                "read": In(CellReader(grid)),
                "pair": In(PairReader(grid)),
                "around": In(1),
                "centre": In(place_layout(self._grid)),
                "neighbours": Out(data.ArrayLayout(cell, 4)),
                "banks": Out(data.ArrayLayout(cell, 4)),
                "write": In(CellWrite(grid)),
                "wipe": In(1),
                "wipe_row": In(row_bits),
            }
        )

    @staticmethod
    def _bank(x: Value, y: Value) -> Value:
        return Cat(x[0], x[1] ^ y[1])

    @staticmethod
    def _row(x: Value, y: Value) -> Value:
        # Without y[1], which follows from the bank and x[1].
        return Cat(y[0], y[2:], x[1:])

    def _pair_bank(self) -> Value:
        place, beside = self.pair.place, self.pair.beside
        across, down = self._bank(beside.x, place.y), self._bank(place.x, beside.y)
        return Mux(self.pair.down, down, across)

    def _make_banks(self, m: Module) -> list[wiring.PureInterface]:
        """The ports of the four banks, by number."""
        if self._grid.banks is Banks.PAIRED:
            pairs = [BankPair(self._grid) for _ in range(2)]
            for number, pair in enumerate(pairs):
                m.submodules[f"pair{number}"] = pair
            return [port for pair in pairs for port in pair.ports]
        banks = [Bank(self._grid) for _ in range(4)]
        for number, bank in enumerate(banks):
            m.submodules[f"bank{number}"] = bank
        return [bank.port for bank in banks]

    def elaborate(self, platform) -> Module:
        m = Module()
        # The bank and row of each neighbour.
        centre = self.centre
        places = {side: neighbour(centre.x, centre.y, side) for side in Side}
        banks = {side: self._bank(*place) for side, place in places.items()}
        rows = rows_around(centre.x, centre.y)

        target = self._bank(self.write.x, self.write.y)
        target_row = self._row(self.write.x, self.write.y)
        pair = self.pair
        across = self._row(pair.beside.x, pair.place.y)
        down = self._row(pair.place.x, pair.beside.y)
        words = []
        for number, bank in enumerate(self._make_banks(m)):
            m.d.comb += [
                bank.w_en.eq(self.wipe | (self.write.en & (target == number))),
                bank.w_addr.eq(Mux(self.wipe, self.wipe_row, target_row)),
                bank.w_data.eq(Mux(self.wipe, 0, self.write.cell)),
                bank.r_en.eq(self.read.en),
            ]
            row = Mux(pair.place.x[0] == number & 1, down, across)
            other = Mux(pair.en, row, self._row(self.read.x, self.read.y))
            if self._grid.banks is not Banks.DUAL_PORT:
                # Not for the neighbours: ``around`` arrives last.
                other = Mux(bank.w_en, bank.w_addr, other)
            m.d.comb += bank.r_addr.eq(Mux(self.around, rows[number], other))
            words.append(bank.r_data)
            m.d.comb += self.banks[number].eq(bank.r_data)

        # The banks of the last read.
        words = Array(words)
        chosen = {side: Signal(2, name=f"bank_{side.name.lower()}") for side in Side}
        own = Signal(2)
        with m.If(self.read.en):
            bank = self._bank(self.read.x, self.read.y)
            m.d.sync += own.eq(Mux(pair.en, self._pair_bank(), bank))
            m.d.sync += [chosen[side].eq(banks[side]) for side in Side]
        m.d.comb += [self.read.cell.eq(words[own]), pair.cell.eq(words[own])]
        m.d.comb += [self.neighbours[side].eq(words[chosen[side]]) for side in Side]
        return m
