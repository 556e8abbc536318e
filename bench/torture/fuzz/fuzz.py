"""Fuzz the whole design through its pins, guided by the states that it reaches.

The design runs as native code. The bench sends bursts of frames and contest lines: whole, damaged,
cut and interleaved; at wrong rates, with glitches, breaks and characters without a stop bit;
without a pause in both directions while a search runs. It keeps and mutates a burst that reaches
a new state of a control register, a new step between states, or a new pair of states. After each
burst the board has to identify itself and to have lost no byte. It also has to play a known game
in frames and in lines, with the same bytes as after power-on.

The seed decides all random choices, together with the number of jobs. Exit status 1 on a failure:
the bench saves the fewest events that show it, and ``--replay`` runs them again. Ctrl-C prints the
figures so far, saves a failure that is being reduced, and exits with 130.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import wait
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from loopline.bench.interruption import INTERRUPTED
from loopline.bench.torture.fuzz.campaign import Campaign, Failure, fails
from loopline.bench.torture.fuzz.check import RATE, Checked, FuzzError
from loopline.bench.torture.fuzz.events import check
from loopline.bench.torture.fuzz.recipes import MILLISECOND
from loopline.bench.workers import processes, stopped
from loopline.game.wire import LEAST_BIT_CYCLES
from loopline.hdl.config import GridConfig
from loopline.hdl.design import DesignConfig
from loopline.hdl.search.config import MOST_LANES, SearchConfig
from loopline.host.ui.progress import console, progress
from loopline.sim.board.board import player_rtlil
from loopline.sim.probe.pins import Coverage, FuzzBoard, Register, coverage_of
from loopline.tools.arguments import Parser, whole_number
from loopline.tools.sources import source

__all__ = ["CONFIG", "main", "make_board"]

CONFIG = DesignConfig(
    clock_hz=1000 * MILLISECOND,
    baud=1000 * MILLISECOND // LEAST_BIT_CYCLES,
    search=SearchConfig(grid=GridConfig(size=16), table_bits=8),
    think_ms=30,
    ponder=True,
    name="fuzzed",
)
"""The fastest rate that can be built, and a slow clock: pauses and trials of a rate take no longer
than some bytes."""

_OCTETS = 1_000_000
_MOST = 10**12


def make_board(lanes: int = 1) -> FuzzBoard:
    """Return the board to fuzz, compiled if it is not in the cache: with so many lanes."""
    config = replace(CONFIG, search=replace(CONFIG.search, lanes=lanes))
    return FuzzBoard(player_rtlil(config), rate=RATE)


class _Done(NamedTuple):
    """The work of one process: how much it did, and what it found."""

    totals: dict[str, int]
    controls: list[Register]
    seen: bytes
    failure: Failure | None
    interrupted: bool


Make = Callable[[], FuzzBoard]


def _work(
    make: Make, octets: int, seed: object, update: Callable[[Campaign], object] = lambda _: None
) -> _Done:
    with make() as board:
        checked = Checked(board)
        campaign = Campaign(checked, seed)
        failure = campaign.run(octets, lambda: update(campaign))
        totals = {
            "sent": campaign.sent,
            "asked": checked.asked,
            "answered": checked.answered,
            "bursts": campaign.bursts,
            "kept": len(campaign.corpus),
            "cycles": campaign.cycles,
        }
        return _Done(totals, board.controls, board.seen(), failure, campaign.interrupted)


def _heed(_campaign: Campaign) -> None:
    """Interrupt a campaign in a process that is to come to an end."""
    if stopped():
        raise KeyboardInterrupt


def _run(make: Make, options: argparse.Namespace, name: str) -> list[_Done]:
    """Run all processes and return their work."""
    jobs, octets = options.jobs, options.bytes
    if jobs > 1:
        make().close()  # Compiled once, before the processes start.
        with processes(jobs) as (pool, stop):
            works = [
                pool.submit(_work, make, -(-octets // jobs), f"{options.seed}/{number}", _heed)
                for number in range(jobs)
            ]
            try:
                wait(works)
            except KeyboardInterrupt:
                stop.set()
            return [work.result() for work in works]
    with progress(console(error=True), name, "characters") as update:

        def show(found: Campaign) -> None:
            reached = f"{found.board.board.found} states, steps and pairs"
            kept = f"{found.bursts} bursts, {len(found.corpus)} kept, {reached}"
            update(min(found.sent, octets), octets, kept)

        return [_work(make, octets, options.seed, show)]


def _covered(controls: list[Register], coverage: Coverage) -> dict[str, Any]:
    """Return the coverage, with the named states that were not reached."""
    named = [
        (register, states)
        for register, states in zip(controls, coverage.states, strict=True)
        if register.values
    ]
    missed = [
        f"{register.name}: {name}"
        for register, states in named
        for number, name in register.values.items()
        if not states[number]
    ]
    known = sum(len(register.values) for register, _ in named)
    return {
        "registers": len(controls),
        "named_states": known,
        "named_states_reached": known - len(missed),
        "states": sum(map(sum, coverage.states)),
        "transitions": sum(coverage.steps),
        "pairs": coverage.pairs,
        "not_reached": missed,
    }


def _report(options: argparse.Namespace, done: list[_Done]) -> dict[str, Any]:
    seen = bytes(map(max, *(one.seen for one in done))) if len(done) > 1 else done[0].seen
    controls = done[0].controls
    covered = _covered(controls, coverage_of(controls, seen))
    totals = {name: sum(one.totals[name] for one in done) for name in done[0].totals}
    chosen = {name: getattr(options, name) for name in ("seed", "lanes", "jobs")}
    return {**chosen, **totals, **covered}


def _replay(make: Make, path: Path, name: str) -> int:
    try:
        bursts = check(json.loads(path.read_text(encoding="utf-8")).get("bursts"))
    except OSError as error:
        print(f"{name}: {path}: {error.strerror}", file=sys.stderr)
        return 2
    except (ValueError, AttributeError) as error:
        print(f"{name}: {path}: {error}", file=sys.stderr)
        return 2
    with make() as board:
        what = fails(Checked(board), bursts)
    print(f"{path}: {what or 'nothing is wrong'}")
    return int(bool(what))


def _keep(path: Path, failure: Failure, commit: str | None) -> None:
    found = {"what": failure.what, "commit": commit, "bursts": failure.bursts}
    path.write_text(json.dumps(found) + "\n", encoding="utf-8")


def _parser() -> Parser:
    parser = Parser(
        prog="loopline bench fuzz",
        description=__doc__,
        examples=["loopline bench fuzz --bytes 100000 --seed 3 --keep build/fuzz"],
    )
    parser.add_value(
        "--bytes", whole_number(1, _MOST), "characters to send in bursts", default=_OCTETS
    )
    parser.add_value("--seed", whole_number(0, _MOST), "the seed of the random input", default=0)
    parser.add_value("--lanes", whole_number(1, MOST_LANES), "the lanes of the board", default=1)
    parser.add_value("--jobs", whole_number(1, _MOST), "the number of processes", default=1)
    parser.add_argument("--json", action="store_true", help="print an object instead of text")
    parser.add_value(
        "--keep", Path, "the folder for failures", default=Path(), metavar="FOLDER", shown="."
    )
    parser.add_value("--replay", Path, "run a failure again, and end", metavar="FILE")
    return parser


def main(
    arguments: Sequence[str] | None = None, *, make: Callable[[int], FuzzBoard] = make_board
) -> int:
    """Run with these arguments; ``make`` makes what is fuzzed, with so many lanes."""
    parser = _parser()
    options = parser.parse_args(arguments)
    made = partial(make, options.lanes)
    if not options.replay:
        parser.folder("--keep", options.keep)
    begin, commit = time.monotonic(), source()
    try:
        if options.replay:
            return _replay(made, options.replay, parser.prog)
        done = _run(made, options, parser.prog)
        report = {"commit": commit, **_report(options, done)}
    except FuzzError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 1
    failures = []
    for number, one in enumerate(done):
        if one.failure:
            path = options.keep / f"fuzz-{options.seed}-{number}.json"
            _keep(path, one.failure, commit)
            failures.append({"what": one.failure.what, "file": str(path)})
            lanes = f" --lanes {options.lanes}" if options.lanes > 1 else ""
            print(f"{one.failure.what}\n  {parser.prog}{lanes} --replay {path}", file=sys.stderr)
    seconds = round(time.monotonic() - begin, 1)
    if options.json:
        print(json.dumps({**report, "seconds": seconds, "failures": failures}))
    else:
        print(_text(report, len(failures), seconds))
    if any(one.interrupted for one in done):
        print("\ninterrupted", file=sys.stderr)
        return INTERRUPTED
    return int(bool(failures))


def _text(report: dict[str, Any], failures: int, seconds: float) -> str:
    return (
        f"{report['sent']} characters in {report['bursts']} bursts, {report['asked']} in checks; "
        f"{report['answered']} answered; {report['cycles']} cycles, {seconds:.0f} s\n"
        f"{report['registers']} control registers: {report['named_states_reached']} of "
        f"{report['named_states']} named states, {report['states']} values, "
        f"{report['transitions']} steps, {report['pairs']} pairs; {report['kept']} bursts kept\n"
        + "".join(f"  not reached: {name}\n" for name in report["not_reached"])
        + f"{failures} failures"
    )
