"""What follows from a box, in plain integers, for units that are told."""

from __future__ import annotations

from loopline.game import LINE_LENGTH, Side
from loopline.hdl.config import GridConfig

__all__ = ["edges_of"]


def edges_of(
    box: tuple[int, int, int, int], grid: GridConfig, *, area: int = 0, lines: bool = True
) -> dict[str, object]:
    """The fields of :func:`edges_layout` for a box in the plane: west, north, east, south."""
    west, north, east, south = box
    beside = {
        Side.NORTH: north - 1,
        Side.EAST: east + 1,
        Side.SOUTH: south + 1,
        Side.WEST: west - 1,
    }
    rows_and_columns = south - north + 1, east - west + 1

    def mask(holds) -> int:
        return sum(bool(holds(length)) << n for n, length in enumerate(rows_and_columns))

    return {
        "beside": [beside[side] % grid.size for side in Side],
        "grid_full": mask(lambda length: length == grid.limit),
        "area_full": mask(lambda length: length == area),
        "long": mask(lambda length: lines and length >= LINE_LENGTH),
        "almost": mask(lambda length: lines and length == LINE_LENGTH - 1),
    }
