"""Whole games of the device over its serial port, every turn checked by the rules.

``loopline bench games --random 200 --itself 20`` plays the device against a random mover, half of
the games as White, and against itself. It fails (exit status 1) if a turn is illegal, if the device
misses a win in one turn, if a game does not end, or if an answer takes more than the contest's
second by the board's own clock. ``--variant deluxe`` plays another variant, ``--save``
keeps the games.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TimeElapsedColumn

from loopline.game import STANDARD, GameRecord, Position, Turn, Variant, variant_named
from loopline.hdl.config import GridConfig
from loopline.host.clock import UNTIMED
from loopline.host.contest.link import ContestDevice
from loopline.host.errors import DeviceError, UsageError
from loopline.host.players.base import Player
from loopline.host.players.line_player import LinePlayer
from loopline.host.players.software import RandomPlayer
from loopline.host.records.record_file import RecordFile
from loopline.host.referee.referee import play_game
from loopline.host.transport.simulated import SimulatedLine
from loopline.tools.arguments import Parser, checked, split_setting, whole_number

TIMEOUT = 120.0
"""Seconds of the PC within which a simulated board answers, even on a busy PC."""

ANSWER_MS = 990.0
"""The contest's second, less ten milliseconds for the transfer at 19200 baud."""


def winning_turns(position: Position, limit: int) -> list[Turn]:
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


def loses_at_once(position: Position, turn: Turn, limit: int) -> bool:
    """Return whether this turn lets the opponent win, now or next turn, within the same limit.

    A turn that outgrows the limit counts as lost: it cannot be made.
    """
    mover = position.to_move
    result = position.play(turn).result
    if position.width > limit or position.height > limit:
        position.undo()
        return True
    lost = result.winner is not mover if result else bool(winning_turns(position, limit))
    position.undo()
    return lost


@dataclass
class Tally:
    """The results of some games; ``faults`` is empty if the device did all that it must."""

    results: Counter[str] = field(default_factory=Counter)
    records: set[str] = field(default_factory=set)
    games: int = 0
    turns: int = 0
    longest: int = 0
    answers: int = 0
    oversights: int = 0
    slowest_ms: float = 0.0
    faults: list[str] = field(default_factory=list)
    played: list[GameRecord] = field(default_factory=list)


class WatchedDevice(LinePlayer):
    """A device whose turns are checked for missed wins and avoidable losses."""

    def __init__(
        self, device: ContestDevice, tally: Tally, limit: int, variant: Variant = STANDARD
    ) -> None:
        super().__init__(device, variant)
        self.tally = tally
        self.limit = limit
        self.game = ""

    def choose(self, position: Position, seconds: float | None = None) -> Turn:
        """Return the device's turn, and note a win that it overlooked or a loss that it allows."""
        wins = winning_turns(position, self.limit)
        turn = super().choose(position, seconds)
        self.tally.answers += 1
        if wins and turn not in wins:
            best = " ".join(map(str, wins))
            played = " ".join(str(played.turn) for played in position.history)
            self.tally.faults.append(f"{self.game}: {turn} does not win, {best} would: {played}")
        elif position.is_legal(turn) and loses_at_once(position, turn, self.limit):
            turns = position.legal_turns()
            self.tally.oversights += any(
                not loses_at_once(position, other, self.limit) for other in turns
            )
        return turn


def play(
    white: Player, red: Player, game: str, players: Sequence[str], tally: Tally, variant: Variant
) -> None:
    """Play one game to its end and add it to the tally; ``players`` names White and Red."""
    # Untimed on the PC: the board's own clock is checked at the end.
    played = play_game(white, red, variant=variant, clock=UNTIMED)
    position, ending = played.position, played.ending
    record = " ".join(str(turn.turn) for turn in position.history)
    names = dict(zip(("White", "Red"), players, strict=True))
    tally.played.append(played.record({**names, "Event": "bench.games", "Round": game}))
    if ending.reason in ("fault", "illegal turn", "time"):
        tally.faults.append(f"{game}: {played.explanation}: {record}")
        return
    tally.games += 1
    tally.records.add(record)
    tally.turns += position.turns
    tally.longest = max(tally.longest, position.turns)
    if ending.winner is not None:
        tally.results[f"{players[ending.winner]} wins as {ending.winner.name.lower()}"] += 1
    else:
        tally.results["draw"] += 1


def warm_up(board: ContestDevice, times: int) -> None:
    """Let a fresh board answer some openings: all boards begin with the same random numbers."""
    for _ in range(times):
        board.identify()
        board.send("-B")
        board.send("@0/")
        board.read_turn()


def run_games(
    kind: str, numbers: Sequence[int], options: argparse.Namespace, advance: Callable[[], None]
) -> Tally:
    """Play the games of these numbers, one after the other, on boards of their own."""
    tally = Tally()
    with ExitStack() as stack:
        count = 2 if kind == "itself" else 1
        lines = [SimulatedLine(("--stats", "--seed", "0", *options.sim)) for _ in range(count)]
        boards = [stack.enter_context(ContestDevice(line, TIMEOUT)) for line in lines]
        for line, board in zip(lines, boards, strict=True):
            line.open()
            warm_up(board, numbers[0])
        variant = options.variant
        watched = [WatchedDevice(board, tally, options.limit, variant) for board in boards]
        for number in numbers:
            game = f"{kind} {number}"
            for player in watched:
                player.game = game
            if kind == "itself":
                play(*watched, game, ("the device", "the device"), tally, variant)
            else:
                mover = RandomPlayer()
                mover.chance.seed(f"{options.seed}/{number}")
                if number % 2:
                    play(mover, watched[0], game, ("the mover", "the device"), tally, variant)
                else:
                    play(watched[0], mover, game, ("the device", "the mover"), tally, variant)
            advance()
    for line in lines:
        stats = json.loads(line.stats.splitlines()[-1])
        tally.slowest_ms = max(tally.slowest_ms, stats["slowest_answer_ms"])
    if tally.slowest_ms > ANSWER_MS:
        tally.faults.append(f"{kind}: an answer took {tally.slowest_ms} ms by the board's clock")
    return tally


def merge(tallies: Sequence[Tally]) -> Tally:
    """Return the sum of several tallies."""
    total = Tally()
    for tally in tallies:
        total.results += tally.results
        total.records |= tally.records
        total.games += tally.games
        total.turns += tally.turns
        total.longest = max(total.longest, tally.longest)
        total.answers += tally.answers
        total.oversights += tally.oversights
        total.slowest_ms = max(total.slowest_ms, tally.slowest_ms)
        total.faults += tally.faults
        total.played += tally.played
    return total


def report(kind: str, tally: Tally) -> None:
    """Print the results of the games of one kind."""
    opponent = "itself" if kind == "itself" else "a random mover"
    print(f"The device against {opponent}: {tally.games} games to their end")
    for result, count in sorted(tally.results.items()):
        print(f"  {result}: {count}")
    print(
        f"  turns: {tally.turns}, the longest game {tally.longest}; "
        f"different games: {len(tally.records)}"
    )
    print(
        f"  answers checked: {tally.answers}, slowest {tally.slowest_ms:.3f} ms by the board's "
        f"clock, avoidable losses in one: {tally.oversights}"
    )
    for fault in tally.faults:
        print(f"  FAULT {fault}")


def _parser() -> Parser:
    parser = Parser(
        prog="loopline bench games",
        description="Games of the simulated board over its serial port, checked by the rules.",
        examples=["loopline bench games --random 200 --itself 20"],
    )
    add = parser.add_argument
    parser.add_value(
        "--random", whole_number(), "the number of games against a random mover", default=200
    )
    parser.add_value("--itself", whole_number(), "the number of games against itself", default=20)
    add("--seed", default="1", help="the seed of the random mover (1)")
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


def parse(parser: Parser, argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    options = parser.parse_args(argv)
    size = dict(options.sim).get("grid", GridConfig().size)
    options.sim = [word for name, value in options.sim for word in (f"--{name}", value)]
    options.sim += ["--variant", options.variant.name]
    try:
        options.limit = GridConfig(size=int(size)).limit
    except ValueError as error:
        parser.error(f"--sim grid={size}: {error}")
    try:
        options.file = RecordFile(options.save) if options.save else None
    except UsageError as error:
        parser.error(f"--save: {error}")
    return options


def show_progress(progress: Progress, task: TaskID) -> None:
    """Count one more game: on the bar, or without a terminal as a line every ten games."""
    progress.advance(task)
    state = progress.tasks[task]
    if not progress.console.is_terminal and state.completed % 10 == 0:
        progress.console.print(f"{state.description}: {state.completed:.0f} of {state.total:.0f}")


def play_all(options: argparse.Namespace) -> int:
    """Play all games, print the results, and return the number of faults."""
    faults = 0
    columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        for kind, count in (("random", options.random), ("itself", options.itself)):
            if not count:
                continue
            advance = partial(show_progress, progress, progress.add_task(kind, total=count))
            shares = [range(job, count, options.jobs) for job in range(options.jobs)]
            with ThreadPoolExecutor(options.jobs) as pool:
                futures = [
                    pool.submit(run_games, kind, share, options, advance)
                    for share in shares
                    if share
                ]
                tally = merge([future.result() for future in futures])
            report(kind, tally)
            for record in tally.played if options.file else ():
                options.file.add(record)
            faults += len(tally.faults) + (tally.games != count)
    return faults


def main(argv: Sequence[str] | None = None) -> int:
    """Play all games; return 0 if the device did all that it must, 1 if not."""
    parser = _parser()
    options = parse(parser, argv)
    try:
        return int(play_all(options) > 0)
    except (DeviceError, UsageError) as error:  # No board, or no room for the games.
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
