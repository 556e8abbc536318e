"""The weights of the evaluation, and their file.

The file is text: a line with the format's name and the checksum of all that follows (CRC-32 of the
bytes, eight hexadecimal digits), then for each group its name, how many numbers it has, and the
numbers: those for the tracks of the side to move are ``own``, those for the opponent's ``other``.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from loopline.engine.evaluation.classes import (
    DISTANCE_CLASS,
    DISTANCE_CLASSES,
    END_CLASS,
    END_CLASSES,
    LINE_ROWS,
    PERIMETER_CLASSES,
    WINDOW_CLASS,
    WINDOW_OTHER,
)

__all__ = ["DEFAULT_WEIGHTS", "GROUPS", "Weights", "WeightsError", "read_weights"]

DEFAULT_WEIGHTS = Path(__file__).parent / "weights.txt"
"""The weights that the player has if it is given no others."""

_HEAD = "loopline evaluation 2 crc32 "
_PER_LINE = 16

GROUPS = {
    "tempo": 1,
    "own ends": END_CLASSES,
    "other ends": END_CLASSES,
    "own distances": DISTANCE_CLASSES,
    "other distances": DISTANCE_CLASSES,
    "own lines": LINE_ROWS,
    "other lines": LINE_ROWS,
    "own rims": PERIMETER_CLASSES,
    "other rims": PERIMETER_CLASSES,
}
"""The groups of a file in their order, with their sizes. In files the perimeter is called rims."""


class WeightsError(ValueError):
    """A file of weights that cannot be read or is damaged; the text says which and why."""


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
        lines = []
        for name, numbers in self._groups().items():
            lines.append(f"{name} {len(numbers)}")
            for start in range(0, len(numbers), _PER_LINE):
                lines.append(" ".join(map(str, numbers[start : start + _PER_LINE])))
        body = "\n".join(lines) + "\n"
        path.write_text(f"{_HEAD}{zlib.crc32(body.encode()):08x}\n{body}", encoding="ascii")


def read_weights(path: Path = DEFAULT_WEIGHTS) -> Weights:
    """Read a file. Raises :exc:`WeightsError`."""
    try:
        head, _, body = path.read_text(encoding="ascii").partition("\n")
    except OSError as error:
        raise WeightsError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise WeightsError(f"{path}: no file of weights") from error
    if not head.startswith(_HEAD):
        raise WeightsError(f"{path}: no file of weights, it does not begin with {_HEAD.strip()!r}")
    if head.removeprefix(_HEAD) != f"{zlib.crc32(body.encode()):08x}":
        raise WeightsError(f"{path}: damaged, the checksum is wrong")
    words = iter(body.split())
    groups: dict[str, list[int]] = {}
    try:
        for name, size in GROUPS.items():
            found = " ".join(next(words) for _ in name.split()), int(next(words))
            if found != (name, size):
                raise WeightsError(f"{path}: {found} where {name} {size} should be")
            groups[name] = [int(next(words)) for _ in range(size)]
    except (StopIteration, ValueError, RuntimeError) as error:
        raise WeightsError(f"{path}: numbers are missing") from error
    (tempo,), *rows = groups.values()
    tables = [np.array(rows[n : n + 2], np.int64) for n in (0, 2, 4, 6)]
    return Weights(tempo, *tables)
