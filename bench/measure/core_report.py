"""The output of ``loopline bench core``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from loopline.bench.measure.candidates import Tally
from loopline.sim.probe.evaluator import CycleUse

__all__ = ["CoreReport"]

_USES = {
    CycleUse.CHAIN: "a forced play made",
    CycleUse.FIRST: "a first tile evaluated, no forced play beside it",
    CycleUse.FETCH: "a frontier space and its neighbours read",
    CycleUse.REVISIT: "a pending space read",
    CycleUse.RESOLVE: "a second track through a space looked up",
    CycleUse.RECIRCULATE: "a token sent round once more",
    CycleUse.SLOW: "the slow path",
    CycleUse.WIPING: "the memories wiped",
    CycleUse.EMPTY: "nothing",
}
"""The uses of cycles, in the order of the listing."""


class CoreReport:
    """The figures of a run: ``tallies`` by kind of games, of a ``grid`` of this size.

    ``clock_mhz`` is the clock for candidates per second.
    """

    def __init__(
        self,
        tallies: Mapping[str, Tally],
        *,
        grid: int,
        clock_mhz: float,
    ) -> None:
        self.tallies = tallies
        self.total = Tally()
        for tally in tallies.values():
            self.total.add(tally)
        self.grid = grid
        self.clock_mhz = clock_mhz

    @property
    def per_second(self) -> float:
        """Candidates per second of one unit at the clock."""
        cycles = self.total.cycles_per_candidate
        return self.clock_mhz * 1e6 / cycles if cycles else 0.0

    def as_json(self) -> dict[str, Any]:
        """Return all figures as an object for programs."""
        total = self.total
        found: dict[str, Any] = {
            **_sums(total),
            "grid": self.grid,
            "cycles_by_use": {use.name.lower(): total.cycles_by_use[use.name] for use in _USES},
            "examples": total.examples,
            "by_tiles": {
                str(tiles) if tiles else "illegal": {
                    "candidates": total.by_tiles[tiles],
                    "rounds": total.rounds[tiles],
                }
                for tiles in _by_tiles(total)
            },
            "kinds": {kind: _sums(tally) for kind, tally in self.tallies.items()},
            "clock_mhz": self.clock_mhz,
            "candidates_per_second": round(self.per_second),
        }
        return found

    def lines(self) -> Iterator[str]:
        """Yield the lines of all figures for people."""
        total = self.total
        yield (
            f"{total.games} games, {total.positions} positions, {total.candidates} candidates on "
            f"a {self.grid} x {self.grid} torus: {total.wrong} wrong"
        )
        if total.cut:
            yield f"{total.cut} games outgrew the torus, and were replayed up to there"
        yield from (f"WRONG {example}" for example in total.examples)
        if not total.candidates:
            return
        yield ""
        yield f"{'games':8} {'':6} {'candidates':>10} {'cycles':>10} {'per candidate':>14}"
        for kind, tally in (*self.tallies.items(), ("all", total)):
            yield (
                f"{kind:8} {tally.games:6} {tally.candidates:10} {tally.cycles:10} "
                f"{tally.cycles_per_candidate:14.3f}"
            )
        yield ""
        yield f"{'what the cycles went to':48} {'per candidate':>14} {'share':>7}"
        for use, name in _USES.items():
            count = total.cycles_by_use[use.name]
            yield f"{name:48} {count / total.candidates:14.3f} {count / total.cycles:7.1%}"
        yield ""
        yield f"{'tiles':8} {'candidates':>10} {'share':>8} {'rounds of the chain each':>25}"
        for tiles in _by_tiles(total):
            count = total.by_tiles[tiles]
            yield (
                f"{tiles or 'illegal':<8} {count:10} {count / total.candidates:8.3%} "
                f"{total.rounds[tiles] / count:25.2f}"
            )
        yield f"by the slow path: {total.slow} candidates"
        yield ""
        yield (
            f"one unit at {self.clock_mhz:g} MHz: {self.per_second / 1e6:.2f} million candidates "
            "per second"
        )


def _by_tiles(tally: Tally) -> list[int]:
    """Return the numbers of tiles that occur, sorted; 0, for illegal turns, comes last."""
    return sorted((tiles for tiles in tally.by_tiles if tally.by_tiles[tiles]), key=_zero_last)


def _zero_last(tiles: int) -> tuple[bool, int]:
    return tiles == 0, tiles


def _sums(tally: Tally) -> dict[str, Any]:
    return {
        "games": tally.games,
        "positions": tally.positions,
        "candidates": tally.candidates,
        "cycles": tally.cycles,
        "cycles_per_candidate": round(tally.cycles_per_candidate, 4),
        "wrong": tally.wrong,
        "slow": tally.slow,
        "cut": tally.cut,
    }
