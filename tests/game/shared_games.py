"""The games and positions in ``shared/games``, beside the repository, if they are there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import pytest

from loopline.game import LOOP, STANDARD, Position, Variant

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "games"


class RandomGame(NamedTuple):
    """A game of ``random_games.txt``, with everything that is known of its end."""

    outcome: str
    turns: int
    tiles: int
    legal_count: int
    moves: list[str]
    legal: list[str]
    illegal: list[str]


class HumanGame(NamedTuple):
    """A game of ``human_games.txt``."""

    name: str
    variant: str
    ended: str
    outcome: str
    turns: int
    tiles: int
    moves: list[str]


class KnownPosition(NamedTuple):
    """A position of ``known_positions.txt``: ``illegal_turn`` is the number of the illegal turn."""

    name: str
    outcome: str
    illegal_turn: int | None
    tiles: int | None
    moves: list[str]

    @property
    def variant(self) -> Variant:
        """What was played: the file says of one game that it was Loop Trax."""
        return LOOP if self.name == "longest-60.trx" else STANDARD


def random_games() -> list[RandomGame]:
    """Random games, some unfinished, with all legal turns at their ends."""
    return [
        RandomGame(
            _kind_in_order(outcome),
            int(turns),
            int(tiles),
            int(count),
            moves.split(),
            legal.split(),
            illegal.split(),
        )
        for outcome, turns, tiles, count, moves, legal, illegal in _rows("random_games.txt", 7)
    ]


def human_games() -> list[HumanGame]:
    """Games between people."""
    return [
        HumanGame(name, variant, ended, outcome, int(turns), int(tiles), moves.split())
        for name, variant, ended, outcome, _, turns, tiles, moves in _rows("human_games.txt", 8)
    ]


def known_positions() -> list[KnownPosition]:
    """Positions collected from other implementations."""
    positions = []
    for name, outcome, tiles, moves in _rows("known_positions.txt", 4):
        illegal = int(outcome.removeprefix("illegal:")) if outcome.startswith("illegal:") else None
        positions.append(
            KnownPosition(
                name,
                "" if illegal or outcome == "-" else _kind_in_order(outcome),
                illegal,
                int(tiles) if tiles else None,
                moves.split(),
            )
        )
    return positions


def outcome_of(position: Position) -> str:
    """The result as the files write it: ``W:loop``, ``R:line:both``, nothing if there is none."""
    result = position.result
    if result is None:
        return ""
    return f"{result.winner.letter}:{result.kind}{':both' if result.both else ''}"


def _kind_in_order(outcome: str) -> str:
    return outcome.replace("line+loop", "loop+line")


def _rows(name: str, columns: int) -> list[list[str]]:
    """The fields of the lines of a file. Without the file: skipped, but a failure in CI."""
    path = FOLDER / name
    if not path.is_file():
        if os.environ.get("CI"):
            pytest.fail(f"{name} is missing: expected it in ../shared/games")
        pytest.skip(f"no ../shared/games/{name} beside the repository")
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = [[field.strip() for field in line.split("|")] for line in lines if line[:1] != "#"]
    assert all(len(row) == columns for row in rows)
    return rows
