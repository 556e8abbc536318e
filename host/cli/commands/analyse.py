"""``loopline analyse``: the analysis of each turn of recorded games."""

from __future__ import annotations

import argparse
import json
from contextlib import ExitStack
from typing import NamedTuple

from loopline.game import Position, Turn
from loopline.host.cli.commands import Command
from loopline.host.cli.options.files import (
    add_files,
    add_record_variant,
    file_name,
    open_games,
)
from loopline.host.cli.options.limits import add_engine_limits, limited
from loopline.host.device import DEVICE_HELP
from loopline.host.device.endpoint import find_device_endpoint
from loopline.host.errors import UsageError
from loopline.host.players.analyst import Analysis, Analyst
from loopline.host.records.checked_games import CheckedGame, check_games
from loopline.host.transport.engine import ENGINE, is_engine

__all__ = ["COMMANDS"]

_ROW = "{:>4}  {:5}  {:8} {:8} {:>10} {:>5} {:>9}  {}"
_HEAD = _ROW.format("turn", "", "played", "best", "score", "depth", "nodes", "line")

_DESCRIPTION = """
Print a line for each turn of each game: the turn that was played, the turn that the device would
play, its score, the depth of the last complete iteration, the number of nodes (turns tried), and
the principal variation. An open game has one more line, for the turn to come. The device is the
engine, the gateware's search in software, unless another is named.

A score is from the view of the side to move. It is in points, 128 for a factor of e in the odds, or
the number of turns of both sides until the game is won or lost by force.

FILE is as for loopline replay. Exit status 1 if a game is illegal or cannot be read; it is analysed
up to there.

--json: file, line, turn, mover, played, best, score, mate, depth, nodes, cycles, seconds and pv;
played and mate may be null.
"""


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--device",
        default=ENGINE,
        metavar="DEVICE",
        help=f"{DEVICE_HELP} ({ENGINE})",
    )
    add_engine_limits(parser)
    add_record_variant(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object per turn")
    add_files(parser)


class _Limits(NamedTuple):
    """The limits of each search, beyond those of the device itself."""

    seconds: float | None
    nodes: int | None
    depth: int | None


def _run(arguments: argparse.Namespace) -> int:
    limits = _Limits(None, None, None)
    spec = arguments.device
    if is_engine(spec):
        spec = limited(arguments, spec)
    elif arguments.seed is not None:
        raise UsageError(f"--seed is for the engine, not for {spec!r}")
    else:
        limits = _Limits(arguments.time, arguments.nodes, arguments.depth)
    find_device_endpoint(spec)  # refuses a wrong one before a file is read
    good = True
    with ExitStack() as stack:
        analyst = None
        for name in arguments.files:
            with open_games(name) as lines:
                for game in check_games(lines, arguments.variant):
                    analyst = analyst or stack.enter_context(Analyst(spec))
                    _analyse(name, game, analyst, limits, arguments.json)
                    good = good and game.good
    return 0 if good else 1


def _analyse(
    name: str, checked: CheckedGame, analyst: Analyst, limits: _Limits, as_json: bool
) -> None:
    """Print the analysis of a game, as far as it can be read."""
    if not as_json:
        print(f"{file_name(name)}, {checked}\n{_HEAD}", flush=True)
    game = checked.reading.position
    position = Position(game.variant)
    turns: list[Turn] = []

    def tell(played: Turn | None) -> None:
        seconds, nodes, depth = limits
        found = analyst.analyse(turns, game.variant, seconds=seconds, nodes=nodes, depth=depth)
        _tell(name, checked.line, position, played, found, as_json)

    for played in game.history:
        tell(played.turn)
        position.play(played.turn)
        turns.append(played.turn)
    if game.ending is None:
        tell(None)


def _tell(
    name: str,
    line: int,
    position: Position,
    played: Turn | None,
    found: Analysis,
    as_json: bool,
) -> None:
    number, mover = position.turns + 1, position.to_move.name.lower()
    moves = [str(turn) for turn in found.line]
    if as_json:
        fields = {
            "file": name,
            "line": line,
            "turn": number,
            "mover": mover,
            "played": str(played) if played else None,
            "best": str(found.turn),
            "score": found.score,
            "mate": found.mate,
            "depth": found.depth,
            "nodes": found.nodes,
            "cycles": found.cycles,
            "seconds": found.seconds,
            "pv": moves,
        }
        print(json.dumps(fields), flush=True)
        return
    shown = str(played or "-"), str(found.turn), found.score_text
    print(_ROW.format(number, mover, *shown, found.depth, found.nodes, " ".join(moves)), flush=True)


COMMANDS = {
    "analyse": Command(
        description=_DESCRIPTION,
        examples=(
            "loopline analyse games.txt --time 0.5",
            "loopline analyse --device engine:quiescence_radius=3 --nodes 20000 --json games.txt",
        ),
        configure=_configure,
        run=_run,
    )
}
