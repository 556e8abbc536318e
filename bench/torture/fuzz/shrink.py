"""Reduce what makes a board fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from loopline.bench.torture.fuzz.events import Burst, Event

__all__ = ["shrink"]

_TRIES = 400

Piece = tuple[int, Event]
"""The number of a burst, and an event of it; each character is an event of its own."""


def shrink(
    bursts: list[Burst], fails: Callable[[list[Burst]], bool], tries: int = _TRIES
) -> list[Burst]:
    """Return the fewest of the bursts, events and characters found that still fail.

    ``fails`` says whether bursts fail on a board that was just switched on. It may be called so
    many times.
    """
    pieces = [(number, one) for number, burst in enumerate(bursts) for one in _split(burst)]
    before: list[Piece] = []
    while pieces != before:
        before = pieces
        # Leave out halves, quarters and so on, as long as the rest still fails.
        size = (len(pieces) + 1) // 2
        while size:
            place = 0
            while place < len(pieces):
                less = pieces[:place] + pieces[place + size :]
                if not tries:
                    return _joined(pieces)
                tries -= 1
                if less and fails(_joined(less)):
                    pieces = less
                else:
                    place += size
            size //= 2
    return _joined(pieces)


def _split(burst: Burst) -> Burst:
    """Split runs of characters into single ones."""
    return [
        one
        for event in burst
        for one in (
            [("bytes", f"{octet:02x}", event[-1]) for octet in bytes.fromhex(event[1])]
            if event[0] == "bytes"
            else [event]
        )
    ]


def _joined(pieces: Sequence[Piece]) -> list[Burst]:
    """Return the bursts of these pieces, with characters of one rate in runs again."""
    bursts: list[Burst] = []
    for _, group in groupby(pieces, lambda piece: piece[0]):
        burst: Burst = []
        for _, event in group:
            before = burst[-1] if burst else event
            if burst and event[0] == before[0] == "bytes" and event[-1] == before[-1]:
                burst[-1] = ("bytes", before[1] + event[1], event[-1])
            else:
                burst.append(event)
        bursts.append(burst)
    return bursts
