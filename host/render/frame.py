"""The surroundings of the tiles in a picture: names of columns and rows, dots, a limited area."""

from __future__ import annotations

from collections.abc import Iterator

from loopline.host.render.layers import FONT
from loopline.host.render.plan import BORDER, TILE, Plan
from loopline.host.render.theme import Theme
from loopline.host.render.view import Cell, Extent, Notation, View, column_names, row_names

__all__ = ["LABELS", "labels", "rails", "spaces"]

LABELS = 46
"""The width of the band that holds the labels."""

_CLOSE = 10
"""The distance of the border of a limited area from tiles that touch it."""


def spaces(view: View, plan: Plan, theme: Theme) -> Iterator[str]:
    """Yield a dot in each space where a tile may be laid; a frame on the empty board."""
    if not view.tiles:
        left, top = plan.corner(0, 0)
        yield (
            f'<rect x="{left + 3}" y="{top + 3}" width="{TILE - 6}" height="{TILE - 6}" rx="8" '
            f'fill="none" stroke="{theme.space}" stroke-width="3" stroke-dasharray="10 8"/>'
        )
    elif view.spaces:
        yield f'<g fill="{theme.space}">'
        for x, y in view.spaces:
            across, down = plan.middle(x, y)
            yield f'<circle cx="{across}" cy="{down}" r="6"/>'
        yield "</g>"


def labels(view: View, plan: Plan, theme: Theme, notation: Notation) -> Iterator[str]:
    """Yield the names of columns and rows on all four sides, of those that a turn can name."""
    near = LABELS // 2 + 4
    yield f'<g fill="{theme.label}" {FONT} font-size="26" text-anchor="middle">'
    for x, name in column_names(view, notation).items():
        for down in (near, plan.foot - near):
            yield f'<text x="{plan.across(x)}" y="{down + 9}">{name}</text>'
    for y, name in row_names(view, notation).items():
        for across in (near, plan.width - near):
            yield f'<text x="{across}" y="{plan.down(y) + 9}">{name}</text>'
    yield "</g>"


def rails(view: View, plan: Plan, theme: Theme) -> Iterator[str]:
    """Yield the border of a limited area, as far as it is known.

    Where the formation cannot grow any more, the border is a line along the tiles. Elsewhere it is
    a dotted line further out, with the number of columns or rows that are left.
    """
    growth = view.growth
    if growth is None:
        return
    west, east = _edges(plan, view.box, 0, growth[0])
    north, south = _edges(plan, view.box, 1, growth[1])
    ink = f'stroke="{theme.rail}" stroke-linecap="round" stroke-width'
    for x in (west, east):
        yield _rail(f"M{x} {north}V{south}", ink, growth[0])
    for y in (north, south):
        yield _rail(f"M{west} {y}H{east}", ink, growth[1])
    yield f'<g fill="{theme.rail}" {FONT} font-size="22" text-anchor="middle">'
    # Between two columns or rows, where no names are.
    box = view.box
    across, down = plan.corner(box.west + box.columns // 2, box.north + box.rows // 2)
    places: list[tuple[Cell, int]] = [((x, down), growth[0]) for x in (west, east)]
    places += [((across, y), growth[1]) for y in (north, south)]
    for (x, y), more in places:
        if more:
            yield f'<rect x="{x - 21}" y="{y - 13}" width="42" height="26" fill="{theme.ground}"/>'
            yield f'<text x="{x}" y="{y + 8}">+{more}</text>'
    yield "</g>"


def _edges(plan: Plan, box: Extent, axis: int, more: int) -> tuple[int, int]:
    """Return where the border lies before and behind the formation."""
    low, high = plan.corner(box.west, box.north), plan.corner(box.east + 1, box.south + 1)
    if not more:
        return low[axis] - _CLOSE, high[axis] + _CLOSE
    # At the outer edge of the empty columns and rows, or closer in a narrow margin.
    end = plan.width if axis == 0 else plan.foot
    out = plan.margin - BORDER + 4 if plan.margin > BORDER else _CLOSE * 2
    return out, end - out


def _rail(path: str, ink: str, more: int) -> str:
    """Return one side of the border."""
    line = f'{ink}="3" stroke-dasharray="1 10"' if more else f'{ink}="7"'
    return f'<path d="{path}" fill="none" {line}/>'
