"""``loopline analyse``: the analysis of each turn of recorded games."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path

from loopline.game import GameRecord
from loopline.host.cli.commands import Command
from loopline.host.cli.options.files import (
    add_files,
    add_record_variant,
    file_name,
    file_path,
    open_games,
    refuse_shared,
)
from loopline.host.cli.options.limits import add_limits, limited
from loopline.host.device import DEVICE_HELP
from loopline.host.device.endpoint import find_device_endpoint, split_devices
from loopline.host.device.limits import split_limits
from loopline.host.errors import UsageError
from loopline.host.pages.analysis_page import analysis_page
from loopline.host.pages.game_section import AnalysedGame
from loopline.host.players.analyst import Analyst
from loopline.host.players.assessment import Assessment, assess, summarise
from loopline.host.records.checked_games import CheckedGame, check_games
from loopline.host.records.record_file import RecordFile
from loopline.host.transport.engine import ENGINE
from loopline.host.whole_file import WholeFile
from loopline.tools.messages import tell

__all__ = ["COMMANDS"]


_ROW = "{:>4}  {:5}  {:9} {:>10}  {:6} {:>10} {:>5} {:>5} {:>9}  {}"
_HEAD = _ROW.format(
    *("turn", "", "played", "value", "best", "value", "loss", "depth", "nodes", "line")
)

_DESCRIPTION = """
Print a line for each turn of each game: the turn that was played and its value; the turn that the
device would play and its value; the expected score that the played one gives away, in percent;
depth, nodes (positions) and principal variation of the search. A game that did not end on the
board has one more line, for the turn to come. A summary of each player follows. The device is the
engine, the gateware's search in software, unless another is named.

?!, ? and ?? mark turns that give away 10, 20 and 40 percent, ! one that is better by 10 percent
than the search's own (docs/analysis.md). A value is from the view of the side to move, in points,
128 for a factor of e in the odds, or the number of turns of both sides until the game is won or
lost by force.

FILE is as for loopline replay. Exit status 1 if a game is illegal, cannot be read, or does not fit
into the device; it is analysed up to there, and not annotated.

--json: file, line, turn, mover, played, best, score, mate, depth, nodes, cycles, seconds and pv (of
the search before the turn); best_score, best_mate, played_score, played_mate, loss (0 to 1) and
mark (of the turns). Both mates may be null; for the turn to come also what is about the turn that
was played. After a game for each player: file, line, player, turns, accuracy, marks, largest_loss
and largest_loss_turn.
"""


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--device",
        default=ENGINE,
        metavar="DEVICE",
        help=f"{DEVICE_HELP}; several, separated by commas, search together ({ENGINE})",
    )
    add_limits(parser)
    add_record_variant(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object per turn")
    parser.add_argument(
        "--annotate",
        type=Path,
        metavar="OUT",
        help="add each game to OUT as a record with marks, values and summaries as comments",
    )
    parser.add_argument(
        "--html",
        type=Path,
        metavar="PAGE",
        help="write the analysis of all games to PAGE, for a browser; replaces the file",
    )
    add_files(parser)


def _run(arguments: argparse.Namespace) -> int:
    spec = limited(arguments, arguments.device)
    for device in split_devices(split_limits(spec)[0]):
        find_device_endpoint(device)  # refuses a wrong one before a file is read
    refuse_shared(
        {
            "standard output": Path("/dev/stdout"),
            **{file_name(name): file_path(name) for name in arguments.files},
        },
        {"--annotate": arguments.annotate, "--html": arguments.html},
    )
    annotated = RecordFile(arguments.annotate) if arguments.annotate else None
    page = WholeFile(arguments.html) if arguments.html else None
    games: list[AnalysedGame] = []
    good = True

    def write_page() -> None:
        if page:
            title = ", ".join(Path(file_name(name)).name for name in arguments.files)
            page.replace(analysis_page(games, title, spec))

    try:
        with ExitStack() as stack:
            analyst = None
            for name in arguments.files:
                with open_games(name) as lines:
                    for game in check_games(lines, arguments.variant):
                        analyst = analyst or stack.enter_context(Analyst(spec))
                        position = game.reading.position
                        analyse = partial(analyst.analyse, variant=position.variant, whole=True)
                        show = _as_json if arguments.json else _as_text
                        assessed = show(name, game, _fitting(name, game, assess(analyse, position)))
                        fits = len(assessed) == position.turns + (position.ending is None)
                        if annotated and game.reading.record and fits:
                            annotated.add(_annotate(game.reading.record, assessed, spec))
                        games.append(AnalysedGame(len(games) + 1, file_name(name), game, assessed))
                        good = good and game.good and fits
    except BaseException:
        # Such as Ctrl-C, or a device that fails: what was analysed may have taken hours.
        if games:
            write_page()
        raise
    write_page()
    return 0 if good else 1


def _fitting(
    name: str, checked: CheckedGame, assessments: Iterable[Assessment]
) -> Iterator[Assessment]:
    """Yield assessments up to the first one that does not fit into the device, and say why."""
    try:
        yield from assessments
    except UsageError as error:
        tell(f"loopline analyse: {file_name(name)}, line {checked.line}: {error}")


def _annotate(record: GameRecord, assessed: Sequence[Assessment], spec: str) -> GameRecord:
    """Return a record with comments: the players' summaries, and one on each marked turn."""
    comments = dict(record.comments)
    added = [(0, str(summary)) for summary in summarise(assessed)]
    added += [(each.number, each.comment) for each in assessed if each.mark]
    for number, text in added:
        comments[number] = (*comments.get(number, ()), text)
    tags = {**record.tags, "Annotator": f"loopline analyse --device {spec}"}
    return replace(record, comments=comments, tags=tags)


def _as_text(
    name: str, checked: CheckedGame, assessments: Iterable[Assessment]
) -> list[Assessment]:
    """Print assessments as a table, and return them."""
    print(f"{file_name(name)}, {checked}\n{_HEAD}", flush=True)
    assessed = []
    for each in assessments:
        assessed.append(each)
        found = each.found
        played = each.played is not None
        row = _ROW.format(
            each.number,
            each.mover.name.lower(),
            f"{each.played}{each.mark}" if played else "-",
            str(each.value) if played else "",
            str(found.turn),
            str(each.best),
            each.loss_text if played else "",
            found.depth,
            found.nodes,
            " ".join(map(str, found.line)),
        )
        print(row, flush=True)
    for summary in summarise(assessed):
        print(summary)
    return assessed


def _as_json(
    name: str, checked: CheckedGame, assessments: Iterable[Assessment]
) -> list[Assessment]:
    """Print assessments as JSON objects, and return them."""
    if checked.reading.error:  # the objects have no place for it
        tell(f"loopline analyse: {file_name(name)}, {checked.reading.error}")
    assessed = []
    place = {"file": name, "line": checked.line}
    for each in assessments:
        assessed.append(each)
        found = each.found
        played = each.played is not None
        fields = {
            "turn": each.number,
            "mover": each.mover.name.lower(),
            "played": str(each.played) if played else None,
            "best": str(found.turn),
            "score": found.score,
            "mate": found.mate,
            "depth": found.depth,
            "nodes": found.nodes,
            "cycles": found.cycles,
            "seconds": found.seconds,
            "pv": [*map(str, found.line)],
            "best_score": each.best.score,
            "best_mate": each.best.mate,
            "played_score": each.value.score if played else None,
            "played_mate": each.value.mate if played else None,
            "loss": round(each.loss, 4) if played else None,
            "mark": each.mark if played else None,
        }
        print(json.dumps(place | fields), flush=True)
    for player, turns, accuracy, marks, worst in summarise(assessed):
        fields = {
            "player": player.name.lower(),
            "turns": turns,
            "accuracy": round(accuracy, 2),
            "marks": marks,
            "largest_loss": round(worst.loss, 4) if worst else 0.0,
            "largest_loss_turn": worst.number if worst else None,
        }
        print(json.dumps(place | fields), flush=True)
    return assessed


COMMANDS = {
    "analyse": Command(
        description=_DESCRIPTION,
        examples=(
            "loopline analyse games.txt --time 0.5",
            "loopline analyse games.txt --nodes 20000 --html report.html",
            "loopline analyse games.txt --nodes 20000 --annotate annotated.txt",
            "loopline analyse --device engine:quiescence_radius=3 --nodes 20000 --json games.txt",
        ),
        configure=_configure,
        run=_run,
    )
}
