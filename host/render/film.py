"""A whole game as a sequence of frames, one for each tile."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from loopline.game import Ending, Played, Position, format_old_turn
from loopline.host.render.page import (
    FOOT,
    LINE,
    captioned,
    description,
    document,
    margin,
    title,
    wrap,
)
from loopline.host.render.plan import Plan
from loopline.host.render.svg import Look, Style, view_layers
from loopline.host.render.theme import LIGHT, Theme
from loopline.host.render.view import Extent, Notation, View

__all__ = ["Film", "FilmOptions", "Frame", "film_of"]

_TILE = 0.2
"""The seconds from one tile of a turn to the next, where the turn is long enough for it."""

_LAST = 4
"""The length of the last frame, in turns."""


class FilmOptions(Look, total=False):
    """Options of moving pictures; see :func:`film_of` for each."""

    delay: float
    last: bool


@dataclass(frozen=True)
class Frame:
    """One frame: the view, the lines of the caption, and the seconds for which it is shown."""

    view: View
    caption: tuple[str, ...]
    seconds: float


@dataclass(frozen=True)
class Film:
    """A game from its first turn on, drawn on one page.

    Parameters
    ----------
    title, description : str
        The content, for screen readers.
    frames : tuple of Frame
        At least one. A turn has a frame for each of its tiles, its own tile first.
    plan : Plan
        The layout of all frames.
    style : Style
        The style of all frames.
    """

    title: str
    description: str
    frames: tuple[Frame, ...]
    plan: Plan
    style: Style

    def still(self, frame: Frame) -> str:
        """Return one frame as a picture, an XML document."""
        theme = self.style.theme
        body = [
            *view_layers(frame.view, self.plan, self.style),
            *captioned(frame.caption, self.plan, theme),
        ]
        return document(self.plan, theme, self.title, self.description, body)


def film_of(
    position: Position,
    *,
    delay: float = 1.0,
    last: bool = True,
    numbers: bool = False,
    labels: bool = True,
    notation: Notation = "standard",
    ending: Ending | None = None,
    caption: str = "",
    theme: Theme = LIGHT,
) -> Film:
    """Return the film of the game that led to a position.

    Parameters
    ----------
    position : Position
        The end of the film.
    delay : float
        The seconds for which a complete turn is shown; the last one is shown longer.
    last : bool
        Whether the tiles of a turn are marked while it is shown.
    numbers, labels, ending, theme : bool, bool, Ending or None, Theme
        As in :func:`.board_svg`. Spaces have no dots, which would change with every tile.
    notation : str
        The notation of columns, rows and turns.
    caption : str
        The sentence below the last frame. Without it that frame has its turn, like all others.
    """
    extent = Extent.of(position)
    style = Style(numbers, labels, notation, theme)
    width = Plan(extent, margin(labels)).width
    game = Position(position.variant)
    frames: list[Frame] = []
    if not position.turns:
        frames.append(Frame(View.of(game), tuple(wrap("The empty board", width)), delay))
    for played in position.history:
        turn = format_old_turn(game, played.turn) if notation == "old" else str(played.turn)
        text = f"Turn {game.turns + 1}, {played.colour.name.lower()}: {turn}"
        game.play(played.turn)
        for view in _views(game, played):
            whole = len(view.last) == len(played.tiles)
            marked = view if last else replace(view, last=())
            seconds = delay if whole else min(_TILE, delay / 2)
            frames.append(Frame(marked, tuple(wrap(text, width)), seconds))
    end = tuple(wrap(caption, width)) or frames[-1].caption
    frames[-1] = replace(frames[-1], caption=end, seconds=_LAST * delay)
    room = max(len(frame.caption) for frame in frames) * LINE + FOOT
    plan = Plan(extent, margin(labels), room)
    name = title(position, ending)
    return Film(name, description(position), tuple(frames), plan, style)


def _views(position: Position, played: Played) -> Iterator[View]:
    """Yield the last turn of a position, tile by tile."""
    whole = replace(View.of(position, played), spaces=())
    for count in range(1, len(whole.last)):
        waiting = set(whole.last[count:])
        yield replace(
            whole,
            tiles={space: tile for space, tile in whole.tiles.items() if space not in waiting},
            laid={space: laid for space, laid in whole.laid.items() if space not in waiting},
            last=whole.last[:count],
            winners=frozenset(),
        )
    yield whole
