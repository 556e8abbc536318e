"""What each preset takes of its FPGA, and how fast it searches.

``loopline presets`` synthesises, places and routes the whole design of each preset, and prints
cells, block RAMs and the median clock of the seeds, as ``60.0<65`` if it is below the wanted one.
``table`` is the entries of the transposition table; ``eval`` says whether turns are counted. It
compiles the design's search to native code and searches the positions of ``bench search`` that fit
into its grid, to count cycles per node. The engine searches the same positions with the same
tables, on one core of this computer. With several lanes more nodes are searched than with one;
``speed`` says how many times sooner they reach the depth than one lane at the same clock, and
``engine`` compares the time to the depth with that of the engine with one lane, the shortest of
three. Finished steps of synthesis and routing are kept and not repeated. Exit status 1 if the
gateware finds anything else than the engine with as many lanes. Ctrl-C prints what is measured
until then, and exits with 130.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple

from loopline.bench.interruption import interruptible
from loopline.bench.measure.lane import MOST_CYCLES, add_depth, differences
from loopline.bench.measure.search import add_positions, positions
from loopline.bench.workers import processes
from loopline.boards.figures.designs import DesignFigures, measure_design
from loopline.boards.figures.parts import WHOLE_PARTS
from loopline.boards.presets import PRESETS, Preset, find_preset
from loopline.boards.programs import Programs
from loopline.engine.options import Limits
from loopline.engine.search.searcher import Searcher
from loopline.game import Position
from loopline.hdl.top import Loopline
from loopline.sim.native import BuildError
from loopline.sim.probe.lane import LaneResult, NativeLane
from loopline.tools.arguments import Parser, checked, whole_number
from loopline.tools.extras import MissingExtraError, require
from loopline.tools.messages import tell
from loopline.tools.pipes import lose_output
from loopline.tools.signals import handled_endings

__all__ = ["Speed", "main", "search_apart"]

_SEEDS = 3
_ROUNDS = 3


class Speed(NamedTuple):
    """Searches of the lanes and of the engine: nodes and cycles of the lanes, cycles of one lane
    alone, seconds of the engine with one, and how many searches differ."""

    positions: int
    nodes: int
    cycles: int
    alone: int
    seconds: float
    wrong: int


def _search(name: str, count: int, depth: int) -> Speed:
    """Search with a preset's lanes, with one of them, and with the engine."""
    config = PRESETS[name].search
    alone = replace(config, lanes=1)
    room = config.grid.limit - 2
    fitting = (each for each in positions() if max(each.width, each.height) < room)
    chosen = list(itertools.islice(fitting, count))
    searcher, one = Searcher(config), Searcher(alone)
    one.warm_up()
    nodes = cycles = cycles_alone = wrong = 0
    seconds = math.inf
    limits = Limits(depth=depth, nodes=None)
    # Not between searches of the lanes, which leave it nothing in the processor's caches.
    for _ in range(_ROUNDS):
        start = time.thread_time()
        expected = [one.search(position, limits) for position in chosen]
        seconds = min(seconds, time.thread_time() - start)
    with ExitStack() as lanes:
        many, single = (
            lanes.enter_context(closing(NativeLane(each, limit=MOST_CYCLES)))
            for each in (config, alone)
        )
        for position, same in zip(chosen, expected, strict=True):
            found, first = (_search_with(lane, position, depth) for lane in (many, single))
            nodes += found.nodes
            cycles += found.cycles
            cycles_alone += first.cycles
            wrong += bool(differences(first, same))
            if config.lanes > 1:
                wrong += bool(differences(found, searcher.search(position, limits)))
    return Speed(len(chosen), nodes, cycles, cycles_alone, seconds, wrong)


def _search_with(lane: NativeLane, position: Position, depth: int) -> LaneResult:
    lane.limit(depth=depth)
    lane.set_up(position)
    return lane.search()


def search_apart(name: str, count: int, depth: int) -> Speed:
    """Search at most so many of the positions to this depth. That is done in another process, as
    the engine's memories have one size in a process."""
    with processes(1) as (pool, _):
        return pool.submit(_search, name, count, depth).result()


def _row(preset: Preset, figures: DesignFigures, speed: Speed | None) -> dict[str, Any]:
    """Return the figures of a preset as they are printed in JSON."""
    row: dict[str, Any] = {
        "name": preset.name,
        "parts": preset.parts,
        "lanes": preset.search.lanes,
        "grid": preset.search.grid.size,
        "table_entries": 1 << preset.search.table_bits,
        "frames": preset.frames.value,
        "ponder": preset.ponder,
        "evaluator": preset.evaluator,
        "wanted_mhz": preset.clock_hz / 1e6,
        **asdict(figures),
        "mhz": figures.mhz,
    }
    if speed is None or figures.mhz is None:
        return row
    cycles_per_node, seconds = speed.cycles / speed.nodes, speed.cycles / (figures.mhz * 1e6)
    return {
        **row,
        "cycles_per_node": round(cycles_per_node, 2),
        "nodes_per_second": round(speed.nodes / seconds),
        "speed": round(speed.alone / speed.cycles, 2),
        "engine_seconds": round(speed.seconds, 3),
        "ratio": round(speed.seconds / seconds, 3),
        "searched": speed._asdict(),
    }


def _line(row: dict[str, Any]) -> str:
    """Return the figures of a preset as a line of the table."""
    start = (
        f"{row['name']:8} {row['part']:20} {row['lanes']:5} {row['table_entries']:5} "
        f"{'yes' if row['evaluator'] else '':4} "
    )
    if row["problem"] is not None:
        return start + row["problem"]
    (cells, room), (rams, ram_room) = row["cells"], row["rams"]
    more = f"+{row['large_rams']}" if row["large_rams"] else ""
    missed = f"<{row['wanted_mhz']:g}" if row["mhz"] < row["wanted_mhz"] else ""
    return (
        f"{start}{cells:5}/{room:<5} {f'{rams}{more}/{ram_room}':>7} {row['mhz']:5.1f}{missed:3} "
        f"{row['cycles_per_node']:11.1f} {row['nodes_per_second']:7} {row['speed']:5.2f} "
        f"{row['ratio']:6.2f}"
    )


_HEAD = (
    f"{'preset':8} {'part':20} {'lanes':>5} {'table':>5} {'eval':4} {'cells':>11} {'RAMs':>7} "
    f"{'MHz':>5}    {'cycles/node':>11} {'nodes/s':>7} {'speed':>5} {'engine':>6}"
)


def main(words: Sequence[str] | None = None) -> int:
    """Run with these arguments and return the exit status."""
    parser = Parser(
        prog="loopline presets",
        description=__doc__,
        examples=["loopline presets hx8k --seeds 1", "loopline presets --json"],
    )
    parser.add_argument(
        "preset",
        nargs="*",
        type=checked(find_preset),
        metavar="PRESET",
        help=f"{', '.join(PRESETS)} (all)",
    )
    parser.add_value(
        "--seeds",
        whole_number(1, 999),
        "place and route with seeds 1 to N and print the median",
        default=_SEEDS,
    )
    add_depth(parser)
    add_positions(parser, "search at most so many of the positions")
    parser.add_value(
        "--dir",
        Path,
        "where finished steps are kept",
        default=Path("build") / "report",
        metavar="DIR",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(words)
    try:
        for preset in options.preset or PRESETS.values():
            require(f"the preset {preset.name}", WHOLE_PARTS[preset.part].extra)
        # The tools that run are ended, too.
        with handled_endings():
            status = _measure(options)
            sys.stdout.flush()
    except BrokenPipeError:
        return lose_output()
    except (BuildError, MissingExtraError, OSError) as error:
        tell(f"{parser.prog}: {error}")
        return 2 if isinstance(error, MissingExtraError) else 1
    return status


def _measure(options: argparse.Namespace) -> int:
    """Measure and print. Return 1 if a tool failed or a search differs from the engine's, and 130
    if that was interrupted."""
    rows, wrong = [], 0
    if not options.json:
        print(_HEAD, flush=True)
    with interruptible() as interruption, Programs() as programs:
        for preset in options.preset or PRESETS.values():
            seeds = range(1, options.seeds + 1)
            figures = measure_design(preset, Loopline, seeds, options.dir, programs)
            speed = None
            if figures.problem is None:
                speed = search_apart(preset.name, options.positions, options.depth)
                wrong += speed.wrong
            rows.append(_row(preset, figures, speed))
            if not options.json:
                print(_line(rows[-1]), flush=True)
    if options.json:
        print(json.dumps({"seeds": options.seeds, "presets": rows, "wrong": wrong}, indent=2))
    elif wrong:
        print(f"{wrong} searches differ from the engine's")
    return interruption.status or int(wrong > 0 or any(row["failed"] for row in rows))


if __name__ == "__main__":
    sys.exit(main())
