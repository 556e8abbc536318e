"""The positions of ``tests/data/positions``, whose README says what the fields are."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from loopline.game import Position, TraxError, Variant

FOLDER = Path(__file__).resolve().parents[1] / "data" / "positions"


class ChosenPosition(NamedTuple):
    """One line of a data file."""

    file: str
    name: str
    variant: str
    outcome: str
    tiles: int
    width: int
    height: int
    legal: int
    turns: list[str]

    @property
    def illegal(self) -> bool:
        """Whether the last turn is not legal; the figures are then those before it."""
        return self.outcome.startswith("illegal ")


def chosen_positions(*files: str) -> list[ChosenPosition]:
    """The positions of these files, given without their ``.txt``; of all files if none is given."""
    positions = []
    for name in files or sorted(path.stem for path in FOLDER.glob("*.txt")):
        for line in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
            if not line.startswith("#"):
                title, variant, outcome, tiles, size, legal, turns = line.split(" | ")
                width, height = map(int, size.split(" x "))
                figures = (int(tiles), width, height, int(legal))
                positions.append(
                    ChosenPosition(name, title, variant, outcome, *figures, turns.split())
                )
    return positions


def play_as_far_as_it_goes(turns: list[str], variant: Variant) -> tuple[Position, TraxError | None]:
    """The position before the first turn that cannot be made, and what is wrong with that."""
    position = Position(variant)
    try:
        for turn in turns:
            position.play(turn)
    except TraxError as error:
        return position, error
    return position, None
