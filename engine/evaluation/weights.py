"""The weights of the evaluation as arrays.

:mod:`loopline.hdl.search.evaluation.weights` has their file.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from loopline.engine.evaluation.classes import (
    DISTANCE_CLASS,
    END_CLASS,
    WINDOW_CLASS,
    WINDOW_OTHER,
)
from loopline.hdl.search.evaluation.weights import (
    DEFAULT_WEIGHTS,
    GROUPS,
    WeightsError,
    read_groups,
    write_groups,
)

__all__ = ["DEFAULT_WEIGHTS", "Weights", "WeightsError", "read_weights"]


@dataclass(frozen=True, eq=False)
class Weights:
    """Weights by class.

    Parameters
    ----------
    tempo : int
        The value of being to move.
    ends, distances, lines, perimeter : array of 2 rows
        By class; first the weights of the tracks, or sockets, of the side to move.
    """

    tempo: int
    ends: np.ndarray
    distances: np.ndarray
    lines: np.ndarray
    perimeter: np.ndarray

    def rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The same by row of the tables, and by window, as the search reads them."""
        return (
            np.ascontiguousarray(self.ends[:, END_CLASS], np.int16),
            np.ascontiguousarray(self.distances[:, DISTANCE_CLASS], np.int16),
            np.ascontiguousarray(self.lines, np.int16),
            self._rim_rows(),
        )

    def _rim_rows(self) -> np.ndarray:
        weights = self.perimeter[WINDOW_OTHER, WINDOW_CLASS]
        return np.ascontiguousarray(np.where(WINDOW_OTHER, -weights, weights), np.int16)

    def check(self, bits: int) -> None:
        """Raise :exc:`WeightsError` unless all are signed numbers of so many bits."""
        top = 1 << (bits - 1)
        for name, numbers in self._groups().items():
            if max(numbers) >= top or min(numbers) < -top:
                raise WeightsError(f"the weights of {name!r} do not fit into {bits} bits")

    def _groups(self) -> dict[str, list[int]]:
        tables = (self.ends, self.distances, self.lines, self.perimeter)
        rows = [row.tolist() for table in tables for row in table]
        return dict(zip(GROUPS, [[self.tempo], *rows], strict=True))

    def save(self, path: Path) -> None:
        """Write a file."""
        write_groups(path, self._groups())


def read_weights(path: Path = DEFAULT_WEIGHTS) -> Weights:
    """Read a file. Raises :exc:`WeightsError`."""
    (tempo,), *rows = read_groups(path).values()
    tables = [np.array(rows[n : n + 2], np.int64) for n in (0, 2, 4, 6)]
    return Weights(tempo, *tables)
