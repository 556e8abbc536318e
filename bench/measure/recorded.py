"""The recorded games that benches replay, from the files of a folder like ``shared/games``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from loopline.game import LIMITED, LOOP, STANDARD, Variant

__all__ = ["FILES", "FOLDER", "RecordedGame", "read_recorded"]

FOLDER = Path("../shared/games")
"""The folder of the games, beside the repository."""

FILES = {"human_games.txt": 7, "random_games.txt": 4, "known_positions.txt": 3}
"""The files, and the number of the field that has the turns."""

_VARIANTS = {"|8x8 Trax|": LIMITED, "|Loop Trax|": LOOP, "longest-60.trx": LOOP}
"""Variants by a mark in a game's line; games without a mark are standard Trax."""


class RecordedGame(NamedTuple):
    """A game: its place as ``file:line``, its variant, and its turns."""

    name: str
    variant: Variant
    turns: list[str]


def read_recorded(folder: Path, files: Sequence[str] = tuple(FILES)) -> Iterator[RecordedGame]:
    """Yield the games of these files of a folder.

    Raises :exc:`OSError` if one cannot be read, and :exc:`ValueError` for a line without turns.
    """
    for file in files:
        for number, line in enumerate((folder / file).read_text(encoding="utf-8").splitlines(), 1):
            if line.startswith("#") or not line.strip():
                continue
            variants = [variant for mark, variant in _VARIANTS.items() if mark in line]
            variant = variants[0] if variants else STANDARD
            fields = line.split("|")
            if len(fields) <= FILES[file]:
                raise ValueError(f"{file}:{number}: no turns, they are in field {FILES[file] + 1}")
            yield RecordedGame(f"{file}:{number}", variant, fields[FILES[file]].split())
