"""The section "Facts" of the rules: what the implementation and the gateware rely on."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopline.game import Colour, Placed, Position, Side, Tile, Turn, parse_turn, play_game
from loopline.game.tracks import all_tracks
from tests.game.strategies import examples, games

Board = frozenset[tuple[int, int, Tile]]


def board_of(position: Position) -> Board:
    """The tiles, up to translation."""
    return frozenset((x - position.west, y - position.north, t) for x, y, t in position.cells())


def outer_spaces(position: Position) -> Iterable[tuple[int, int]]:
    for x, y in position.frontier():
        inside = position.west <= x <= position.east and position.north <= y <= position.south
        if not inside:
            yield x, y


@examples(60)
@given(games())
def test_a_space_outside_the_box_has_one_neighbour(position: Position) -> None:
    for x, y in outer_spaces(position):
        assert len(position.sockets(x, y)) == 1


@examples(60)
@given(games())
def test_only_the_first_tile_of_a_turn_extends_the_box(end: Position) -> None:
    position = Position()
    for played in end.history:
        x, y = position.locate(played.turn)
        assert played.tiles[0][:2] == (x, y)
        if position.tiles:
            box = (
                min(position.west, x),
                min(position.north, y),
                max(position.east, x),
                max(position.south, y),
            )
        else:
            box = (0, 0, 0, 0)
        position.play(played.turn)
        assert (position.west, position.north, position.east, position.south) == box


@examples(80)
@given(games())
def test_a_space_has_at_most_one_socket_of_each_colour(position: Position) -> None:
    for x, y in position.frontier():
        assert max(Counter(position.sockets(x, y).values()).values()) == 1


@examples(60)
@given(games())
def test_what_is_completed_runs_through_a_tile_of_the_turn(position: Position) -> None:
    tiles = {(x, y): tile for x, y, tile in position.cells()}
    for track in all_tracks(tiles):
        if track.completes:
            laid = {(x, y) for x, y, _ in position.history[-1].tiles}
            assert laid & set(track.cells)


@examples(80)
@given(games())
def test_a_turn_of_one_tile_makes_no_loop(position: Position) -> None:
    for played in position.history:
        if len(played.tiles) == 1:
            assert not played.loops


def test_legality_does_not_depend_on_who_moves() -> None:
    """Boards that both an odd and an even number of turns lead to have the same legal turns."""
    seen: dict[Board, dict[Colour, list[Turn]]] = defaultdict(dict)

    def explore(position: Position, depth: int) -> None:
        if position.tiles:
            seen[board_of(position)].setdefault(position.to_move, position.legal_turns())
        for turn in position.legal_turns() if depth else []:
            position.play(turn)
            explore(position, depth - 1)
            position.undo()

    explore(Position(), 4)
    both = [turns for turns in seen.values() if len(turns) == 2]
    assert len(both) > 10
    for turns in both:
        assert turns[Colour.WHITE] == turns[Colour.RED]


def test_two_turns_may_lead_to_the_same_position() -> None:
    """The same chain begun at either end."""
    position = play_game(["@0+", "B1+"])
    boards: Counter[Board] = Counter()
    for turn in position.legal_turns():
        position.play(turn)
        boards[board_of(position)] += 1
        position.undo()
    assert set(boards.values()) == {1, 2}
    one, other = (play_game(["@0+", "B1+", turn]) for turn in ("A2\\", "B2/"))
    assert board_of(one) == board_of(other)


@examples(50)
@given(games(), st.integers(0, 999))
def test_the_future_depends_on_the_outside_only(position: Position, choice: int) -> None:
    """A turn whose chain is the same as another's leads to the same position in every respect."""
    turns = position.legal_turns()
    if not turns:
        return
    played = position.play(turns[choice % len(turns)])
    after = board_of(position), position.legal_turns()
    position.undo()
    for x, y, tile in played.tiles[1:]:
        turn = Turn(*position.label(x, y), tile.shape)
        if position.sockets(x, y) and position.is_legal(turn):
            again = position.play(turn)
            if set(again.tiles) == set(played.tiles):
                assert (board_of(position), position.legal_turns()) == after
                assert (again.loops, again.lines) == (played.loops, played.lines)
            position.undo()


# The symmetries that keep the first tile: the other ones would need another first tile. A map
# takes a side to a side; `swap` says that it exchanges the colours too.
QUARTER, HALF, THREE = ([Side((side + n) % 4) for side in Side] for n in (1, 2, 3))
ACROSS = [Side.NORTH, Side.WEST, Side.SOUTH, Side.EAST]
DOWN = [Side.SOUTH, Side.EAST, Side.NORTH, Side.WEST]
DIAGONAL = [Side.WEST, Side.SOUTH, Side.EAST, Side.NORTH]
OTHER_DIAGONAL = [Side.EAST, Side.NORTH, Side.WEST, Side.SOUTH]
SYMMETRIES = {
    "@0+": [
        (HALF, False),
        (ACROSS, False),
        (DOWN, False),
        (QUARTER, True),
        (THREE, True),
        (DIAGONAL, True),
        (OTHER_DIAGONAL, True),
    ],
    "@0/": [(DIAGONAL, False), (HALF, True), (OTHER_DIAGONAL, True)],
}


def mapped_space(sides: list[Side], x: int, y: int) -> tuple[int, int]:
    east, south = sides[Side.EAST].step, sides[Side.SOUTH].step
    return x * east[0] + y * south[0], x * east[1] + y * south[1]


def mapped_tile(sides: list[Side], swap: bool, tile: Tile) -> Tile:
    colour = Colour.RED if swap else Colour.WHITE
    return Tile(sum(sides[side].bit for side in Side if tile.colour(side) is colour))


@examples(80)
@given(games(), st.integers(0, 6))
def test_symmetries(end: Position, number: int) -> None:
    """Turned, mirrored, and with colours swapped, a game is a game."""
    if not end.turns:
        return
    symmetries = SYMMETRIES[str(end.history[0].turn)]
    sides, swap = symmetries[number % len(symmetries)]
    position = Position()
    for played in end.history:
        x, y, tile = played.tiles[0]
        space = mapped_space(sides, x, y)
        shape = mapped_tile(sides, swap, tile).shape
        image = position.play(Turn(*position.label(*space), shape))
        assert set(image.tiles) == {
            Placed(*mapped_space(sides, x, y), mapped_tile(sides, swap, tile))
            for x, y, tile in played.tiles
        }
        assert image.loops == {c.other if swap else c for c in played.loops}
        assert image.lines == {c.other if swap else c for c in played.lines}
    assert position.count_legal_turns() == end.count_legal_turns()


@pytest.mark.parametrize("first", ["@0+", "@0/"])
def test_a_game_does_not_depend_on_where_it_lies(first: str) -> None:
    """Labels move with the formation: after growing to the west, they are one more."""
    position = play_game([first])
    before = {str(turn) for turn in position.legal_turns()}
    position.play("@1+")
    assert "A1+" not in {str(turn) for turn in position.legal_turns()}
    assert before == {f"{space}{shape}" for space in ("@1", "A0", "A2", "B1") for shape in "+/\\"}
    assert position.locate(parse_turn("B1+")) == (0, 0)
