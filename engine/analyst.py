"""Positions analysed on request: JSON objects, one in a line, in and out.

A request has ``turns``, the turns that lead to the position, and perhaps ``seconds``, ``nodes``,
``cycles``, ``depth`` and ``seed``. Each iteration is answered by an object, and the search by a
last one in which ``final`` is true::

    {"turns": ["@0/", "B1+"], "nodes": 5000}
    {"turn": "A2/", "score": 12, "mate": null, "depth": 1, "nodes": 61, "cycles": 7012, ...}

``score`` is for the side to move, ``mate`` in how many turns of both sides it wins, or with a minus
loses. The line ``stop`` ends a search. What cannot be done is answered by an object with ``error``.
"""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable, Iterable
from typing import Any, Final

from loopline.engine.search.frames import MATE, MATE_BOUND
from loopline.engine.search.searcher import Found, Limits, Searcher
from loopline.game import STANDARD, Position, TraxError, Variant

__all__ = ["Analyst"]

_STOP: Final = "stop"


class Analyst:
    """Answers requests, one after the other.

    Parameters
    ----------
    searcher : Searcher
        Finds the turns.
    limits : Limits
        Of a request that sets none.
    send : function
        Takes a line to be sent, without its end.
    variant : Variant
        What is played.
    seed : int or None
        Of a request that has none.
    """

    def __init__(
        self,
        searcher: Searcher,
        limits: Limits,
        send: Callable[[str], None],
        variant: Variant = STANDARD,
        seed: int | None = None,
    ) -> None:
        self._searcher = searcher
        self._limits = limits
        self._send = send
        self._variant = variant
        self._seed = seed
        self._requests: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._stops = 0

    def run(self, lines: Iterable[str]) -> None:
        """Answer requests until there are no more."""
        threading.Thread(target=self._read, args=(lines,), daemon=True).start()
        while (line := self._requests.get()) is not None:
            if line == _STOP:
                self._stops -= 1
            else:
                self._answer(line)

    def _read(self, lines: Iterable[str]) -> None:
        """Take note of lines at once, so that ``stop`` ends a search."""
        try:
            for text in lines:
                line = text.strip()
                self._stops += line == _STOP
                if line:
                    self._requests.put(line)
        finally:
            self._requests.put(None)

    def _answer(self, line: str) -> None:
        try:
            position, limits, seed = self._understand(json.loads(line))
            found = self._searcher.search(
                position,
                limits,
                seed=seed,
                stopped=lambda: self._stops > 0,
                report=lambda each: self._tell(each, final=False),
            )
        except (TraxError, ValueError, TypeError, KeyError) as error:
            self._send(json.dumps({"error": str(error)}))
        else:
            self._tell(found, final=True)

    def _understand(self, request: dict[str, Any]) -> tuple[Position, Limits, int | None]:
        position = Position(self._variant)
        for turn in request["turns"]:
            position.play(turn)
        limits = Limits(*(request.get(name) for name in Limits._fields))
        return position, limits if any(limits) else self._limits, request.get("seed", self._seed)

    def _tell(self, found: Found, *, final: bool) -> None:
        distance = MATE - abs(found.score)
        forced = abs(found.score) >= MATE_BOUND
        fields = {
            "turn": str(found.turn),
            "score": found.score,
            "mate": (distance if found.score > 0 else -distance) if forced else None,
            "depth": found.depth,
            "nodes": found.nodes,
            "cycles": found.cycles,
            "seconds": round(found.seconds, 6),
            "line": [str(turn) for turn in found.line],
            "final": final,
        }
        self._send(json.dumps(fields))
