"""The layers of a picture: tiles, tracks and numbers on tiles, each as lines of SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from loopline.game import Colour, OpenTrack, Shape, Tile, Track
from loopline.host.render.plan import TILE, Plan
from loopline.host.render.theme import Theme
from loopline.host.render.view import Cell, View

__all__ = [
    "FONT",
    "GAP",
    "MARK",
    "SEAM",
    "TRACK",
    "Layers",
    "gap_of",
    "marks",
    "number_on",
    "squares",
]

FONT = 'font-family="Aileron, Helvetica, Arial, sans-serif"'
"""The fonts of all pictures; the first one comes with :mod:`loopline.host.render.pixels`."""

TRACK, GAP = 20, 8
"""The widths of a track, and of the gap on each side where it bridges another one."""

_HALO = 9
"""The width of the halo on each side of the winner's track."""

SEAM = -1
"""The inset of a tile's edge: it overlaps its neighbours, so that no ground shows between them."""

MARK = 3
"""The inset of a tile's face with a line around it."""

_CORNER = 7
"""The distance of a number from a tile's corner."""


class Layers:
    """The layers of one view in one plan; each method yields the lines of one layer."""

    def __init__(self, view: View, plan: Plan, theme: Theme) -> None:
        self._view = view
        self._plan = plan
        self._theme = theme
        self._tracks = view.tracks()
        self._faces = {
            **dict.fromkeys(view.tiles, theme.tile),
            **dict.fromkeys(view.last[1:], theme.forced),
            **dict.fromkeys(view.last[:1], theme.own),
        }

    def tiles(self) -> Iterator[str]:
        """Yield the tiles without tracks; those of the last turn have a tint and a line around."""
        theme, spaces = self._theme, list(self._view.tiles)
        yield from squares(self._plan, spaces, 0, f'fill="{theme.shadow}"', shift=(4, 8))
        yield from squares(self._plan, spaces, SEAM, f'fill="{theme.seam}"')
        own, forced = marks(theme)
        plain = [space for space in spaces if space not in self._view.last]
        yield from squares(self._plan, plain, 1, f'fill="{theme.tile}"')
        yield from squares(self._plan, self._view.last[1:], MARK, forced)
        yield from squares(self._plan, self._view.last[:1], MARK, own)

    def tracks(self, halos: Mapping[Colour, Iterable[str]] | None = None) -> Iterator[str]:
        """Yield all tracks, white ones above red ones, with gaps where they cross.

        ``halos`` are lines to draw below the tracks of a colour.
        """
        below = halos or {}
        yield from below.get(Colour.RED, ())
        yield from self._paths(self._tracks, Colour.RED, self._theme.red, TRACK)
        for space, tile in self._view.tiles.items():
            if tile.shape is Shape.CROSS:
                yield gap_of(self._plan, space, self._faces[space])
        yield from below.get(Colour.WHITE, ())
        yield from self._paths(self._tracks, Colour.WHITE, self._theme.white, TRACK)

    def winning(self) -> Iterator[str]:
        """Yield the winner's loop or line above all tracks; both players' in a draw by both."""
        view, theme = self._view, self._theme
        tracks = [t for t in self._tracks if t.completes and t.colour in view.winners]
        for colour, ink in ((Colour.WHITE, theme.white), (Colour.RED, theme.red)):
            yield from self._paths(tracks, colour, theme.halo, TRACK + 2 * _HALO)
            yield from self._paths(tracks, colour, ink, TRACK)

    def _paths(
        self, tracks: Iterable[Track], colour: Colour, ink: str, width: int
    ) -> Iterator[str]:
        """Yield the tracks of one colour as paths."""
        paths = [self._plan.path(t, self._view.tiles) for t in tracks if t.colour is colour]
        if paths:
            yield f'<g fill="none" stroke="{ink}" stroke-width="{width}">'
            for path in paths:
                yield f'<path d="{path}"/>'
            yield "</g>"

    def along(self, tracks: Iterable[OpenTrack], ink: str, width: int) -> Iterator[str]:
        """Yield lines along tracks with two ends."""
        wanted = {(track.colour, track.cells) for track in tracks}
        for colour in Colour:
            drawn = [t for t in self._tracks if (t.colour, t.cells) in wanted]
            yield from self._paths(drawn, colour, ink, width)

    def numbers(self) -> Iterator[str]:
        """Yield the number of its turn in a corner of each tile, beside the tracks."""
        yield f'<g fill="{self._theme.number}" {FONT}>'
        for space, (turn, place) in self._view.laid.items():
            bold = "" if place else self._theme.number
            yield number_on(self._plan, space, self._view.tiles[space], turn, bold=bold)
        yield "</g>"

    def order(self) -> Iterator[str]:
        """Yield the order of several forced tiles, in the corner opposite to the number."""
        if self._view.ordered:
            yield f'<g fill="{self._theme.mark}" {FONT}>'
            for place, space in enumerate(self._view.last[1:], start=1):
                yield number_on(self._plan, space, self._view.tiles[space], place, below=True)
            yield "</g>"


def marks(theme: Theme) -> tuple[str, str]:
    """Return the faces of the last turn's tiles: of its own tile, and of the forced ones."""
    line = f'stroke="{theme.mark}" stroke-width'
    return (
        f'fill="{theme.own}" {line}="4"',
        f'fill="{theme.forced}" {line}="3" stroke-dasharray="7 6"',
    )


def squares(
    plan: Plan, spaces: Iterable[Cell], inset: int, ink: str, shift: Cell = (0, 0)
) -> Iterator[str]:
    """Yield rounded squares, by ``inset`` smaller than a space on each side."""
    rects = []
    for space in spaces:
        left, top = plan.corner(*space)
        place = f'x="{left + shift[0] + inset}" y="{top + shift[1] + inset}"'
        side = TILE - 2 * inset
        # Overlapping edges have to be square, or the ground would show where four tiles meet.
        radius = 6 if inset >= 0 else 2
        rects.append(f'<rect {place} width="{side}" height="{side}" rx="{radius}"/>')
    return iter([f"<g {ink}>", *rects, "</g>"] if rects else [])


def gap_of(plan: Plan, space: Cell, face: str) -> str:
    """Return the square that hides the lower track of a straight tile below the upper one."""
    left, top = plan.corner(*space)
    gap = TRACK + 2 * GAP
    start = (TILE - gap) // 2
    place = f'x="{left + start}" y="{top + start}"'
    return f'<rect {place} width="{gap}" height="{gap}" fill="{face}"/>'


def number_on(
    plan: Plan, space: Cell, tile: Tile, number: int, *, bold: str = "", below: bool = False
) -> str:
    """Return a number in a corner of a tile beside the tracks: at the top, or ``below``.

    ``bold`` is the colour of an outline, which makes the font's only weight heavier.
    """
    left, top = plan.corner(*space)
    size = 20 if below else 17 if number < 100 else 13
    # A curve of / runs about the north-west corner and one about the south-east corner.
    at_right = below is not (tile.shape is Shape.SLASH)
    across, anchor = left + _CORNER, ""
    if at_right:
        across, anchor = left + TILE - _CORNER, ' text-anchor="end"'
    down = top + TILE - _CORNER - 1 if below else top + _CORNER + 1 + size * 3 // 4
    weight = f' stroke="{bold}" stroke-width="0.8"' if bold else ""
    return f'<text x="{across}" y="{down}" font-size="{size}"{anchor}{weight}>{number}</text>'
