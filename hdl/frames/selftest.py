"""Tests the turn unit's memories and rules with a known game, for SELF_TEST."""

from __future__ import annotations

from typing import NamedTuple

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import enum

from loopline.game import LOOP, Position, parse_turn
from loopline.game.wire import ANSWERS, Command, TestPart, answer_code
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import ReadKind, ShapeCode, Status, TurnOp
from loopline.hdl.frames.pieces import Answerer

__all__ = ["KNOWN_GAME", "SelfTest"]

KNOWN_GAME = "@0+ B1+ A2\\ @1/ A0+ @1\\ B0+ C1\\"
"""A game with forced plays, within four columns and rows. Its last turn completes a loop of each
colour."""

_STEP = 2
"""The game is played from every second cell of every second row. So its tiles and sockets come to
every cell of the torus."""


class State(enum.Enum, shape=4):
    """What the test does in a cycle."""

    IDLE = 0
    CALL = 1
    """Give the turn unit a command."""
    RESULT = 2
    """Wait for its outcome."""
    SCAN = 3
    """Ask for a cell."""
    SCANNED = 4
    """Is the cell empty?"""
    TURN = 5
    """Ask for the next turn to be made."""
    MADE = 6
    """Are the turn's tiles and loops right?"""
    UNMAKE = 7
    """Ask for the last turn to be unmade."""
    UNMADE = 8
    """Was there a turn to unmake?"""
    ANSWER = 9
    ABANDON = 10
    """End without an answer."""


class _Turn(NamedTuple):
    """A turn of the known game, by coordinates from the first tile, and its outcome."""

    x: int
    y: int
    symbol: int
    tiles: int
    loops: int


def _known_turns() -> list[_Turn]:
    position, turns = Position(LOOP), []
    for turn in map(parse_turn, KNOWN_GAME.split()):
        played = position.play(turn)
        first = played.tiles[0]
        loops = sum(1 << colour for colour in played.loops)
        turns.append(_Turn(first.x, first.y, turn.shape.code, len(played.tiles), loops))
    return turns


class SelfTest(Answerer):
    """Read a cleared board, play a known game from many places, and take it back each time.

    ::

        start ──► SCAN ─► SCANNED ──► TURN ─► MADE ──► UNMAKE ─► UNMADE ──► SCAN ──► ANSWER
                   └─ all cells ─┘     ▲ └─ turns ─┘      └─ turns ─┘ │    again
                                       └──── from the next place ─────┘

    The board has to be empty before the test, and the rules those without limits; the board is
    empty after it. Parameters and members are those of :class:`Answerer`.
    """

    def __init__(self, grid: GridConfig):
        super().__init__(grid, State)

    def elaborate(self, platform) -> Module:
        m = Module()
        grid, bits = self._grid, self._grid.coord_bits
        code = answer_code(Command.SELF_TEST)
        client, pieces = self._begin(m, longest=ANSWERS[code].width + 1)
        state, outcome = client.state, client.outcome
        occupied = Signal()
        # The place of the cell that is read, or of the game's first tile.
        x = Signal(bits)
        y = Signal(bits)
        played = Signal()
        failed = Signal(len(TestPart))

        turns = _known_turns()
        number = Signal(range(len(turns) + 1))
        known = {name: Signal(8, name=f"known_{name}") for name in _Turn._fields}
        with m.Switch(number):
            for n, turn in enumerate(turns):
                with m.Case(n):
                    m.d.comb += [known[name].eq(value) for name, value in turn._asdict().items()]

        def fail(part: TestPart) -> list:
            return [failed.eq(failed | part.value)]

        with m.Switch(state):
            with m.Case(State.IDLE):
                m.d.sync += [x.eq(0), y.eq(0), played.eq(0), failed.eq(0), pieces.index.eq(0)]
                with m.If(self.start):
                    m.d.sync += state.eq(State.SCAN)
            with m.Case(State.CALL):
                client.send(m, self.core)
            with m.Case(State.RESULT):
                keep = [occupied.eq(self.core.cell.as_value() != 0)]
                client.receive(m, self.core, keep=keep)

            # Are all cells empty?
            with m.Case(State.SCAN):
                cell = {"symbol": ReadKind.CELL, "x": x, "y": y}
                self._ask(m, client, TurnOp.READ, State.SCANNED, **cell)
            with m.Case(State.SCANNED):
                m.d.sync += [Cat(x, y).eq(Cat(x, y) + 1), state.eq(State.SCAN)]
                with m.If(occupied | ~outcome.box.empty):
                    with m.If(played):
                        m.d.sync += fail(TestPart.UNMAKE)
                    with m.Else():
                        m.d.sync += fail(TestPart.CLEARED)
                with m.If(Cat(x, y).all()):
                    m.d.comb += self.core.done.eq(played)
                    m.d.sync += [number.eq(0), state.eq(Mux(played, State.ANSWER, State.TURN))]

            # Play the known game from this place.
            with m.Case(State.TURN):
                first = {
                    "x": (x + known["x"])[:bits],
                    "y": (y + known["y"])[:bits],
                    "symbol": known["symbol"][: ShapeCode.as_shape().width],
                }
                self._ask(m, client, TurnOp.MAKE, State.MADE, **first)
                with m.If((number == len(turns)) & ~self._must_end):
                    m.d.sync += state.eq(State.UNMAKE)
            with m.Case(State.MADE):
                m.d.sync += [number.eq(number + 1), state.eq(State.TURN)]
                is_right = (
                    (outcome.status == Status.LEGAL)
                    & (outcome.tiles == known["tiles"])
                    & (outcome.loops == known["loops"])
                )
                with m.If(~is_right):
                    m.d.sync += fail(TestPart.TURNS)

            # Unmake as many turns as were made; one more must not be there.
            with m.Case(State.UNMAKE):
                self._ask(m, client, TurnOp.UNMAKE, State.UNMADE)
            with m.Case(State.UNMADE):
                m.d.sync += [number.eq(number - 1), state.eq(State.UNMAKE)]
                with m.If((outcome.status == Status.END) != (number == 0)):
                    m.d.sync += fail(TestPart.UNMAKE)
                with m.If(number == 0):
                    m.d.sync += [number.eq(0), x.eq(x + _STEP), state.eq(State.TURN)]
                    with m.If(x == grid.size - _STEP):
                        m.d.sync += y.eq(y + _STEP)
                        with m.If(y == grid.size - _STEP):
                            m.d.sync += [played.eq(1), state.eq(State.SCAN)]

            with m.Case(State.ANSWER):
                octets = [sum(part.value for part in TestPart), failed]
                assert len(octets) == ANSWERS[code].width
                with m.If(pieces.offer(m, octets, code)):
                    m.d.sync += state.eq(State.IDLE)
            with m.Case(State.ABANDON):
                self._abandon(m, client, pieces)
            with m.Default():
                # An unused code, after an upset: recover as after power-on.
                m.d.sync += state.eq(State.IDLE)
        return m
