"""A position as SVG: the board as it looks on a table, in one string without fonts or scripts.

The drawing is laid in this order, so that what comes later lies on top::

    ground ─► spaces ─► tiles, tinted by the last turn ─► red tracks ─► white tracks, which bridge
    the red ones ─► the winner's loop or line, in a golden halo ─► turn numbers ─► labels

A track is one path from end to end, so it shows no seams where it goes from tile to tile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from loopline.game import Colour, Played, Position, Shape, Track, column_name
from loopline.host.board_plan import BORDER, TILE, Plan
from loopline.host.theme import LIGHT, Theme
from loopline.host.words import describe_end, plural

__all__ = ["board_svg"]

_SCALE = 0.56
"""Pixels to a unit where the picture is shown in its natural size."""

_LABELS = 46
"""The width of the band that holds the labels."""

_EDGE = 40
"""The width of the ground around the formation if there are no labels."""

_TRACK, _GAP, _HALO = 20, 8, 9
"""The widths of a track, of the gap on each side where it bridges another, and of the halo."""


def board_svg(
    position: Position,
    *,
    last: Played | None = None,
    numbers: bool = False,
    labels: bool = True,
    theme: Theme = LIGHT,
) -> str:
    """Draw a position.

    Parameters
    ----------
    position : Position
        What to draw; if the game is won, the winner's loop or line is marked.
    last : Played or None
        The last turn, whose own tile is marked by a line around it and whose forced tiles are
        marked by a dashed one.
    numbers : bool
        Whether each tile bears the number of the turn that laid it, in bold on the turn's own.
    labels : bool
        Whether columns and rows are named around the board, as the next turn names them, and dots
        show the spaces where a tile may touch the formation.
    theme : Theme
        The colours.

    Returns
    -------
    str
        An XML document, ended by a line feed. Equal positions with equal histories give equal
        strings.
    """
    drawing = _Drawing(position, last, theme, BORDER + _LABELS if labels else _EDGE)
    return drawing.document(
        [
            *(drawing.spaces() if labels else ()),
            *drawing.tiles(),
            *drawing.tracks(),
            *drawing.winning(),
            *(drawing.numbers() if numbers else ()),
            *(drawing.labels() if labels else ()),
        ]
    )


class _Drawing:
    """The parts of one picture; each method gives the lines of one layer."""

    def __init__(self, position: Position, last: Played | None, theme: Theme, margin: int) -> None:
        self._position = position
        self._theme = theme
        self._plan = Plan(position, margin)
        marked = [(placed.x, placed.y) for placed in last.tiles] if last else []
        self._faces = {
            **dict.fromkeys(self._plan.tiles, theme.tile),
            **dict.fromkeys(marked[1:], theme.forced),
            **dict.fromkeys(marked[:1], theme.own),
        }

    def document(self, body: Iterable[str]) -> str:
        """The whole picture around its layers."""
        width, height = self._plan.width, self._plan.height
        size = f'width="{round(width * _SCALE)}" height="{round(height * _SCALE)}"'
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {size}>',
            f"<title>{self._title()}</title>",
            f'<rect width="{width}" height="{height}" fill="{self._theme.ground}"/>',
            *body,
            "</svg>",
        ]
        return "\n".join(lines) + "\n"

    def _title(self) -> str:
        """What the picture shows, in a sentence."""
        position = self._position
        if position.ending:
            return describe_end(position)
        mover = position.to_move.name.lower()
        return f"Trax after {plural(position.turns, 'turn')}, {mover} to move."

    def spaces(self) -> Iterator[str]:
        """A dot in each space where a tile may touch the formation; a frame on the empty board."""
        ink = self._theme.space
        if not self._plan.tiles:
            left, top = self._plan.corner(0, 0)
            yield (
                f'<rect x="{left + 3}" y="{top + 3}" width="{TILE - 6}" height="{TILE - 6}" rx="8" '
                f'fill="none" stroke="{ink}" stroke-width="3" stroke-dasharray="10 8"/>'
            )
            return
        yield f'<g fill="{ink}">'
        for x, y in self._position.frontier():
            across, down = self._plan.middle(x, y)
            yield f'<circle cx="{across}" cy="{down}" r="6"/>'
        yield "</g>"

    def tiles(self) -> Iterator[str]:
        """The tiles without their tracks; the last turn's are tinted and have a line around."""
        theme = self._theme
        spaces = list(self._plan.tiles)
        yield from self._squares(spaces, (4, 8), 0, f'fill="{theme.shadow}"')
        yield from self._squares(spaces, (0, 0), 0, f'fill="{theme.seam}"')
        mark = f'stroke="{theme.mark}" stroke-width'
        for face, inset, line in (
            (theme.tile, 1, ""),
            (theme.forced, 3, f' {mark}="3" stroke-dasharray="7 6"'),
            (theme.own, 3, f' {mark}="4"'),
        ):
            faces = [space for space in spaces if self._faces[space] == face]
            yield from self._squares(faces, (0, 0), inset, f'fill="{face}"{line}')

    def _squares(
        self, spaces: list[tuple[int, int]], shift: tuple[int, int], inset: int, ink: str
    ) -> Iterator[str]:
        """Rounded squares, ``inset`` smaller than a space on each side."""
        if not spaces:
            return
        side = TILE - 2 * inset
        yield f"<g {ink}>"
        for space in spaces:
            left, top = self._plan.corner(*space)
            place = f'x="{left + shift[0] + inset}" y="{top + shift[1] + inset}"'
            yield f'<rect {place} width="{side}" height="{side}" rx="6"/>'
        yield "</g>"

    def tracks(self) -> Iterator[str]:
        """All tracks, white's above red's, with a gap on both sides where they cross."""
        yield from self._paths(self._plan.tracks, Colour.RED, self._theme.red, _TRACK)
        gap = _TRACK + 2 * _GAP
        start = (TILE - gap) // 2
        for (x, y), tile in self._plan.tiles.items():
            if tile.shape is Shape.CROSS:
                left, top = self._plan.corner(x, y)
                yield (
                    f'<rect x="{left + start}" y="{top + start}" width="{gap}" height="{gap}" '
                    f'fill="{self._faces[x, y]}"/>'
                )
        yield from self._paths(self._plan.tracks, Colour.WHITE, self._theme.white, _TRACK)

    def winning(self) -> Iterator[str]:
        """The winner's loop or line above all other tracks; both players' where that is a draw."""
        position, theme = self._position, self._theme
        if not position.ending:
            return
        winners = {position.result.winner} if position.result else set(Colour)
        tracks = [
            track for track in self._plan.tracks if track.completes and track.colour in winners
        ]
        for colour, ink in ((Colour.WHITE, theme.white), (Colour.RED, theme.red)):
            yield from self._paths(tracks, colour, theme.halo, _TRACK + 2 * _HALO)
            yield from self._paths(tracks, colour, ink, _TRACK)

    def _paths(
        self, tracks: Iterable[Track], colour: Colour, ink: str, width: int
    ) -> Iterator[str]:
        """The tracks of one colour as paths."""
        paths = [self._plan.path(track) for track in tracks if track.colour is colour]
        if paths:
            yield f'<g fill="none" stroke="{ink}" stroke-width="{width}">'
            for path in paths:
                yield f'<path d="{path}"/>'
            yield "</g>"

    def numbers(self) -> Iterator[str]:
        """The number of its turn in a corner of each tile, where no track runs."""
        yield f'<g fill="{self._theme.number}" font-family="sans-serif">'
        for number, played in enumerate(self._position.history, start=1):
            size = 17 if number < 100 else 13
            for place, (x, y, tile) in enumerate(played.tiles):
                left, top = self._plan.corner(x, y)
                across, anchor = left + 7, ""
                if tile.shape is Shape.SLASH:
                    across, anchor = left + TILE - 7, ' text-anchor="end"'
                weight = "" if place else ' font-weight="bold"'
                yield (
                    f'<text x="{across}" y="{top + 8 + size * 3 // 4}" font-size="{size}"'
                    f"{anchor}{weight}>{number}</text>"
                )
        yield "</g>"

    def labels(self) -> Iterator[str]:
        """The names of columns and rows on all four sides, the empty ones around included."""
        plan = self._plan
        # The only space of the empty board is called @0.
        columns = [column_name(number) for number in range(plan.columns + 2)]
        rows = [str(number) for number in range(plan.rows + 2)]
        if not plan.tiles:
            columns, rows = ["", "@", ""], ["", "0", ""]
        near = _LABELS // 2 + 4
        ink = f'fill="{self._theme.label}" font-family="sans-serif" font-size="26"'
        yield f'<g {ink} text-anchor="middle">'
        for place, name in enumerate(columns, start=-1):
            if name:
                across = plan.middle_of(place, plan.columns)
                for down in (near, plan.height - near):
                    yield f'<text x="{across}" y="{down + 9}">{name}</text>'
        for place, name in enumerate(rows, start=-1):
            if name:
                down = plan.middle_of(place, plan.rows)
                for across in (near, plan.width - near):
                    yield f'<text x="{across}" y="{down + 9}">{name}</text>'
        yield "</g>"
