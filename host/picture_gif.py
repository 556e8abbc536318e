"""A whole game as an animated GIF, one frame for each tile as it is laid.

All frames share one palette. Tiles, tracks and ground are flat, so the colours that most pixels
have are taken as they are, and the rest, where edges are smoothed, gets the nearest of them.
"""

from __future__ import annotations

import io
from collections import Counter
from typing import Final

from PIL import Image

from loopline.game import Position
from loopline.host.board_page import FOOT, LINE, captioned, description, document, margin, title
from loopline.host.board_plan import Plan
from loopline.host.board_svg import PLAIN, Style, view_layers
from loopline.host.picture_film import film_of
from loopline.host.picture_png import svg_png

__all__ = ["game_gif"]

_COLOURS: Final = 127
"""The size of the palette; seven bits leave room for one more, of a pixel that stays as it was."""

_APART: Final = 6
"""How much two colours of the palette differ in red, green or blue."""


def game_gif(
    position: Position,
    *,
    delay: float = 1.0,
    last: bool = True,
    caption: str = "",
    style: Style = PLAIN,
    scale: float = 1.0,
    width: int | None = None,
) -> bytes:
    """Draw the game that led to a position; it is shown over and over again.

    Parameters
    ----------
    position : Position
        The end of the game.
    delay : float
        The seconds for which a turn stays when all its tiles lie; the end stays longer.
    last : bool
        Whether the tiles of a turn are marked while it is shown.
    caption : str
        The sentence below the last frame; the others have that of their turn.
    style : Style
        How it looks.
    scale, width : float, int or None
        The size, as in :func:`.svg_png`, which says what it raises.

    Returns
    -------
    bytes
        A GIF file.
    """
    film = film_of(position, delay=delay, last=last, notation=style.notation, caption=caption)
    captions = film.lines(style.labels)
    plan = Plan(film.extent, margin(style.labels), max(map(len, captions)) * LINE + FOOT)
    images = []
    for frame, lines in zip(film.frames, captions, strict=True):
        view = [*view_layers(frame.view, plan, style), *captioned(lines, plan, style.theme)]
        svg = document(plan, style.theme, title(position), description(position), view)
        png = svg_png(svg, scale=scale, width=width)
        images.append(Image.open(io.BytesIO(png)).convert("RGB"))
    palette = _palette(images)
    first, *rest = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    file = io.BytesIO()
    first.save(
        file,
        format="GIF",
        save_all=True,
        append_images=rest,
        duration=[round(frame.seconds * 100) * 10 for frame in film.frames],
        loop=0,
        optimize=True,
    )
    return file.getvalue()


def _palette(images: list[Image.Image]) -> Image.Image:
    """An image with the palette for all others: the colours that most of their pixels have."""
    counts: Counter[tuple[int, ...]] = Counter()
    for image in images:
        for count, colour in image.getcolors(image.width * image.height) or ():
            assert isinstance(colour, tuple), "an RGB image has tuples"
            counts[colour] += count
    chosen: list[tuple[int, ...]] = []
    for colour in sorted(counts, key=lambda colour: (-counts[colour], colour)):
        if all(_apart(colour, other) for other in chosen):
            chosen.append(colour)
        if len(chosen) == _COLOURS:
            break
    palette = Image.new("P", (1, 1))
    palette.putpalette([channel for colour in chosen for channel in colour])
    return palette


def _apart(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether Pillow tells two colours of a palette apart, for it looks at six bits of each."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) >= _APART
