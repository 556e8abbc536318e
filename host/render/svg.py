"""A position as SVG: the board as it looks on a table, in one string without fonts or scripts.

Layers are drawn in this order, the last one on top::

    ground ─► border of a limited area ─► spaces ─► tiles, tinted by the last turn ─► red tracks ─►
    white tracks, which bridge the red ones ─► the winner's loop or line, in a golden halo ─►
    threats ─► turn numbers ─► labels ─► below it all, the caption and the legend of threats

A track is one path from end to end: it shows no seams between tiles.

The modules of pictures, in the order in which a position passes through them::

    Position ─► view ────────┬─► layers, frame ──┬─► svg ─► pixels (PNG)
          │     what to show │   in a plan       │   on a page
          └─► threats ───────┴─► threat_marks ───┤
                                                 └─► film ─┬─► pixels (GIF)
                                                           └─► animation
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypedDict

from loopline.game import Ending, Played, Position
from loopline.host.render import frame as frame
from loopline.host.render.layers import Layers
from loopline.host.render.page import (
    EDGE,
    FOOT,
    LINE,
    captioned,
    description,
    document,
    element,
    margin,
    title,
    wrap,
)
from loopline.host.render.plan import Plan
from loopline.host.render.theme import LIGHT, Theme
from loopline.host.render.threat_marks import Legend, ThreatMarks
from loopline.host.render.threats import Threats
from loopline.host.render.view import Notation, View

__all__ = ["Look", "Style", "board_svg", "view_layers"]


@dataclass(frozen=True)
class Style:
    """The style of pictures; see :func:`board_svg` for each field."""

    numbers: bool = False
    labels: bool = True
    notation: Notation = "standard"
    theme: Theme = LIGHT


class Look(TypedDict, total=False):
    """Options of still and of moving pictures; see :func:`board_svg`."""

    numbers: bool
    labels: bool
    notation: Notation
    ending: Ending | None
    caption: str
    theme: Theme


def board_svg(
    position: Position,
    *,
    last: Played | None = None,
    numbers: bool = False,
    labels: bool = True,
    notation: Notation = "standard",
    threats: Threats | None = None,
    ending: Ending | None = None,
    caption: str = "",
    theme: Theme = LIGHT,
    alt: str | None = None,
) -> str:
    """Draw a position.

    Parameters
    ----------
    position : Position
        The position. If the game is won, the winner's loop or line is marked. In a variant with a
        limited area its border is drawn as far as it is known.
    last : Played or None
        The last turn, to be marked: its own tile by a line, its forced tiles by a dashed line, with
        their order if there are several.
    numbers : bool
        Whether each tile has the number of its turn, in bold on the turn's own tile.
    labels : bool
        Whether columns and rows have names, as the next turn names them, and the spaces where a
        tile may be laid have dots.
    notation : str
        ``standard`` names the first column and row with tiles A and 1, the empty ones before them
        @ and 0; ``old`` has no names for those.
    threats : Threats or None
        The threats of the position, to be marked, with a legend.
    ending : Ending or None
        How the game has ended, for the title, if the board does not show it.
    caption : str
        A sentence below the board.
    theme : Theme
        The colours.
    alt : str or None
        The text that stands for the picture in an HTML page, of which the drawing is to be a part.

    Returns
    -------
    str
        An XML document, or with ``alt`` an element of HTML, ended by a line feed. Equal positions
        with equal histories give equal strings.
    """
    view = View.of(position, last)
    style = Style(numbers, labels, notation, theme)
    width = Plan(view.box, margin(labels)).width
    lines = wrap(caption, width)
    legend = Legend(threats, width - 2 * EDGE) if threats else None
    room = len(lines) * LINE + (legend.height if legend else 0)
    plan = Plan(view.box, margin(labels), room + FOOT if room else 0)
    body = [*view_layers(view, plan, style, threats), *captioned(lines, plan, theme)]
    if legend:
        body += legend.draw(EDGE, plan.height - FOOT - legend.height, theme)
    if alt is not None:
        return element(plan, theme, alt, body)
    return document(plan, theme, title(position, ending), description(position), body)


def view_layers(
    view: View, plan: Plan, style: Style, threats: Threats | None = None
) -> Iterator[str]:
    """Yield the layers of the board, without the caption and the legend."""
    theme = style.theme
    layers = Layers(view, plan, theme)
    marks = ThreatMarks(threats, plan, theme) if threats else None
    yield from frame.rails(view, plan, theme)
    if style.labels:
        yield from frame.spaces(view, plan, theme)
    yield from layers.tiles()
    if marks:
        yield from marks.beads()
    yield from layers.tracks(marks.halos(layers) if marks else None)
    yield from layers.winning()
    if marks:
        yield from marks.signs()
    if style.numbers:
        yield from layers.numbers()
    yield from layers.order()
    if style.labels:
        yield from frame.labels(view, plan, theme, style.notation)
