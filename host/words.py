"""Turns and results in plain English, the same in every command."""

from __future__ import annotations

from loopline.game import Played, Position, space_name

__all__ = ["describe_end", "describe_turn", "plural"]

_KINDS = {"loop": "a loop", "line": "a line", "loop+line": "a loop and a line"}


def plural(count: int, noun: str) -> str:
    """Return ``1 tile``, ``2 tiles``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def describe_turn(position: Position, played: Played) -> str:
    """Return one line on the last turn: number, player, notation and the tiles it forced.

    ``position`` is the one after the turn. The turn itself is named as it was played; forced tiles
    as the next turn names their spaces, which is how the board is labelled then. Where a turn has
    shifted the labels, its own new one is added.
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


def describe_end(position: Position) -> str:
    """Return one line on how a game has ended: who won, by what, or that it is a draw."""
    result = position.result
    if result is None:
        if not position.legal_turns():
            return "No turn is legal: a draw."
        return f"No one has won after {plural(position.turns, 'turn')}: a draw."
    winner, loser = result.winner.name.capitalize(), result.winner.other.name.lower()
    text = f"{winner} wins by {_KINDS[result.kind]} after {plural(position.turns, 'turn')}"
    if result.both:
        text += f"; {loser} has completed one too, but {winner.lower()} made the turn"
    return f"{text}."
