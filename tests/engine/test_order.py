"""The order in which the placements of a node are tried."""

from __future__ import annotations

import random

import pytest

from loopline.engine.board.position import EnginePosition
from loopline.engine.board.tables import NO_MOVE, SIZE
from loopline.engine.evaluation.scan import NOTED, new_scanner
from loopline.engine.search.frames import KILLERS, LOCALITY, new_memory
from loopline.engine.search.order import FIRST_WALK, is_near, list_placements, note_killer
from loopline.engine.search.searcher import Searcher
from loopline.game import LIMITED, STANDARD, Position, Variant
from loopline.hdl.search.config import SearchConfig
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
    here: EnginePosition, position: Position, specials: tuple[int, int, int], locality: int, near
) -> list[tuple[int, int]]:
    """Stages and moves, sorted by stage, frontier index and shape."""
    spans = [[(tile.x, tile.y) for tile in turn.tiles] for turn in position.history[-2:]]
    staged = []
    for index, cell, shape in here.candidates():
        move = cell << 2 | shape.code
        if not near(cell):
            continue
        if move in specials:
            stage = specials.index(move)
        else:
            stage = FIRST_WALK + min(locality, *(distance(cell, tiles) for tiles in spans))
        staged.append((stage, index, shape.code, move))
    return [(stage, move) for stage, _, _, move in sorted(staged)]


@pytest.mark.parametrize("locality", [0, 3])
@pytest.mark.parametrize("variant", [STANDARD, LIMITED], ids=str)
@pytest.mark.parametrize("radius", [0, 1])
def test_stages(locality: int, variant: Variant, radius: int) -> None:
    chance, config = random.Random(f"{locality}{radius}"), SearchConfig()
    m, scanner = new_memory(config), Searcher(config).scanner
    m.settings[LOCALITY] = locality
    for _ in range(25):
        position = random_position(chance, chance.randint(2, 20), variant)
        here = EnginePosition(variant, config.grid)
        here.follow(position)
        moves = [cell << 2 | shape.code for _, cell, shape in here.candidates()]
        specials = tuple(chance.sample([*chance.sample(moves, 2), NO_MOVE, OCCUPIED], 3))
        m.killers[PLY] = specials[1:]
        scanner.found[NOTED] = 2
        cells = [move >> 2 for move in chance.choices(moves, k=6)]
        scanner.cells[:2] = [cells[:3], cells[3:]]
        end = list_placements(here.board, scanner, m, PLY, 7, specials[0], radius)
        found = [
            (entry >> 10, int(here.board.place[entry >> 2 & 0xFF]) << 2 | entry & 3)
            for entry in m.listed[7:end].tolist()
        ]
        assert found == expected(
            here,
            position,
            specials,
            locality,
            lambda cell: not radius or is_near(scanner, cell, radius),
        )


def test_near_all_attacks() -> None:
    """In the rectangle around each attack's cells, extended by one, across the torus's edge."""
    scanner = new_scanner(*Searcher().weights.rows(), 0, 2, 100)
    scanner.found[NOTED] = 1
    scanner.cells[0] = [63 << 6 | 63, 0 << 6 | 1, 63 << 6 | 0]
    near = {(x, y) for y in range(SIZE) for x in range(SIZE) if is_near(scanner, y << 6 | x, 1)}
    assert near == {(x % SIZE, y % SIZE) for x in range(-2, 3) for y in range(-2, 2)}
    scanner.found[NOTED] = 2
    scanner.cells[1] = [0 << 6 | 2, 0 << 6 | 2, 0 << 6 | 3]
    near = {(x, y) for y in range(SIZE) for x in range(SIZE) if is_near(scanner, y << 6 | x, 1)}
    assert near == {(x, y % SIZE) for x in (1, 2) for y in (-1, 0, 1)}


def test_killers() -> None:
    m = new_memory(SearchConfig())
    for move, kept in ((8, [8, NO_MOVE]), (9, [9, 8]), (9, [9, 8]), (8, [8, 9]), (4, [4, 8])):
        note_killer(m, PLY, move)
        assert m.killers[PLY].tolist() == kept
    m.settings[KILLERS] = 0
    note_killer(m, PLY, 12)
    assert m.killers[PLY].tolist() == [4, 8]
