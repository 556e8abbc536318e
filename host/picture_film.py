"""A whole game as moments that follow one another: each tile as it is laid, at its time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from loopline.game import Played, Position, format_old_turn
from loopline.host.board_names import Notation
from loopline.host.board_page import margin, wrap
from loopline.host.board_plan import Plan
from loopline.host.board_view import Extent, View

__all__ = ["Film", "Frame", "film_of"]

_TILE = 0.2
"""The seconds from one tile of a turn to the next, unless the turn itself is too short for it."""

_LAST = 4
"""How much longer than others the last frame stays."""


@dataclass(frozen=True)
class Frame:
    """One moment: what there is to see, the sentence below it, and for how many seconds."""

    view: View
    caption: str
    seconds: float


@dataclass(frozen=True)
class Film:
    """A game from its first turn on, on a rectangle that does not change.

    Parameters
    ----------
    frames : tuple of Frame
        At least one. A turn has a frame for each of its tiles, its own one first.
    extent : Extent
        The spaces that the whole game takes.
    """

    frames: tuple[Frame, ...]
    extent: Extent

    def lines(self, labels: bool) -> list[list[str]]:
        """The caption of each frame, in lines that fit below the board."""
        width = Plan(self.extent, margin(labels)).width
        return [wrap(frame.caption, width) for frame in self.frames]


def film_of(
    position: Position,
    *,
    delay: float = 1.0,
    last: bool = True,
    notation: Notation = "standard",
    caption: str = "",
) -> Film:
    """The film of the game that led to a position.

    Parameters
    ----------
    position : Position
        The end of the film.
    delay : float
        The seconds for which a turn stays when all its tiles lie; the last one stays longer.
    last : bool
        Whether the tiles of a turn are marked while it is shown.
    notation : str
        How turns are written in the captions.
    caption : str
        The sentence below the last frame; that of its turn if there is none.
    """
    game = Position(position.variant)
    frames = [Frame(View.of(game), "The empty board.", delay)] if not position.turns else []
    for played in position.history:
        turn = format_old_turn(game, played.turn) if notation == "old" else str(played.turn)
        text = f"Turn {game.turns + 1}, {played.colour.name.lower()}: {turn}"
        game.play(played.turn)
        views = list(_views(game, played))
        step = min(_TILE, delay / 2)
        frames += [Frame(view, text, step) for view in views[:-1]]
        frames.append(Frame(views[-1], text, delay))
    frames[-1] = replace(frames[-1], seconds=_LAST * delay, caption=caption or frames[-1].caption)
    if not last:
        frames = [replace(frame, view=replace(frame.view, last=())) for frame in frames]
    return Film(tuple(frames), Extent.of(position))


def _views(position: Position, played: Played) -> Iterator[View]:
    """The last turn of a position, tile by tile."""
    # Where the next tile may lie changes too often to be looked at.
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
