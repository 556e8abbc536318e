"""Sentences to stand below a board, in pictures and in the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from loopline.game import Ending, Position
from loopline.host.render.view import View
from loopline.host.render.wording import plural

__all__ = ["area_note", "end_note"]


def end_note(position: Position, ending: Ending | None) -> str:
    """How the game has ended, resignations and the like included; nothing if it goes on."""
    if ending is None:
        return ""
    return f"After {plural(position.turns, 'turn')}, {ending}."


def area_note(position: Position) -> str:
    """How far the formation may grow; nothing in a variant without a limit."""
    size = position.variant.size
    growth = View.of(position).growth
    if size is None or growth is None:
        return ""
    if not any(growth):
        return f"Room in the {size} x {size} area: no more columns or rows."
    return f"Room in the {size} x {size} area: {' and '.join(_left(growth))}."


def _left(growth: tuple[int, int]) -> Iterator[str]:
    for count, noun in zip(growth, ("column", "row"), strict=True):
        if count:
            yield plural(count, noun)
