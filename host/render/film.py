"""A whole game as moments that follow one another: each tile as it is laid, at its time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from loopline.game import Played, Position, format_old_turn
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
"""The seconds from one tile of a turn to the next, unless the turn itself is too short for it."""

_LAST = 4
"""How much longer than others the last frame stays."""


class FilmOptions(Look, total=False):
    """What moving pictures take besides the position; :func:`film_of` says what each means."""

    delay: float
    last: bool


@dataclass(frozen=True)
class Frame:
    """One moment: what there is to see, the lines below it, and for how many seconds."""

    view: View
    caption: tuple[str, ...]
    seconds: float


@dataclass(frozen=True)
class Film:
    """A game from its first turn on, on a page that does not change.

    Parameters
    ----------
    title, description : str
        What it shows, for whoever does not see it.
    frames : tuple of Frame
        At least one. A turn has a frame for each of its tiles, its own one first.
    plan : Plan
        The layout of all frames.
    style : Style
        How they look.
    """

    title: str
    description: str
    frames: tuple[Frame, ...]
    plan: Plan
    style: Style

    def still(self, frame: Frame) -> str:
        """One frame as a picture of its own, an XML document."""
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
    caption: str = "",
    theme: Theme = LIGHT,
) -> Film:
    """The film of the game that led to a position.

    Parameters
    ----------
    position : Position
        The end of the film.
    delay : float
        The seconds for which a turn stays when all its tiles lie; the end stays longer.
    last : bool
        Whether the tiles of a turn are marked while it is shown.
    numbers, labels, theme : bool, bool, Theme
        As in :func:`.board_svg`. There are no dots in spaces: they would never rest.
    notation : str
        How columns and rows are named, and turns written in the captions.
    caption : str
        The sentence below the end; that of its turn if there is none, as below all others.
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
    return Film(title(position), description(position), tuple(frames), plan, style)


def _views(position: Position, played: Played) -> Iterator[View]:
    """The last turn of a position, tile by tile."""
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
