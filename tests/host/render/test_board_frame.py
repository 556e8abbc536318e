"""What lies around the tiles of a picture, read back as XML."""

import pytest

from loopline.game import MINI, VARIANTS, Position, column_name, variant_named
from loopline.host.render.svg import board_svg
from loopline.host.render.theme import LIGHT
from tests.host.program import position_after
from tests.host.render.test_board_svg import FORCED_GAME, SVG, WIDE_GAME, draw, parse, texts
from tests.host.render.test_board_text import random_position


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
