"""Canonical forms and hashes of positions."""

from __future__ import annotations

from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopline.game import (
    LIMITED,
    SYMMETRIES,
    Colour,
    Placed,
    Position,
    Side,
    Symmetry,
    Tile,
    Turn,
    canonical,
    play_game,
    position_hash,
)
from tests.game.strategies import examples, games

FIRST_TILES = (Tile.NORTH_SOUTH, Tile.NORTH_WEST)


@examples(80)
@given(games(longest=30), st.integers(0, 999))
def test_the_image_of_a_game_is_a_game(end: Position, choice: int) -> None:
    """Turned, mirrored, colours exchanged; without the latter, form and hash are shared."""
    first = end.history[0].tiles[0].tile if end.turns else Tile.NORTH_WEST
    possible = [each for each in SYMMETRIES if each.tile(first) in FIRST_TILES]
    symmetry = possible[choice % len(possible)]
    image = Position()
    for played in end.history:
        x, y, tile = played.tiles[0]
        turn = Turn(*image.label(*symmetry.space(x, y)), symmetry.tile(tile).shape)
        made = image.play(turn)
        assert set(made.tiles) == {
            Placed(*symmetry.space(x, y), symmetry.tile(tile)) for x, y, tile in played.tiles
        }
        assert made.loops == {symmetry.colour(colour) for colour in played.loops}
        assert made.lines == {symmetry.colour(colour) for colour in played.lines}
    assert image.count_legal_turns() == end.count_legal_turns()
    if not symmetry.swapped:
        assert canonical(image).form == canonical(end).form
        assert position_hash(image) == position_hash(end)


def naive_images(position: Position) -> frozenset[frozenset[tuple[object, ...]]]:
    """All eight images of the tiles, as the sides that the player to move has, moved to a corner.

    Turned and mirrored by coordinates alone, without a word of ``symmetry``.
    """
    mine = [
        (x, y, [side.step for side in Side if tile.colour(side) is position.to_move])
        for x, y, tile in position.cells()
    ]
    images = []
    for mirror in (1, -1):
        board = [(mirror * x, y, [(mirror * a, b) for a, b in steps]) for x, y, steps in mine]
        for _ in range(4):
            board = [(-y, x, [(-b, a) for a, b in steps]) for x, y, steps in board]
            west, north = min(x for x, _, _ in board), min(y for _, y, _ in board)
            images.append(frozenset((x - west, y - north, *sorted(steps)) for x, y, steps in board))
    return frozenset(images)


def test_forms_and_hashes_are_equal_exactly_if_positions_are() -> None:
    """All positions of up to four turns, half of those that three lead to."""
    images: dict[str, set[object]] = defaultdict(set)
    forms: dict[object, set[str]] = defaultdict(set)
    hashes: dict[str, set[int]] = defaultdict(set)
    movers: dict[str, set[Colour]] = defaultdict(set)

    def explore(position: Position, depth: int) -> None:
        if position.tiles:
            form, image = canonical(position).form, naive_images(position)
            images[form].add(image)
            forms[image].add(form)
            hashes[form].add(position_hash(position))
            movers[form].add(position.to_move)
        for turn in position.legal_turns()[:: 2 if depth == 1 else 1] if depth else []:
            position.play(turn)
            explore(position, depth - 1)
            position.undo()

    explore(Position(), 4)
    assert all(len(same) == 1 for same in (*images.values(), *forms.values(), *hashes.values()))
    assert len({number for numbers in hashes.values() for number in numbers}) == len(forms) > 100
    assert any(len(colours) == 2 for colours in movers.values())


@examples(60)
@given(games(longest=25))
def test_the_symmetry_leads_to_the_form(position: Position) -> None:
    form, symmetry = canonical(position)
    board = {symmetry.space(x, y): symmetry.tile(tile) for x, y, tile in position.cells()}
    size, digits = form.split(":")
    width, height = map(int, size.split("x"))
    assert symmetry.colour(position.to_move) is Colour.WHITE
    assert len(digits) == width * height
    west = min((x for x, _ in board), default=0)
    north = min((y for _, y in board), default=0)
    for number, digit in enumerate(digits):
        space = (west + number % width, north + number // width)
        assert int(digit, 16) == board.get(space, 0)


def test_symmetries_form_a_group_of_sixteen() -> None:
    def effect(*symmetries: Symmetry) -> tuple[object, ...]:
        sides, colour = list(Side), Colour.WHITE
        for symmetry in symmetries:
            sides = [symmetry.side(side) for side in sides]
            colour = symmetry.colour(colour)
        return (*sides, colour)

    effects = {effect(symmetry) for symmetry in SYMMETRIES}
    assert len(effects) == 16
    assert {effect(one, other) for one in SYMMETRIES for other in SYMMETRIES} == effects
    assert effect(SYMMETRIES[0]) == effect()


def test_a_quarter_clockwise() -> None:
    quarter = Symmetry(mirrored=False, quarters=1, swapped=False)
    assert quarter.side(Side.NORTH) is Side.EAST
    assert quarter.space(1, 0) == (0, 1)
    assert quarter.tile(Tile.NORTH_WEST) is Tile.NORTH_EAST
    mirror = Symmetry(mirrored=True, quarters=0, swapped=True)
    assert mirror.space(1, 2) == (-1, 2)
    assert mirror.tile(Tile.NORTH_WEST) is Tile.SOUTH_WEST


def test_neither_the_order_of_turns_nor_the_variant_matters() -> None:
    ends = [["@0+", "B1+", "A0+", "@2+"], ["@0+", "@1+", "B0+", "C2+"]]
    positions = [*map(play_game, ends), play_game(ends[0], LIMITED)]
    assert {canonical(position).form for position in positions} == {"2x3:0aaa0a"}


@pytest.mark.parametrize(
    ("turns", "form", "number"),
    [
        ("", "0x0:", 0xE511_1E88_2A81_C5F9),
        ("@0+", "1x1:5", 0x9DAE_CA1E_02A8_9418),
        ("@0/", "1x1:3", 0x1366_3F9D_1339_F9FC),
        ("@0/ B1+", "1x2:3a", 0x916A_6525_0230_7288),
        (
            "@0+ @1+ C1\\ C2\\ B3\\ D2+ B0/ C4+ C5\\ D4\\ E4\\ D5+",
            "5x5:000a0096ac6a96956a9639600",
            0x8FAB_DC63_2DD6_4AAE,
        ),
    ],
)
def test_forms_and_hashes_stay_the_same(turns: str, form: str, number: int) -> None:
    """If this fails, what others have stored under these numbers is lost.

    It would also fail in some processes if a number depended on the seed of Python's own hashes.
    """
    position = play_game(turns.split())
    assert canonical(position).form == form
    assert position_hash(position) == number
