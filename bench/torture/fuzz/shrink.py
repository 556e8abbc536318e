"""Reduce what makes a board fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from loopline.bench.torture.fuzz.events import Burst

__all__ = ["shrink"]

_TRIES = 400

Item = TypeVar("Item")


class _Spent(Exception):
    """All tries are used up."""


def shrink(
    bursts: list[Burst], fails: Callable[[list[Burst]], bool], tries: int = _TRIES
) -> list[Burst]:
    """Return the fewest bursts, events and characters found that still fail.

    Parameters
    ----------
    bursts : list of Burst
        They fail.
    fails : callable
        Whether bursts fail on a board that was just switched on.
    tries : int
        How often ``fails`` may be called.
    """
    best = bursts
    left = tries

    def holds(found: list[Burst]) -> bool:
        nonlocal best, left
        if not left:
            raise _Spent
        left -= 1
        if not fails(found):
            return False
        best = found
        return True

    try:
        _less(bursts, holds)
        before = None
        while best != before:
            before = best
            for number in range(len(best)):
                _less(
                    best[number],
                    lambda events, n=number: holds([*best[:n], events, *best[n + 1 :]]),
                )
            for number, burst in enumerate(best):
                for place, event in enumerate(burst):
                    if event[0] == "bytes":
                        _less(
                            list(bytes.fromhex(event[1])),
                            lambda octets, n=number, p=place: holds(
                                _with(best, n, p, bytes(octets))
                            ),
                        )
    except _Spent:
        pass
    return best


def _with(bursts: list[Burst], number: int, place: int, octets: bytes) -> list[Burst]:
    burst = list(bursts[number])
    burst[place] = ("bytes", octets.hex(), burst[place][-1])
    return [*bursts[:number], burst, *bursts[number + 1 :]]


def _less(items: list[Item], holds: Callable[[list[Item]], bool]) -> None:
    """Leave out halves, quarters and so on, as long as the rest still fails."""
    size = (len(items) + 1) // 2
    while size:
        place = 0
        while place < len(items):
            less = items[:place] + items[place + size :]
            if less and holds(less):
                items = less
            else:
                place += size
        size //= 2
