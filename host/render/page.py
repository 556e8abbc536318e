"""The page of a picture: the document around the layers, and the caption below the board."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from loopline.game import Ending, Position
from loopline.host.render.frame import LABELS
from loopline.host.render.layers import FONT
from loopline.host.render.plan import BORDER, Plan
from loopline.host.render.theme import Theme
from loopline.host.render.wording import describe_end, plural

__all__ = [
    "EDGE",
    "FOOT",
    "LARGEST",
    "LINE",
    "captioned",
    "description",
    "document",
    "element",
    "margin",
    "title",
    "wrap",
]

EDGE = 40
"""The width of the ground around a formation without labels, and beside a caption."""

LINE, FOOT = 38, 16
"""The height of a line of the caption, and of the ground below everything."""

LARGEST = 10000
"""The most pixels that a picture may have across or down."""

_SCALE = 0.56
"""Pixels per unit in the picture's natural size."""

_LETTER, _SHORTEST = 14, 12
"""The width of a letter of the caption, and the least number of letters on a line."""


def margin(labels: bool) -> int:
    """Return the width of the ground around the formation."""
    return BORDER + LABELS if labels else EDGE


def document(plan: Plan, theme: Theme, title: str, description: str, body: Iterable[str]) -> str:
    """Return a whole picture, with these layers."""
    start = f'<svg xmlns="http://www.w3.org/2000/svg" {_frame(plan)}>'
    texts = [f"<title>{_xml(title)}</title>", f"<desc>{_xml(description)}</desc>"]
    return "\n".join([start, *texts, _ground(plan, theme), *body, "</svg>"]) + "\n"


def element(plan: Plan, theme: Theme, alt: str, body: Iterable[str]) -> str:
    """Return a picture with these layers to stand in an HTML page, which has the namespace."""
    start = f"<svg {_frame(plan)} aria-label={quoteattr(alt)}>"
    return "\n".join([start, _ground(plan, theme), *body, "</svg>"]) + "\n"


def _frame(plan: Plan) -> str:
    width, height = plan.width, plan.height
    size = f'width="{round(width * _SCALE)}" height="{round(height * _SCALE)}"'
    return f'viewBox="0 0 {width} {height}" {size} role="img"'


def _ground(plan: Plan, theme: Theme) -> str:
    return f'<rect width="{plan.width}" height="{plan.height}" fill="{theme.ground}"/>'


def wrap(caption: str, width: int) -> list[str]:
    """Wrap a caption for a picture of this width."""
    return textwrap.wrap(caption, max(_SHORTEST, (width - EDGE) // _LETTER))


def captioned(lines: Sequence[str], plan: Plan, theme: Theme) -> Iterator[str]:
    """Yield the lines of a caption below the board."""
    if lines:
        yield f'<g fill="{theme.label}" {FONT} font-size="28" text-anchor="middle">'
        for number, line in enumerate(lines):
            down = plan.foot + number * LINE + LINE // 2 + 4
            yield f'<text x="{plan.width // 2}" y="{down}">{_xml(line)}</text>'
        yield "</g>"


def title(position: Position, ending: Ending | None) -> str:
    """Return the content of a picture as a sentence; ``ending`` as in :func:`describe_end`."""
    if position.ending or ending:
        return describe_end(position, ending)
    mover = position.to_move.name.lower()
    return f"Trax after {plural(position.turns, 'turn')}, {mover} to move."


def description(position: Position) -> str:
    """Return the whole game as a sentence, for screen readers."""
    if not position.turns:
        return "The empty board."
    turns = " ".join(str(played.turn) for played in position.history)
    size = f"{plural(position.width, 'column')} and {plural(position.height, 'row')}"
    return f"{plural(position.tiles, 'tile')} in {size}, after {turns}."


def _xml(text: str) -> str:
    """Return a text to stand between tags, in ASCII."""
    return escape(text).encode("ascii", "xmlcharrefreplace").decode("ascii")
