"""What ``loopline bench core`` prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from loopline.bench.candidates import Tally
from loopline.sim.trials import Spent

__all__ = ["CoreReport"]

_SPENT = {
    Spent.CHAIN: "a forced play made",
    Spent.FIRST: "a first tile judged, no forced play beside it",
    Spent.FETCH: "a frontier space and its surroundings read",
    Spent.REVISIT: "a space that had waited read",
    Spent.RESOLVE: "a second track through a space looked up",
    Spent.AGAIN: "a trial sent round again",
    Spent.SLOW: "the slow path",
    Spent.WIPING: "the overlay emptied",
    Spent.EMPTY: "nothing",
}
"""The cycles' uses in the order in which they are listed."""


class CoreReport:
    """The figures of a run.

    Parameters
    ----------
    tallies : mapping of str to Tally
        By kind of games.
    grid : int
        The grid's size.
    clock_mhz : float
        The clock for candidates per second.
    speeds : mapping of str to float
        Candidates per second of software on this machine, by its name; may be empty.
    parts : sequence of mappings
        Figures of routed units; may be empty.
    """

    def __init__(
        self,
        tallies: Mapping[str, Tally],
        *,
        grid: int,
        clock_mhz: float,
        speeds: Mapping[str, float],
        parts: Sequence[Mapping[str, Any]],
    ) -> None:
        self.tallies = tallies
        self.total = Tally()
        for tally in tallies.values():
            self.total.add(tally)
        self.grid = grid
        self.clock_mhz = clock_mhz
        self.speeds = speeds
        self.parts = parts

    @property
    def per_second(self) -> float:
        """Candidates per second of one unit at the clock."""
        cycles = self.total.cycles_per_candidate
        return self.clock_mhz * 1e6 / cycles if cycles else 0.0

    def as_json(self) -> dict[str, Any]:
        """Everything, for programs."""
        total = self.total
        found: dict[str, Any] = {
            **_sums(total),
            "grid": self.grid,
            "cycles_by_use": {what.name.lower(): total.spent[what.name] for what in _SPENT},
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
        if self.speeds:
            found["software"] = {
                name: {
                    "candidates_per_second": round(speed),
                    "gateware_ratio": round(self.per_second / speed, 3),
                }
                for name, speed in self.speeds.items()
            }
        if self.parts:
            found["parts"] = list(self.parts)
        return found

    def lines(self) -> Iterator[str]:
        """Everything, for people."""
        total = self.total
        yield (
            f"{total.games} games, {total.positions} positions, {total.candidates} candidates on "
            f"a {self.grid} x {self.grid} torus: {total.wrong} wrong"
        )
        if total.cut:
            yield f"{total.cut} games outgrew the torus, and were replayed up to there"
        yield from (f"WRONG {example}" for example in total.examples)
        for kind, tally in self.tallies.items():
            yield (
                f"{kind:8} {tally.games:4} games {tally.candidates:9} candidates "
                f"{tally.cycles:10} cycles {tally.cycles_per_candidate:7.3f} per candidate"
            )
        yield (
            f"{'all':8} {total.games:4} games {total.candidates:9} candidates "
            f"{total.cycles:10} cycles {total.cycles_per_candidate:7.3f} per candidate"
        )
        if not total.candidates:
            return
        yield ""
        yield "one cycle of the pipeline went to              cycles  per candidate  share"
        for what, name in _SPENT.items():
            count = total.spent[what.name]
            yield (
                f"  {name:41} {count:9} {count / total.candidates:14.3f} "
                f"{count / total.cycles:6.1%}"
            )
        yield ""
        yield "tiles    candidates  share  rounds in the pipeline"
        for tiles in _by_tiles(total):
            count = total.by_tiles[tiles]
            yield (
                f"{tiles or 'illegal':<8} {count:10} {count / total.candidates:6.2%} "
                f"{total.rounds[tiles] / count:7.2f}"
            )
        yield f"{total.slow} candidates took the slow path"
        yield ""
        yield from self._speed_lines()

    def _speed_lines(self) -> Iterator[str]:
        if self.total.candidates:
            yield (
                f"one unit at {self.clock_mhz:g} MHz: {self.per_second / 1e6:.3f} million "
                "candidates per second"
            )
        for name, speed in self.speeds.items():
            yield (
                f"{name}, one thread of this machine: {speed / 1e6:.3f} million, "
                f"the unit is {self.per_second / speed:.2f} times as fast"
            )
        for part in self.parts:
            yield (
                f"{part['part']}: {part['units']} at {part['mhz']:.1f} MHz, "
                f"{part['candidates_per_second'] / 1e6:.1f} million candidates per second"
            )


def _by_tiles(tally: Tally) -> list[int]:
    """The numbers of tiles that occur, and 0 for illegal turns last."""
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
