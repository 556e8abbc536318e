"""The search of the model device: the reference player's, in a thread, while frames come in."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from random import Random
from typing import Any, Final

from loopline.game import Position
from loopline.game.wire import Verdict
from loopline.host.players.reference import DEPTH, Found, Limits, Rank, search

__all__ = ["CLOCK", "DEPTH", "ModelSearch"]

CLOCK: Final = 12_000_000
"""Cycles per second, as the boards have it: the measure of the search's time."""

_LARGEST: Final = 0xFFFF_FFFF
_VERDICTS: Final = {rank: Verdict[rank.name] for rank in Rank}
_POINTS: Final = 0x7FFF


class ModelSearch:
    """A search that is under way.

    Parameters
    ----------
    position : Position
        A game that is not over; the search has its own copy.
    depth, nodes, cycles : int
        The limits of the command, 0 for none.
    notify : callable
        Called from the search's thread when there is something new.
    """

    def __init__(
        self, position: Position, depth: int, nodes: int, cycles: int, notify: Callable[[], None]
    ) -> None:
        self._begin = time.monotonic()
        self._limits = Limits(
            seconds=cycles / CLOCK if cycles else None,
            nodes=nodes or None,
            depth=min(depth, DEPTH) or DEPTH,
        )
        self._position = position.copy()
        self._notify = notify
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._reported: Found | None = None
        self._unread = False
        self._done = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End it; its answer comes soon."""
        self._stop.set()

    def drop(self) -> None:
        """End it, and wait until it has ended."""
        self.stop()
        self._thread.join()

    @property
    def done(self) -> bool:
        """Whether :meth:`report` is the answer."""
        with self._lock:
            return self._done

    def take(self) -> bool:
        """Whether there is a report that was not taken yet; it counts as taken now."""
        with self._lock:
            unread, self._unread = self._unread, False
            return unread

    def report(self) -> dict[str, Any]:
        """The values of a report, or of the answer when it is done."""
        with self._lock:
            found = self._reported
        cycles = min(int((time.monotonic() - self._begin) * CLOCK), _LARGEST)
        if found is None:
            none = {"verdict": Verdict.NONE, "score": 0, "depth": 0, "nodes": 0, "variation": []}
            return {**none, "cycles": cycles}
        # Of turns whose replies were not all tried, none was looked into to the end.
        tried = found.depth if found.rank is not Rank.UNKNOWN else min(found.depth, 1)
        return {
            "verdict": _VERDICTS[found.rank],
            "score": max(-_POINTS, min(found.points, _POINTS)),
            "depth": tried,
            "nodes": min(found.nodes, _LARGEST),
            "cycles": cycles,
            "variation": [turn for turn in (found.turn, found.reply) if turn is not None],
        }

    def _run(self) -> None:
        # The same position and the same limits give the same turn, as with a board after a reset.
        found = search(self._position, Random(0), self._limits, self._stop.is_set, self._note)
        with self._lock:
            self._reported, self._done = found, True
        self._notify()

    def _note(self, found: Found) -> None:
        with self._lock:
            self._reported, self._unread = found, True
        self._notify()
