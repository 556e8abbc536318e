"""Pictures, read back: as XML, and their paths as tracks."""

import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from loopline.game import (
    DELUXE,
    MINI,
    VARIANTS,
    Colour,
    Position,
    Shape,
    Side,
    column_name,
    play_game,
    variant_named,
)
from loopline.game.tracks import all_tracks
from loopline.host.render.svg import board_svg
from loopline.host.render.theme import DARK, LIGHT
from tests.host.positions import (
    BOTH_GAME,
    FORCED_GAME,
    LINE_GAME,
    LOOP_GAME,
    ORDERED_GAME,
    WIDE_GAME,
    WON_GAME,
    position_after,
    random_position,
)

SVG = "{http://www.w3.org/2000/svg}"


def parse(svg: str) -> ET.Element:
    return ET.fromstring(svg)


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in parse(svg).iter(f"{SVG}text")]


def draw(position: Position, **options: bool) -> str:
    last = position.history[-1] if position.turns else None
    return board_svg(position, last=last, **options)


@pytest.mark.parametrize("labels", [True, False])
@pytest.mark.parametrize("numbers", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_svg_is_plain_xml_that_needs_nothing_else(seed: int, labels: bool, numbers: bool) -> None:
    svg = draw(random_position(seed, 8 * seed), labels=labels, numbers=numbers)
    assert svg.isascii()
    root = parse(svg)
    assert root.tag == f"{SVG}svg"
    names = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert names <= {"svg", "title", "desc", "g", "rect", "circle", "path", "text"}
    attributes = {name for element in root.iter() for name in element.attrib}
    assert not {name for name in attributes if "href" in name or name in ("style", "class", "id")}
    assert "url(" not in svg


@pytest.mark.parametrize("labels", [True, False])
def test_nothing_lies_outside_the_view_box(labels: bool) -> None:
    root = parse(draw(random_position(2, 40), labels=labels, numbers=True))
    left, top, width, height = map(int, root.attrib["viewBox"].split())
    assert (left, top) == (0, 0)
    assert int(root.attrib["width"]) / int(root.attrib["height"]) == pytest.approx(
        width / height, rel=0.01
    )
    for rect in root.iter(f"{SVG}rect"):
        assert int(rect.get("x", "0")) >= 0
        assert int(rect.get("x", "0")) + int(rect.attrib["width"]) <= width
        assert int(rect.get("y", "0")) >= 0
        assert int(rect.get("y", "0")) + int(rect.attrib["height"]) <= height
    for text in root.iter(f"{SVG}text"):
        assert 12 <= int(text.attrib["x"]) <= width - 12
        assert 12 <= int(text.attrib["y"]) <= height - 12


def strokes(root: ET.Element, ink: str) -> list[str]:
    """The paths drawn in one colour, in order."""
    groups = [group for group in root.iter(f"{SVG}g") if group.get("stroke") == ink]
    return [path.attrib["d"] for group in groups for path in group.iter(f"{SVG}path")]


def points(path: str) -> list[tuple[int, int]]:
    """The points at which a path goes from tile to tile."""
    across = down = 0
    found = []
    for command, text in re.findall(r"([MHVA])([^MHVAZ]*)", path):
        numbers = [int(number) for number in text.split()]
        if command == "H":
            across = numbers[0]
        elif command == "V":
            down = numbers[0]
        else:
            across, down = numbers[-2:]
        found.append((across, down))
    return found


@pytest.mark.parametrize("seed", range(12))
def test_every_tile_joins_its_edges_in_their_colours(seed: int) -> None:
    position = random_position(seed, 25)
    root = parse(board_svg(position, labels=False))
    for colour, ink in ((Colour.WHITE, LIGHT.white), (Colour.RED, LIGHT.red)):
        pieces = {
            frozenset(piece) for path in strokes(root, ink) for piece in pairwise(points(path))
        }
        expected = set()
        for x, y, tile in position.cells():
            middle = (x - position.west) * 100 + 90, (y - position.north) * 100 + 90
            expected.add(
                frozenset(
                    (middle[0] + 50 * side.step[0], middle[1] + 50 * side.step[1])
                    for side in Side
                    if tile.colour(side) is colour
                )
            )
        assert pieces == expected


def test_curves_turn_about_the_corner_between_their_edges() -> None:
    kinds = set()
    for seed in range(12):
        root = parse(board_svg(random_position(seed, 25), labels=False))
        for path in strokes(root, LIGHT.white) + strokes(root, LIGHT.red):
            commands = re.findall(r"[HVA][^MHVAZ]*", path)
            for (start, end), command in zip(pairwise(points(path)), commands, strict=True):
                if command[0] != "A":
                    continue
                *radii, rotation, large, sweep = command[1:].split()[:5]
                assert (radii, rotation, large) == (["50", "50"], "0", "0")
                # The middle of a tile's west or east edge is a whole number of tiles across.
                sideways = (start[0] - 40) % 100 == 0
                corner = (start[0], end[1]) if sideways else (end[0], start[1])
                one = (start[0] - corner[0], start[1] - corner[1])
                other = (end[0] - corner[0], end[1] - corner[1])
                assert int(sweep) == int(one[0] * other[1] - one[1] * other[0] > 0)
                kinds.add((sideways, sweep))
    assert len(kinds) == 4


def test_marks_of_the_last_turn() -> None:
    root = parse(draw(position_after(FORCED_GAME), labels=False))
    marked = {
        (group.get("fill"), rect.get("x"), rect.get("y"), group.get("stroke-dasharray") is not None)
        for group in root.iter(f"{SVG}g")
        if group.get("stroke") == LIGHT.mark
        for rect in group.iter(f"{SVG}rect")
    }
    assert marked == {(LIGHT.own, "143", "143", False), (LIGHT.forced, "43", "143", True)}


def test_numbers_say_which_turn_laid_a_tile() -> None:
    position = position_after(FORCED_GAME)
    plain, numbered = (draw(position, labels=False, numbers=on) for on in (False, True))
    assert texts(plain) == []
    assert texts(numbered) == ["1", "2", "3", "3"]
    bold = [text.get("stroke") is not None for text in parse(numbered).iter(f"{SVG}text")]
    assert bold == [True, True, True, False]


@pytest.mark.parametrize("seed", range(6))
def test_numbers_stand_in_a_corner_without_a_track(seed: int) -> None:
    position = random_position(seed, 30)
    placed = [tile for played in position.history for tile in played.tiles]
    drawn = parse(board_svg(position, labels=False, numbers=True)).iter(f"{SVG}text")
    for (x, y, tile), text in zip(placed, drawn, strict=True):
        left = int(text.attrib["x"]) - (x - position.west) * 100 - 40
        top = int(text.attrib["y"]) - (y - position.north) * 100 - 40
        assert 0 < top < 30
        # A curve of / runs about the north-west corner, one of \ about the north-east.
        at_right = text.get("text-anchor") == "end"
        assert left == (93 if at_right else 7)
        assert at_right == (tile.shape is Shape.SLASH)


@pytest.mark.parametrize(
    ("turns", "winner", "closed"),
    [
        (LOOP_GAME, Colour.WHITE, True),
        (BOTH_GAME, Colour.RED, True),
        (LINE_GAME, Colour.WHITE, False),
    ],
)
def test_only_the_winners_track_has_a_halo(turns: str, winner: Colour, closed: bool) -> None:
    position = position_after(turns)
    root = parse(draw(position))
    halo = strokes(root, LIGHT.halo)
    assert len(halo) == 1
    assert halo[0].endswith("Z") is closed
    ink = LIGHT.white if winner is Colour.WHITE else LIGHT.red
    assert strokes(root, ink)[-1] == halo[0]
    assert len(points(halo[0])) == len(position.winning_tracks()[winner]) + 1
    before = play_game([str(played.turn) for played in position.history[:-1]])
    assert strokes(parse(draw(before)), LIGHT.halo) == []


def test_both_tracks_have_a_halo_where_that_is_a_draw() -> None:
    position = play_game(BOTH_GAME.split(), DELUXE)
    assert position.draw is not None
    assert len(strokes(parse(draw(position)), LIGHT.halo)) == 2


def test_one_path_for_each_track() -> None:
    position = random_position(5, 25)
    tiles = {(x, y): tile for x, y, tile in position.cells()}
    root = parse(board_svg(position, theme=DARK))
    won = len(strokes(root, DARK.halo))
    drawn = len(strokes(root, DARK.white)) + len(strokes(root, DARK.red)) - won
    assert drawn == len(list(all_tracks(tiles)))


def test_several_forced_tiles_say_in_which_order() -> None:
    position = position_after(ORDERED_GAME)
    placed = position.history[-1].tiles
    assert len(placed) > 2
    written = {
        (int(text.attrib["x"]) // 100 * 100, int(text.attrib["y"]) // 100 * 100): text.text
        for text in parse(draw(position, labels=False)).iter(f"{SVG}text")
    }
    corners = {
        # The margin of 40 keeps the corner of a tile within the hundred that begins at the tile.
        ((x - position.west) * 100, (y - position.north) * 100 + 100): str(number)
        for number, (x, y, _) in enumerate(placed[1:], start=1)
    }
    assert set(written.values()) == set(corners.values())
    assert len(written) == len(placed) - 1
    # One forced tile needs no order, and a turn that is not marked has none.
    assert texts(draw(position_after(FORCED_GAME), labels=False)) == []
    assert texts(board_svg(position, labels=False)) == []


def test_description_holds_the_game() -> None:
    [description] = parse(draw(position_after(LOOP_GAME))).iter(f"{SVG}desc")
    assert LOOP_GAME in (description.text or "")
    [description] = parse(board_svg(Position())).iter(f"{SVG}desc")
    assert description.text == "The empty board."


def test_titles() -> None:
    assert "<title>Trax after 0 turns, white to move.</title>" in board_svg(Position())
    assert "<title>Trax after 1 turn, red to move.</title>" in draw(position_after("@0/"))
    won = draw(position_after(WON_GAME))
    assert "<title>Red wins by a loop after 3 turns.</title>" in won


def test_drawing_changes_nothing_and_is_repeatable() -> None:
    position = random_position(7, 20)
    before = repr(position)
    assert draw(position, numbers=True) == draw(position.copy(), numbers=True)
    assert repr(position) == before


# Around the tiles.


def test_labels_name_columns_and_rows_as_the_next_turn_does() -> None:
    position = position_after(WIDE_GAME)
    assert position.width > 26
    columns = [column_name(number) for number in range(position.width + 2)]
    rows = [str(number) for number in range(position.height + 2)]
    assert {"@", "Z", "AA", "AB"} <= set(columns)
    named = texts(draw(position))
    assert sorted(named) == sorted(2 * columns + 2 * rows)
    assert texts(draw(position, labels=False)) == []


def test_empty_board_is_its_only_space() -> None:
    assert texts(board_svg(Position())) == ["@", "@", "0", "0"]


@pytest.mark.parametrize("seed", range(6))
def test_a_dot_in_every_space_beside_a_tile(seed: int) -> None:
    position = random_position(seed, 20)
    dots = {(dot.get("cx"), dot.get("cy")) for dot in parse(draw(position)).iter(f"{SVG}circle")}
    assert len(dots) == len(position.frontier())


def test_columns_and_rows_as_before_1998_have_no_zero() -> None:
    position = position_after(FORCED_GAME)
    columns, rows = ["A", "B", "C"], ["1", "2", "3"]
    svg = board_svg(position, notation="old")
    assert sorted(texts(svg)) == sorted(2 * columns + 2 * rows)
    assert texts(board_svg(Position(), notation="old")) == ["A", "A", "1", "1"]


def rails(svg: str) -> dict[str, int]:
    """The border of a limited area: how many sides are fixed, and how many may move."""
    lines = [path for path in parse(svg).iter(f"{SVG}path") if path.get("stroke") == LIGHT.rail]
    moving = sum(path.get("stroke-dasharray") is not None for path in lines)
    return {"fixed": len(lines) - moving, "moving": moving}


def test_border_of_a_limited_area() -> None:
    position = Position(MINI)
    assert rails(draw(position)) == {"fixed": 0, "moving": 4}
    assert texts(draw(position)).count("+3") == 4
    for turn in "@0+ B1+".split():
        position.play(turn)
    svg = draw(position)
    assert rails(svg) == {"fixed": 0, "moving": 4}
    assert [text for text in texts(svg) if text.startswith("+")] == ["+1", "+1", "+2", "+2"]
    position.play("C1+")
    svg = draw(position)
    assert rails(svg) == {"fixed": 2, "moving": 2}
    assert [text for text in texts(svg) if text.startswith("+")] == ["+2", "+2"]
    # No tile may lie to the left or to the right any more: no name and no dot there.
    names = [text for text in texts(svg) if not text.startswith("+")]
    assert names[:6] == ["A", "A", "B", "B", "C", "C"]
    dots = [float(dot.attrib["cx"]) for dot in parse(svg).iter(f"{SVG}circle")]
    assert dots
    left, right = 106, 106 + 300
    assert all(left < across < right for across in dots)
    assert rails(draw(position_after("@0+ B1+ C1+"))) == {"fixed": 0, "moving": 0}


def test_caption_stands_below_the_board_and_is_divided_where_it_is_too_long() -> None:
    position = position_after(FORCED_GAME)
    plain = parse(draw(position, labels=False))
    caption = "After 3 turns, a < & > draw as no legal turn is left in this small game."
    root = parse(board_svg(position, labels=False, caption=caption))
    lines = [text for text in root.iter(f"{SVG}text") if text.text]
    assert len(lines) > 1
    assert " ".join(line.text or "" for line in lines) == caption
    height = int(root.attrib["viewBox"].split()[3])
    board = int(plain.attrib["viewBox"].split()[3])
    assert all(board < int(line.attrib["y"]) < height - 10 for line in lines)


@pytest.mark.parametrize("name", [*VARIANTS, "limited-2"])
@pytest.mark.parametrize("seed", range(3))
def test_every_variant_can_be_drawn(name: str, seed: int) -> None:
    position = random_position(seed, 30, variant_named(name))
    svg = draw(position, numbers=True)
    assert len(texts(svg)) >= position.tiles
    sides = 4 if position.variant.size else 0
    assert sum(rails(svg).values()) == sides
    if sides == 0 or position.variant.size > max(position.width, position.height):
        assert rails(svg)["fixed"] == 0
