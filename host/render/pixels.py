"""Pictures in pixels: a position as PNG, a whole game as an animated GIF.

SVG is rendered by resvg, with a font from this package: the pixels are the same on every machine.

All frames of a GIF share one palette. Tiles, tracks and ground are flat: the palette takes the
colours of most pixels as they are. All other pixels, at smoothed edges, get the nearest of them.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Unpack

import resvg_py
from PIL import Image

from loopline.game import Played, Position
from loopline.host.render.film import FilmOptions, film_of
from loopline.host.render.page import LARGEST
from loopline.host.render.svg import Look, board_svg
from loopline.host.render.threats import Threats

__all__ = ["BoardOptions", "board_png", "game_gif", "pixels_of", "svg_png"]

_FONT: Final = Path(__file__).parent / "fonts" / "aileron.ttf"
_SIZE: Final = re.compile(r'<svg [^>]*\bwidth="([0-9]+)" height="([0-9]+)"')

_COLOURS: Final = 127
"""The size of the palette: seven bits less one colour, for pixels that do not change."""

_APART: Final = 6
"""The least difference of two colours of the palette in red, green or blue.

Pillow compares six bits of each to find the nearest colour: at this distance a colour finds itself.
"""

_MOST: Final = 10**9
"""The most pixels of all frames together, which stay in memory until the file is written."""

_Colour = tuple[int, ...]


class BoardOptions(Look, total=False):
    """Options of :func:`.board_svg`."""

    last: Played | None
    threats: Threats | None


def board_png(
    position: Position,
    *,
    scale: float = 1.0,
    width: int | None = None,
    **options: Unpack[BoardOptions],
) -> bytes:
    """Draw a position as :func:`.board_svg` does, as a PNG file; sizes as in :func:`svg_png`."""
    return svg_png(board_svg(position, **options), scale=scale, width=width)


def svg_png(svg: str, *, scale: float = 1.0, width: int | None = None) -> bytes:
    """Render an SVG picture of this package.

    Parameters
    ----------
    svg : str
        The picture, with its natural size.
    scale : float
        A factor to the natural size.
    width : int or None
        The width in pixels, in place of ``scale``; the height follows.

    Returns
    -------
    bytes
        A PNG file.

    Raises
    ------
    ValueError
        If the picture would have no pixels, or more than :data:`LARGEST` across or down.
    """
    return resvg_py.svg_to_bytes(
        svg_string=svg,
        width=pixels_of(svg, scale=scale, width=width)[0],
        skip_system_fonts=True,
        font_files=[str(_FONT)],
        font_family="Aileron",
        sans_serif_family="Aileron",
    )


def pixels_of(svg: str, *, scale: float = 1.0, width: int | None = None) -> tuple[int, int]:
    """Return a picture's pixels across and down; parameters and errors as :func:`svg_png`."""
    found = _SIZE.match(svg)
    if found is None:
        raise ValueError("the picture does not say its natural size")
    natural = int(found[1]), int(found[2])
    wide = round(natural[0] * scale) if width is None else width
    high = round(natural[1] * wide / natural[0])
    if not (1 <= wide <= LARGEST and 1 <= high <= LARGEST):
        raise ValueError(
            f"a picture has 1 to {LARGEST} pixels across and down, not {wide} x {high}"
        )
    return wide, high


def game_gif(
    position: Position,
    *,
    scale: float = 1.0,
    width: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Unpack[FilmOptions],
) -> bytes:
    """Draw the game that led to a position, in an endless loop.

    Parameters
    ----------
    position : Position
        The end of the game.
    scale, width : float, int or None
        The size, as in :func:`.svg_png`.
    progress : callable or None
        Called with the number of frames drawn and of all frames.
    options
        As :func:`.film_of` takes them.

    Returns
    -------
    bytes
        A GIF file.

    Raises
    ------
    ValueError
        If the size is not valid, or all frames together have too many pixels.
    """
    film = film_of(position, **options)
    across, down = pixels_of(film.still(film.frames[0]), scale=scale, width=width)
    if across * down * len(film.frames) > _MOST:
        frames = f"{len(film.frames)} frames of {across} x {down} pixels"
        raise ValueError(f"{frames} are too many: use a smaller width or scale")
    pngs: list[bytes] = []
    counts: Counter[_Colour] = Counter()
    for frame in film.frames:
        pngs.append(svg_png(film.still(frame), width=across))
        counts.update(_counted(_decoded(pngs[-1])))
        if progress:
            progress(len(pngs), len(film.frames))
    palette = _palette(counts)

    def images() -> Iterator[Image.Image]:
        for png in pngs:
            yield _decoded(png).quantize(palette=palette, dither=Image.Dither.NONE)

    frames_left = images()
    file = io.BytesIO()
    next(frames_left).save(
        file,
        format="GIF",
        save_all=True,
        append_images=frames_left,
        # The format counts hundredths of a second.
        duration=[round(frame.seconds * 100) * 10 for frame in film.frames],
        loop=0,
        optimize=True,
    )
    return file.getvalue()


def _decoded(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


def _counted(image: Image.Image) -> dict[_Colour, int]:
    """Count the pixels of an RGB image by colour."""
    counts: dict[_Colour, int] = {}
    for count, colour in image.getcolors(image.width * image.height) or ():
        assert isinstance(colour, tuple), "an RGB image has tuples"
        counts[colour] = count
    return counts


def _palette(counts: Counter[_Colour]) -> Image.Image:
    """Return an image with the palette of all frames: their most frequent colours."""
    chosen: list[_Colour] = []
    for colour in sorted(counts, key=lambda colour: (-counts[colour], colour)):
        if all(_apart(colour, other) for other in chosen):
            chosen.append(colour)
        if len(chosen) == _COLOURS:
            break
    palette = Image.new("P", (1, 1))
    palette.putpalette([channel for colour in chosen for channel in colour])
    return palette


def _apart(one: _Colour, other: _Colour) -> bool:
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) >= _APART
