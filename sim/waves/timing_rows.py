"""What timing diagrams of the turn unit show of its signals, row by row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from loopline.game import ALL_SIDES, Shape, Side, Tile, space_name
from loopline.hdl.core.journal import EntryKind
from loopline.hdl.core.types import Status, TurnOp
from loopline.hdl.evaluator.types import Mode
from loopline.sim.waves.trace import Trace
from loopline.sim.waves.wavejson import Cell, bit, bus, group

__all__ = ["Window", "evaluator_groups", "turn_groups", "turn_name"]

_PLAIN = 2
"""The colour of what belongs to no tile and no candidate; the others are 3 to 9."""

_COLOURS = 7


class Window:
    """Some cycles of a trace."""

    def __init__(self, trace: Trace, first: int, end: int) -> None:
        self._trace = trace
        self._cycles = slice(first, end)

    def __getitem__(self, name: str) -> list[Any]:
        """A signal's values in these cycles; see :class:`Trace`."""
        return self._trace[name][self._cycles]

    def columns(self, scope: str, *names: str) -> Iterator[tuple[Any, ...]]:
        """The values of several signals whose names begin alike, cycle by cycle."""
        return zip(*(self[scope + name] for name in names), strict=True)


def turn_name(x: int, y: int, symbol: str) -> str:
    """A turn in notation: its place, as columns and rows have numbers, and the shape's name."""
    return space_name(x, y) + Shape[symbol].value


def _command_group(window: Window) -> list[Any]:
    ops: list[Cell] = []
    turns: list[Cell] = []
    fields = (".op", ".x", ".y", ".symbol")
    columns = window.columns("commands__payload", *fields)
    for valid, (op, x, y, symbol) in zip(window["commands__valid"], columns, strict=True):
        ops.append((op, _PLAIN) if valid else None)
        named = valid and op == TurnOp.MAKE.name
        turns.append((turn_name(x, y, symbol), _PLAIN) if named else None)
    return group(
        "commands",
        bit("valid", window["commands__valid"]),
        bit("ready", window["commands__ready"]),
        bus("op", ops),
        *([bus("turn", turns)] if any(turns) else []),
    )


def _outcome_group(window: Window, *more: dict[str, Any]) -> list[Any]:
    outcomes: list[Cell] = []
    completed: list[Cell] = []
    columns = window.columns("outcomes__payload", ".status", ".tiles", ".loops", ".lines")
    for valid, fields in zip(window["outcomes__valid"], columns, strict=True):
        status, tiles, loops, lines = fields
        legal = status == Status.LEGAL.name and tiles
        text = f"{status} {tiles}" if legal else status
        outcomes.append((text, _PLAIN) if valid else None)
        text = _letters("loop ", loops) or _letters("line ", lines)
        completed.append((text, _PLAIN) if valid and legal and text else None)
    return group(
        "outcomes",
        bit("valid", window["outcomes__valid"]),
        bit("ready", window["outcomes__ready"]),
        *more,
        bus("status", outcomes, merge=False),
        *([bus("completes", completed, merge=False)] if any(completed) else []),
    )


def _letters(what: str, mask: int) -> str:
    """The colours in a mask by their first letters after ``what``; nothing if there are none."""
    letters = "".join(letter for number, letter in enumerate("WR") if mask >> number & 1)
    return letters and what + letters


# Turns that are made and taken back.


def turn_groups(window: Window, spaces: int) -> list[list[Any]]:
    """The command, what the placer, its queue, the joiner and the journal do, the outcome.

    ``spaces`` is the size of the queue's memory.
    """
    colours = _tile_colours(window)
    joins = _join_cells(window, colours)
    depths = [
        (newest - oldest) % spaces
        for newest, oldest in window.columns("placer.queue.", "newest", "oldest")
    ]
    return [
        _command_group(window),
        group(
            "placer",
            bus("state", [*zip(window["placer.state"], colours, strict=True)]),
            _count("tiles", window["placer.tiles"]),
        ),
        _cells_group(window, colours),
        group("forced queue", _count("depth", depths)),
        group("joiner", bus("join", joins)),
        _journal_group(window, colours, joins),
        _outcome_group(window),
    ]


def _tile_colours(window: Window) -> list[int]:
    """In each cycle the colour of the tile that is placed or taken off, by its number in the turn.

    A new one begins when it is taken out of the queue. On the way back it is the one that is popped
    off the journal next, after its tracks; the turn is the last one that was made.
    """
    colours, laid, lifted = [], 0, 0
    queue = window.columns("placer.queue.pending__", "ready", "valid")
    pops = window.columns("placer.journal.", "pop", "top.kind")
    columns = window.columns("placer.", "state", "unmaking", "tiles")
    for (state, unmaking, tiles), taken, (pop, kind) in zip(columns, queue, pops, strict=True):
        number = tiles - lifted - (state == "POP") if unmaking else laid
        idle = state in _WITHOUT_TILE
        colours.append(_PLAIN if idle else _PLAIN + 1 + number % _COLOURS)
        laid += bool(all(taken) and not unmaking)
        lifted += bool(pop and kind != EntryKind.TRACK.name)
    return colours


_WITHOUT_TILE = ("IDLE", "DRAIN", "BOX", "DONE")
"""The placer's states in which it is at no tile."""

_WRITES_LATE = ("POP", "BOX")
"""Those in which it writes the cell of the tile that it was at before."""


def _count(name: str, values: list[int]) -> dict[str, Any]:
    return bus(name, [(str(value), _PLAIN) for value in values])


def _cells_group(window: Window, colours: list[int]) -> list[Any]:
    read: list[Cell] = []
    columns = window.columns("cells.read__", "en", "x", "y")
    for colour, (enabled, x, y) in zip(colours, columns, strict=True):
        read.append((space_name(x, y), colour) if enabled else None)
    written: list[Cell] = []
    contents: list[Cell] = []
    fields = ("en", "x", "y", "cell.white", "cell.red", "cell.index")
    columns = window.columns("cells.write__", *fields)
    before = [_PLAIN, *colours[:-1]]
    for state, colour, last, (enabled, x, y, *cell) in zip(
        window["placer.state"], colours, before, columns, strict=True
    ):
        if state in _WRITES_LATE:
            colour = last
        written.append((space_name(x, y), colour) if enabled else None)
        contents.append((_content(*cell), colour) if enabled else None)
    return group(
        "cell map",
        bus("read", read, merge=False),
        bus("write", written, merge=False),
        bus("contents", contents, merge=False),
    )


def _content(white: int, red: int, index: int) -> str:
    """A word of the cell map: a tile's shape, or a space's sockets."""
    if white == red == ALL_SIDES:
        return f"tile {Tile(index).shape.value}"
    sockets = [
        colour + "".join(side.name[0] for side in Side if mask >> side & 1)
        for colour, mask in (("w:", white), ("r:", red))
        if mask
    ]
    return " ".join(sockets) or "empty"


def _join_cells(window: Window, colours: list[int]) -> list[Cell]:
    """The two ends that are joined, by their frontier indices, for as long as it takes; in the
    colour of the tile that joins them."""
    cells: list[Cell] = []
    work: Cell = None
    fields = ("valid", "ready", "payload.colour", "payload.a.index", "payload.b.index")
    columns = window.columns("joiner.port__joins__", *fields)
    for colour, busy, fields_now in zip(colours, window["joiner.port__busy"], columns, strict=True):
        valid, ready, red, a, b = fields_now
        cells.append(work if busy else None)
        if valid and ready:
            work = f"{'red' if red else 'white'} {a}, {b}", colour
    return cells


def _journal_group(window: Window, colours: list[int], joins: list[Cell]) -> list[Any]:
    pushed: list[Cell] = []
    popped: list[Cell] = []
    columns = window.columns(
        "placer.journal.", "push_tile", "kind", "push_track", "pop", "top.kind"
    )
    for colour, join, fields in zip(colours, joins, columns, strict=True):
        tile, kind, changed, pop, top = fields
        track = (EntryKind.TRACK.name, join[1] if join else _PLAIN)
        pushed.append((kind, colour) if tile else track if changed else None)
        popped.append((top, colour) if pop else None)
    return group(
        "journal",
        bus("push", pushed, merge=False),
        bus("pop", popped, merge=False),
        _count("depth", window["placer.journal.level"]),
    )


# Candidates.


def evaluator_groups(window: Window, trace: Trace) -> list[list[Any]]:
    """Return the command, the first tiles, the four stages of the chain, and the outcomes."""
    names = _Names(trace)

    def taken(stream: str, token: str, *, plain: bool) -> list[Cell]:
        """Return the candidates that pass a stream."""
        fields = "valid", "ready", f"payload.{token}index", f"payload.{token}symbol"
        return [
            (names.candidate(*which), _PLAIN if plain else names.colour(*which))
            if valid and ready
            else None
            for valid, ready, *which in window.columns(f"evaluator.{stream}__", *fields)
        ]

    def stage(name: str) -> dict[str, Any]:
        fields = "mode", "space", "index", "symbol", "tiles"
        columns = window.columns(f"evaluator.chain.token_{name.lower()}.", *fields)
        return bus(name, [names.token(*values) for values in columns], merge=False)

    columns = window.columns("outcomes__payload.", "turn.index", "turn.symbol", "tiles")
    candidates: list[Cell] = [
        (names.candidate(*which), names.colour(*which) if tiles > 1 else _PLAIN) if valid else None
        for valid, (*which, tiles) in zip(window["outcomes__valid"], columns, strict=True)
    ]
    return [
        _command_group(window),
        group(
            "first tiles",
            bus("alone", taken("first.evaluations", "", plain=True)),
            bus("to the chain", taken("chain.entries", "token.", plain=False)),
        ),
        group("chain", *map(stage, ("READ", "PICK", "JOIN", "DECIDE"))),
        _outcome_group(window, bus("candidate", candidates, merge=False)),
    ]


class _Names:
    """What candidates are called, and their colours in the order in which they enter the chain."""

    def __init__(self, trace: Trace) -> None:
        whole = Window(trace, 0, trace.cycles)
        self._spaces = {
            space: space_name(x, y)
            for mode, space, x, y in whole.columns(
                "evaluator.chain.token_read.", "mode", "space", "place.x", "place.y"
            )
            if mode == Mode.FETCH.name
        }
        self._colours: dict[tuple[int, str], int] = {}
        for mode, *key in whole.columns("evaluator.chain.token_read.", "mode", "index", "symbol"):
            if mode not in (Mode.EMPTY.name, Mode.FETCH.name):
                number = len(self._colours) % _COLOURS
                self._colours.setdefault(tuple(key), _PLAIN + 1 + number)

    def candidate(self, index: int, symbol: str) -> str:
        return self._spaces[index] + Shape[symbol].value

    def colour(self, index: int, symbol: str) -> int:
        return self._colours.get((index, symbol), _PLAIN)

    def token(self, mode: str, space: int, index: int, symbol: str, tiles: int) -> Cell:
        if mode == Mode.EMPTY.name:
            return None
        if mode == Mode.FETCH.name:
            return f"({self._spaces[space]})", _PLAIN
        what = str(tiles + 1) if mode == Mode.CHAIN.name else mode[:3].lower()
        return f"{self.candidate(index, symbol)} {what}", self.colour(index, symbol)
