"""The score of a game as a picture: White's expected score after each turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from loopline.game import Colour
from loopline.host.pages.markup import Markup, tag, text
from loopline.host.players.assessment import BAD_MARKS, GOOD_MARK, Assessment

__all__ = ["MARK_CLASSES", "score_graph"]

MARK_CLASSES: Final = {"": None, GOOD_MARK: "good"} | {
    mark: f"bad{place}" for place, mark in enumerate(reversed(BAD_MARKS), start=1)
}
"""The CSS classes of marks: the worse, the higher the number."""

_STEP, _HEIGHT = 10, 100
"""The width of a turn, and the height of the picture, in its own units."""


def score_graph(assessed: Sequence[Assessment]) -> Markup:
    """Draw White's expected score from before the first turn to after the last one.

    The area below the curve is White's. Marked turns have dots. The picture has no text: it is
    stretched to the width of the page.
    """
    made = [each for each in assessed if each.played]
    if not made:
        return Markup("")
    first = made[0]
    scores = [_white(first.mover, first.best.expected)]
    scores += [_white(each.mover, each.value.expected) for each in made]
    places = [f"{_STEP * n} {_down(score)}" for n, score in enumerate(scores)]
    width = _STEP * len(made)
    area = f"M0 {_HEIGHT}L{'L'.join(places)}V{_HEIGHT}Z"
    return tag(
        "svg",
        tag("path", class_="area", d=area),
        tag("path", class_="even", d=f"M0 {_HEIGHT // 2}H{width}"),
        tag("path", class_="curve", d=f"M{'L'.join(places)}"),
        *_dots(made, places[1:]),
        tag("path", class_="cursor", d=f"M0 0V{_HEIGHT}"),
        viewBox=f"0 0 {width} {_HEIGHT}",
        preserveAspectRatio="none",
        role="img",
        aria_label=_label(scores, made),
        data_turns=len(made),
    )


def _white(mover: Colour, expected: float) -> float:
    return expected if mover is Colour.WHITE else 1 - expected


def _down(score: float) -> str:
    return f"{_HEIGHT * (1 - score):.1f}".removesuffix(".0")


def _dots(made: Sequence[Assessment], places: Sequence[str]) -> Iterator[Markup]:
    """Yield a line without length for each mark; its round ends are a dot in any stretch."""
    for each, place in zip(made, places, strict=True):
        if each.mark:
            title = tag("title", text(f"{each.number}. {each.played}{each.mark}"))
            yield tag("path", title, class_=f"dot {MARK_CLASSES[each.mark]}", d=f"M{place}h0")


def _label(scores: Sequence[float], made: Sequence[Assessment]) -> str:
    """Return the curve as a sentence."""
    parts = [f"{each.number}: {score:.0%}" for each, score in zip(made, scores[1:], strict=True)]
    return f"White's expected score after each turn: {', '.join(parts)}."
