"""The value of a position by the ends of its tracks, in the gateware's points."""

from __future__ import annotations

from typing import Final

from loopline.game import Colour
from loopline.game.board import Board
from loopline.game.grid import coordinates

__all__ = ["DISTANCE_POINTS", "LINE_POINTS", "evaluate"]

DISTANCE_POINTS: Final = (0, 48, 35, 28, 12, 6, 3, 0)
"""Points for a track by the distance, columns plus rows, of the spaces at its two ends.

The last entry holds for all larger distances.
"""

LINE_POINTS: Final = (0, 0, 0, 0, 0, 20, 60, 140)
"""Points for a track that leaves the box on opposite sides, by the length of the box there.

Where such a box is longer, the track is a line and the game is over.
"""


def evaluate(board: Board) -> int:
    """Return the points of White's tracks minus those of Red's."""
    box = board.box
    total = 0
    for colour, one, other in board.open_tracks():
        (x, y), (other_x, other_y) = coordinates(one), coordinates(other)
        apart = abs(x - other_x) + abs(y - other_y)
        points = DISTANCE_POINTS[min(apart, len(DISTANCE_POINTS) - 1)]
        side = box.side_of(one)
        if side is not None and box.side_of(other) is side.opposite:
            length = box.extent(side)
            if board.variant.line_length is not None and length < len(LINE_POINTS):
                points += LINE_POINTS[length]
        total += points if colour is Colour.WHITE else -points
    return total
