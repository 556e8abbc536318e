"""The encodings that the gateware shares."""

from __future__ import annotations

from loopline.game import ALL_SIDES, Colour, Shape, Side, Tile


def test_every_pair_of_sides_is_one_tile() -> None:
    pairs = {one.bit | other.bit for one in Side for other in Side if one is not other}
    assert {tile.value for tile in Tile} == pairs
    assert len(Tile) == 6


def test_a_tile_has_two_edges_of_each_colour() -> None:
    for tile in Tile:
        assert tile.edges(Colour.WHITE) | tile.edges(Colour.RED) == ALL_SIDES
        for colour in Colour:
            assert tile.edges(colour).bit_count() == 2
            assert {side for side in Side if tile.colour(side) is colour} == {
                side for side in Side if tile.edges(colour) & side.bit
            }


def test_opposite_sides_are_a_step_apart_and_back() -> None:
    for side in Side:
        assert side.opposite.opposite is side
        assert [a + b for a, b in zip(side.step, side.opposite.step, strict=True)] == [0, 0]
    assert [side.step for side in Side] == [(0, -1), (1, 0), (0, 1), (-1, 0)]


def test_a_shape_is_two_tiles_with_swapped_colours() -> None:
    for shape in Shape:
        one, other = shape.tiles
        assert one.shape is other.shape is shape
        assert one.edges(Colour.WHITE) == other.edges(Colour.RED)
        assert one.colour(Side.NORTH) is Colour.WHITE
    assert {tile for shape in Shape for tile in shape.tiles} == set(Tile)
    assert [shape.code for shape in (Shape.CROSS, Shape.SLASH, Shape.BACKSLASH)] == [0, 1, 2]


def test_shapes_lie_as_they_look() -> None:
    """``/`` has its curves in the north-west and south-east corners, ``\\`` in the others."""
    for tile in Shape.SLASH.tiles:
        assert tile.colour(Side.NORTH) is tile.colour(Side.WEST)
    for tile in Shape.BACKSLASH.tiles:
        assert tile.colour(Side.NORTH) is tile.colour(Side.EAST)
    for tile in Shape.CROSS.tiles:
        assert tile.colour(Side.NORTH) is tile.colour(Side.SOUTH)


def test_colours() -> None:
    assert Colour.WHITE.other is Colour.RED
    assert Colour.RED.other is Colour.WHITE
    assert [colour.letter for colour in Colour] == ["W", "R"]
