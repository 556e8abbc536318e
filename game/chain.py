"""Forced plays: what follows from one tile, worked out from the sockets alone.

A space's sockets are eight bits: bit ``n`` says that a white track enters on side ``n``, bit
``4 + n`` that a red one does. All that a space can ask for depends on these bits, so everything
here is a look-up in tables of 256 entries.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from .grid import STEPS
from .tiles import ALL_SIDES, Colour, Side, Tile

__all__ = ["FITTING", "Chain", "Step", "entering", "forces_no_conflict", "make_chain", "socket"]


class Step(NamedTuple):
    """One tile of a turn: the space, its sockets just before, and the tile laid there."""

    space: int
    sockets: int
    tile: Tile


class Chain(NamedTuple):
    """A tile and all that it forces.

    ``changed`` holds the new sockets of every space that a tile of the turn touched, the filled
    ones included. ``conflict`` is the space that three tracks of one colour enter and their
    colour, which makes the turn illegal; the other two are incomplete then.
    """

    steps: list[Step]
    changed: dict[int, int]
    conflict: tuple[int, Colour] | None


def socket(side: Side, colour: Colour) -> int:
    """The bit that says that a track of this colour enters on this side."""
    return side.bit << (4 * colour)


def entering(sockets: int, colour: Colour) -> int:
    """The mask of the sides on which tracks of this colour enter."""
    return sockets >> (4 * colour) & ALL_SIDES


def make_chain(sockets: Mapping[int, int], space: int, tile: Tile) -> Chain:
    """Lay a tile and then the forced ones, first come, first served.

    ``sockets`` are those of the frontier spaces before the turn; they stay as they are.
    """
    steps: list[Step] = []
    changed: dict[int, int] = {}
    waiting = [(space, tile)]
    for at, laid in waiting:
        here = changed[at] if at in changed else sockets.get(at, 0)
        steps.append(Step(at, here, laid))
        for step, bit in _OPENINGS[here, laid]:
            neighbour = at + step
            before = changed[neighbour] if neighbour in changed else sockets.get(neighbour, 0)
            after = before | bit
            changed[neighbour] = after
            forced = _FORCED[after]
            if forced == _CONFLICT:
                colour = Colour.WHITE if bit <= ALL_SIDES else Colour.RED
                return Chain(steps, changed, (neighbour, colour))
            if forced and not _FORCED[before]:
                waiting.append((neighbour, Tile(forced)))
    return Chain(steps, changed, None)


def forces_no_conflict(sockets: Mapping[int, int], space: int, tile: Tile) -> bool:
    """Whether a tile that fits makes a legal turn; quick when it forces nothing."""
    for step, bit in _OPENINGS[sockets[space], tile]:
        if _FORCED[sockets.get(space + step, 0) | bit]:
            return make_chain(sockets, space, tile).conflict is None
    return True


def _fits(sockets: int, tile: Tile) -> bool:
    """Whether the tile has the right colour on every side where a track enters."""
    return all(entering(sockets, colour) & ~tile.edges(colour) == 0 for colour in Colour)


def _forced(sockets: int) -> int:
    """The tile that these sockets demand, 0 for none, or the mark of a conflict."""
    white, red = (entering(sockets, colour) for colour in Colour)
    if max(white.bit_count(), red.bit_count()) > 2:
        return _CONFLICT
    if white.bit_count() == 2:
        return white
    if red.bit_count() == 2:
        return ALL_SIDES & ~red
    return 0


def _openings(sockets: int, tile: Tile) -> tuple[tuple[int, int], ...]:
    """The neighbours that a tile opens into: the step to each, and the socket it gets there."""
    occupied = entering(sockets, Colour.WHITE) | entering(sockets, Colour.RED)
    return tuple(
        (STEPS[side], socket(side.opposite, tile.colour(side)))
        for side in Side
        if not occupied & side.bit
    )


_CONFLICT: Final = -1
_FORCED: Final = [_forced(sockets) for sockets in range(256)]
_OPENINGS: Final[dict[tuple[int, int], tuple[tuple[int, int], ...]]] = {
    (sockets, tile.value): _openings(sockets, tile)
    for sockets in range(256)
    for tile in Tile
    if _fits(sockets, tile)
}
_BY_SHAPE: Final = sorted(Tile, key=lambda tile: tile.shape.code)
FITTING: Final[tuple[tuple[Tile, ...], ...]] = tuple(
    tuple(tile for tile in _BY_SHAPE if _fits(sockets, tile)) for sockets in range(256)
)
"""For all sockets the tiles that fit, in the order of the codes of their shapes."""
