"""Play random games on a simulated board while command, answer, cable, board or host fail.

About every fourth turn has a fault. The answer to each turn is compared with the rules; after a
fault and at the end of a game the whole position and all legal turns are compared, too. The bench
prints how the host recovered from each fault. Exit status 1 if board and host disagree, or if the
host gives up.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from loopline.bench.interruption import interruptible
from loopline.bench.torture.soak_cable import Cable
from loopline.bench.torture.soak_faults import FAULTS, Fault
from loopline.game import DELUXE, LIMITED, LOOP, MINI, STANDARD, Position, Variant
from loopline.game.wire import TurnStatus, completed_by
from loopline.hdl.design import DesignConfig
from loopline.hdl.search.config import MOST_LANES, SearchConfig
from loopline.host.device import Device, open_device
from loopline.host.device.compare import compare_position
from loopline.host.device.exchange import Timeouts
from loopline.host.errors import DeviceError
from loopline.host.ui.progress import console, progress
from loopline.sim.board import board
from loopline.tools.arguments import Parser, whole_number
from loopline.tools.sources import source

__all__ = ["main"]

_VARIANTS = (STANDARD, LOOP, LIMITED, DELUXE, MINI)
_LONGEST = 60
"""Turns of a game; those of Loop Trax would go on for long."""

_EVERY = 4
_MOST_QUESTIONS = 8
_TIMEOUTS = Timeouts(0.3, 60.0)
_CLOCK = DesignConfig().clock_hz
_BAUD = _CLOCK // 8


class _Disagreement(Exception):
    """Board and host disagree; the message says in what."""


@dataclass
class _Row:
    """Count how the host recovered from one fault.

    It did nothing (``plain``), repeated a command (``again``), or set the game up again
    (``set_up``). ``slowest`` are the seconds of the slowest turn with the fault.
    """

    what: str
    times: int = 0
    plain: int = 0
    again: int = 0
    set_up: int = 0
    slowest: float = 0.0


class _Soak:
    """Play games on one cable."""

    def __init__(self, cable: Cable, seed: int) -> None:
        self.cable = cable
        self.chance = random.Random(seed)
        self.rows = {fault.what: _Row(fault.what) for fault in FAULTS}
        self.turns = self.games = self.compared = 0
        self._faults: list[Fault] = []
        self._device = self._open()

    def close(self) -> None:
        self._device.close()

    def _open(self) -> Device:
        return open_device(str(self.cable.path), timeouts=_TIMEOUTS, back_within=60.0)

    def game(self, most: int) -> None:
        """Play a game of at most ``most`` turns."""
        variant: Variant = self.chance.choice(_VARIANTS)
        position = Position(variant)
        self._device.new_game(variant)
        while position.ending is None and position.turns < min(most, _LONGEST):
            fault = self._fault() if not self.chance.randrange(_EVERY) else None
            if fault:
                self._turn_with(fault, position)
                self._compare(position, fault.what)
            else:
                self._turn(position)
            self.turns += 1
        self._compare(position, "the end of the game")
        self.games += 1

    def _fault(self) -> Fault:
        """Return the next fault: each once, in random order, and again."""
        if not self._faults:
            self._faults = self.chance.sample(FAULTS, len(FAULTS))
        return self._faults.pop()

    def _turn_with(self, fault: Fault, position: Position) -> None:
        retries, mended = self._retries, self._device.mended
        begin = time.monotonic()
        if fault.before:
            fault.before(self.chance, self.cable)
        if fault.leaves:
            self._device.close()
            self._device = self._open()
            retries, mended = self._retries, self._device.mended
            # The board has kept the game, and the new host takes it over.
            self._compare(position, fault.what)
            self._device.new_game(position.variant, [step.turn for step in position.history])
        if fault.strike:
            self._await_late_answers()
            retries, mended = self._retries, self._device.mended
            self.cable.arm(fault.down, partial(fault.strike, self.chance))
        self._turn(position)
        if self.cable.armed:
            raise _Disagreement(f"{fault.what}: it did not happen")
        row = self.rows[fault.what]
        row.times += 1
        row.slowest = max(row.slowest, time.monotonic() - begin)
        if self._device.mended > mended:
            row.set_up += 1
        elif self._retries > retries:
            row.again += 1
        else:
            row.plain += 1

    def _await_late_answers(self) -> None:
        """Wait for the late answers of repeated commands, so that a strike hits none of them.

        The board answers in order, except for a frame that came too early, which it reports later.
        A question that did not have to be repeated has no answer before it.
        """
        for _ in range(_MOST_QUESTIONS):
            retries = self._retries
            self._device.identify()
            if self._retries == retries:
                return

    @property
    def _retries(self) -> int:
        return self._device._session._exchange.retries

    def _turn(self, position: Position) -> None:
        """Make a random turn on both sides and compare the board's answer with the rules."""
        turn = self.chance.choice(position.legal_turns())
        state = self._device.play(turn)
        played = position.play(turn)
        found = (state.status, state.turns, state.made, state.tiles, state.completed, state.over)
        expected = (
            TurnStatus.LEGAL,
            position.turns,
            1,
            len(played.tiles),
            completed_by(played),
            position.ending is not None,
        )
        if found != expected:
            raise _Disagreement(f"turn {position.turns}, {turn}: {found}, not {expected}")

    def _compare(self, position: Position, when: str) -> None:
        for difference in compare_position(self._device, position):
            raise _Disagreement(f"{when}: {difference}")
        self.compared += 1


@contextmanager
def _cable(baud: int, lanes: int) -> Iterator[Cable]:
    search = SearchConfig(lanes=lanes)
    program = board.build(DesignConfig(clock_hz=_CLOCK, baud=baud, search=search))
    command = board.command(program, clock=_CLOCK, baud=baud, parent=os.getpid())
    with (
        tempfile.TemporaryDirectory(prefix="loopline-") as folder,
        Cable(Path(folder, "port"), command) as cable,
    ):
        yield cable


def _parser() -> Parser:
    parser = Parser(
        prog="loopline bench soak",
        description=__doc__,
        examples=["loopline bench soak --turns 10000 --seed 3"],
    )
    number = whole_number(0, 10**9)
    parser.add_value("--turns", number, "the number of turns to play", default=1000)
    parser.add_value("--seed", number, "the seed of games and faults", default=0)
    parser.add_value("--baud", number, "the rate of the board", default=_BAUD)
    parser.add_value("--lanes", whole_number(1, MOST_LANES), "the lanes of the board", default=1)
    parser.add_argument("--json", action="store_true", help="print an object instead of a table")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, and print what came of it."""
    parser = _parser()
    options = parser.parse_args(arguments)
    begin, commit, wrong = time.monotonic(), source(), ""
    try:
        with (
            _cable(options.baud, options.lanes) as cable,
            progress(console(error=True), parser.prog, "turns") as update,
        ):
            soak = _Soak(cable, options.seed)
            with closing(soak), interruptible() as interruption:
                while soak.turns < options.turns and not wrong:
                    try:
                        soak.game(options.turns - soak.turns)
                    except (_Disagreement, DeviceError) as error:
                        wrong = f"{cable.trouble or error}"
                    update(soak.turns, options.turns, f"{soak.games} games")
    except ValueError as error:
        parser.error(str(error))
    report = {
        "commit": commit,
        "seed": options.seed,
        "lanes": options.lanes,
        "turns": soak.turns,
        "games": soak.games,
        "compared": soak.compared,
        "seconds": round(time.monotonic() - begin, 1),
        "faults": sum(row.times for row in soak.rows.values()),
        "wrong": wrong,
    }
    if options.json:
        rows = [asdict(row) for row in soak.rows.values()]
        print(json.dumps({**report, "rows": rows}))
    else:
        _print(report, list(soak.rows.values()))
    if wrong:
        print(f"after {soak.turns} turns of seed {options.seed}: {wrong}", file=sys.stderr)
    return interruption.status or int(bool(wrong))


def _print(report: dict[str, object], rows: Sequence[_Row]) -> None:
    width = max(len(row.what) for row in rows)
    print(f"{'':{width}} {'times':>6}{'plain':>7}{'again':>7}{'set up':>8}{'slowest':>10}")
    for row in rows:
        print(
            f"{row.what:{width}} {row.times:6}{row.plain:7}{row.again:7}{row.set_up:8}"
            f"{row.slowest:8.2f} s"
        )
    print(
        f"{report['turns']} turns in {report['games']} games, {report['faults']} faults, "
        f"{report['compared']} positions compared, {report['seconds']:.0f} s: "
        f"{'they disagree' if report['wrong'] else 'board and host agree'}"
    )
