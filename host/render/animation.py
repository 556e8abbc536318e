"""A whole game as an animated SVG: small, sharp at any size, without scripts.

Each tile is drawn once, and appears at its time. Names of columns and rows, captions and the marks
of a turn also disappear at theirs. ``<animate>`` elements do this; all of them last as long as the
whole film and repeat together. A program without animation shows the last frame.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Unpack

from loopline.game import Colour, Position, Shape, Side, Tile
from loopline.host.render import frame as board_frame
from loopline.host.render.film import Film, FilmOptions, film_of
from loopline.host.render.layers import (
    FONT,
    GAP,
    MARK,
    SEAM,
    TRACK,
    Layers,
    marks,
    number_on,
    squares,
)
from loopline.host.render.page import captioned, document
from loopline.host.render.plan import TILE, Plan
from loopline.host.render.theme import Theme
from loopline.host.render.view import Cell

__all__ = ["animated_svg"]

_FADE = 0.12
"""The seconds that a tile takes to appear."""


def animated_svg(position: Position, **options: Unpack[FilmOptions]) -> str:
    """Draw the game that led to a position, tile by tile, in an endless loop.

    Parameters
    ----------
    position : Position
        The end of the game.
    options
        As :func:`.film_of` takes them.

    Returns
    -------
    str
        An XML document, ended by a line feed.
    """
    film = film_of(position, **options)
    body = _Animation(film).layers()
    return document(film.plan, film.style.theme, film.title, film.description, body)


class _Animation:
    """The layers of a film. Times are in seconds from the beginning."""

    def __init__(self, film: Film) -> None:
        self._frames = film.frames
        self._plan = film.plan
        self._style = film.style
        self._theme = film.style.theme
        self._starts = [0.0, *accumulate(frame.seconds for frame in film.frames)]
        self._length = self._starts[-1]
        self._view = film.frames[-1].view
        self._laid: dict[Cell, float] = {}
        self._marked: dict[Cell, float] = {}
        for start, end, frame in zip(self._starts, self._starts[1:], film.frames, strict=False):
            for space in frame.view.tiles:
                self._laid.setdefault(space, start)
            for space in frame.view.last:
                self._marked[space] = end

    def layers(self) -> Iterator[str]:
        """Yield all layers, the lowest first."""
        theme, plan = self._theme, self._plan
        tiles = self._view.tiles
        yield from self._spans(
            [frame.view.box for frame in self._frames],
            [list(board_frame.rails(f.view, plan, theme)) for f in self._frames],
        )
        if not tiles:
            yield from board_frame.spaces(self._view, plan, theme)
        shadow = f'fill="{theme.shadow}"'
        for space, start in self._laid.items():
            yield from self._from(start, squares(plan, [space], 0, shadow, shift=(4, 8)))
        for space, start in self._laid.items():
            seam = squares(plan, [space], SEAM, f'fill="{theme.seam}"')
            face = squares(plan, [space], 1, f'fill="{theme.tile}"')
            yield from self._from(start, [*seam, *face])
        yield from self._marks()
        for space, start in self._laid.items():
            yield from self._from(start, _tile_tracks(plan, space, tiles[space], theme))
        final = Layers(self._view, plan, theme)
        yield from self._from(self._starts[-2], final.winning())
        if self._style.numbers:
            yield from self._numbers()
        yield from self._order()
        if self._style.labels:
            yield from self._spans(
                [frame.view.box for frame in self._frames],
                [
                    list(board_frame.labels(f.view, plan, theme, self._style.notation))
                    for f in self._frames
                ],
            )
        captions = [frame.caption for frame in self._frames]
        yield from self._spans(captions, [list(captioned(c, plan, theme)) for c in captions])

    def _marks(self) -> Iterator[str]:
        """Yield the tints and lines of each turn's tiles, shown until the next turn."""
        own, forced = marks(self._theme)
        for space, end in self._marked.items():
            ink = forced if self._view.laid[space].place else own
            mark = squares(self._plan, [space], MARK, ink)
            yield from self._between(self._laid[space], end, mark)

    def _numbers(self) -> Iterator[str]:
        """Yield the number of its turn on each tile."""
        ink = self._theme.number
        for space, start in self._laid.items():
            turn, place = self._view.laid[space]
            bold = "" if place else ink
            number = number_on(self._plan, space, self._view.tiles[space], turn, bold=bold)
            yield from self._from(start, [f'<g fill="{ink}" {FONT}>{number}</g>'])

    def _order(self) -> Iterator[str]:
        """Yield the order of several forced tiles, shown as long as they are marked."""
        tiles = Counter(laid.turn for laid in self._view.laid.values())
        for space, end in self._marked.items():
            turn, place = self._view.laid[space]
            if place and tiles[turn] > 2:
                number = number_on(self._plan, space, self._view.tiles[space], place, below=True)
                lines = [f'<g fill="{self._theme.mark}" {FONT}>{number}</g>']
                yield from self._between(self._laid[space], end, lines)

    def _spans(self, keys: Sequence[object], lines: list[list[str]]) -> Iterator[str]:
        """Yield lines of frames, once for each run of frames with equal keys."""
        begun = 0
        for number in range(1, len(keys) + 1):
            if number == len(keys) or keys[number] != keys[begun]:
                yield from self._between(self._starts[begun], self._starts[number], lines[begun])
                begun = number

    def _from(self, start: float, lines: Iterable[str]) -> Iterator[str]:
        """Yield lines that fade in at a time, and stay."""
        body = list(lines)
        if not body or start == 0:
            yield from body
            return
        keys = f"0;{self._key(start)};{self._key(min(start + _FADE, self._length))};1"
        yield "<g>" + self._animate("0;0;1;1", keys, "linear")
        yield from body
        yield "</g>"

    def _between(self, start: float, end: float, lines: Iterable[str]) -> Iterator[str]:
        """Yield lines that are visible from one time to another."""
        body = list(lines)
        stays = end >= self._length
        if not body or (start == 0 and stays):
            yield from body
            return
        values, keys = (["1"], ["0"]) if start == 0 else (["0", "1"], ["0", self._key(start)])
        if not stays:
            values.append("0")
            keys.append(self._key(end))
        hidden = "" if stays else ' opacity="0"'
        yield f"<g{hidden}>" + self._animate(";".join(values), ";".join(keys), "discrete")
        yield from body
        yield "</g>"

    def _animate(self, values: str, keys: str, mode: str) -> str:
        return (
            f'<animate attributeName="opacity" values="{values}" keyTimes="{keys}" '
            f'calcMode="{mode}" dur="{self._length:.2f}s" repeatCount="indefinite"/>'
        )

    def _key(self, time: float) -> str:
        """Return a time as a share of the whole film."""
        return f"{time / self._length:.5f}".rstrip("0").rstrip(".")


def _tile_tracks(plan: Plan, space: Cell, tile: Tile, theme: Theme) -> Iterator[str]:
    """Yield the tracks of one tile, white above red, each a little longer than the tile."""
    for colour, ink in ((Colour.RED, theme.red), (Colour.WHITE, theme.white)):
        one, other = (side for side in Side if tile.colour(side) is colour)
        (x, y), (far_x, far_y) = plan.gate(*space, one), plan.gate(*space, other)
        start = f"M{x + one.step[0]} {y + one.step[1]}L{x} {y}"
        path = plan.stroke(*space, one, other)
        end = f"L{far_x + other.step[0]} {far_y + other.step[1]}"
        if colour is Colour.RED and tile.shape is Shape.CROSS:
            # White bridges red here: red has a gap, which shows the tile's face.
            half = (TILE - TRACK) // 2 - GAP
            near = x - half * one.step[0], y - half * one.step[1]
            far = far_x - half * other.step[0], far_y - half * other.step[1]
            path = "L{} {}M{} {}".format(*near, *far) + f"L{far_x} {far_y}"
        yield f'<path d="{start}{path}{end}" fill="none" stroke="{ink}" stroke-width="{TRACK}"/>'
