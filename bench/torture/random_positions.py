"""Compare all that the turn unit says of random positions with the rules.

``loopline bench random-positions`` runs a session for each seed, see
:mod:`loopline.bench.torture.random_session`. A session makes, keeps and unmakes turns, evaluates
and lists all candidates of 20 positions, stalls the streams, and resets the unit in the middle of
commands. Sessions take all sizes of grid and all variants in turn. Exit status 1 if anything is
wrong, with the seed and the command that repeats the session. After an interruption the bench
names the seeds that are left, and prints what came of the others.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, partial

from loopline.bench.interruption import INTERRUPTED
from loopline.bench.torture.checked_unit import COUNTED
from loopline.bench.torture.random_session import POSITIONS, Outcome, grid_of, run_session
from loopline.bench.workers import spread
from loopline.hdl.config import GridConfig
from loopline.host.ui.progress import console, progress
from loopline.sim.probe.evaluator import NativeEvaluator
from loopline.tools.arguments import Parser, number_range, whole_number
from loopline.tools.sources import source

__all__ = ["main"]

_SESSIONS = 100_000 // POSITIONS


@cache
def _unit(make: Callable[[GridConfig], NativeEvaluator], grid: GridConfig) -> NativeEvaluator:
    return make(grid)


def _work(make: Callable[[GridConfig], NativeEvaluator], seed: int) -> Outcome:
    return run_session(_unit(make, grid_of(seed)), seed)


def _seeds(text: str) -> range:
    """``7`` or ``0-4999``."""
    first, last = number_range(0, 10**12, "-")(text)
    return range(first, last + 1)


def _parser() -> Parser:
    parser = Parser(
        prog="loopline bench random-positions",
        description="Compare random positions and their candidates with the rules.",
        examples=["loopline bench random-positions --seeds 0-99 --json"],
    )
    parser.add_value(
        "--seeds",
        _seeds,
        f"the seeds of sessions of {POSITIONS} positions",
        default=range(_SESSIONS),
        metavar="A-B",
        shown=f"0-{_SESSIONS - 1}",
    )
    parser.add_value(
        "--jobs",
        whole_number(1, 999),
        "the number of processes",
        default=os.cpu_count() or 1,
        shown="as many as processors",
    )
    parser.add_argument("--json", action="store_true", help="print one object instead of a line")
    return parser


def main(
    arguments: Sequence[str] | None = None,
    *,
    unit_type: Callable[[GridConfig], NativeEvaluator] = NativeEvaluator,
) -> int:
    """Run with these arguments; ``unit_type`` makes the unit that is compared with the rules."""
    parser = _parser()
    options = parser.parse_args(arguments)
    seeds: range = options.seeds
    seen: Counter[str] = Counter()
    wrong: list[dict[str, object]] = []
    deepest = longest = done = status = 0
    made_of = source()
    start = time.monotonic()
    try:
        with (
            spread(partial(_work, unit_type), seeds, min(options.jobs, len(seeds))) as outcomes,
            progress(console(error=True), parser.prog, "sessions") as update,
        ):
            for outcome in outcomes:
                done += 1
                seen += outcome.seen
                deepest = max(deepest, outcome.deepest)
                longest = max(longest, outcome.longest)
                if outcome.wrong:
                    again = f"{parser.prog} --seeds {outcome.seed}"
                    wrong.append({"seed": outcome.seed, "what": outcome.wrong, "again": again})
                    print(f"seed {outcome.seed}: {outcome.wrong}\n  {again}", file=sys.stderr)
                update(done, len(seeds), f"{seen['positions']} positions, {len(wrong)} wrong")
    except KeyboardInterrupt:
        rest = f"--seeds {seeds.start + done}-{seeds.stop - 1}"
        print(f"\n{parser.prog}: {done} sessions done, go on with {rest}", file=sys.stderr)
        if not done:
            return INTERRUPTED
        status, seeds = INTERRUPTED, seeds[:done]
    report = {
        "commit": made_of,
        "seeds": [seeds.start, seeds.stop - 1],
        "sessions": done,
        "wrong": len(wrong),
        **{name: seen[name] for name in COUNTED},
        "deepest": deepest,
        "longest": longest,
        "seconds": round(time.monotonic() - start, 1),
    }
    if options.json:
        print(json.dumps({**report, "differences": wrong}))
    else:
        print(
            f"seeds {seeds.start} to {seeds.stop - 1}: {seen['positions']} positions, "
            f"{seen['candidates']} candidates, {seen['turns']} turns made and "
            f"{seen['unmade']} unmade, up to {deepest} deep, {seen['interrupted']} resets: "
            f"{len(wrong)} of {done} sessions wrong; {report['seconds']:.0f} s"
        )
    return status or int(bool(wrong))
