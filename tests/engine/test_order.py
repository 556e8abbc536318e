"""The order in which the placements of a node are tried."""

from __future__ import annotations

import random

import pytest

from loopline.engine.board.position import EnginePosition
from loopline.engine.board.tables import NO_MOVE, SIZE
from loopline.engine.evaluation.scan import NEAR_WEST, TRACKS, scan
from loopline.engine.search.frames import KILLERS, LOCALITY, new_memory
from loopline.engine.search.order import is_near, list_placements, note_killer
from loopline.engine.search.searcher import Searcher
from loopline.game import LIMITED, STANDARD, Position, Variant, attacks
from loopline.hdl.search.config import FIRST_WALK, SearchConfig
from tests.engine.reference import random_position

pytestmark = pytest.mark.xdist_group("engine")

PLY = 2

OCCUPIED = 1
"""A move into the cell of the first tile."""


def offset(one: int, other: int) -> int:
    return (one - other + SIZE // 2) % SIZE - SIZE // 2


def distance(cell: int, tiles: list[tuple[int, int]]) -> int:
    """Columns and rows from a cell to the smallest rectangle around tiles."""
    far = 0
    for axis, at in enumerate((cell % SIZE, cell // SIZE)):
        offsets = [offset(tile[axis] % SIZE, at) for tile in tiles]
        far += max(0, min(offsets), -max(offsets))
    return far


def expected(
    here: EnginePosition,
    position: Position,
    ply: int,
    specials: tuple[int, int, int],
    locality: int,
    near: set[int],
) -> list[tuple[int, int]]:
    """Stages and moves, sorted by stage, frontier index and shape."""
    last = position.history[-min(ply, 2) :]
    spans = [[(tile.x, tile.y) for tile in turn.tiles] for turn in last]
    staged = []
    for index, cell, shape in here.candidates():
        move = cell << 2 | shape.code
        if cell not in near:
            continue
        if move in specials:
            stage = specials.index(move)
        else:
            stage = FIRST_WALK + min(locality, *(distance(cell, tiles) for tiles in spans))
        staged.append((stage, index, shape.code, move))
    return [(stage, move) for stage, _, _, move in sorted(staged)]


def on_path(position: Position, ply: int, config: SearchConfig) -> EnginePosition:
    """A position of a game whose last ``ply`` turns are the path of a search."""
    here = EnginePosition(position.variant, config.grid)
    for number, turn in enumerate(position.history):
        first = turn.tiles[0]
        if number == position.turns - ply:
            here.commit()
        here.make((first.y % SIZE) << 6 | first.x % SIZE, first.tile.shape)
    return here


@pytest.mark.parametrize("locality", [0, 3])
@pytest.mark.parametrize("variant", [STANDARD, LIMITED], ids=str)
@pytest.mark.parametrize("radius", [0, 1])
def test_stages(locality: int, variant: Variant, radius: int) -> None:
    chance, config = random.Random(f"{locality}{radius}"), SearchConfig()
    m, scanner = new_memory(config), Searcher(config).scanner
    m.settings[LOCALITY] = locality
    for number in range(25):
        ply = number % 3 + 1
        position = random_position(chance, chance.randint(ply + 1, 20), variant)
        here = on_path(position, ply, config)
        moves = [cell << 2 | shape.code for _, cell, shape in here.candidates()]
        specials = tuple(chance.sample([*chance.sample(moves, 2), NO_MOVE, OCCUPIED], 3))
        m.killers[ply] = specials[1:]
        scanner.found[NEAR_WEST:TRACKS] = chance.sample(range(8), 4)
        end = list_placements(here.board, scanner, m, ply, 7, specials[0], radius)
        found = [
            (entry >> 10, int(here.board.place[entry >> 2 & 0xFF]) << 2 | entry & 3)
            for entry in m.listed[7:end].tolist()
        ]
        assert found == expected(
            here,
            position,
            ply,
            specials,
            locality,
            {
                move >> 2
                for move in moves
                if not radius or is_near(here.board, scanner, move >> 2, radius)
            },
        )


def test_near_all_attacks() -> None:
    """Near the loop attacks that the reference model finds: their columns and rows in common."""
    chance, scanner, seen = random.Random(5), Searcher().scanner, 0
    while seen < 12:
        position = random_position(chance, chance.randint(6, 16))
        here = EnginePosition()
        here.follow(position)
        scan(here.board, scanner, position.to_move)
        found = [each for each in attacks(position, position.to_move.other) if each.loop]
        seen += bool(found)
        spans = [
            (min(at), max(at))
            for axis in range(2)
            for attack in found
            for at in [[end[axis] for end in attack.tracks[0].ends]]
        ]
        for x, y in position.frontier():
            near = all(
                low - 1 <= at <= high + 1
                for at, (low, high) in zip([x] * len(found) + [y] * len(found), spans, strict=True)
            )
            cell = (y % SIZE) << 6 | x % SIZE
            assert is_near(here.board, scanner, cell, 1) == near, (position.history, x, y)


def test_killers() -> None:
    m = new_memory(SearchConfig())
    for move, kept in ((8, [8, NO_MOVE]), (9, [9, 8]), (9, [9, 8]), (8, [8, 9]), (4, [4, 8])):
        note_killer(m, PLY, move)
        assert m.killers[PLY].tolist() == kept
    m.settings[KILLERS] = 0
    note_killer(m, PLY, 12)
    assert m.killers[PLY].tolist() == [4, 8]
