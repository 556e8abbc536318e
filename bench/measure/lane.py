"""The lane against the engine: the bench's positions, searched by both, and where its cycles go.

``loopline bench lane`` compiles the gateware's search to native code, and searches the positions of
``bench search`` with it and with the engine. The turn, the score, the number of nodes and the
principal variation of each have to be equal. Exit status 1 if any is not. The cycles are compared
with those that the engine's cost model predicts. With several lanes they are compared with those of
one as well: ``speed`` is the geometric mean of the ratios, ``of all`` the ratio of the sums. What
cycles go to is known of the first lane only, then in percent of its cycles.
"""

from __future__ import annotations

import itertools
import json
import math
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import replace

from loopline.bench.interruption import interruptible
from loopline.bench.measure.search import add_positions, positions
from loopline.engine.options import Limits
from loopline.engine.search.searcher import Found, Searcher
from loopline.hdl.search.config import MOST_LANES, SearchConfig
from loopline.hdl.search.lane import Activity
from loopline.host.ui.progress import console, progress
from loopline.sim.probe.lane import LaneResult, NativeLane
from loopline.tools.arguments import Parser, power_of_two, whole_number

__all__ = ["MOST_CYCLES", "add_depth", "differences"]

MOST_CYCLES = (1 << 32) - 1
"""The most cycles of a search of the compiled lanes. To depth 5 one lane takes more than 16 million
for some positions."""


def differences(lane: LaneResult, engine: Found) -> list[str]:
    """Return what differs between a search of a lane and the engine's."""
    pairs = (
        ("turn", lane.turn, engine.turn),
        ("score", lane.score, engine.score),
        ("depth", lane.depth, engine.depth),
        ("nodes", lane.nodes, engine.nodes),
        ("line", " ".join(map(str, lane.line)), " ".join(map(str, engine.line))),
    )
    return [f"{name}: lane {a}, engine {b}" for name, a, b in pairs if str(a) != str(b)]


def add_depth(parser: Parser) -> None:
    """Add ``--depth``, how deep the lanes search."""
    parser.add_value(
        "--depth", whole_number(1, 6), "the depth of the searches", default=3, metavar="D"
    )


def main(words: Sequence[str] | None = None) -> int:
    """Run with these arguments and return the exit status."""
    parser = Parser(
        prog="loopline bench lane",
        description=__doc__,
        examples=["loopline bench lane --depth 4", "loopline bench lane --nodes 1000 --json"],
    )
    add_depth(parser)
    parser.add_value(
        "--nodes", whole_number(1), "the most nodes of a search, at any depth", metavar="N"
    )
    add_positions(parser)
    parser.add_value(
        "--grid", power_of_two(32, 64), "columns and rows of the grid", default=64, metavar="SIZE"
    )
    parser.add_value(
        "--lanes",
        whole_number(1, MOST_LANES),
        "so many lanes search together",
        default=1,
        metavar="N",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(words)
    config = SearchConfig(grid=replace(SearchConfig().grid, size=options.grid), lanes=options.lanes)
    limits = Limits(depth=options.depth, nodes=None)
    if options.nodes:
        limits = Limits(depth=None, nodes=options.nodes)
    searcher, screen = Searcher(config), console(error=True)
    searcher.warm_up()
    nodes = cycles = predicted = 0
    ratios: list[float] = []
    alone: list[int] = []
    together: list[int] = []
    wrong: list[str] = []
    start = time.perf_counter()
    with (
        ExitStack() as stack,
        progress(screen, "bench lane", "positions", bar=screen.is_terminal, lines=0) as update,
    ):
        lane = stack.enter_context(closing(NativeLane(config, limit=MOST_CYCLES)))
        one = lane
        if options.lanes > 1:
            alone_config = replace(config, lanes=1)
            one = stack.enter_context(closing(NativeLane(alone_config, limit=MOST_CYCLES)))
        chosen = list(itertools.islice(positions(), options.positions))
        with interruptible() as interruption:
            for number, position in enumerate(chosen, 1):
                for each in {one, lane}:
                    each.set_up(position)
                    each.limit(nodes=limits.nodes or 0, depth=limits.depth or 0)
                found, expected = lane.search(), searcher.search(position, limits)
                if one is not lane:
                    alone.append(one.search().cycles)
                    together.append(found.cycles)
                nodes += found.nodes
                cycles += found.cycles
                predicted += expected.cycles
                ratios.append(expected.cycles / found.cycles)
                wrong += [f"position {number}, {each}" for each in differences(found, expected)]
                update(number, len(chosen))
        counts = lane.counts()
    if not ratios:
        return interruption.status
    whole, title = (cycles / 100, "lane_0_percent") if alone else (nodes, "by_activity")
    shares = {
        each.name.lower(): counts[each] / whole for each in Activity if each is not Activity.IDLE
    }
    several = {}
    if alone:
        logs = [math.log(a / b) for a, b in zip(alone, together, strict=True)]
        several = {
            "speed": round(math.exp(sum(logs) / len(logs)), 3),
            "of_all": round(sum(alone) / sum(together), 3),
        }
    if options.json:
        figures = {
            "nodes": nodes,
            "cycles": cycles,
            "cycles_per_node": round(cycles / nodes, 2),
            "predicted": predicted,
            "ratio": round(predicted / cycles, 4),
            "least_ratio": round(min(ratios), 4),
            "largest_ratio": round(max(ratios), 4),
            "wrong": len(wrong),
            title: {name: round(share, 2) for name, share in shares.items()},
            **several,
        }
        print(json.dumps(figures))
    else:
        print(f"{nodes} nodes, {cycles} cycles: {cycles / nodes:.1f} cycles per node")
        if alone:
            print("lane 0, in percent of its cycles:")
        for name, share in shares.items():
            print(f"  {name:8} {share:6.2f}")
        print(
            f"predicted by the engine: {predicted} cycles, {predicted / cycles:.4f} of the lane's; "
            f"of one search {min(ratios):.3f} to {max(ratios):.3f}"
        )
        if several:
            print(
                f"{options.lanes} lanes are {several['speed']:.3f} times as fast as one, "
                f"in all {several['of_all']:.3f}"
            )
        print(f"{len(wrong)} differences from the engine; {time.perf_counter() - start:.0f} s")
        for each in wrong:
            print(each)
    return interruption.status or int(bool(wrong))
