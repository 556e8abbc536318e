"""Pictures in pixels: what colour is where, how large they are, and that they do not change."""

import io
import os
import subprocess
import sys

import pytest
from PIL import Image, ImageColor

from loopline.game import Position
from loopline.host.render.page import LARGEST
from loopline.host.render.pixels import board_png, svg_png
from loopline.host.render.svg import board_svg
from loopline.host.render.theme import DARK, LIGHT, Theme
from tests.host.program import position_after

FORCED = "@0+ B1+ B2/"


def decode(png: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(png))
    assert image.format == "PNG"
    return image.convert("RGB")


def colour(text: str) -> tuple[int, ...]:
    return ImageColor.getrgb(text)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_tiles_and_tracks_have_their_colours(theme: Theme) -> None:
    position = position_after(FORCED)
    last = position.history[-1]
    # One pixel for each unit: the margin is 40 wide, a tile 100.
    image = decode(board_png(position, last=last, labels=False, theme=theme, width=280))
    assert image.size == (280, 280)
    places = {
        (10, 10): theme.ground,
        (60, 60): theme.tile,  # between the tracks of @0+
        (90, 60): theme.white,  # which goes from north to south
        (50, 90): theme.red,
        (90, 90): theme.white,  # and bridges the red one
        (75, 90): theme.tile,  # with a gap
        (220, 160): theme.own,
        (60, 155): theme.forced,
    }
    assert {place: image.getpixel(place) for place in places} == {
        place: colour(ink) for place, ink in places.items()
    }


def test_winners_track_has_its_halo() -> None:
    position = position_after("@0/ B1\\ A2\\")
    image = decode(board_png(position, labels=False, width=280))
    assert position.result is not None
    # The red loop is a circle about the middle of the picture.
    assert image.getpixel((140, 90)) == colour(LIGHT.red)
    assert image.getpixel((140, 75)) == colour(LIGHT.halo)
    assert image.getpixel((140, 105)) == colour(LIGHT.halo)


def test_size_is_natural_scaled_or_as_wide_as_one_likes() -> None:
    svg = board_svg(position_after(FORCED))
    natural = decode(svg_png(svg)).size
    assert f'width="{natural[0]}" height="{natural[1]}"' in svg
    assert decode(svg_png(svg, scale=2)).size == (2 * natural[0], 2 * natural[1])
    assert decode(svg_png(svg, width=100)).size == (100, 100)
    assert decode(svg_png(svg, width=1)).size == (1, 1)


@pytest.mark.parametrize("size", [{"scale": 0.0001}, {"scale": 1e6}, {"width": LARGEST + 1}])
def test_size_that_makes_no_sense_is_refused(size: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=f"a picture has 1 to {LARGEST} pixels across and down, "):
        board_png(Position(), **size)
    with pytest.raises(ValueError, match="the picture does not say its natural size"):
        svg_png("<svg/>")


def test_lettering_does_not_depend_on_the_fonts_of_the_machine() -> None:
    labelled = decode(board_png(Position()))
    bare = decode(svg_png(board_svg(Position()).replace("@", " ").replace(">0<", "> <")))
    assert labelled.tobytes() != bare.tobytes()
    program = (
        "import sys; from loopline.game import Position;"
        "from loopline.host.render.pixels import board_png;"
        "sys.stdout.buffer.write(board_png(Position()))"
    )
    # Another process, which finds no fonts and no home.
    elsewhere = {**os.environ, "HOME": "/nonexistent", "FONTCONFIG_FILE": "/dev/null"}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, env=elsewhere, check=True
    )
    assert done.stdout == board_png(Position())


def test_every_letter_of_ours_is_in_the_font() -> None:
    text = "After 12 turns, white wins as the opponent made an illegal turn: @AZ09+/\\"
    blank = board_svg(Position(), caption="x" * len(text))
    for letter in sorted(set(text) - {" "}):
        shown = decode(svg_png(blank.replace("x" * 12, letter * 12)))
        # A letter that a font lacks is drawn as nothing, or as a box that is the same for all.
        unknown = decode(svg_png(blank.replace("x" * 12, "&#9999;" * 12)))
        assert shown.tobytes() != unknown.tobytes(), letter
