"""The ends of all tracks, each with its partner: the other end of the same track."""

from __future__ import annotations

from typing import Final

from .chain import Step, entering
from .grid import STEPS
from .tiles import Colour

__all__ = ["TrackEnds"]

_SIDES_OF_MASK: Final = [[side for side in range(4) if mask >> side & 1] for mask in range(16)]


class TrackEnds:
    """Which two ends belong to one track, kept up to date tile by tile, never by following one.

    An end is a track entering a space through a side (see :mod:`.grid`). A tile joins two ends of
    each colour: their partners become partners of each other, and where no track enters yet, the
    end moves on into the neighbour. The entries of a space that is filled stay in the table, for
    they are just what :meth:`cut` needs.
    """

    def __init__(self) -> None:
        self._partner: dict[int, int] = {}

    def copy(self) -> TrackEnds:
        """An independent copy."""
        ends = TrackEnds()
        ends._partner = self._partner.copy()
        return ends

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TrackEnds) and self._partner == other._partner

    __hash__ = None  # type: ignore[assignment]

    def join(self, step: Step, colour: Colour) -> tuple[int, int] | None:
        """Lay the track of one colour on a tile; the ends of the track it is in, none for a loop.

        The colours of a tile may be laid in either order, tiles only in the order of play.
        """
        near, far = _SIDES_OF_MASK[step.tile.edges(colour)]
        one = self._leads_to(step, near)
        other = self._leads_to(step, far)
        if one == step.space + far:
            return None
        self._partner[one] = other
        self._partner[other] = one
        return one, other

    def cut(self, step: Step) -> None:
        """Take back both tracks of the tile laid last: the exact opposite of :meth:`join`."""
        partner = self._partner
        for colour in Colour:
            connected = entering(step.sockets, colour)
            for side in _SIDES_OF_MASK[step.tile.edges(colour)]:
                end = self._leads_to(step, side)
                if connected >> side & 1:
                    partner[end] = step.space + side
                else:
                    del partner[end]

    def _leads_to(self, step: Step, side: int) -> int:
        """The end that a tile's edge is, or will be, connected to."""
        if (step.sockets | step.sockets >> 4) >> side & 1:
            return self._partner[step.space + side]
        return step.space + STEPS[side] + (side ^ 2)
