"""The ends of all tracks, each with its partner: the other end of the same track."""

from __future__ import annotations

from typing import Final

from loopline.game.chain import Step, entering
from loopline.game.grid import STEPS
from loopline.game.tiles import ALL_SIDES, Colour

__all__ = ["TrackEnds"]

_SIDES_OF_MASK: Final = [
    [side for side in range(4) if mask >> side & 1] for mask in range(ALL_SIDES + 1)
]


class TrackEnds:
    """Which two ends belong to one track, kept up to date tile by tile, never by following one.

    An end is a track entering a space through a side (see :mod:`.grid`). A tile joins two ends of
    each colour: their partners become partners of each other, and where no track enters yet, the
    end moves on into the neighbour. The entries of a filled space stay in the table: :meth:`cut`
    needs them.
    """

    def __init__(self) -> None:
        """Make a table without tracks."""
        self._partner: dict[int, int] = {}

    def copy(self) -> TrackEnds:
        """Return an independent copy."""
        ends = TrackEnds()
        ends._partner = self._partner.copy()
        return ends

    def partner(self, end: int) -> int:
        """Return the other end of the track that ends here."""
        return self._partner[end]

    def join(self, step: Step, colour: Colour) -> tuple[int, int] | None:
        """Lay one track of a tile; return the ends of the track it belongs to, None for a loop.

        Tiles have to be laid in the order of play, their two colours in either order.
        """
        near, far = _SIDES_OF_MASK[step.tile.edges(colour)]
        one = self._beyond(step, near)
        if one == step.space + far:
            return None
        other = self._beyond(step, far)
        self._partner[one] = other
        self._partner[other] = one
        return one, other

    def cut(self, step: Step) -> None:
        """Remove both tracks of the tile laid last, the opposite of :meth:`join`."""
        for colour in Colour:
            connected = entering(step.sockets, colour)
            for side in _SIDES_OF_MASK[step.tile.edges(colour)]:
                end = self._beyond(step, side)
                if connected >> side & 1:
                    self._partner[end] = step.space + side
                else:
                    del self._partner[end]

    def _beyond(self, step: Step, side: int) -> int:
        """Return the end that the track through this edge of the tile has on that side.

        Where a track enters, this is its other end; elsewhere it is the new end in the neighbour.
        """
        if (step.sockets | step.sockets >> 4) >> side & 1:
            return self._partner[step.space + side]
        return step.space + STEPS[side] + (side ^ 2)
