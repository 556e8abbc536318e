"""Change single flip-flops of the whole design, and check that it recovers.

The design runs as native code up to a moment: at rest, in a game, while a frame comes in or
answers go out, in a search, in a turn of a contest, or in a self-test. Then one flip-flop changes.
Registers whose values have names also get every code without a name. After that a host asks for
an identification again and again. The board has to answer within a second of its clock, or within
a second of the self-test's end, and has to begin a game as it does after power-on.

All flip-flops of the compiled design change, or those that ``--only`` chooses, but not the contents
of memories. The seed decides the moments. With ``--flips 0`` every flip-flop changes once at each
kind of moment, and with ``--share 1/4`` every fourth one of them. Exit status 1 if the board does
not recover.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from loopline.bench.interruption import interruptible
from loopline.bench.torture.fuzz.check import FuzzError
from loopline.bench.torture.fuzz.fuzz import CONFIG, make_board
from loopline.game import parse_turn
from loopline.game.wire import (
    ANSWERS,
    LEAST_BIT_CYCLES,
    Command,
    Frame,
    FrameReader,
    answer_code,
    command_frame,
)
from loopline.hdl.search.config import MOST_LANES
from loopline.host.ui.progress import console, progress
from loopline.sim.probe.pins import Act, FuzzBoard, Register
from loopline.tools.arguments import ArgumentValueError, Parser, whole_number
from loopline.tools.sources import source

__all__ = ["MOMENTS", "Flip", "Injector", "Outcome", "flips_of", "main"]

SECOND = CONFIG.clock_hz
"""In clock cycles."""

_GAME = [parse_turn(turn) for turn in "@0/ B1+ A2/".split()]
_RETRY = SECOND // 10
_MOST_BITS = 6
"""Bits of a register whose codes are all tried: wider ones are structures with a named field."""


def _sent(octets: bytes) -> list[Act]:
    """Return the acts that send bytes at the host's own rate, whatever the board's is."""
    return [Act.byte(octet, 16 * LEAST_BIT_CYCLES) for octet in octets]


class _Moment(NamedTuple):
    """A kind of moment at which a flip-flop changes: within ``span`` cycles after the last of
    what is ``sent``, whose answer is not waited for."""

    sent: tuple[bytes, ...]
    span: int


_BEGUN = command_frame(1, Command.NEW_GAME, area=0, rules=1, turns=_GAME)
_ASKED = {
    "list": command_frame(2, Command.LIST),
    "search": command_frame(2, Command.SEARCH, depth=0, nodes=0, cycles=0),
    "test": command_frame(2, Command.SELF_TEST),
    "play": command_frame(2, Command.PLAY, turns=[parse_turn("A0/")] * 20),
}

MOMENTS = {
    "at rest": _Moment((), SECOND // 10),
    "in a game": _Moment((_BEGUN, b""), SECOND // 10),
    "frame coming in": _Moment((_BEGUN, _ASKED["play"][:30]), 80),
    "answers going out": _Moment((_BEGUN, _ASKED["list"]), SECOND // 10),
    "search": _Moment((_BEGUN, _ASKED["search"]), SECOND // 4),
    "contest turn": _Moment((b"-B\n@0/\n",), CONFIG.think_cycles),
    "self-test": _Moment((_ASKED["test"],), 4 * SECOND),
}
"""The kinds of moments by name."""


class Flip(NamedTuple):
    """Flip-flops of a register that change together, ``after`` cycles into a moment."""

    moment: str
    register: str
    bits: tuple[int, ...]
    after: int


class Outcome(NamedTuple):
    """The result of a flip.

    It has the cycles up to the identity, how often the host asked for it, the restarts by the
    watchdog, and what is wrong, or an empty text.
    """

    cycles: int
    asked: int
    restarts: int
    wrong: str = ""


class Injector:
    """Change flip-flops of a board and check that it recovers.

    Parameters
    ----------
    board : FuzzBoard
        As :func:`~loopline.bench.torture.fuzz.fuzz.make_board` makes it.
    limit : int
        Clock cycles in which it has to identify itself.

    Raises :exc:`~loopline.bench.torture.fuzz.check.FuzzError` if it fails without any change.
    """

    def __init__(self, board: FuzzBoard, limit: int = SECOND) -> None:
        self.board = board
        self._limit = limit
        self._reader = FrameReader()
        self._expected: bytes | None = None
        self._test = 0
        self._test = self._test_cycles()
        for moment in MOMENTS:
            found = self.run(Flip(moment, "", (), 0))
            if found.wrong or found.restarts:
                wrong = found.wrong or "the watchdog restarts it"
                raise FuzzError(f"without any change, {moment}: {wrong}")

    def run(self, flip: Flip) -> Outcome:
        """Run from power-on to the moment, change the flip-flops, and check the board."""
        board, moment = self.board, MOMENTS[flip.moment]
        board.restart()
        self._reader = FrameReader()
        board.act([Act.rest(20)])
        for number, octets in enumerate(moment.sent):
            board.act(_sent(octets))
            if number < len(moment.sent) - 1:
                board.act([Act.listen(SECOND)])
        board.act([Act.rest(flip.after + 1)])
        for bit in flip.bits:
            board.flip(flip.register, bit)
        limit = self._limit + (self._test if flip.moment == "self-test" else 0)
        begin = board.cycles
        identity, asked = self._ask(0, limit, Command.IDENTIFY)
        if identity is None:
            return Outcome(limit, asked, 0, f"no identity within {limit} cycles")
        cycles = board.cycles - begin
        game, _ = self._ask(40, 2 * SECOND, Command.NEW_GAME, area=0, rules=1, turns=_GAME)
        if self._expected is None:
            self._expected = game
        if game is None or game != self._expected:
            said = "nothing" if game is None else game.hex(" ")
            return Outcome(cycles, asked, 0, f"a game begins with {said}")
        counters, _ = self._ask(80, SECOND, Command.STATISTICS)
        if counters is None:
            return Outcome(cycles, asked, 0, "no counters")
        values = ANSWERS[answer_code(Command.STATISTICS)].unpack(counters)
        return Outcome(cycles, asked, values["restarts"])

    def _test_cycles(self) -> int:
        """Return the cycles of a self-test."""
        self.board.restart()
        self.board.act(_sent(_ASKED["test"]))
        begin = self.board.cycles
        self.board.act([Act.listen(100 * SECOND)])
        return self.board.cycles - begin

    def _ask(
        self, first: int, limit: int, command: Command, **values: object
    ) -> tuple[bytes | None, int]:
        """Return the payload of the answer, and how often the command was sent. The sequence
        numbers begin at ``first``, so that no answer that the board has saved fits."""
        board = self.board
        end, asked = board.cycles + limit, 0
        while board.cycles < end:
            sequence = first + asked % 40
            asked += 1
            octets = b"\xc0" + command_frame(sequence, command, **values)
            board.act(_sent(octets))
            again = board.cycles + _RETRY
            while board.cycles < min(again, end):
                board.act([Act.listen(min(again, end) - board.cycles)])
                for event in self._reader.feed(board.take()):
                    if isinstance(event, Frame) and event[:2] == (sequence, answer_code(command)):
                        return event.payload, asked
        return None, asked


def _codes(register: Register) -> Iterator[tuple[int, ...]]:
    """Yield the bits to change for each code without a name, in a register that holds 0."""
    if not register.values or register.bits > _MOST_BITS:
        return
    for code in range(1 << register.bits):
        if code not in register.values:
            yield tuple(bit for bit in range(register.bits) if code >> bit & 1)


def flips_of(registers: Sequence[Register], count: int, seed: int) -> list[Flip]:
    """Return ``count`` random flips, or with a count of 0 all at each kind of moment.

    The codes without a name follow, all of them at each kind of moment.
    """
    choice = random.Random(seed)

    def after(moment: str) -> int:
        return choice.randrange(MOMENTS[moment].span)

    codes = [
        Flip(moment, register.name, bits, after(moment))
        for moment in MOMENTS
        for register in registers
        for bits in _codes(register)
    ]
    flips = [
        Flip(moment, register.name, (bit,), after(moment))
        for moment in MOMENTS
        for register in registers
        for bit in range(register.bits)
    ]
    choice.shuffle(flips)
    return (flips[:count] if count else flips) + codes


Make = Callable[[], FuzzBoard]


def _inject(make: Make, options: argparse.Namespace, name: str) -> tuple[dict[str, Any], int]:
    """Run the flips that the options choose; return the figures, and the exit status."""
    moments: dict[str, Any] = {
        moment: {
            "changes": 0,
            "answered_at_once": 0,
            "restarts": 0,
            "slowest_ms": 0,
            "failures": [],
        }
        for moment in MOMENTS
    }
    with make() as board:
        injector = Injector(board)
        registers = [found for found in board.registers if found.name.startswith(options.only)]
        if not registers:
            raise FuzzError(f"no register's name begins with {options.only!r}")
        part, parts = options.share
        flips = flips_of(registers, options.flips, options.seed)[part - 1 :: parts]
        failures = 0
        with (
            progress(console(error=True), name, "changes") as update,
            interruptible() as interruption,
        ):
            for number, flip in enumerate(flips, 1):
                found, row = injector.run(flip), moments[flip.moment]
                row["changes"] += 1
                row["answered_at_once"] += found.asked == 1
                row["restarts"] += found.restarts > 0
                row["slowest_ms"] = max(row["slowest_ms"], round(1000 * found.cycles / SECOND))
                if found.wrong:
                    row["failures"].append({**flip._asdict(), "wrong": found.wrong})
                    failures += 1
                update(number, len(flips), f"{failures} failures")
    figures = {
        "seed": options.seed,
        "lanes": options.lanes,
        "share": f"{part}/{parts}",
        "registers": len(registers),
        "flip_flops": sum(register.bits for register in registers),
        "named_registers": sum(bool(register.values) for register in registers),
        "second": SECOND,
        "moments": moments,
    }
    return figures, interruption.status or int(failures > 0)


def _share(text: str) -> tuple[int, int]:
    part, _, parts = text.partition("/")
    count = whole_number(1, 10_000)
    try:
        found = count(part), count(parts)
    except ArgumentValueError:
        found = 1, 0
    if found[0] > found[1]:
        raise ArgumentValueError(f"{text!r} is not a part K of N parts: use K/N, as 1/4")
    return found


def _parser() -> Parser:
    parser = Parser(
        prog="loopline bench inject",
        description=__doc__,
        examples=["loopline bench inject --flips 0 --share 1/16 --json"],
    )
    number = whole_number(0, 10**9)
    parser.add_value(
        "--flips",
        number,
        "the number of changes; 0: each flip-flop at each kind of moment",
        default=1000,
    )
    parser.add_value("--seed", number, "the seed of the moments", default=0)
    parser.add_value(
        "--share", _share, "part K of N parts", default=(1, 1), metavar="K/N", shown="1/1"
    )
    parser.add_value(
        "--only",
        str,
        "the beginning of the names of registers that change, as lane. for the search's",
        default="",
        metavar="TEXT",
        shown="all",
    )
    parser.add_value("--lanes", whole_number(1, MOST_LANES), "the lanes of the board", default=1)
    parser.add_argument("--json", action="store_true", help="print an object instead of text")
    return parser


def main(
    arguments: Sequence[str] | None = None, *, make: Callable[[int], FuzzBoard] = make_board
) -> int:
    """Run with these arguments; ``make`` makes the board, with so many lanes."""
    parser = _parser()
    options = parser.parse_args(arguments)
    begin, commit = time.monotonic(), source()
    try:
        found, status = _inject(partial(make, options.lanes), options, parser.prog)
    except FuzzError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 1
    report = {"commit": commit, **found, "seconds": round(time.monotonic() - begin, 1)}
    print(json.dumps(report) if options.json else _text(report))
    return status


def _text(report: dict[str, Any]) -> str:
    rows = [
        f"{report['flip_flops']} flip-flops in {report['registers']} registers, "
        f"{report['named_registers']} of them with names for their values",
        f"{'':18}{'changes':>9}{'at once':>9}{'restarts':>9}{'slowest':>9}{'failures':>9}",
    ]
    for name, moment in report["moments"].items():
        rows.append(
            f"{name:18}{moment['changes']:9}{moment['answered_at_once']:9}{moment['restarts']:9}"
            f"{moment['slowest_ms']:6} ms{len(moment['failures']):9}"
        )
        rows += [f"  {failure}" for failure in moment["failures"][:20]]
    return "\n".join([*rows, f"{report['seconds']:.0f} s"])
