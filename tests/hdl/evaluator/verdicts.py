"""The evaluation of every candidate of a position by the rules, and what is rare about it."""

from __future__ import annotations

from collections import Counter

from loopline.game import (
    Colour,
    ColourMismatchError,
    ForcedPlayError,
    OutsideAreaError,
    Played,
    Position,
    Shape,
    Side,
    Turn,
)
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status
from loopline.sim.probe.turn_unit import Evaluation, colour_mask

__all__ = ["Evaluations", "Key", "by_rules", "rarities"]


Key = tuple[int, int, int]
"""A candidate, by coordinates on the torus and shape code."""

Evaluations = dict[Key, Evaluation]


def by_rules(position: Position, grid: GridConfig) -> tuple[Evaluations, dict[Key, set[str]]]:
    """Return every candidate's evaluation by the rules, and what is rare about the legal ones."""
    mask = grid.size - 1
    found: Evaluations = {}
    rare: dict[Key, set[str]] = {}
    for x, y in position.frontier():
        west, north = min(position.west, x), min(position.north, y)
        east, south = max(position.east, x), max(position.south, y)
        too_large = max(east - west, south - north) >= grid.limit
        box = west & mask, north & mask, east & mask, south & mask
        for shape in Shape:
            status, tiles, loops, lines = Status.LEGAL, 0, 0, 0
            try:
                played = position.play(Turn(*position.label(x, y), shape))
            except ColourMismatchError:
                continue
            except ForcedPlayError:
                status = Status.FORCED
            except OutsideAreaError:
                # An area larger than the grid limits nothing, but the grid does.
                within = position.variant.size and position.variant.size <= grid.limit
                status = Status.AREA if within else Status.BOUNDS
            else:
                position.undo()
                tiles, loops, lines = (
                    len(played.tiles),
                    colour_mask(played.loops),
                    colour_mask(played.lines),
                )
                rare[x & mask, y & mask, shape.code] = rarities(position, played)
            if status is not Status.AREA and too_large:
                status = Status.BOUNDS
            if status is not Status.LEGAL:
                tiles = loops = lines = 0
            found[x & mask, y & mask, shape.code] = Evaluation(status, tiles, loops, lines, box)
    return found, rare


def rarities(position: Position, played: Played) -> set[str]:
    """Return what is rare about a turn's forced plays: cases that the chain treats on their own."""
    found: set[str] = set()
    if len(played.tiles) < 3:
        return found
    sockets: dict[tuple[int, int], dict[Side, Colour]] = {}
    laid: set[tuple[int, int]] = set()
    for x, y, tile in played.tiles:
        mine = sockets.pop((x, y), None) or position.sockets(x, y)
        if sorted(mine.values()) == [0, 0, 1, 1] and laid:
            found.add("both colours")
        laid.add((x, y))
        forced = 0
        for side in Side:
            beyond = x + side.step[0], y + side.step[1]
            if side in mine or beyond in laid:
                continue
            theirs = sockets.setdefault(beyond, position.sockets(*beyond))
            crowded = max(Counter(theirs.values()).values(), default=0) > 1
            found |= {"arrival"} if crowded else set()
            forced += tile.colour(side) in theirs.values() and not crowded
            theirs[side.opposite] = tile.colour(side)
        if forced == 3:
            found.add("three at once")
    west, north = (min(cells) for cells in zip(*laid, strict=True))
    east, south = (max(cells) for cells in zip(*laid, strict=True))
    x, y, _ = played.tiles[0]
    if max(x - west, y - north) > 8 or max(east - x, south - y) > 7:
        found.add("far")
    if len(laid) > 31:
        found.add("many tiles")
    return found
