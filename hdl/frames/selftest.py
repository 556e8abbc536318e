"""Self-test: the turn unit's memories and rules, by a game that is known."""

from __future__ import annotations

from typing import NamedTuple

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import LOOP, Position, parse_turn
from loopline.game.wire import ANSWERS, Command, TestPart, answer_code
from loopline.hdl.arbiter import requester_port
from loopline.hdl.config import GridConfig
from loopline.hdl.core.client import Client
from loopline.hdl.core.types import (
    ReadKind,
    ShapeCode,
    Status,
    TurnOp,
)
from loopline.hdl.frames.turn_list import ABANDONED, piece_layout

__all__ = ["KNOWN_GAME", "SelfTest"]

KNOWN_GAME = "@0+ B1+ A2\\ @1/ A0+ @1\\ B0+ C1\\"
"""Turns with forced plays, within four columns and rows; the last completes a loop of each
colour."""

_STEP = 2
"""The game is played from every second cell of every second row: its tiles and sockets come into
every cell of the torus."""


class _Known(NamedTuple):
    """A turn, by coordinates from the first tile, and what comes of it."""

    x: int
    y: int
    symbol: int
    tiles: int
    completed: int


def _known_game() -> list[_Known]:
    position, found = Position(LOOP), []
    for turn in map(parse_turn, KNOWN_GAME.split()):
        played = position.play(turn)
        first = played.tiles[0]
        loops = sum(1 << colour for colour in played.loops)
        found.append(_Known(first.x, first.y, turn.shape.code, len(played.tiles), loops))
    return found


class SelfTest(wiring.Component):
    """Reads a cleared board, plays a known game from many places and takes it back.

    ::

        start ──► SCAN ──► TURN ─► PLACED ──► UNMAKE ─► UNDONE ──► SCAN ──► ANSWER
                  cell by   ▲ turn by turn     turn by turn │    again
                  cell      └──────── from the next place ──┘

    The board has to be empty, and the rules those of the game without limits; it is left empty. A
    test that is abandoned ends with the code ``ABANDONED``; the board has to be cleared then.

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Members
    -------
    start : In(1)
        Begin. Only while there is no test.
    pieces : Out(stream of piece_layout)
        The answer.
    core : Out(requester_port)
        The turn unit.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        super().__init__(
            {
                "start": In(1),
                "pieces": Out(stream.Signature(piece_layout())),
                "core": Out(requester_port(grid)),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        grid, bits = self._grid, self._grid.coord_bits

        class State(enum.Enum, shape=4):
            IDLE = 0
            CALL = 1
            RESULT = 2
            SCAN = 3
            SCANNED = 4
            TURN = 5
            PLACED = 6
            UNMAKE = 7
            UNDONE = 8
            ANSWER = 9
            ABANDON = 10

        client = Client(grid, State)
        state, outcome, core = client.state, client.outcome, client.core
        occupied = Signal()
        # Where: a cell, or that of the game's first tile; whether it has been played.
        x = Signal(bits)
        y = Signal(bits)
        played = Signal()
        failed = Signal(len(TestPart))
        at = Signal(2)
        given_up = self.core.abandon | ~self.core.granted

        game = _known_game()
        turn = Signal(range(len(game) + 1))
        known = {name: Signal(8, name=f"known_{name}") for name in _Known._fields}
        with m.Switch(turn):
            for number, step in enumerate(game):
                with m.Case(number):
                    for name, value in step._asdict().items():
                        m.d.comb += known[name].eq(value)

        m.d.comb += self.core.request.eq(self.start)
        m.d.comb += [self.core.busy.eq(client.busy), self.core.commands.payload.eq(client.call)]
        with m.Switch(state):
            with m.Case(State.IDLE):
                m.d.sync += [x.eq(0), y.eq(0), played.eq(0), failed.eq(0), at.eq(0)]
                with m.If(self.start):
                    m.d.sync += state.eq(State.SCAN)

            client.hand_over(m, self.core, keep=[occupied.eq(self.core.cell.as_value() != 0)])

            # Is there anything in any cell?
            with m.Case(State.SCAN):
                m.d.sync += core(TurnOp.READ, State.SCANNED, symbol=ReadKind.CELL, x=x, y=y)
                with m.If(given_up):
                    m.d.sync += state.eq(State.ABANDON)
            with m.Case(State.SCANNED):
                m.d.sync += [Cat(x, y).eq(Cat(x, y) + 1), state.eq(State.SCAN)]
                part = {0: TestPart.CLEARED, 1: TestPart.UNMAKE}
                with m.If(occupied | ~outcome.box.empty):
                    for value, which in part.items():
                        with m.If(played == value):
                            m.d.sync += failed.eq(failed | which.value)
                with m.If(Cat(x, y).all()):
                    m.d.sync += [turn.eq(0), state.eq(State.TURN)]
                    with m.If(played):
                        m.d.comb += self.core.done.eq(1)
                        m.d.sync += state.eq(State.ANSWER)

            # The known game, from here.
            with m.Case(State.TURN):
                m.d.sync += core(
                    TurnOp.MAKE,
                    State.PLACED,
                    x=(x + known["x"])[:bits],
                    y=(y + known["y"])[:bits],
                    symbol=known["symbol"][: ShapeCode.as_shape().width],
                )
                with m.If(given_up):
                    m.d.sync += state.eq(State.ABANDON)
                with m.Elif(turn == len(game)):
                    m.d.sync += state.eq(State.UNMAKE)
            with m.Case(State.PLACED):
                m.d.sync += [turn.eq(turn + 1), state.eq(State.TURN)]
                right = (
                    (outcome.status == Status.LEGAL)
                    & (outcome.tiles == known["tiles"])
                    & (outcome.loops == known["completed"])
                )
                with m.If(~right):
                    m.d.sync += failed.eq(failed | TestPart.TURNS.value)

            # And back: as many turns as there were, and no more.
            with m.Case(State.UNMAKE):
                m.d.sync += core(TurnOp.UNMAKE, State.UNDONE)
                with m.If(given_up):
                    m.d.sync += state.eq(State.ABANDON)
            with m.Case(State.UNDONE):
                m.d.sync += [turn.eq(turn - 1), state.eq(State.UNMAKE)]
                with m.If((outcome.status == Status.END) != (turn == 0)):
                    m.d.sync += failed.eq(failed | TestPart.UNMAKE.value)
                with m.If(turn == 0):
                    m.d.sync += [turn.eq(0), x.eq(x + _STEP), state.eq(State.TURN)]
                    with m.If(x == grid.size - _STEP):
                        m.d.sync += y.eq(y + _STEP)
                        with m.If(y == grid.size - _STEP):
                            m.d.sync += [played.eq(1), state.eq(State.SCAN)]

            with m.Case(State.ANSWER):
                code = answer_code(Command.SELF_TEST)
                parts = sum(part.value for part in TestPart)
                assert ANSWERS[code].width == 2
                m.d.comb += self.pieces.valid.eq(1)
                with m.Switch(at):
                    with m.Case(0):
                        m.d.comb += self.pieces.payload.byte.eq(parts)
                    with m.Case(1):
                        m.d.comb += self.pieces.payload.byte.eq(failed)
                    with m.Default():
                        m.d.comb += [
                            self.pieces.payload.byte.eq(code),
                            self.pieces.payload.ends.eq(1),
                        ]
                with m.If(self.pieces.ready):
                    m.d.sync += at.eq(at + 1)
                    with m.If(at == 2):
                        m.d.sync += state.eq(State.IDLE)
            with m.Case(State.ABANDON):
                m.d.comb += [
                    self.pieces.valid.eq(1),
                    self.pieces.payload.byte.eq(ABANDONED),
                    self.pieces.payload.ends.eq(1),
                ]
                with m.If(self.pieces.ready):
                    m.d.sync += state.eq(State.IDLE)
            with m.Default():
                # No code of a state: as after power-on.
                m.d.sync += state.eq(State.IDLE)
        return m
