"""Games as GIF, decoded frame by frame."""

import io

import pytest
from PIL import Image, ImageColor

from loopline.game import Position
from loopline.host.render.film import film_of
from loopline.host.render.pixels import game_gif
from loopline.host.render.theme import DARK, LIGHT, Theme
from tests.host.program import position_after

FORCED = "@0+ B1+ B2/"
ORDERED = "@0+ B1\\ C1\\ B0\\ D2/ A3/ @1/ C4\\ E3\\ C5\\ C0\\"
WON = "@0/ B1\\ A2\\"


def decode(gif: bytes) -> tuple[list[Image.Image], list[int]]:
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
    position = position_after(FORCED)
    frames, times = decode(game_gif(position, labels=False, theme=theme, width=280))
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
    position = position_after(WON)
    frames, times = decode(game_gif(position, delay=0.5, labels=False, width=280))
    assert times == [500, 500, 200, 2000]
    halo = colour(LIGHT.halo)
    assert [halo in {c for _, c in frame.getcolors(99999)} for frame in frames] == [
        False,
        False,
        False,
        True,
    ]


def test_captions_name_the_turns_and_the_end() -> None:
    film = film_of(position_after(FORCED), notation="old", caption="The end.")
    texts = [" ".join(frame.caption) for frame in film.frames]
    expected = ["Turn 1, white: A1S", "Turn 2, red: B1S", "Turn 3, white: B2L", "The end."]
    assert texts == expected
    film = film_of(position_after(FORCED))
    assert [" ".join(frame.caption) for frame in film.frames][-1] == "Turn 3, white: B2/"


def test_forced_tiles_appear_in_their_order() -> None:
    position = position_after(ORDERED)
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
    frames, _ = decode(game_gif(Position()))
    assert len(frames) == 1


def test_more_pixels_than_memory_is_good_for_are_refused() -> None:
    position = position_after(ORDERED)
    with pytest.raises(ValueError, match="22 frames of .* are too many: use a smaller width or"):
        game_gif(position, width=8000)


def test_progress_is_told_after_each_frame() -> None:
    told: list[tuple[int, int]] = []
    game_gif(position_after(WON), width=50, progress=lambda *both: told.append(both))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_equal_games_give_equal_files() -> None:
    position = position_after(WON)
    assert game_gif(position) == game_gif(position.copy())


def test_position_is_left_as_it_was() -> None:
    position = position_after(WON)
    history = position.history
    game_gif(position, width=50)
    assert position.history == history
