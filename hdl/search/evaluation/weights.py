"""The weights of the evaluation, by class, and their file.

The file is text: a line with the format's name and the checksum of all that follows (CRC-32 of the
bytes, eight hexadecimal digits), then for each group its name, how many numbers it has, and the
numbers: those for the tracks of the side to move are ``own``, those for the opponent's ``other``.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from loopline.hdl.search.evaluation.classes import (
    DISTANCE_CLASSES,
    END_CLASSES,
    LINE_ROWS,
    PERIMETER_CLASSES,
)

__all__ = [
    "DEFAULT_WEIGHTS",
    "GROUPS",
    "SIDES",
    "WeightsError",
    "bits_of",
    "read_groups",
    "write_groups",
]

DEFAULT_WEIGHTS = Path(__file__).parent / "weights.txt"
"""The weights that the player has if it is given no others."""

_HEAD = "loopline evaluation 2 crc32 "
_PER_LINE = 16

SIDES = ("own", "other")
"""The first words of the groups: for the side to move and for the opponent."""

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


def read_groups(path: Path = DEFAULT_WEIGHTS) -> dict[str, list[int]]:
    """Read a file: the numbers of each group, by its name. Raises :exc:`WeightsError`."""
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
    return groups


def write_groups(path: Path, groups: Mapping[str, Sequence[int]]) -> None:
    """Write a file."""
    lines = []
    for name, numbers in groups.items():
        lines.append(f"{name} {len(numbers)}")
        for start in range(0, len(numbers), _PER_LINE):
            lines.append(" ".join(map(str, numbers[start : start + _PER_LINE])))
    body = "\n".join(lines) + "\n"
    path.write_text(f"{_HEAD}{zlib.crc32(body.encode()):08x}\n{body}", encoding="ascii")


def bits_of(numbers: Iterable[int]) -> int:
    """Return the width of a signed number that holds each of these."""
    return max((number if number >= 0 else ~number).bit_length() for number in numbers) + 1
