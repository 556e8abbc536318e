"""How much of its memories a turn unit needs for a turn: counted tile by tile from the model."""

from __future__ import annotations

from loopline.game import Played, Side
from loopline.hdl.config import GridConfig

__all__ = ["Resources"]


class Resources:
    """Frontier spaces and journal entries in use.

    A tile is laid only when four frontier spaces are free and six journal entries are: the tile,
    four neighbours, and the mark of a turn after this one.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        self._tiles: set[tuple[int, int]] = set()
        self._frontier: set[tuple[int, int]] = set()
        self._marks: list[tuple[set, set, int]] = []
        self.entries = 0

    def fits(self, played: Played) -> bool:
        """Whether there is room for this turn."""
        return self._after(played) is not None

    def make(self, played: Played) -> None:
        """Make a turn that fits."""
        after = self._after(played)
        assert after
        self._marks.append((self._tiles, self._frontier, self.entries))
        self._tiles, self._frontier, self.entries = after

    def undo(self) -> None:
        """Take back the last turn."""
        self._tiles, self._frontier, self.entries = self._marks.pop()

    def forget(self) -> None:
        """Make all turns final."""
        self._marks.clear()
        self.entries = 0

    def _after(self, played: Played):
        tiles, frontier, entries = set(self._tiles), set(self._frontier), self.entries + 1
        for x, y, _ in played.tiles:
            if self._grid.spaces - len(frontier) < 4 or self._grid.journal - entries < 6:
                return None
            beside = {(x + side.step[0], y + side.step[1]) for side in Side} - tiles
            entries += 1 + len(beside)
            tiles.add((x, y))
            frontier |= beside
            frontier.discard((x, y))
        return tiles, frontier, entries
