"""``make sim``: run the cocotb benches of turn unit, evaluator and whole design."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from amaranth.lib import wiring

from loopline.hdl.config import GridConfig
from loopline.hdl.core.unit import TurnUnit
from loopline.hdl.design import DesignConfig
from loopline.hdl.search.config import SearchConfig
from loopline.hdl.top import Loopline
from loopline.sim.benches.runner import SIMULATORS, BenchError, available, run_bench
from loopline.tools.arguments import Parser, seed
from loopline.tools.cache import BuildError

_SMALL, _GRID = GridConfig(size=16), GridConfig(size=32)
_CLOCK_HZ = 1_000_000
_BAUD = _CLOCK_HZ // 8  # a fast line: fewer cycles for each character


def _design(think_ms: int) -> Loopline:
    search = SearchConfig(grid=_GRID, table_bits=8)
    return Loopline(DesignConfig(_CLOCK_HZ, _BAUD, search, think_ms=think_ms))


@dataclass(frozen=True)
class _Bench:
    """A module of this package with cocotb tests, its design, and its settings.

    ``long`` are the settings on Verilator, ``short`` those on Icarus, which is some fifty times
    slower, and where a waveform is kept.
    """

    summary: str
    make: Callable[[Mapping[str, int]], wiring.Component]
    long: Mapping[str, int]
    short: Mapping[str, int]


_BENCHES = {
    "turn_unit": _Bench(
        "the turn unit by its streams",
        lambda settings: TurnUnit(_SMALL),
        {"grid": 16, "games": 20, "turns": 40},
        {"grid": 16, "games": 2, "turns": 10},
    ),
    "evaluator": _Bench(
        "the candidate evaluator in the turn unit, by its streams",
        lambda settings: TurnUnit(_SMALL, evaluator=True),
        {"grid": 16, "games": 20, "turns": 40},
        {"grid": 16, "games": 2, "turns": 10},
    ),
    "player": _Bench(
        "the whole design through its pins",
        lambda settings: _design(settings["think_ms"]),
        {"think_ms": 20, "games": 4, "turns": 60, "noise": 10_000},
        {"think_ms": 3, "games": 1, "turns": 5, "noise": 200},
    ),
}


def _parser() -> Parser:
    listed = "\n".join(f"  {name:10} {bench.summary}" for name, bench in _BENCHES.items())
    parser = Parser(
        prog="python -m loopline.sim.benches",
        description="Run cocotb benches on the generated Verilog against the reference model, and "
        f"print what they did.\n\nbenches:\n{listed}",
        examples=[
            "make sim",
            "make sim SIM=icarus WAVES=1 ARGS=turn_unit",
            "python -m loopline.sim.benches --seed 7 turn_unit evaluator",
        ],
    )
    add = parser.add_argument
    add("bench", nargs="*", metavar="BENCH", help="one of these (all)")
    add("--simulator", choices=SIMULATORS, default="verilator", help="(%(default)s)")
    parser.add_value("--seed", seed, "of the random games", default=1)
    add("--waves", action="store_true", help="keep a waveform of short games")
    parser.add_value(
        "--dir", Path, "where logs and waveforms go", default=Path("build") / "sim", metavar="DIR"
    )
    return parser


def main(words: Sequence[str] | None = None) -> int:
    """Run with these arguments; return 0 when all tests passed, 1 when one failed."""
    parser = _parser()
    options = parser.parse_args(words)
    for name in options.bench:
        if name not in _BENCHES:
            parser.error(f"no bench {name!r}; there are: {', '.join(_BENCHES)}")
    if not available(options.simulator):
        print(f"{parser.prog}: {options.simulator} is not installed", file=sys.stderr)
        return 1
    for name in options.bench or _BENCHES:
        bench = _BENCHES[name]
        short = options.waves or options.simulator == "icarus"
        settings = dict(bench.short if short else bench.long)
        if "think_ms" in settings:
            # For an answer: the time to think, what is left to do then, and its characters.
            settings["seconds"] = settings["think_ms"] / 1000 + 0.003
        folder = options.dir / name
        parser.folder("--dir", folder)
        begun = time.monotonic()
        try:
            result = run_bench(
                bench.make(settings),
                f"loopline.sim.benches.{name}",
                simulator=options.simulator,
                folder=folder,
                clock=_CLOCK_HZ,
                baud=_BAUD,
                seed=options.seed,
                settings=settings,
                waves=options.waves,
            )
        except (BenchError, BuildError) as error:
            print(f"{name}: {error}", file=sys.stderr)
            return 1
        did = ", ".join(f"{number:,} {thing}" for thing, number in result.counts.items())
        tests = f"{result.tests} test{'s' * (result.tests != 1)} passed"
        print(f"{name}: {tests} on {options.simulator}: {did}; {time.monotonic() - begun:.0f} s")
        if result.waves is not None:
            print(f"{name}: waveform in {result.waves}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
