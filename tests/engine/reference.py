"""The evaluation and a plain minimax on the reference model, written from their descriptions."""

from __future__ import annotations

import random

from loopline.engine.evaluation.classes import DISTANCE_CLASS, END_CLASS, PERIMETER_CLASS
from loopline.engine.evaluation.weights import Weights
from loopline.game import STANDARD, Colour, Position, Side, Variant
from loopline.game.board import Board, Completed
from loopline.game.chain import Chain, make_chain
from loopline.game.grid import coordinates, key

MATE = 30_000

BEATS_A_LOSS = r"@0/ A0/ B2+ @2/ C3\ @3/ B4\ C0+ @4/ F3\ B3\ D5+ B1\ F5+"
"""At the root the second turn of depth 2 averts the forced loss of the first."""


def board_of(position: Position) -> Board:
    board = Board(position.variant)
    for played in position.history:
        first = played.tiles[0]
        board.lay(make_chain(board.sockets, key(first.x, first.y), first.tile))
    return board


def random_position(chance: random.Random, turns: int, variant: Variant = STANDARD) -> Position:
    """Return a position after so many random turns, without a winner."""
    while True:
        position = Position(variant)
        while position.turns < turns and not position.ending:
            position.play(chance.choice(position.legal_turns()))
        if not position.ending:
            return position


def seen_from(one: int, other: int) -> tuple[int, int, int]:
    """The second end as the first sees it that looks north: offset, and relative side."""
    (x, y), (x2, y2) = coordinates(one), coordinates(other)
    across, down, side = x2 - x, y2 - y, one & 3
    for _ in range(side):
        across, down = down, -across
    return across, down, (other & 3) - side & 3


def meeting(board: Board, end: int) -> int:
    """Whether a track of the other colour comes in beside the end's side (1) or opposite (2)."""
    sockets = board.sockets[end & ~3]
    sides = [side for side in Side if (sockets | sockets >> 4) >> side & 1]
    if len(sides) == 1:
        return 0
    return 2 if sides[0].opposite is sides[1] else 1


def perimeter(board: Board, mover: Colour, weights: Weights) -> int:
    """The part of the evaluation that comes from the sockets' places along the perimeter."""
    ends = {}
    for _, one, other in board.open_tracks():
        ends[one], ends[other] = other, one
    far = {
        (*coordinates(end), end & 3): (*coordinates(other), other & 3)
        for end, other in ends.items()
    }
    colours = {
        (*coordinates(end), end & 3): colour
        for colour, one, other in board.open_tracks()
        for end in (one, other)
    }

    def onward(x: int, y: int, side: int, turn: int) -> tuple[tuple[int, int, int], int]:
        """The next socket, clockwise with 1 and the other way with -1, and the way's shape."""
        to = {0: (0, -1), 1: (1, 0), 2: (0, 1), 3: (-1, 0)}
        ahead = (side + turn) & 3
        if (x, y, ahead) in colours:
            return (x, y, ahead), 0
        x, y = x + to[ahead][0], y + to[ahead][1]
        if (x, y, side) in colours:
            return (x, y, side), 1
        return (x + to[side][0], y + to[side][1], (side - turn) & 3), 2

    total = 0
    for socket, colour in colours.items():
        codes = []
        for turn in (1, -1):
            here = socket
            here, shape = onward(*here, turn)
            code = shape * 2 + (colours[here] is colour)
            here, shape = onward(*here, turn)
            kind = 2 if here == far[socket] else int(colours[here] is colour)
            codes.append((code * 3 + shape) * 3 + kind)
        whose = colour ^ mover
        weight = weights.perimeter[whose, PERIMETER_CLASS[codes[0] * 54 + codes[1]]]
        total += int(weight) * (-1 if whose else 1)
    return total


def evaluate(board: Board, mover: Colour, weights: Weights) -> int:
    """The evaluation for the side to move."""

    def cut(value: int) -> int:
        return max(-8, min(8, value))

    total, box = weights.tempo + perimeter(board, mover, weights), board.box
    for colour, one, other in board.open_tracks():
        whose = colour ^ mover
        across, down, relative = seen_from(one, other)
        value = weights.ends[
            whose, END_CLASS[((cut(down) + 8) * 17 + cut(across) + 8) * 4 + relative]
        ]
        (x, y), (x2, y2) = coordinates(one), coordinates(other)
        distance = min(8, abs(x - x2) + abs(y - y2))
        row = (distance * 3 + meeting(board, one)) * 3 + meeting(board, other)
        value += weights.distances[whose, DISTANCE_CLASS[row]]
        if board.variant.line_length:
            axes = ((x, x2, box.west, box.east), (y, y2, box.north, box.south))
            for near, far, low, high in axes:
                if abs(near - far) >= 5:
                    missing = (min(near, far) - (low - 1)) + (high + 1 - max(near, far))
                    row = min(abs(near - far) - 5, 5) * 8 + min(missing, 7)
                    value += weights.lines[whose, row]
        total += int(value) * (-1 if whose else 1)
    return max(-8191, min(8191, total))


class Minimax:
    """Every turn of every position down to a depth, without any cut."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights

    def score(self, board: Board, mover: Colour, depth: int, ply: int = 0) -> int:
        """The value for the side to move."""
        if depth == 0:
            if board.variant.size and not any(board.legal_placements()):
                return 0
            return evaluate(board, mover, self._weights)
        values = [value for _, value in self.values(board, mover, depth, ply)]
        if not values:
            return 0
        return max(values)

    def values(
        self, board: Board, mover: Colour, depth: int, ply: int = 0
    ) -> list[tuple[tuple[int, int], int]]:
        """The first tile of each turn, as space and tile, and the value for who makes it."""
        found = []
        for space, tile in list(board.legal_placements()):
            chain = make_chain(board.sockets, space, tile)
            box = board.box
            completed = board.lay(chain)
            found.append(((space, int(tile)), self._value(board, completed, mover, depth, ply)))
            self._lift(board, chain, box)
        return found

    def _value(
        self, board: Board, completed: Completed, mover: Colour, depth: int, ply: int
    ) -> int:
        colours = completed.loops | completed.lines
        if len(colours) == 2 and board.variant.both == "draw":
            return 0
        if mover in colours:
            return MATE - ply - 1
        if colours:
            return -MATE + ply + 1
        return -self.score(board, mover.other, depth - 1, ply + 1)

    @staticmethod
    def _lift(board: Board, chain: Chain, box) -> None:
        board.lift(chain)
        board.box = box
