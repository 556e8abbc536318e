"""Position hash: follows the tiles that the turn unit lays."""

from __future__ import annotations

from amaranth.hdl import Array, Cat, Const, Module, Signal, Value
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import SEED_BITS, GridConfig
from loopline.hdl.core.types import laid_layout
from loopline.hdl.search.hashing import (
    BEGIN,
    CELL_BITS,
    HASH_BITS,
    HASH_HALF,
    LEFT_TURN,
    RIGHT_TURN,
    ROUNDS,
    STIR,
    TO_MOVE_HASH,
    VARIETY_BITS,
)
from loopline.hdl.search.types import TURN_BITS, move_layout

__all__ = ["PositionHash"]


class PositionHash(wiring.Component):
    """Computes the hash of a position from that of the position before the turn, and the points of
    variety of a turn.

    ::

        base ──────────────────────────────┐ start
                                           ▼
        laid ──► left, right ──► (+) ──► hash
                  ▲        │ round
        move ─────┘ ◄──────┘ └─────────► points

    Both are six rounds, one per cycle: see :mod:`loopline.hdl.search.hashing`. The turn unit lays a
    tile at most every 6 cycles, so there is no queue.

    Parameters
    ----------
    grid : GridConfig
        Widths.

    Members
    -------
    laid : In(laid_layout)
        A tile of the turn. At least 6 cycles apart.
    base : In(40), start : In(1)
        Begin a turn: ``hash`` becomes that of the position before it, with the other side to move.
        What is under way is dropped. Not with ``laid``.
    hash : Out(40)
        The hash, when ``ready``.
    draw : In(1), move : In(move_layout), seed : In(SEED_BITS), turns : In(TURN_BITS)
        Compute the points for a turn of the root: of a game of so many turns, with this seed. Not
        with ``laid``, and only when ``ready``.
    points : Out(4)
        The points, when ``ready``, until the next ``laid`` or ``draw``.
    ready : Out(1)
        All tiles so far are in ``hash``, and the points are there. Latency: low for 6 cycles after
        ``laid`` and ``draw``.
    """

    def __init__(self, grid: GridConfig):
        super().__init__(
            {
                "laid": In(laid_layout(grid)),
                "base": In(HASH_BITS),
                "start": In(1),
                "hash": Out(HASH_BITS),
                "draw": In(1),
                "move": In(move_layout(grid)),
                "seed": In(SEED_BITS),
                "turns": In(TURN_BITS),
                "points": Out(VARIETY_BITS),
                "ready": Out(1),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        laid, move = self.laid, self.move
        left = Signal(HASH_HALF, reset_less=True)
        right = Signal(HASH_HALF, reset_less=True)
        # The round, and ``ROUNDS`` for none. Whether the rounds are those of a tile.
        number = Signal(range(ROUNDS + 1), init=ROUNDS)
        of_tile = Signal()

        first_left = Signal(HASH_HALF)
        first_right = Signal(HASH_HALF)
        m.d.comb += [
            first_left.eq(self._word(laid.place, laid.tile)),
            first_right.eq(BEGIN),
        ]
        with m.If(~laid.valid):
            m.d.comb += [
                first_left.eq(self._word(move.place, move.symbol) ^ self.seed),
                first_right.eq(BEGIN ^ self.turns),
            ]

        total = Signal(HASH_HALF)
        next_left = Signal(HASH_HALF)
        next_right = Signal(HASH_HALF)
        stirs = Array(Const(STIR >> n, HASH_HALF) for n in range(ROUNDS))
        m.d.comb += [
            total.eq(left.rotate_right(LEFT_TURN) + right),
            next_left.eq(total ^ stirs[number]),
            next_right.eq(right.rotate_left(RIGHT_TURN) ^ next_left),
        ]
        m.d.comb += [
            self.points.eq(left[-VARIETY_BITS:]),
            self.ready.eq(number == ROUNDS),
        ]
        with m.If(laid.valid | self.draw):
            m.d.sync += [
                left.eq(first_left),
                right.eq(first_right),
                of_tile.eq(laid.valid),
                number.eq(0),
            ]
        with m.Elif(~self.ready):
            m.d.sync += [left.eq(next_left), right.eq(next_right), number.eq(number + 1)]
        # The next tile may be laid in the cycle of the last round.
        with m.If(self.start):
            m.d.sync += [self.hash.eq(self.base ^ TO_MOVE_HASH), number.eq(ROUNDS)]
        with m.Elif(of_tile & (number == ROUNDS - 1)):
            m.d.sync += self.hash.eq(self.hash ^ Cat(next_right, next_left))
        return m

    def _word(self, place, above) -> Value:
        """A place as a cell of 12 bits, and above it a tile or a shape."""
        half = CELL_BITS // 2
        x, y = (Cat(Value.cast(at), Const(0, half))[:half] for at in (place.x, place.y))
        return Cat(x, y, above)
