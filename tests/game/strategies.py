"""Random games for property tests, of several styles, that shrink to short ones."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from loopline.game import STANDARD, Position, Turn, Variant

STYLES = ("any", "survive", "east", "west", "dense")


THOROUGH = False
"""Whether the slow tests run, too; set before the tests are imported."""


def examples(count: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Settings for a property test: so many examples beside the slow tests, else half as many,
    however slow the machine."""
    count = count if THOROUGH else -(-count // 2)
    return settings(max_examples=count, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def games(
    draw: st.DrawFn,
    *,
    longest: int = 40,
    finished: bool = True,
    variant: Variant = STANDARD,
) -> Position:
    """A position after up to ``longest`` turns, and often one more that ends the game; if
    ``finished`` is false, of a game that goes on."""
    style = draw(st.sampled_from(STYLES), label="style")
    length = draw(st.integers(0, longest), label="length")
    choices = draw(st.lists(st.integers(0, 999), min_size=length, max_size=length), label="choices")
    position = Position(variant)
    for choice in choices:
        if position.ending:
            break
        turns = preferred(position, style)
        start = choice % len(turns)
        for turn in turns[start:] + turns[:start]:
            position.play(turn)
            if position.ending is None or (finished and style == "any"):
                break
            position.undo()
        else:
            if not finished:
                break
            position.play(turns[start])
    if finished and draw(st.booleans(), label="ends"):
        for turn in position.legal_turns():
            if position.play(turn).ends_game:
                break
            position.undo()
    return position


def preferred(position: Position, style: str) -> list[Turn]:
    """The legal turns that a style of play chooses from."""
    turns = position.legal_turns()
    if style == "east":
        return [turn for turn in turns if turn.column >= position.width] or turns
    if style == "west":
        return [turn for turn in turns if turn.column <= 1] or turns
    if style == "dense":
        return [
            turn for turn in turns if len(position.sockets(*position.locate(turn))) > 1
        ] or turns
    return turns
