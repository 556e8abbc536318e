"""Tracks in plain Python: followed tile by tile over the board of the rules."""

from __future__ import annotations

from loopline.game import Colour, Position, Side

__all__ = ["other_end"]


def other_end(position: Position, space: tuple[int, int], side: Side, colour: Colour):
    """Follow the track that enters a space through a side to the space at its other end."""
    x, y = space
    while True:
        x, y = x + side.step[0], y + side.step[1]
        tile = position.tile_at(x, y)
        if tile is None:
            return x, y
        entry = side.opposite
        (side,) = (s for s in Side if s is not entry and tile.colour(s) is colour)
