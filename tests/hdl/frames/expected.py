"""What the framed commands are expected to answer, by the rules; and the design's configuration."""

from __future__ import annotations

from functools import cache

from loopline.game import (
    STANDARD,
    Colour,
    ForcedPlayError,
    GameOverError,
    IllegalTurnError,
    OutsideAreaError,
    Position,
    Turn,
    Variant,
    open_tracks,
    parse_turn,
)
from loopline.game.wire import (
    FRAME_PAUSE_MS,
    MAGIC,
    SLOWEST_BAUD,
    Command,
    Completed,
    ErrorCode,
    GameFlag,
    TurnStatus,
    area_and_flags,
)
from loopline.hdl.config import GridConfig
from loopline.hdl.design import DesignConfig
from loopline.hdl.search.config import SearchConfig
from tests.hdl.frames.pins_driver import Pins

__all__ = [
    "CONFIG",
    "NO_LIMITS",
    "PAUSE",
    "SLOWEST",
    "check_list",
    "check_position",
    "compiled_design",
    "error",
    "game_answer",
    "identify",
    "known_game",
    "new_game",
    "refusal",
    "turns_of",
]

CONFIG = DesignConfig(
    clock_hz=200_000,
    baud=25_000,
    search=SearchConfig(grid=GridConfig(size=16), table_bits=6),
    evaluator=True,
    think_ms=10,
    ponder=True,
    name="driver",
    build=0x12345678,
)
"""The fastest rate, so that little time passes between two bytes; and a slow clock, so that the
progress of a search is answered several times."""


@cache
def compiled_design() -> Pins:
    """The design, in whatever state the test before has left it; one for all tests of a process."""
    return Pins(CONFIG)


PAUSE = (FRAME_PAUSE_MS + 2) * CONFIG.clock_hz // 1000
"""Clock cycles after which a frame that stops in its middle is dropped."""

SLOWEST = CONFIG.clock_hz // SLOWEST_BAUD
"""Clock cycles per bit at the slowest rate."""

NO_LIMITS = {"depth": 0, "nodes": 0, "cycles": 0}
"""The limits of a search that takes as long as a turn of a contest."""


def turns_of(text: str) -> list[Turn]:
    """Return the turns of a text with spaces between them."""
    return [parse_turn(turn) for turn in text.split()]


def new_game(pins: Pins, turns: list[Turn] | str = "", variant: Variant = STANDARD) -> dict:
    """Begin a game with these turns, and return the answer."""
    area, rules = area_and_flags(variant)
    turns = turns_of(turns) if isinstance(turns, str) else turns
    return pins.do(Command.NEW_GAME, area=area, rules=int(rules), turns=turns)


def _state_of(position: Position) -> GameFlag:
    """Return the flags of a game that is no contest."""
    flags = GameFlag.ON
    if position.ending:
        flags |= GameFlag.OVER
    if position.to_move is Colour.RED:
        flags |= GameFlag.RED_TO_MOVE
    return flags


def _completed_by(played) -> Completed:
    """Return the loops and lines of a turn as an answer has them."""
    bits = Completed(0)
    for colour in played.loops:
        bits |= Completed.WHITE_LOOP << colour
    for colour in played.lines:
        bits |= Completed.WHITE_LINE << colour
    return bits


def game_answer(position: Position, made: int, last=None, status=TurnStatus.LEGAL) -> dict:
    """Return the answer to turns made or taken back; ``last`` is the outcome of the last turn."""
    return {
        "answer": "GAME",
        "made": made,
        "status": status,
        "tiles": len(last.tiles) if last else 0,
        "completed": _completed_by(last) if last else 0,
        "state": _state_of(position),
        "turns": position.turns,
    }


def error(code: ErrorCode, command: int) -> dict:
    """Return the answer to a command that is not obeyed."""
    return {"answer": "ERROR", "error": code, "command": command}


def refusal(caught: IllegalTurnError, turn: Turn, position: Position) -> TurnStatus:
    """Return the status of a turn that the rules do not allow."""
    beyond = turn.column > position.width + 1 or turn.row > position.height + 1
    if isinstance(caught, GameOverError):
        return TurnStatus.OVER
    if isinstance(caught, ForcedPlayError):
        return TurnStatus.FORCED
    if isinstance(caught, OutsideAreaError):
        return TurnStatus.AREA
    if beyond or (not position.turns and (turn.column or turn.row)):
        return TurnStatus.OUTSIDE
    return TurnStatus.MISMATCH


def identify(pins: Pins) -> None:
    """Check that the board answers."""
    assert pins.do(Command.IDENTIFY)["magic"] == MAGIC


def known_game(pins: Pins) -> None:
    """Play a game whose answers are known, and check them."""
    position = Position()
    assert new_game(pins) == game_answer(position, 0)
    for turn in turns_of("@0/ B1+ A2/"):
        played = position.play(turn)
        assert pins.do(Command.PLAY, turns=[turn]) == game_answer(position, 1, played)


def check_list(pins: Pins, position: Position) -> None:
    """Check the answers to LIST: all candidates, each once, with their outcomes."""
    *items, (name, total) = pins.answers(pins.ask(Command.LIST), Command.LIST)
    assert name == "CANDIDATES"
    assert {name for name, _ in items} <= {"CANDIDATE"}
    listed = {item["turn"]: item for _, item in items}
    assert len(listed) == len(items) == total["candidates"]
    legal = {turn for turn, item in listed.items() if item["status"] == TurnStatus.LEGAL}
    assert legal == set(position.legal_turns())
    assert len(legal) == total["legal"]
    for turn, item in listed.items():
        expected = _outcome(position, turn)
        assert (item["status"], item["tiles"], item["completed"]) == expected, str(turn)


def _outcome(position: Position, turn: Turn) -> tuple[int, int, int]:
    """Return status, tiles and completed tracks of a turn."""
    try:
        played = position.play(turn)
    except IllegalTurnError as caught:
        return refusal(caught, turn, position), 0, 0
    position.undo()
    return TurnStatus.LEGAL, len(played.tiles), _completed_by(played)


def check_position(pins: Pins, position: Position) -> None:
    """Check the answers to POSITION: every cell, and where each track ends."""
    *items, (name, total) = pins.answers(pins.ask(Command.POSITION), Command.POSITION)
    area, rules = area_and_flags(position.variant)
    assert name == "POSITION"
    tracks = open_tracks(position)
    spaces = {(end.x, end.y) for track in tracks for end in track.ends}
    assert total == {
        "state": _state_of(position),
        "turns": position.turns,
        "area": area if area <= pins.largest else 0,
        "rules": rules,
        "columns": position.width,
        "rows": position.height,
        "tiles": position.tiles,
        "spaces": len(spaces),
    }
    rows = [item for name, item in items if name == "ROW"]
    assert [row["row"] for row in rows] == [*range(1, position.height + 1)]
    for y, row in enumerate(rows, position.north):
        expected = [_edges(position, x, y) for x in range(position.west, position.east + 1)]
        assert row["cells"] == expected, f"row {row['row']}"
    listed = [item for name, item in items if name == "SPACE"]
    places = {}
    for x, y in spaces:
        column, row = position.label(x, y)
        places[column, row] = x, y
    assert sorted((item["column"], item["row"]) for item in listed) == sorted(places)
    far = {}
    for track in tracks:
        for end, other in (track.ends, track.ends[::-1]):
            far[end.x, end.y, track.colour] = position.label(other.x, other.y)
    for item in listed:
        x, y = places[item["column"], item["row"]]
        assert item["sockets"] == _edges(position, x, y), item
        for colour in Colour:
            name = colour.name.lower()
            there = item[f"{name}_column"], item[f"{name}_row"]
            assert there == far.get((x, y, colour), (0xFF, 0xFF)), item


def _edges(position: Position, x: int, y: int) -> int:
    """Return the edges of a tile, or the sockets of a space, as a byte of an answer."""
    tile = position.tile_at(x, y)
    if tile is not None:
        return tile.edges(Colour.WHITE) << 4 | tile.edges(Colour.RED)
    halves = {Colour.WHITE: 0, Colour.RED: 0}
    for side, colour in position.sockets(x, y).items():
        halves[colour] |= side.bit
    return halves[Colour.WHITE] << 4 | halves[Colour.RED]
