"""Forced plays: what follows from one tile, worked out from the sockets alone.

A space's sockets are eight bits: bit ``n`` says that a white track enters on side ``n``, bit
``4 + n`` that a red one does. These bits alone decide what fits and what is forced, so everything
here is a look-up in tables of 256 entries.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from loopline.game.grid import STEPS
from loopline.game.tiles import ALL_SIDES, Colour, Side, Tile

__all__ = ["FITTING", "Chain", "Step", "entering", "is_settled", "make_chain", "openings", "socket"]


class Step(NamedTuple):
    """One tile of a turn: the space, its sockets just before, and the tile laid there."""

    space: int
    sockets: int
    tile: Tile


class Chain(NamedTuple):
    """A tile and all that it forces, in the order in which the tiles are laid.

    ``conflict`` is a space that three tracks of one colour enter, and that colour. It makes the
    turn illegal; the steps end with the tile that caused it.
    """

    steps: list[Step]
    conflict: tuple[int, Colour] | None


def socket(side: Side, colour: Colour) -> int:
    """Return the bit of a track of this colour that enters on this side."""
    return side.bit << (4 * colour)


def entering(sockets: int, colour: Colour) -> int:
    """Return the mask of the sides on which tracks of this colour enter."""
    return sockets >> (4 * colour) & ALL_SIDES


def openings(step: Step) -> tuple[tuple[int, int], ...]:
    """Return the step to each empty neighbour of a tile, and the socket that it gets."""
    return _OPENINGS[step.sockets, step.tile]


def is_settled(sockets: int) -> bool:
    """Return whether no colour enters twice: the space has neither forced play nor conflict."""
    return _SETTLED[sockets]


def make_chain(sockets: Mapping[int, int], space: int, tile: Tile) -> Chain:
    """Return the chain of a tile that fits: forced plays are made in the order they arise.

    ``sockets`` are those of the frontier spaces before the turn; they are not changed.
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
            if _SETTLED[after]:
                continue
            forced = _FORCED[after]
            if forced is None:
                return Chain(steps, (neighbour, Colour.WHITE if bit <= ALL_SIDES else Colour.RED))
            if _SETTLED[before]:
                waiting.append((neighbour, forced))
    return Chain(steps, None)


def _fits(sockets: int, tile: Tile) -> bool:
    """Return whether the tile has the right colour on every side where a track enters."""
    return all(entering(sockets, colour) & ~tile.edges(colour) == 0 for colour in Colour)


def _forced(sockets: int) -> Tile | None:
    """Return the tile that the sockets force, or None for no forced play or a conflict."""
    white, red = (entering(sockets, colour) for colour in Colour)
    counts = (white.bit_count(), red.bit_count())
    if max(counts) != 2 or white & red:
        return None
    return Tile(white if counts[0] == 2 else ALL_SIDES & ~red)


def _openings(sockets: int, tile: Tile) -> tuple[tuple[int, int], ...]:
    """Return one entry of the table behind :func:`openings`."""
    occupied = entering(sockets, Colour.WHITE) | entering(sockets, Colour.RED)
    return tuple(
        (STEPS[side], socket(side.opposite, tile.colour(side)))
        for side in Side
        if not occupied & side.bit
    )


_SETTLED: Final = tuple(
    all(entering(sockets, colour).bit_count() < 2 for colour in Colour) for sockets in range(256)
)
_FORCED: Final = tuple(_forced(sockets) for sockets in range(256))
_OPENINGS: Final = {
    (sockets, tile): _openings(sockets, tile)
    for sockets in range(256)
    for tile in Tile
    if _fits(sockets, tile)
}
_BY_SHAPE: Final = sorted(Tile, key=lambda tile: tile.shape.code)
FITTING: Final = tuple(
    tuple(tile for tile in _BY_SHAPE if _fits(sockets, tile)) for sockets in range(256)
)
"""By the sockets' mask: the tiles that fit, in the order of the codes of their shapes."""
