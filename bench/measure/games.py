"""Whole games of the device over its serial port, every turn checked.

``loopline bench games`` plays contest games against a random mover, against the engine with
``--nodes`` for a turn, half of the games as White, and against itself. It fails (exit status 1) if
a turn is illegal, if the device misses a win in one turn, if a game does not end, or if an answer
takes more than the contest's second by the board's own clock. ``--searched 100`` are games by
frames, of the device with itself from random openings: each turn is a search of ``--nodes``. It
must find what the engine finds: turn, score, depth, nodes and variation.

The bench also prints the speed of the simulated board in cycles per second of processor time.
Ctrl-C ends the games in play; those that came to an end are counted and saved.
``--variant deluxe`` plays another variant, ``--save`` keeps the games.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from loopline.bench.interruption import INTERRUPTED
from loopline.game import STANDARD, GameRecord, Position, Turn, Variant, variant_named
from loopline.hdl.config import GridConfig
from loopline.hdl.search.config import SearchConfig
from loopline.host.clock import UNTIMED
from loopline.host.contest.link import ContestDevice
from loopline.host.device import Device, SearchReport
from loopline.host.device.endpoint import DeviceEndpoint
from loopline.host.device.exchange import Timeouts
from loopline.host.device.limits import SearchLimits
from loopline.host.device.session import Session
from loopline.host.errors import DeviceError, UsageError
from loopline.host.matches.pairs import FAULTS
from loopline.host.players.base import Player
from loopline.host.players.device_player import DevicePlayer
from loopline.host.players.line_player import LinePlayer
from loopline.host.players.software import RandomPlayer
from loopline.host.players.spec import PlayerOpener
from loopline.host.records.record_file import RecordFile
from loopline.host.referee.referee import play_game
from loopline.host.transport.simulated import SimulatedLine
from loopline.host.ui.progress import console, progress
from loopline.tools.arguments import Parser, checked, seed, split_setting, whole_number

if TYPE_CHECKING:
    from loopline.engine.search.searcher import Searcher

_OPPONENTS = {
    "random": "a random mover",
    "engine": "the engine",
    "itself": "itself",
    "searched": "itself, by frames",
}
"""The kinds of games, which are options, and the opponents."""

_OPENING = 4
"""Random turns that games by frames begin with."""

_TIMEOUT = 120.0
"""Seconds of the PC within which a simulated board answers, even on a busy PC."""

_ANSWER_MS = 990.0
"""The contest's second, less ten milliseconds for the transfer at 19200 baud."""


def _winning_turns(position: Position, limit: int) -> list[Turn]:
    """Return the turns that win at once for the player to move within ``limit`` rows and columns.

    A device cannot make a turn that outgrows its grid, and does not expect one.
    """
    wins = []
    for turn in position.legal_turns():
        result = position.play(turn).result
        fits = position.width <= limit and position.height <= limit
        position.undo()
        if fits and result and result.winner is position.to_move:
            wins.append(turn)
    return wins


@dataclass
class _Tally:
    """The results of some games; ``faults`` is empty if the device did all that it must."""

    results: Counter[str] = field(default_factory=Counter)
    turns: int = 0
    longest: int = 0
    answers: int = 0
    slowest_ms: float = 0.0
    cycles: int = 0
    seconds: float = 0.0
    faults: list[str] = field(default_factory=list)
    played: list[GameRecord] = field(default_factory=list)

    def add(self, other: _Tally) -> None:
        """Add other games."""
        self.results += other.results
        self.turns += other.turns
        self.longest = max(self.longest, other.longest)
        self.answers += other.answers
        self.slowest_ms = max(self.slowest_ms, other.slowest_ms)
        self.cycles += other.cycles
        self.seconds += other.seconds
        self.faults += other.faults
        self.played += other.played

    def add_board(self, line: SimulatedLine) -> None:
        """Add what a board that has ended says of itself, if it has started."""
        if not line.stats:
            return
        stats = json.loads(line.stats.splitlines()[-1])
        self.slowest_ms = max(self.slowest_ms, stats["slowest_answer_ms"])
        self.cycles += stats["cycles"]
        self.seconds += stats["processor_seconds"]

    def lines(self, opponent: str) -> list[str]:
        """Return the results for people."""
        return [
            f"The device against {opponent}: {self.results.total()} games to their end",
            *(f"  {result}: {count}" for result, count in sorted(self.results.items())),
            f"  turns: {self.turns}, the longest game {self.longest}",
            f"  answers checked: {self.answers}, slowest {self.slowest_ms:.3f} ms by the board's "
            "clock",
            f"  {self.cycles / 1e6 / (self.seconds or 1):.3g} million cycles per second of the "
            "processor",
            *(f"  FAULT {fault}" for fault in self.faults),
        ]


class _WatchedDevice(LinePlayer):
    """A device whose turns are checked for missed wins."""

    def __init__(self, device: ContestDevice, tally: _Tally, limit: int, variant: Variant) -> None:
        super().__init__(device, variant)
        self._tally = tally
        self._limit = limit

    def choose(self, position: Position, seconds: float | None = None) -> Turn:
        """Return the device's turn, and note a win that it overlooked."""
        wins = _winning_turns(position, self._limit)
        turn = super().choose(position, seconds)
        self._tally.answers += 1
        if wins and turn not in wins:
            best = " ".join(map(str, wins))
            played = " ".join(str(played.turn) for played in position.history)
            self._tally.faults.append(f"{turn} does not win, {best} would: {played}")
        return turn


class _ComparedDevice(DevicePlayer):
    """A device whose searches are compared with the engine's."""

    def __init__(self, device: Device, nodes: int, searcher: Searcher, tally: _Tally) -> None:
        super().__init__(device, SearchLimits(nodes=nodes))
        self._nodes = nodes
        self._searcher = searcher
        self._tally = tally

    def choose(self, position: Position, seconds: float | None = None) -> Turn:
        """Return the device's turn, and note what the engine finds otherwise."""
        from loopline.engine.options import Limits

        reports: list[SearchReport] = []
        self.report = reports.append
        turn = super().choose(position, seconds)
        found, expected = reports[-1], self._searcher.search(position, Limits(nodes=self._nodes))
        self._tally.answers += 1
        pairs = (
            ("score", found.score, expected.score),
            ("depth", found.depth, expected.depth),
            ("nodes", found.nodes, expected.nodes),
            ("line", " ".join(map(str, found.variation)), " ".join(map(str, expected.line))),
        )
        wrong = [f"{what} {ours}, the engine's {its}" for what, ours, its in pairs if ours != its]
        if wrong:
            played = " ".join(str(played.turn) for played in position.history)
            self._tally.faults.append(f"{'; '.join(wrong)}: {played}")
        return turn


def _play(
    players: Sequence[Player],
    names: Sequence[str],
    game: str,
    tally: _Tally,
    options: argparse.Namespace,
    opening: Sequence[Turn] = (),
) -> None:
    """Play one game to its end and add it to the tally; White is the first player."""
    # Untimed on the PC: the board's own clock is checked at the end.
    played = play_game(*players, variant=options.variant, clock=UNTIMED, opening=opening)
    position, ending = played.position, played.ending
    if ending.reason in FAULTS and options.interrupted.is_set():
        raise DeviceError("interrupted")
    tags = {"White": names[0], "Red": names[1], "Event": "bench.games", "Round": game}
    tally.played.append(played.record(tags))
    if ending.reason in FAULTS:
        turns = " ".join(str(turn.turn) for turn in position.history)
        tally.faults.append(f"{game}: {played.explanation}: {turns}")
        return
    tally.turns += position.turns
    tally.longest = max(tally.longest, position.turns)
    winner = ending.winner
    how = "draw" if winner is None else f"{names[winner]} wins as {winner.name.lower()}"
    tally.results[how] += 1


def _open(line: SimulatedLine, options: argparse.Namespace) -> None:
    """Start a board, which an interruption ends. Raises ``DeviceError`` if there was one."""
    options.lines.append(line)
    line.open()
    if options.interrupted.is_set():
        raise DeviceError("interrupted")


@contextmanager
def _until_interrupted(options: argparse.Namespace) -> Iterator[None]:
    """Leave the context when a device fails since an interruption has ended its board."""
    try:
        yield
    except DeviceError:
        if not options.interrupted.is_set():
            raise


def _play_games(
    options: argparse.Namespace, kind: str, advance: Callable[[], None], numbers: Sequence[int]
) -> _Tally:
    """Play contest games of these numbers, one after the other, on boards of their own."""
    tally = _Tally()
    seeds = (str(2 * numbers[0] + which) for which in range(2 if kind == "itself" else 1))
    lines = [SimulatedLine(("--stats", "--seed", seed, *options.sim)) for seed in seeds]
    with _until_interrupted(options), ExitStack() as stack:
        boards = [stack.enter_context(ContestDevice(line, _TIMEOUT)) for line in lines]
        for line in lines:
            _open(line, options)
        devices = [_WatchedDevice(board, tally, options.limit, options.variant) for board in boards]
        if kind == "engine":
            opener = PlayerOpener(variant=options.variant)
            opponent = opener.open(f"engine:nodes={options.nodes},seed={numbers[0]}")
            stack.callback(opponent.close)
        for number in numbers:
            players: list[tuple[Player, str]] = [(device, "the device") for device in devices]
            if kind == "random":
                opponent = RandomPlayer()
                opponent.chance.seed(f"{options.seed}/{number}")
            if kind != "itself":
                players.insert(number % 2 == 0, (opponent, _OPPONENTS[kind]))
            both, names = zip(*players, strict=True)
            _play(both, names, f"{kind} {number}", tally, options)
            advance()
    for line in lines:
        tally.add_board(line)
    return tally


def _play_searched(
    options: argparse.Namespace, _kind: str, advance: Callable[[], None], numbers: Sequence[int]
) -> _Tally:
    """Play games by frames of these numbers, one after the other, on one board."""
    from loopline.engine.search.searcher import Searcher

    tally, searcher = _Tally(), Searcher(SearchConfig(lanes=options.lanes))
    line = SimulatedLine(("--stats", *options.sim))
    waits = Timeouts(_TIMEOUT, _TIMEOUT)

    def connect() -> SimulatedLine:
        _open(line, options)
        return line

    session = Session(DeviceEndpoint(connect, waits, waits))
    with _until_interrupted(options), Device(session) as device:
        player = _ComparedDevice(device, options.nodes, searcher, tally)
        for number in numbers:
            opening = _random_turns(random.Random(f"{options.seed}/{number}"), options.variant)
            names = ("the device", "the device")
            _play((player, player), names, f"searched {number}", tally, options, opening)
            advance()
    tally.add_board(line)
    return tally


def _random_turns(chance: random.Random, variant: Variant) -> list[Turn]:
    """Return the opening of a game that goes on."""
    while True:
        position = Position(variant)
        while position.turns < _OPENING and not position.ending:
            position.play(chance.choice(position.legal_turns()))
        if not position.ending:
            return [played.turn for played in position.history]


def _parser() -> Parser:
    parser = Parser(
        prog="loopline bench games",
        description="Games of the simulated board over its serial port, checked by the rules.",
        examples=[
            "loopline bench games",
            "loopline bench games --random 20 --engine 0 --itself 1 --searched 0",
        ],
    )
    add = parser.add_argument
    for kind, count in (("random", 200), ("engine", 50), ("itself", 20), ("searched", 100)):
        told = f"the number of games against {_OPPONENTS[kind]}"
        parser.add_value(f"--{kind}", whole_number(), told, default=count)
    parser.add_value(
        "--nodes",
        whole_number(1),
        "the nodes for a turn of the engine, or by frames",
        default=2000,
    )
    parser.add_value("--seed", seed, "the seed of the random turns", default=1)
    parser.add_value("--jobs", whole_number(1, 999), "the number of games at one time", default=2)
    parser.add_value(
        "--variant",
        checked(variant_named),
        "the variant to play",
        default=STANDARD,
        metavar="NAME",
        shown="standard",
    )
    parser.add_value("--save", Path, "add the records of all games to FILE", metavar="FILE")
    add(
        "--sim",
        nargs="+",
        type=split_setting,
        default=[],
        metavar="NAME=VALUE",
        help="options of loopline sim, as grid=32 clock=12000000",
    )
    return parser


def _parse(parser: Parser, argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    options = parser.parse_args(argv)
    options.interrupted, options.lines = threading.Event(), []
    size = dict(options.sim).get("grid", GridConfig().size)
    lanes = dict(options.sim).get("lanes", "1")
    options.sim = [word for name, value in options.sim for word in (f"--{name}", value)]
    options.sim += ["--variant", options.variant.name]
    try:
        options.limit = GridConfig(size=int(size)).limit
    except ValueError as error:
        parser.error(f"--sim grid={size}: {error}")
    try:
        options.lanes = SearchConfig(lanes=int(lanes)).lanes
    except ValueError as error:
        parser.error(f"--sim lanes={lanes}: {error}")
    try:
        options.file = RecordFile(options.save) if options.save else None
    except UsageError as error:
        parser.error(f"--save: {error}")
    return options


def _play_kind(options: argparse.Namespace, kind: str, count: int) -> _Tally:
    """Play all games of a kind, and print the results."""
    opponent = _OPPONENTS[kind]
    total, done = _Tally(), iter(range(1, count + 1))
    shares = [range(job, count, options.jobs) for job in range(min(options.jobs, count))]
    play = _play_searched if kind == "searched" else _play_games
    with (
        ThreadPoolExecutor(options.jobs) as pool,
        progress(console(error=True), f"against {opponent}", "games") as update,
    ):
        work = partial(play, options, kind, lambda: update(next(done), count))
        tallies = [pool.submit(work, share) for share in shares]
        try:
            wait(tallies, return_when=FIRST_EXCEPTION)
        except KeyboardInterrupt:
            print("\ninterrupted", file=sys.stderr)
            options.interrupted.set()
            for line in options.lines:
                line.end()
        for tally in tallies:
            total.add(tally.result())
    if kind != "searched" and total.slowest_ms > _ANSWER_MS:
        total.faults.append(f"an answer took {total.slowest_ms} ms by the board's clock")
    print(*total.lines(opponent), sep="\n", flush=True)
    return total


def _play_all(options: argparse.Namespace) -> int:
    """Play all games, print the results, and return the exit status."""
    faults = 0
    for kind in _OPPONENTS:
        count = getattr(options, kind)
        if count:
            total = _play_kind(options, kind, count)
            for record in total.played if options.file else ():
                options.file.add(record)
            faults += len(total.faults)
        if options.interrupted.is_set():
            return INTERRUPTED
    return int(faults > 0)


def main(argv: Sequence[str] | None = None) -> int:
    """Play all games; return 0 if the device did all that it must, 1 if not, 130 at Ctrl-C."""
    parser = _parser()
    options = _parse(parser, argv)
    try:
        return _play_all(options)
    except UsageError as error:  # No room for the games.
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 1
