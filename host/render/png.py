"""Pictures in pixels: SVG made PNG by resvg, the same on every machine.

The lettering is Aileron, which comes with the package; fonts of the machine are not looked at.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, Unpack

import resvg_py

from loopline.game import Played, Position
from loopline.host.render.page import LARGEST
from loopline.host.render.svg import Look, board_svg
from loopline.host.render.threats import Threats

__all__ = ["BoardOptions", "board_png", "pixels_of", "svg_png"]

_FONT: Final = Path(__file__).parent / "fonts" / "aileron.ttf"
_SIZE: Final = re.compile(r'<svg [^>]*\bwidth="([0-9]+)" height="([0-9]+)"')


class BoardOptions(Look, total=False):
    """What :func:`.board_svg` takes besides the position."""

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
    """Render a picture that :func:`.board_svg` or its like has drawn.

    Parameters
    ----------
    svg : str
        The picture; it says what its natural size is.
    scale : float
        How many times larger than that it is to be.
    width : int or None
        The width in pixels instead; the height follows.

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
    """How many pixels a picture has across and down; takes and raises what :func:`svg_png` does."""
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
