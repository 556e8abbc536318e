"""The section "Play" of the rules: what a turn does."""

from __future__ import annotations

import pytest
from hypothesis import given

from loopline.game import (
    LOOP,
    Colour,
    ColourMismatchError,
    FirstTurnError,
    ForcedPlayError,
    NotAdjacentError,
    Placed,
    Position,
    Shape,
    Side,
    Tile,
    TraxError,
    Turn,
    parse_turn,
    play_game,
)
from tests.game.strategies import examples, games


def texts(position: Position) -> list[str]:
    return [str(turn) for turn in position.legal_turns()]


def test_the_empty_board() -> None:
    position = Position()
    assert position.to_move is Colour.WHITE
    assert (position.turns, position.tiles, position.result) == (0, 0, None)
    assert (position.width, position.height) == (0, 0)
    assert (list(position.cells()), position.frontier(), position.history) == ([], [], ())
    assert texts(position) == ["@0+", "@0/"]
    assert position.count_legal_turns() == 2
    assert position.winning_tracks() == {}
    assert position.locate(parse_turn("@0+")) == (0, 0)
    assert repr(position) == "<Position: 0 turns, 0 tiles, white to move>"


@pytest.mark.parametrize(("turn", "tile"), [("@0+", Tile.NORTH_SOUTH), ("@0/", Tile.NORTH_WEST)])
def test_the_first_turn_is_one_of_two(turn: str, tile: Tile) -> None:
    position = Position()
    played = position.play(turn)
    assert played.tiles == (Placed(0, 0, tile),)
    assert played.colour is Colour.WHITE
    assert position.to_move is Colour.RED
    assert (position.width, position.height) == (1, 1)
    assert position.count_legal_turns() == 12


def test_no_other_first_turn() -> None:
    position = Position()
    for column in range(3):
        for row in range(3):
            for shape in Shape:
                turn = Turn(column, row, shape)
                if str(turn) not in ("@0+", "@0/"):
                    assert not position.is_legal(turn)
                    with pytest.raises(FirstTurnError):
                        position.play(turn)
    assert position.turns == 0


@examples(60)
@given(games())
def test_a_turn_fits_its_neighbours(position: Position) -> None:
    """All tiles on the board match along all edges, whatever turns led there."""
    for x, y, tile in position.cells():
        for side in Side:
            across, down = side.step
            neighbour = position.tile_at(x + across, y + down)
            if neighbour is not None:
                assert neighbour.colour(side.opposite) is tile.colour(side)


@examples(60)
@given(games(longest=15))
def test_legal_turns_are_those_that_can_be_played(position: Position) -> None:
    """No other label or shape, in the box and up to two beyond it, can be played."""
    legal = position.legal_turns()
    assert legal == sorted(legal, key=lambda turn: (turn.column, turn.row, turn.shape.value))
    assert len(legal) == position.count_legal_turns() == len(set(legal))
    for column in range(position.width + 4):
        for row in range(position.height + 4):
            for shape in Shape:
                turn = Turn(column, row, shape)
                assert position.is_legal(turn) == position.is_legal(str(turn)) == (turn in legal)
                try:
                    position.play(turn)
                except TraxError:
                    assert turn not in legal
                else:
                    assert turn in legal
                    position.undo()


@pytest.mark.parametrize("column", ["MWLQKWV", "Z" * 12])
def test_a_column_far_away_is_not_one_of_another_row(column: str) -> None:
    """``MWLQKWV`` is column 2³²: with 32 bits for columns it would be ``@`` in the row below."""
    position = play_game(["@0/", "B1+"])
    for row in range(3):
        for shape in Shape:
            turn = f"{column}{row}{shape.value}"
            assert not position.is_legal(turn)
            with pytest.raises(NotAdjacentError):
                position.play(turn)
    assert position.tile_at(1 << 32, -1) is None


@examples(50)
@given(games())
def test_players_take_turns(position: Position) -> None:
    colours = [played.colour for played in position.history]
    assert colours == [Colour(number % 2) for number in range(len(colours))]
    assert position.to_move is Colour(position.turns % 2)


def test_a_space_with_two_sockets_of_one_colour_is_filled() -> None:
    position = play_game(["@0+", "B1+"])
    played = position.play("A2\\")
    # The red track leaves A2 to the west; the white one turns east, under the white one of B1.
    assert played.tiles == (
        Placed(0, 1, Tile.NORTH_EAST),
        Placed(1, 1, Tile.NORTH_WEST),
    )
    assert position.tiles == 4
    assert position.turns == 3


def test_forced_plays_force_others() -> None:
    """The first tile forces two others, and each of these another one."""
    position = play_game(["@0/", "@1\\", "C1/", "@1\\", "E1/"])
    played = position.play("C2/")
    spaces = [(x, y) for x, y, _ in played.tiles]
    assert spaces == [(0, 1), (1, 1), (-1, 1), (2, 1), (-2, 1)]
    assert position.tiles == 10


def test_a_forced_tile_may_join_two_tracks_of_each_colour() -> None:
    """The last space to be filled has tiles all around it: both colours go straight on."""
    position = play_game(
        ["@0+", "B1/", "@1+", "C2+", "C3/", "B2+", "B4+", "@1+", "E2\\", "B4\\", "A0\\", "A5\\"]
    )
    played = position.play("A4/")
    assert played.tiles[-1] == Placed(-1, 1, Tile.NORTH_SOUTH)
    assert len(played.tiles) == 4
    for side in Side:
        across, down = side.step
        assert position.tile_at(-1 + across, 1 + down) is not None


@examples(80)
@given(games())
def test_a_turn_ends_when_nothing_is_forced(position: Position) -> None:
    for x, y in position.frontier():
        colours = list(position.sockets(x, y).values())
        assert colours.count(Colour.WHITE) <= 1
        assert colours.count(Colour.RED) <= 1


def test_a_third_socket_of_one_colour_makes_the_turn_illegal() -> None:
    position = play_game(["@0/", "B1+", "C1/", "C2\\", "@1+", "A2/", "A3/", "D3\\"])
    assert "B3\\" not in texts(position)
    assert "B3+" in texts(position)
    assert not position.is_legal("B3\\")
    with pytest.raises(ForcedPlayError):
        position.play("B3\\")
    assert position.turns == 8


def test_labels_follow_the_box() -> None:
    position = play_game(["@0+"])
    position.play("@1+")
    assert (position.west, position.north, position.east, position.south) == (-1, 0, 0, 0)
    assert position.label(0, 0) == (2, 1)
    assert position.locate(parse_turn("C1+")) == (1, 0)
    position.play("B0+")
    assert (position.west, position.north, position.east, position.south) == (-1, -1, 0, 0)
    assert position.label(0, 0) == (2, 2)
    assert (position.width, position.height) == (2, 2)


@examples(50)
@given(games())
def test_labels_and_coordinates_are_inverse(position: Position) -> None:
    for x, y in position.frontier():
        column, row = position.label(x, y)
        assert position.locate(Turn(column, row, Shape.CROSS)) == (x, y)
        assert 0 <= column <= position.width + 1
        assert 0 <= row <= position.height + 1
    assert position.label(position.west, position.north) == (1, 1)


def test_a_corner_is_not_adjacent() -> None:
    position = play_game(["@0+", "B1+"])
    for corner in ("@0", "@2", "C0", "C2"):
        with pytest.raises(NotAdjacentError):
            position.play(f"{corner}+")


def test_only_tiles_that_fit_are_legal() -> None:
    position = play_game(["@0+", "A0/", "@2+"])
    assert [text for text in texts(position) if text.startswith("A1")] == ["A1+", "A1\\"]
    with pytest.raises(ColourMismatchError):
        position.play("A1/")


@pytest.mark.parametrize("direction", ["east", "west", "south", "north"])
def test_the_plane_has_no_end(direction: str) -> None:
    """Far beyond what any grid in an FPGA holds; without lines, for the tracks are straight."""
    turn = {"east": "{}1+", "west": "@1+", "south": "A{}+", "north": "A0+"}[direction]
    position = Position(LOOP)
    position.play("@0+")
    for count in range(1, 800):
        number = count + 1
        if direction == "east":
            position.play(Turn(number, 1, Shape.CROSS))
        else:
            position.play(turn.format(number))
    assert position.tiles == 800
    assert max(position.width, position.height) == 800
    assert min(position.width, position.height) == 1
    assert position.count_legal_turns() == 3 * 1602
    for _ in range(800):
        position.undo()
    assert position.tiles == 0
    assert position.frontier() == []
