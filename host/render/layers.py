"""The layers of a picture: tiles, tracks and what is written on tiles, each as lines of SVG."""

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
"""The lettering of all pictures; the first is what :mod:`.picture_png` brings along."""

TRACK, GAP = 20, 8
"""The widths of a track, and of the gap on each side where it bridges another."""

_HALO = 9
"""How far the halo of the winner's track reaches to each side."""

SEAM = -1
"""The inset of a tile's edge, which reaches below its neighbours: no table shows between them."""

MARK = 3
"""The inset of a tile's face that has a line around."""

_CORNER = 7
"""How far from a tile's corner a number stands."""


class Layers:
    """The layers of one view in one plan; each method gives the lines of one."""

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
        """The tiles without their tracks; the last turn's are tinted and have a line around."""
        theme, spaces = self._theme, list(self._view.tiles)
        yield from squares(self._plan, spaces, 0, f'fill="{theme.shadow}"', shift=(4, 8))
        yield from squares(self._plan, spaces, SEAM, f'fill="{theme.seam}"')
        own, forced = marks(theme)
        plain = [space for space in spaces if space not in self._view.last]
        yield from squares(self._plan, plain, 1, f'fill="{theme.tile}"')
        yield from squares(self._plan, self._view.last[1:], MARK, forced)
        yield from squares(self._plan, self._view.last[:1], MARK, own)

    def tracks(self, halos: Mapping[Colour, Iterable[str]] | None = None) -> Iterator[str]:
        """All tracks, white's above red's, with a gap on both sides where they cross.

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
        """The winner's loop or line above all other tracks; both players' where that is a draw."""
        view, theme = self._view, self._theme
        tracks = [t for t in self._tracks if t.completes and t.colour in view.winners]
        for colour, ink in ((Colour.WHITE, theme.white), (Colour.RED, theme.red)):
            yield from self._paths(tracks, colour, theme.halo, TRACK + 2 * _HALO)
            yield from self._paths(tracks, colour, ink, TRACK)

    def _paths(
        self, tracks: Iterable[Track], colour: Colour, ink: str, width: int
    ) -> Iterator[str]:
        """The tracks of one colour as paths."""
        paths = [self._plan.path(t, self._view.tiles) for t in tracks if t.colour is colour]
        if paths:
            yield f'<g fill="none" stroke="{ink}" stroke-width="{width}">'
            for path in paths:
                yield f'<path d="{path}"/>'
            yield "</g>"

    def along(self, tracks: Iterable[OpenTrack], ink: str, width: int) -> Iterator[str]:
        """Lines along tracks with two ends."""
        wanted = {(track.colour, track.cells) for track in tracks}
        for colour in Colour:
            drawn = [t for t in self._tracks if (t.colour, t.cells) in wanted]
            yield from self._paths(drawn, colour, ink, width)

    def numbers(self) -> Iterator[str]:
        """The number of its turn in a corner of each tile, where no track runs."""
        yield f'<g fill="{self._theme.number}" {FONT}>'
        for space, (turn, place) in self._view.laid.items():
            bold = "" if place else self._theme.number
            yield number_on(self._plan, space, self._view.tiles[space], turn, bold=bold)
        yield "</g>"

    def order(self) -> Iterator[str]:
        """Which of several forced tiles came first, in the corner opposite to the number."""
        if self._view.ordered:
            yield f'<g fill="{self._theme.mark}" {FONT}>'
            for place, space in enumerate(self._view.last[1:], start=1):
                yield number_on(self._plan, space, self._view.tiles[space], place, below=True)
            yield "</g>"


def marks(theme: Theme) -> tuple[str, str]:
    """The faces of the last turn's tiles: that of its own one, that of those it forced."""
    line = f'stroke="{theme.mark}" stroke-width'
    return (
        f'fill="{theme.own}" {line}="4"',
        f'fill="{theme.forced}" {line}="3" stroke-dasharray="7 6"',
    )


def squares(
    plan: Plan, spaces: Iterable[Cell], inset: int, ink: str, shift: Cell = (0, 0)
) -> Iterator[str]:
    """Rounded squares, ``inset`` smaller than a space on each side; nothing for no space."""
    rects = []
    for space in spaces:
        left, top = plan.corner(*space)
        place = f'x="{left + shift[0] + inset}" y="{top + shift[1] + inset}"'
        side = TILE - 2 * inset
        # An edge below its neighbours' has to be square, or the table would show where four meet.
        radius = 6 if inset >= 0 else 2
        rects.append(f'<rect {place} width="{side}" height="{side}" rx="{radius}"/>')
    return iter([f"<g {ink}>", *rects, "</g>"] if rects else [])


def gap_of(plan: Plan, space: Cell, face: str) -> str:
    """What hides the lower track of a straight tile where the upper one bridges it."""
    left, top = plan.corner(*space)
    gap = TRACK + 2 * GAP
    start = (TILE - gap) // 2
    place = f'x="{left + start}" y="{top + start}"'
    return f'<rect {place} width="{gap}" height="{gap}" fill="{face}"/>'


def number_on(
    plan: Plan, space: Cell, tile: Tile, number: int, *, bold: str = "", below: bool = False
) -> str:
    """A number in a corner of a tile without a track: on top, or the opposite one below.

    ``bold`` is the colour of a line around, which makes a font heavier that has one weight only.
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
