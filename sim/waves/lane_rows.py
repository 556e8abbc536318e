"""What timing diagrams of the search lane show of its signals, row by row."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from loopline.game import Colour, Side, space_name
from loopline.hdl.core.types import TurnOp
from loopline.hdl.search.evaluation.perimeter_walk import StepShape
from loopline.hdl.search.lane import Activity
from loopline.sim.waves.timing_rows import Window, turn_name
from loopline.sim.waves.wavejson import Cell, bit, bus, group

__all__ = ["node_groups"]

_COLOURS = {
    Activity.CHOOSE: 3,
    Activity.MAKE: 4,
    Activity.SCAN: 5,
    Activity.DECIDE: 6,
    Activity.TABLE: 7,
    Activity.STACK: 8,
    Activity.UNMAKE: 9,
}
"""The colour of each activity, and of the units that work for it."""


def node_groups(window: Window, evaluation_bits: int) -> list[list[Any]]:
    """The lane's state, and what its units do. Rows in which nothing happens are left out.

    ``evaluation_bits`` is the width of an evaluation.
    """
    groups = [
        _lane(window),
        _placement_walk(window),
        _turn_unit(window),
        _node_scan(window, evaluation_bits),
        _track_scan(window),
        _perimeter_walk(window),
        _memories(window),
    ]
    shown = [[name, *filter(_says_something, rows)] for name, *rows in groups]
    return [each for each in shown if len(each) > 1]


def _says_something(row: dict[str, Any]) -> bool:
    return len(set(row["wave"]) - {"."}) > 1


def _cells(texts: Iterable[str | None], activity: Activity) -> list[Cell]:
    return [text and (text, _COLOURS[activity]) for text in texts]


def _transfers(window: Window, stream: str) -> list[bool]:
    return [all(both) for both in window.columns(stream + "__", "valid", "ready")]


def _lane(window: Window) -> list[Any]:
    colours = [_COLOURS[Activity[name]] for name in window["lane.activity"]]
    return group(
        "lane",
        bus("state", [*zip(window["lane.state"], colours, strict=True)]),
        bus("activity", [*zip(window["lane.activity"], colours, strict=True)]),
    )


def _placement_walk(window: Window) -> list[Any]:
    stages = window["lane.walk.jobs__payload.stage"]
    taken = _transfers(window, "lane.walk.jobs")
    jobs = (f"stage {stage}" if job else None for job, stage in zip(taken, stages, strict=True))
    reads = window.columns("lane.walk.reader__", "active", "index")
    entries = (str(index) if active else None for active, index in reads)
    fields = "valid", "payload.found", *(f"payload.turn.{each}" for each in ("x", "y", "symbol"))
    results = (
        (turn_name(*turn) if found else "none") if valid else None
        for valid, found, *turn in window.columns("lane.walk.results__", *fields)
    )
    rows = {"job": jobs, "entry": entries, "result": results}
    return group(
        "placement walk",
        *(bus(name, _cells(row, Activity.CHOOSE), merge=False) for name, row in rows.items()),
    )


def _turn_unit(window: Window) -> list[Any]:
    """A command and its turn are shown from the transfer to the outcome."""
    commands: list[Cell] = []
    turns: list[Cell] = []
    outcomes: list[Cell] = []
    command: Cell = None
    turn: Cell = None
    for taken, (op, *place), (valid, status) in zip(
        _transfers(window, "lane.core__commands"),
        window.columns("lane.core__commands__payload.", "op", "x", "y", "symbol"),
        window.columns("lane.core__outcomes__", "valid", "payload.status"),
        strict=True,
    ):
        if taken:
            colour = _COLOURS[Activity[op]]
            command = op, colour
            turn = (turn_name(*place), colour) if op == TurnOp.MAKE.name else None
        commands.append(command)
        turns.append(turn)
        outcomes.append((status, command[1]) if valid and command else None)
        if valid:
            command = turn = None
    laid = window.columns("lane.laid.", "valid", "place.x", "place.y")
    tiles = (space_name(x, y) if valid else None for valid, x, y in laid)
    return group(
        "turn unit",
        bus("command", commands),
        bus("turn", turns),
        bus("tile", _cells(tiles, Activity.MAKE), merge=False),
        bus("outcome", outcomes),
        bit("hash ready", window["lane.hash.ready"]),
    )


def _node_scan(window: Window, evaluation_bits: int) -> list[Any]:
    jobs = ("scan" if job else None for job in _transfers(window, "lane.scan.jobs"))
    columns = window.columns("lane.scan.results__", "valid", "payload.own", "payload.evaluation")
    sign = 1 << (evaluation_bits - 1)
    results = (
        ("attack" if own else str((evaluation ^ sign) - sign)) if valid else None
        for valid, own, evaluation in columns
    )
    return group(
        "node scan",
        bus("job", _cells(jobs, Activity.SCAN)),
        bus("result", _cells(results, Activity.SCAN)),
    )


def _track_scan(window: Window) -> list[Any]:
    columns = window.columns("lane.scan.scan.entered.", "valid", "index")
    entries = (str(index) if valid else None for valid, index in columns)
    taken = _transfers(window, "lane.scan.scan.tracks")
    colours = window["lane.scan.scan.tracks__payload.colour"]
    tracks = (
        Colour(colour).name[0] if track else None
        for track, colour in zip(taken, colours, strict=True)
    )
    return group(
        "track scan",
        bus("entry", _cells(entries, Activity.SCAN)),
        bus("track", _cells(tracks, Activity.SCAN), merge=False),
        bit("weight", window["lane.scan.tracks.valid"]),
    )


def _perimeter_walk(window: Window) -> list[Any]:
    """A socket by its space and side; in parentheses a space without one there."""
    columns = window.columns("lane.scan.walk.", "state", "place.x", "place.y", "side", "passes")
    steps = (
        (f"{space_name(x, y)} {Side(side).name[0]}" if passes else f"({space_name(x, y)})")
        if state in StepShape.__members__
        else None
        for state, x, y, side, passes in columns
    )
    return group(
        "perimeter walk",
        bus("socket", _cells(steps, Activity.SCAN), merge=False),
        bit("window", window["lane.scan.walk.window.valid"]),
        bit("weight", window["lane.scan.perimeter.valid"]),
    )


def _memories(window: Window) -> list[Any]:
    def ops(name: str, stream: str, activity: Activity) -> dict[str, Any]:
        columns = window.columns(stream + "__", "valid", "payload.op")
        return bus(name, _cells((op if valid else None for valid, op in columns), activity))

    return group(
        "memories",
        ops("variation", "lane.variation.ops", Activity.DECIDE),
        ops("table", "lane.table.requests", Activity.TABLE),
        ops("its memory", "lane.table.memory__requests", Activity.TABLE),
        bit("stack push", window["lane.stack.push"]),
        bit("stack pop", window["lane.stack.pop"]),
        bit("killers note", window["lane.killers.note"]),
    )
