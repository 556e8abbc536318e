"""The model as an analyst: score, depth, nodes and principal variation of any position."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from loopline.game import STANDARD, Turn, Variant, parse_turn
from loopline.host.errors import DeviceTalkError, UsageError
from loopline.host.transport.engine import is_model, model_words
from loopline.host.transport.process_line import ProcessLine

__all__ = ["Analysis", "ModelAnalyst"]

_STOP: Final = b"stop\n"


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a search has found so far.

    Attributes
    ----------
    turn : Turn
        The best turn.
    score : int
        Points for the side to move.
    mate : int or None
        In how many turns of both sides it wins by force, or with a minus loses.
    depth, nodes, cycles : int
        Turns looked ahead; turns tried; clock cycles by the search's cost model.
    seconds : float
        The time that it took.
    line : tuple of Turn
        The principal variation, which begins with the turn.
    """

    turn: Turn
    score: int
    mate: int | None
    depth: int
    nodes: int
    cycles: int
    seconds: float
    line: tuple[Turn, ...]

    @property
    def score_text(self) -> str:
        """Points with their sign, or ``win in 5``, in turns of both sides."""
        if self.mate is None:
            return f"{self.score:+d}"
        return f"{'win' if self.mate > 0 else 'loss'} in {abs(self.mate)}"


class ModelAnalyst:
    """The model, started to analyse. A context manager.

    Parameters
    ----------
    spec : str
        ``model`` or ``model:NAME=VALUE,...``.
    variant : Variant
        What is played.

    Raises
    ------
    UsageError
        If this is no spec of the model, or sets what cannot be set.
    DeviceGoneError
        If the program cannot be started.
    """

    def __init__(self, spec: str, variant: Variant = STANDARD) -> None:
        if not is_model(spec):
            raise UsageError(f"{spec!r} cannot analyse: use model or model:NAME=VALUE,...")
        self._line = ProcessLine(shlex.join(model_words(spec, variant, arguments=["--analyse"])))
        self._line.path = spec
        self._text = b""

    def analyse(
        self,
        turns: Sequence[Turn],
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        stopped: Callable[[], bool] = lambda: False,
        report: Callable[[Analysis], None] = lambda _: None,
    ) -> Analysis:
        """Analyse the position after these turns; the game is not over.

        Parameters
        ----------
        turns : sequence of Turn
            From the empty board on.
        seconds, nodes, depth
            Where the search ends; with none of them, as the spec says.
        stopped : callable
            Asked from time to time; once it says yes, the best so far is returned.
        report : callable
            Takes what each iteration has found.

        Raises
        ------
        UsageError
            If the model refuses, such as a position that does not fit into its memory.
        DeviceError
            If it fails.
        """
        request = {
            "turns": [str(turn) for turn in turns],
            "seconds": seconds,
            "nodes": nodes,
            "depth": depth,
        }
        given = {name: value for name, value in request.items() if value is not None}
        self._line.write(json.dumps(given).encode() + b"\n")
        stopping = False
        while True:
            answer = self._next()
            if answer is None:
                if not stopping and stopped():
                    self._line.write(_STOP)
                    stopping = True
                continue
            analysis = self._read(answer)
            if answer["final"]:
                return analysis
            report(analysis)

    def close(self) -> None:
        """End the program."""
        self._line.close()

    def __enter__(self) -> ModelAnalyst:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _next(self) -> dict[str, Any] | None:
        """The next answer; none if there is none for a moment."""
        if b"\n" not in self._text:
            self._text += self._line.read()
        line, end, rest = self._text.partition(b"\n")
        if not end:
            return None
        self._text = rest
        try:
            answer: dict[str, Any] = json.loads(line)
        except ValueError as error:
            shown = line[:40].decode("ascii", "backslashreplace")
            raise DeviceTalkError(f"{self._line.path} answers {shown!r}") from error
        if "error" in answer:
            raise UsageError(f"{self._line.path}: {answer['error']}")
        return answer

    @staticmethod
    def _read(answer: dict[str, Any]) -> Analysis:
        return Analysis(
            turn=parse_turn(answer["turn"]),
            score=answer["score"],
            mate=answer["mate"],
            depth=answer["depth"],
            nodes=answer["nodes"],
            cycles=answer["cycles"],
            seconds=answer["seconds"],
            line=tuple(parse_turn(text) for text in answer["line"]),
        )
