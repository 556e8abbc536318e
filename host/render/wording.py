"""Turns, results and rules as sentences, the same in every command."""

from __future__ import annotations

from collections.abc import Iterator

from loopline.game import REASONS, Ending, Played, Position, Variant, ending_of, space_name
from loopline.host.render.view import View

__all__ = ["area_note", "describe_end", "describe_rules", "describe_turn", "end_note", "plural"]


def plural(count: int, noun: str) -> str:
    """Return ``1 tile``, ``2 tiles``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def describe_turn(position: Position, played: Played) -> str:
    """Return one line on the last turn: number, player, notation and the tiles it forced.

    ``position`` is the one after the turn. The turn has the name under which it was played. Forced
    tiles have the names of the new labels of the board. Where the turn has shifted the labels, the
    new name of its own space is added.
    """
    text = f"Turn {position.turns}: {played.colour.name.lower()} plays {played.turn}"
    spaces = [space_name(*position.label(placed.x, placed.y)) for placed in played.tiles]
    if spaces[0] != played.turn.space:
        text += f" (now at {spaces[0]})"
    shapes = [placed.tile.shape.value for placed in played.tiles]
    forced = [space + shape for space, shape in zip(spaces, shapes, strict=True)][1:]
    if forced:
        text += f", which forces {' '.join(forced)}"
    return f"{text}."


def describe_end(position: Position, ending: Ending | None = None) -> str:
    """Return one line on how a game has ended: the winner and the reason, or that it is a draw.

    ``ending`` tells what the board does not show, such as a resignation.
    """
    ending = ending_of(position) or ending
    turns = plural(position.turns, "turn")
    if ending is None:
        return f"No one has won after {turns}."
    winner = ending.winner
    text = "A draw" if winner is None else f"{winner.name.capitalize()} wins"
    reason = REASONS[ending.reason]
    if reason.startswith("as "):
        text += f" after {turns}, {reason}"
    else:
        text += f" {reason} after {turns}" if reason else f" after {turns}"
    if winner is not None and position.result and position.result.both:
        text += (
            f"; {winner.other.name.lower()} has completed one too, "
            f"but {winner.name.lower()} made the turn"
        )
    return f"{text}."


def describe_rules(variant: Variant) -> str:
    """Return a few sentences: how a game of a variant is won, and when it is drawn."""
    text = "You win with a loop of your colour"
    if variant.line_length is None:
        text += "; lines do not count."
    else:
        text += (
            ", or with a line of it from edge to opposite edge of a formation at least "
            f"{variant.line_length} long in that direction."
        )
    both = "it is a draw" if variant.both == "draw" else "the player who made it wins"
    text += f" If both colours complete one in one turn, {both}."
    if variant.size is not None:
        text += (
            f" The formation keeps within {variant.size} columns and rows; "
            "if no turn is left, it is a draw."
        )
    return text


def end_note(position: Position, ending: Ending | None) -> str:
    """Return how the game has ended, such as by resignation; nothing if it is open."""
    if ending is None:
        return ""
    return f"After {plural(position.turns, 'turn')}, {ending}."


def area_note(position: Position) -> str:
    """Return how far the formation may grow; nothing in a variant without a limit."""
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
