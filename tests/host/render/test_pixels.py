"""Pictures in pixels: the frames of a GIF, and the colours and sizes of a PNG."""

import io
import os
import subprocess
import sys

import pytest
from PIL import Image, ImageColor

from loopline.game import Position
from loopline.host.render.film import film_of
from loopline.host.render.page import LARGEST
from loopline.host.render.pixels import board_png, game_gif, svg_png
from loopline.host.render.svg import board_svg
from loopline.host.render.theme import DARK, LIGHT, Theme
from tests.host.positions import FORCED_GAME, ORDERED_GAME, WON_GAME, position_after


def frames_of(gif: bytes) -> tuple[list[Image.Image], list[int]]:
    """The frames and for how many milliseconds each is shown."""
    image = Image.open(io.BytesIO(gif))
    assert image.format == "GIF"
    assert image.info["loop"] == 0
    frames, times = [], []
    for number in range(image.n_frames):
        image.seek(number)
        frames.append(image.convert("RGB"))
        times.append(image.info["duration"])
    return frames, times


def colour(text: str) -> tuple[int, ...]:
    return ImageColor.getrgb(text)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_one_frame_for_each_tile_on_a_board_that_stays_where_it_is(theme: Theme) -> None:
    position = position_after(FORCED_GAME)
    frames, times = frames_of(game_gif(position, labels=False, theme=theme, width=280))
    assert len(frames) == position.tiles == 4
    assert {frame.size for frame in frames} == {frames[0].size}
    assert times == [1000, 1000, 200, 4000]
    # The middles of the four spaces; white is above in all of the straight ones.
    spaces = {(0, 0): (60, 60), (1, 0): (160, 60), (1, 1): (220, 160), (0, 1): (60, 155)}
    laid = [(0, 0), (1, 0), (1, 1), (0, 1)]
    inks = [theme.own, theme.own, theme.own, theme.forced]
    for number, frame in enumerate(frames):
        for later, space in enumerate(laid):
            expected = theme.ground if later > number else theme.tile
            if later == number or (number == 3 and later == 2):
                expected = inks[later]
            assert frame.getpixel(spaces[space]) == colour(expected), (number, space)


def test_last_frame_shows_the_winning_track_for_longer() -> None:
    position = position_after(WON_GAME)
    frames, times = frames_of(game_gif(position, delay=0.5, labels=False, width=280))
    assert times == [500, 500, 200, 2000]
    halo = colour(LIGHT.halo)
    assert [halo in {c for _, c in frame.getcolors(99999)} for frame in frames] == [
        False,
        False,
        False,
        True,
    ]


def test_captions_name_the_turns_and_the_end() -> None:
    film = film_of(position_after(FORCED_GAME), notation="old", caption="The end.")
    texts = [" ".join(frame.caption) for frame in film.frames]
    expected = ["Turn 1, white: A1S", "Turn 2, red: B1S", "Turn 3, white: B2L", "The end."]
    assert texts == expected
    film = film_of(position_after(FORCED_GAME))
    assert [" ".join(frame.caption) for frame in film.frames][-1] == "Turn 3, white: B2/"


def test_forced_tiles_appear_in_their_order() -> None:
    position = position_after(ORDERED_GAME)
    film = film_of(position)
    assert len(film.frames) == position.tiles
    tiles = [set(frame.view.tiles) for frame in film.frames]
    placed = [(p.x, p.y) for played in position.history for p in played.tiles]
    assert [now - before for before, now in zip([set(), *tiles], tiles, strict=False)] == [
        {space} for space in placed
    ]
    unmarked = film_of(position, last=False)
    assert all(frame.view.last == () for frame in unmarked.frames)


def test_empty_board_is_one_frame() -> None:
    frames, _ = frames_of(game_gif(Position()))
    assert len(frames) == 1


def test_more_pixels_than_memory_is_good_for_are_refused() -> None:
    position = position_after(ORDERED_GAME)
    with pytest.raises(ValueError, match="22 frames of .* are too many: use a smaller width or"):
        game_gif(position, width=8000)


def test_progress_is_told_after_each_frame() -> None:
    calls: list[tuple[int, int]] = []
    game_gif(position_after(WON_GAME), width=50, progress=lambda *both: calls.append(both))
    assert calls == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_equal_games_give_equal_files() -> None:
    position = position_after(WON_GAME)
    assert game_gif(position) == game_gif(position.copy())


def test_position_is_left_as_it_was() -> None:
    position = position_after(WON_GAME)
    history = position.history
    game_gif(position, width=50)
    assert position.history == history


# Still pictures.


def pixels(png: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(png))
    assert image.format == "PNG"
    return image.convert("RGB")


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_tiles_and_tracks_have_their_colours(theme: Theme) -> None:
    position = position_after(FORCED_GAME)
    last = position.history[-1]
    # One pixel for each unit: the margin is 40 wide, a tile 100.
    image = pixels(board_png(position, last=last, labels=False, theme=theme, width=280))
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
    position = position_after(WON_GAME)
    image = pixels(board_png(position, labels=False, width=280))
    assert position.result is not None
    # The red loop is a circle about the middle of the picture.
    assert image.getpixel((140, 90)) == colour(LIGHT.red)
    assert image.getpixel((140, 75)) == colour(LIGHT.halo)
    assert image.getpixel((140, 105)) == colour(LIGHT.halo)


def test_size_is_natural_scaled_or_as_wide_as_one_likes() -> None:
    svg = board_svg(position_after(FORCED_GAME))
    natural = pixels(svg_png(svg)).size
    assert f'width="{natural[0]}" height="{natural[1]}"' in svg
    assert pixels(svg_png(svg, scale=2)).size == (2 * natural[0], 2 * natural[1])
    assert pixels(svg_png(svg, width=100)).size == (100, 100)
    assert pixels(svg_png(svg, width=1)).size == (1, 1)


@pytest.mark.parametrize("size", [{"scale": 0.0001}, {"scale": 1e6}, {"width": LARGEST + 1}])
def test_size_that_makes_no_sense_is_refused(size: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=f"a picture has 1 to {LARGEST} pixels across and down, "):
        board_png(Position(), **size)
    with pytest.raises(ValueError, match="the picture does not say its natural size"):
        svg_png("<svg/>")


def test_lettering_does_not_depend_on_the_fonts_of_the_machine() -> None:
    labelled = pixels(board_png(Position()))
    bare = pixels(svg_png(board_svg(Position()).replace("@", " ").replace(">0<", "> <")))
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
        shown = pixels(svg_png(blank.replace("x" * 12, letter * 12)))
        # A letter that a font lacks is drawn as nothing, or as a box that is the same for all.
        unknown = pixels(svg_png(blank.replace("x" * 12, "&#9999;" * 12)))
        assert shown.tobytes() != unknown.tobytes(), letter
