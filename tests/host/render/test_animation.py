"""Games as animated SVG: frozen at a time, they look like the frame of the GIF at that time."""

import io
import re
import xml.etree.ElementTree as ET
from itertools import accumulate

import pytest
from PIL import Image, ImageChops

from loopline.game import MINI, Position
from loopline.host.render.animation import animated_svg
from loopline.host.render.film import film_of
from loopline.host.render.pixels import svg_png
from loopline.host.render.svg import Look
from loopline.host.render.theme import DARK
from tests.host.positions import ORDERED_GAME, WON_GAME, position_after, random_position

SVG = "{http://www.w3.org/2000/svg}"
ET.register_namespace("", SVG[1:-1])


def value_at(animate: ET.Element, part: float) -> float:
    """What an animation says after this part of its duration."""
    values = [float(value) for value in animate.attrib["values"].split(";")]
    keys = [float(key) for key in animate.attrib["keyTimes"].split(";")]
    assert len(keys) == len(values)
    assert keys == sorted(keys)
    assert keys[0] == 0
    number = max(n for n, key in enumerate(keys) if key <= part)
    if animate.attrib["calcMode"] == "discrete" or number + 1 == len(keys):
        return values[number]
    assert keys[-1] == 1
    share = (part - keys[number]) / (keys[number + 1] - keys[number])
    return values[number] + share * (values[number + 1] - values[number])


def frozen(svg: str, seconds: float) -> str:
    """The picture as it stands after some seconds, without animation."""
    root = ET.fromstring(svg)
    for group in root.iter(f"{SVG}g"):
        animate = group.find(f"{SVG}animate")
        if animate is not None:
            length = float(animate.attrib["dur"].removesuffix("s"))
            group.set("opacity", f"{value_at(animate, seconds / length):.3f}")
            group.remove(animate)
    return ET.tostring(root, encoding="unicode")


def decode(svg: str) -> Image.Image:
    return Image.open(io.BytesIO(svg_png(svg, scale=0.3))).convert("RGB")


@pytest.mark.parametrize(
    ("position", "look"),
    [
        (position_after(WON_GAME), {}),
        (position_after(ORDERED_GAME), {"numbers": True, "notation": "old", "theme": DARK}),
        (random_position(4, 12), {"labels": False}),
    ],
)
def test_each_moment_is_the_frame_of_the_film(position: Position, look: Look) -> None:
    svg = animated_svg(position, caption="The end.", **look)
    film = film_of(position, caption="The end.", **look)
    ends = accumulate(frame.seconds for frame in film.frames)
    for frame, end in zip(film.frames, ends, strict=True):
        still = decode(film.still(frame))
        moving = decode(frozen(svg, end - 0.02))
        difference = ImageChops.difference(still, moving).convert("L")
        # Only edges may differ, where a track is one stroke there and one for each tile here.
        differing = sum(difference.histogram()[60:])
        assert differing < 0.004 * still.width * still.height, frame.caption


def test_all_animations_last_as_long_as_the_film_and_go_on_for_ever() -> None:
    position = position_after(WON_GAME)
    root = ET.fromstring(animated_svg(position, delay=0.5))
    animations = list(root.iter(f"{SVG}animate"))
    assert animations
    assert {animate.attrib["dur"] for animate in animations} == {"3.20s"}
    assert {animate.attrib["repeatCount"] for animate in animations} == {"indefinite"}


def test_without_animation_it_shows_the_end() -> None:
    svg = animated_svg(position_after(WON_GAME), caption="The end.")
    still = re.sub(r"<animate [^>]*/>", "", svg)
    assert decode(still).tobytes() == decode(frozen(svg, 5.5)).tobytes()
    captions = [
        text.text
        for group in ET.fromstring(still)
        if group.get("opacity") != "0"
        for text in group.iter(f"{SVG}text")
    ]
    assert "The end." in captions
    assert not [text for text in captions if text and text.startswith("Turn")]


def test_it_needs_nothing_else() -> None:
    svg = animated_svg(random_position(3, 20))
    assert svg.isascii()
    names = {element.tag.removeprefix(SVG) for element in ET.fromstring(svg).iter()}
    assert names == {"svg", "title", "desc", "g", "rect", "path", "text", "animate"}
    assert "url(" not in svg
    assert "href" not in svg


def test_border_of_a_limited_area_moves_with_the_formation() -> None:
    position = Position(MINI)
    for turn in "@0+ B1+ C1+".split():
        position.play(turn)
    svg = animated_svg(position)

    def growth(seconds: float) -> list[str]:
        return [
            text.text or ""
            for group in ET.fromstring(frozen(svg, seconds))
            if group.get("opacity") not in ("0", "0.000")
            for text in group.iter(f"{SVG}text")
            if (text.text or "").startswith("+")
        ]

    assert growth(0.5) == ["+2", "+2", "+2", "+2"]
    assert growth(1.5) == ["+1", "+1", "+2", "+2"]
    assert growth(5) == ["+2", "+2"]


def test_empty_board_does_not_move() -> None:
    assert "<animate" not in animated_svg(Position())
