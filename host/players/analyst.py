"""Analyse positions on one device or several: score, depth, nodes and principal variation."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Self

from loopline.game import STANDARD, Turn, Variant, play_game
from loopline.game.wire import WIN_BOUND, WIN_SCORE, TurnStatus
from loopline.host.device import AnswerError, SearchReport
from loopline.host.device.group import DeviceGroup, open_devices
from loopline.host.device.limits import split_limits
from loopline.host.errors import UsageError
from loopline.tools.messages import tell

__all__ = ["Analysis", "Analyst", "Value", "analysis_of"]

_POINTS: Final = 128
"""Points for a factor of e in the odds: the scale to which the engine's weights were fitted."""


class Value(NamedTuple):
    """What a position or a turn is worth for one side.

    Attributes
    ----------
    score : int
        Points.
    mate : int or None
        In how many turns of both sides the side wins by force, or with a minus loses; None if
        neither is known.
    """

    score: int
    mate: int | None = None

    @classmethod
    def forced(cls, mate: int) -> Self:
        """Return the value of a forced win, or with a minus of a forced loss."""
        return cls((1 if mate > 0 else -1) * WIN_SCORE - mate, mate)

    @property
    def expected(self) -> float:
        """The expected score: 1 for a win, 0 for a loss; a forced one, near or far, is certain."""
        if self.mate is not None:
            return float(self.mate > 0)
        return 1 / (1 + math.exp(-self.score / _POINTS))

    @property
    def before(self) -> Value:
        """The value for the other side before the turn that led here."""
        if self.mate is None:
            return Value(-self.score)
        return Value.forced(-self.mate + (1 if self.mate < 0 else -1))

    def __str__(self) -> str:
        """Return points with their sign, or ``win in 5``."""
        if self.mate is None:
            return f"{self.score:+d}"
        return f"{'win' if self.mate > 0 else 'loss'} in {abs(self.mate)}"


@dataclass(frozen=True, slots=True)
class Analysis:
    """The result of a search, or of its iterations so far.

    Attributes
    ----------
    turn : Turn
        The best turn.
    score : int
        Points for the side to move.
    mate : int or None
        In how many turns of both sides it wins by force, or with a minus loses; None if neither.
    depth, nodes, cycles : int
        Turns looked ahead; positions; clock cycles, in the engine by the search's cost model.
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
    def value(self) -> Value:
        """Score and mate."""
        return Value(self.score, self.mate)


class Analyst:
    """A device that analyses. A context manager.

    Parameters
    ----------
    spec : str
        ``engine``, ``engine:NAME=VALUE,...`` or another device as in
        :data:`~loopline.host.device.DEVICE_HELP`, or several of them, separated by commas; with
        limits as in :mod:`~loopline.host.device.limits`.
    notice : callable
        Takes a message when one of several devices is left out.

    Raises
    ------
    UsageError
        If this is no spec of a device, or sets what cannot be set.
    DeviceError
        As :func:`~loopline.host.device.open_device`.
    """

    def __init__(self, spec: str, notice: Callable[[str], None] = tell) -> None:
        devices, self._limits = split_limits(spec)
        self._device = open_devices(devices, warm=True)
        if isinstance(self._device, DeviceGroup):
            self._device.notice = notice

    def analyse(
        self,
        turns: Sequence[Turn],
        variant: Variant = STANDARD,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        whole: bool = False,
        stopped: Callable[[], bool] = lambda: False,
        report: Callable[[Analysis], None] = lambda _: None,
    ) -> Analysis:
        """Analyse the position after these turns; the game is not over.

        Parameters
        ----------
        turns : sequence of Turn
            From the empty board on.
        variant : Variant
            What is played.
        seconds, nodes, depth
            Where the search ends; with none of them, by the limits of the spec, or where the device
            ends it. ``seconds`` are of the wall clock.
        whole : bool
            Whether a forced loss has to be one after all turns. A limit may end an iteration in
            which the turns so far lose; then the search is repeated up to the last whole one.
        stopped : callable
            Called from time to time; once it returns True, the best so far is returned.
        report : callable
            Takes the result of each iteration.

        Raises
        ------
        UsageError
            If the game is over, or does not fit into the device.
        DeviceError
            If the device fails, or finds a turn that is not legal.
        """
        begun = time.monotonic()
        if seconds is None and nodes is None and depth is None:
            own = self._limits
            seconds, nodes, depth = own.seconds, own.nodes, own.depth
        state = self._device.new_game(variant, turns)
        if state.status is not TurnStatus.LEGAL:
            raise UsageError(f"{self._device.name}: turn {state.made + 1} does not fit into it")
        if state.over:
            raise UsageError(f"{self._device.name}: the game is over")
        last: tuple[object, ...] = ()

        def take(found: SearchReport) -> None:
            nonlocal last
            # A device reports at intervals, whether or not there is a new result.
            result = (found.depth, found.score, found.variation)
            if found.variation and result != last:
                last = result
                report(analysis_of(found, time.monotonic() - begun))

        best = self._device.search(
            depth=depth or 0,
            nodes=nodes,
            deadline=None if seconds is None else begun + seconds,
            stopped=stopped,
            report=take,
        )
        lost_in = -(_mate(best.score) or 0)
        if whole and lost_in > best.depth and best.depth != depth:
            best = self._device.search(depth=max(best.depth, 1), stopped=stopped)
        if not best.variation:
            raise UsageError(f"{self._device.name}: no turn fits into it")
        if not play_game(turns, variant).is_legal(best.variation[0]):
            raise AnswerError(f"{self._device.name} finds {best.variation[0]}, which is not legal")
        return analysis_of(best, time.monotonic() - begun)

    def close(self) -> None:
        """Close the device."""
        self._device.close()

    def __enter__(self) -> Analyst:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def analysis_of(found: SearchReport, seconds: float) -> Analysis:
    """Return what a device has found in so many seconds; it has a variation."""
    return Analysis(
        turn=found.variation[0],
        score=found.score,
        mate=_mate(found.score),
        depth=found.depth,
        nodes=found.nodes,
        cycles=found.cycles,
        seconds=round(seconds, 6),
        line=found.variation,
    )


def _mate(score: int) -> int | None:
    if abs(score) < WIN_BOUND:
        return None
    return WIN_SCORE - score if score > 0 else -WIN_SCORE - score
