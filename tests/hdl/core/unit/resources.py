"""The memory that a turn unit needs for a turn, counted tile by tile."""

from __future__ import annotations

from typing import NamedTuple

from loopline.game import Colour, Played, Side, Tile
from loopline.hdl.config import GridConfig

__all__ = ["Laid", "Resources"]


class Laid(NamedTuple):
    """A tile as it was laid."""

    colours: list[Colour]
    """Of its open sides, in the order in which they are served."""
    tracks: int
    """Journal entries that are tracks."""


class _State(NamedTuple):
    """What there is: tiles and frontier spaces by place, other ends of tracks by colour and place,
    and the number of journal entries."""

    tiles: dict[tuple[int, int], Tile]
    frontier: set[tuple[int, int]]
    partners: tuple[dict[tuple[int, int], tuple[int, int]], ...]
    entries: int


class Resources:
    """Frontier spaces and journal entries in use.

    A tile is laid only when four frontier spaces are free and five journal entries are: the tile,
    and the tracks that end at up to four of its edges. ``reserved`` entries are not the journal's.
    """

    def __init__(self, grid: GridConfig, *, reserved: int = 0):
        self._spaces, self._room = grid.frontier_entries, grid.journal - reserved
        self._now = _State({}, set(), ({}, {}), 0)
        self._before: list[_State] = []
        self.laid: list[list[Laid]] = []
        """The tiles of each turn that was made, and neither taken back nor made final."""

    @property
    def entries(self) -> int:
        """Journal entries in use."""
        return self._now.entries

    def fits(self, played: Played) -> bool:
        """Whether there is room for this turn."""
        return self._after(played) is not None

    def make(self, played: Played) -> None:
        """Make a turn that fits."""
        laid: list[Laid] = []
        after = self._after(played, laid)
        assert after
        self.laid.append(laid)
        self._before.append(self._now)
        self._now = after

    def undo(self) -> None:
        """Take back the last turn."""
        self._now = self._before.pop()
        self.laid.pop()

    def forget(self) -> None:
        """Make all turns final."""
        self._before.clear()
        self.laid.clear()
        self._now = self._now._replace(entries=0)

    def _after(self, played: Played, laid: list[Laid] | None = None) -> _State | None:
        tiles, frontier, partners, entries = self._now
        tiles, frontier = dict(tiles), set(frontier)
        partners = tuple(dict(partner) for partner in partners)
        for x, y, tile in played.tiles:
            if self._spaces - len(frontier) < 4 or self._room - entries < 5:
                return None
            beside = {side: (x + side.step[0], y + side.step[1]) for side in Side}
            before = entries
            for colour in Colour:
                leads = [beside[side] for side in Side if tile.colour(side) is colour]
                open_ends = [place for place in leads if place not in tiles]
                if open_ends:
                    ends = [*open_ends, (x, y)][:2]
                    entries += self._join(partners[colour], *ends)
            if laid is not None:
                sides = [tile.colour(side) for side, place in beside.items() if place not in tiles]
                laid.append(Laid(sides, entries - before))
            entries += 1
            tiles[x, y] = tile
            frontier |= {place for place in beside.values() if place not in tiles}
            frontier.discard((x, y))
        return _State(tiles, frontier, partners, entries)

    @staticmethod
    def _join(partner, a, b) -> int:
        """Join two ends; the number of tracks there were."""
        if partner.get(a) == b:
            del partner[a], partner[b]
            return 1
        tracks = (a in partner) + (b in partner)
        first, second = partner.pop(a, a), partner.pop(b, b)
        partner[first], partner[second] = second, first
        return tracks
