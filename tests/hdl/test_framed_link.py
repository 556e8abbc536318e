"""The whole design through its pins: frames, errors, repetitions, and contest lines among them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import pytest

from loopline.game import (
    DELUXE,
    LIMITED,
    LOOP,
    MINI,
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
    CONTEXTS,
    FRAME_PAUSE_MS,
    MAGIC,
    PROGRESS_MS,
    PROTOCOL,
    SLOWEST_BAUD,
    Command,
    Completed,
    ErrorCode,
    Feature,
    GameFlag,
    TurnStatus,
    Verdict,
    answer_code,
    area_and_flags,
    crc,
    pack_frame,
)
from loopline.game.wire import TestPart as Part
from loopline.hdl.answers import FEATURES
from loopline.hdl.config import DesignConfig, GridConfig
from loopline.hdl.requests import HISTORY
from loopline.hdl.search.lookahead import Rank
from loopline.hdl.selftest import KNOWN_GAME
from tests.hdl.core.games import CROWDED, random_turns
from tests.hdl.pins_bench import Pins
from tests.hdl.session_model import winning_turns

CONFIG = DesignConfig(
    clock_hz=200_000,
    baud=25_000,
    grid=GridConfig(size=16),
    think_ms=10,
    name="bench",
    build=0x12345678,
)
"""The fastest rate that can be built, so that time is short between bytes; and a clock so slow that
a search says several times what it has found."""

PAUSE = (FRAME_PAUSE_MS + 2) * CONFIG.clock_hz // 1000

pytestmark = pytest.mark.xdist_group("framed link")  # Compiled once.


@pytest.fixture(scope="module")
def design() -> Iterator[Pins]:
    pins = Pins(CONFIG)
    yield pins
    pins.close()


@pytest.fixture
def pins(design: Pins) -> Pins:
    design.restart()
    return design


def turns_of(text: str) -> list[Turn]:
    return [parse_turn(turn) for turn in text.split()]


def new_game(pins: Pins, turns: list[Turn] | str = "", variant: Variant = STANDARD) -> dict:
    area, rules = area_and_flags(variant)
    turns = turns_of(turns) if isinstance(turns, str) else turns
    return pins.do(Command.NEW_GAME, area=area, rules=int(rules), turns=turns)


def state_of(position: Position) -> GameFlag:
    """The flags of a game whose turns all come in."""
    flags = GameFlag.ON
    if position.ending:
        flags |= GameFlag.OVER
    if position.to_move is Colour.RED:
        flags |= GameFlag.RED_TO_MOVE
    return flags


def completed_by(played) -> Completed:
    bits = Completed(0)
    for colour in played.loops:
        bits |= Completed.WHITE_LOOP << colour
    for colour in played.lines:
        bits |= Completed.WHITE_LINE << colour
    return bits


def game_answer(position: Position, made: int, last=None, status=TurnStatus.LEGAL) -> dict:
    return {
        "answer": "GAME",
        "made": made,
        "status": status,
        "tiles": len(last.tiles) if last else 0,
        "completed": completed_by(last) if last else 0,
        "state": state_of(position),
        "turns": position.turns,
    }


def error(code: ErrorCode, command: int) -> dict:
    return {"answer": "ERROR", "error": code, "command": command}


def refusal(caught: IllegalTurnError, turn: Turn, position: Position) -> TurnStatus:
    """What a board says of a turn that the rules do not allow."""
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
    assert pins.do(Command.IDENTIFY)["magic"] == MAGIC


def known_game(pins: Pins) -> None:
    """A game that always has the same answers."""
    position = Position()
    assert new_game(pins) == game_answer(position, 0)
    for turn in turns_of("@0/ B1+ A2/"):
        played = position.play(turn)
        assert pins.do(Command.PLAY, turns=[turn]) == game_answer(position, 1, played)


# What each command does.


def test_identity(pins):
    assert pins.do(Command.IDENTIFY) == {
        "answer": "IDENTITY",
        "magic": MAGIC,
        "protocol": PROTOCOL,
        "name": "bench",
        "build": 0x12345678,
        "grid": 16,
        "lanes": 1,
        "clock": 200_000,
        "bit_cycles": 8,
        "baud": 25_000,
        "area": 0,
        "rules": 1,
        "code": "LL",
        "depth": 2,
        "features": FEATURES,
        "history": HISTORY,
    }
    assert FEATURES & (Feature.CONTEST | Feature.LIST | Feature.SEARCH)


@pytest.mark.parametrize("variant", [STANDARD, LIMITED, DELUXE, LOOP, MINI], ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_games_turn_by_turn_and_back(pins, variant, seed):
    """Every turn, legal or not, is judged as by the model; so is what is listed; and turns are
    taken back, some at a time."""
    choice = random.Random(seed)
    position = Position(variant)
    assert new_game(pins, variant=variant) == game_answer(position, 0)
    for turn in random_turns(seed + 10, most=14, limit=CONFIG.grid.limit, variant=variant):
        wrong = Turn(choice.randrange(7), choice.randrange(7), turn.shape)
        for tried in (wrong, turn):
            before = position.turns
            try:
                played = position.play(tried)
            except IllegalTurnError as caught:
                status = refusal(caught, tried, position)
                expected = game_answer(position, 0, status=status)
            else:
                expected = game_answer(position, 1, played)
            assert pins.do(Command.PLAY, turns=[tried]) == expected
            if tried is wrong and position.turns > before:
                position.undo()
                assert pins.do(Command.TAKE_BACK, count=1) == game_answer(position, 1)
        if position.turns % 4 == 0 and not position.ending:
            check_list(pins, position)
            check_position(pins, position)
    check_position(pins, position)
    while position.turns:
        count = min(position.turns, choice.randint(1, 4))
        for _ in range(count):
            position.undo()
        assert pins.do(Command.TAKE_BACK, count=count) == game_answer(position, count)
        check_position(pins, position)
    check_list(pins, position)


def check_position(pins: Pins, position: Position) -> None:
    """What is on the board, cell by cell, and where each track ends."""
    *items, (name, total) = pins.answers(pins.ask(Command.POSITION), Command.POSITION)
    area, rules = area_and_flags(position.variant)
    assert name == "POSITION"
    tracks = open_tracks(position)
    spaces = {(end.x, end.y) for track in tracks for end in track.ends}
    assert total == {
        "state": state_of(position),
        "turns": position.turns,
        "area": area if area <= CONFIG.grid.limit else 0,
        "rules": rules,
        "columns": position.width,
        "rows": position.height,
        "tiles": position.tiles,
        "spaces": len(spaces),
    }
    rows = [item for name, item in items if name == "ROW"]
    assert [row["row"] for row in rows] == [*range(1, position.height + 1)]
    for y, row in enumerate(rows, position.north):
        assert row["cells"] == [
            edges(position, x, y) for x in range(position.west, position.east + 1)
        ]
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
        assert item["sockets"] == edges(position, x, y)
        for colour in Colour:
            name = colour.name.lower()
            there = item[f"{name}_column"], item[f"{name}_row"]
            assert there == far.get((x, y, colour), (0xFF, 0xFF))


def edges(position: Position, x: int, y: int) -> int:
    """The edges of a tile, or the sockets of a space, as a byte of an answer."""
    tile = position.tile_at(x, y)
    if tile is not None:
        return tile.edges(Colour.WHITE) << 4 | tile.edges(Colour.RED)
    halves = {Colour.WHITE: 0, Colour.RED: 0}
    for side, colour in position.sockets(x, y).items():
        halves[colour] |= side.bit
    return halves[Colour.WHITE] << 4 | halves[Colour.RED]


def check_list(pins: Pins, position: Position) -> None:
    """All candidates, each once, and what comes of them."""
    *items, (name, total) = pins.answers(pins.ask(Command.LIST), Command.LIST)
    assert name == "CANDIDATES"
    assert {name for name, _ in items} <= {"CANDIDATE"}
    listed = {item["turn"]: item for _, item in items}
    assert len(listed) == len(items) == total["candidates"]
    legal = {turn for turn, item in listed.items() if item["status"] == TurnStatus.LEGAL}
    assert legal == set(position.legal_turns())
    assert len(legal) == total["legal"]
    for turn, item in listed.items():
        expected = judged(position, turn)
        assert (item["status"], item["tiles"], item["completed"]) == expected


def judged(position: Position, turn: Turn) -> tuple[int, int, int]:
    """Status, tiles and what is completed."""
    try:
        played = position.play(turn)
    except IllegalTurnError as caught:
        return refusal(caught, turn, position), 0, 0
    position.undo()
    return TurnStatus.LEGAL, len(played.tiles), completed_by(played)


def test_an_illegal_candidate_is_listed_with_its_reason(pins):
    new_game(pins, CROWDED)
    *items, _ = pins.answers(pins.ask(Command.LIST), Command.LIST)
    status = {item["turn"]: item["status"] for _, item in items}
    assert status[parse_turn("B3\\")] == TurnStatus.FORCED


def test_many_turns_in_a_frame_up_to_the_first_refused(pins):
    position, turns = Position(), turns_of("@0/ B1+ A2/")
    for turn in turns:
        played = position.play(turn)
    assert new_game(pins, turns) == game_answer(position, 3, played)
    assert new_game(pins, [*turns, parse_turn("Z9/"), *turns]) == game_answer(
        position, 3, played, TurnStatus.OUTSIDE
    )
    more = position.legal_turns()[0]
    played = position.play(more)
    answer = pins.do(Command.PLAY, turns=[more, more._replace(column=9, row=9)])
    assert answer == game_answer(position, 1, played, TurnStatus.OUTSIDE)


def test_what_no_label_and_no_shape_can_be(pins):
    new_game(pins, "@0/")
    empty = {"tiles": 0, "completed": 0, "made": 0}
    for octets, status in (
        (b"\xc2\x01", TurnStatus.MISMATCH),
        (b"\xff\xff", TurnStatus.OUTSIDE),
        (b"\x3f\x01", TurnStatus.OUTSIDE),
        (b"\x01\x80", TurnStatus.OUTSIDE),
    ):
        pins.send(pack_frame(3, Command.PLAY, octets))
        [(_, answer)] = pins.answers(3, Command.PLAY)
        assert {name: answer[name] for name in empty} == empty
        assert answer["status"] == status
        identify(pins)


def test_a_game_that_outgrows_the_board(pins):
    """A line of tiles as long as the grid lets it be; the next one is out of bounds."""
    position = Position(LOOP)
    turns = [parse_turn("@0+")]
    position.play(turns[0])
    while position.height < CONFIG.grid.limit:
        turns.append(Turn(1, position.height + 1, turns[0].shape))
        position.play(turns[-1])
    answer = new_game(pins, turns, LOOP)
    assert (answer["made"], answer["status"]) == (len(turns), TurnStatus.LEGAL)
    beyond = Turn(1, position.height + 1, turns[0].shape)
    answer = pins.do(Command.PLAY, turns=[beyond])
    assert (answer["made"], answer["status"]) == (0, TurnStatus.BOUNDS)


ENDS = "@0+ B1+ A2\\ @1/ A0+ @1\\ B0+ C1\\"
"""The last turn has forced plays and completes a loop of each colour."""


def test_a_game_that_has_ended(pins):
    position = Position()
    for turn in turns_of(ENDS):
        played = position.play(turn)
    assert len(played.loops) == 2
    made = [step.turn for step in position.history]
    assert new_game(pins, made) == game_answer(position, len(made), played)
    assert pins.do(Command.PLAY, turns=turns_of("A0/")) == game_answer(
        position, 0, status=TurnStatus.OVER
    )
    assert pins.status.over
    for command, values in ((Command.LIST, {}), (Command.SEARCH, NO_LIMITS)):
        assert pins.do(command, **values) == error(ErrorCode.GAME_OVER, command)
    position.undo()
    assert pins.do(Command.TAKE_BACK, count=1) == game_answer(position, 1)
    assert not pins.status.over


def test_how_far_turns_can_be_taken_back(pins):
    position = Position()
    made = turns_of("@0/ B1+ A2/")
    for turn in made:
        position.play(turn)
    new_game(pins, made)
    assert pins.do(Command.TAKE_BACK, count=4) == error(ErrorCode.NOTHING, Command.TAKE_BACK)
    assert pins.do(Command.TAKE_BACK, count=0) == error(ErrorCode.FIELD, Command.TAKE_BACK)
    for _ in made:
        position.undo()
    assert pins.do(Command.TAKE_BACK, count=3) == game_answer(position, 3)
    assert pins.do(Command.TAKE_BACK, count=1) == error(ErrorCode.NOTHING, Command.TAKE_BACK)


def test_self_test(pins):
    """All parts pass, the game is gone, and the board is as good as before."""
    new_game(pins, "@0+", MINI)
    parts = Part.CLEARED | Part.TURNS | Part.UNDO
    assert pins.do(Command.SELF_TEST, sequence=5) == {
        "answer": "TESTED",
        "parts": parts,
        "failed": 0,
    }
    assert pins.do(Command.SELF_TEST, sequence=5)["parts"] == parts
    assert pins.do(Command.LIST) == error(ErrorCode.NO_GAME, Command.LIST)
    known_game(pins)


def test_the_known_game_of_the_self_test(pins):
    assert KNOWN_GAME == ENDS


@pytest.mark.parametrize("wait", [10, 100, 1_000, 10_000])
@pytest.mark.parametrize("command", [Command.SELF_TEST, Command.LIST, Command.POSITION])
def test_what_is_dropped_by_a_session(pins, command, wait):
    """Not for lists and positions that were quicker."""
    new_game(pins, MIDDLE)
    sequence = pins.ask(command)
    pins.wait(wait)
    pins.send(b"-B\n@0/\n")
    last, names = None, []
    while last is None or len(names) < 2 or pins.heard:
        first = pins.next_byte(100_000)
        pins.heard[:0] = bytes([first])
        if first == 0xC0:
            frame = pins.frame()
            assert frame.sequence == sequence
            if not frame.code & 0x40:
                last = frame
                names.append("frame")
        else:
            assert parse_turn(pins.line().decode())
            names.append("line")
        if len(names) < 2 and pins.silent(30_000):
            break
    assert sorted(names) == ["frame", "line"]
    dropped = last.code == answer_code(0)
    assert not dropped or last.payload == bytes([ErrorCode.DROPPED, command])
    assert dropped or command is not Command.SELF_TEST
    known_game(pins)


# Searches.

NO_LIMITS = {"depth": 0, "nodes": 0, "cycles": 0}
MIDDLE = "@0/ B1+ A2/"


def search(pins: Pins, **limits: int) -> list[tuple[str, dict]]:
    values = {**NO_LIMITS, **limits}
    return list(pins.answers(pins.ask(Command.SEARCH, **values), Command.SEARCH))


def middle() -> Position:
    """A position in which a search takes its time."""
    for seed in itertools.count():
        position = Position()
        for turn in random_turns(seed, most=7, limit=CONFIG.grid.limit - 2, finish=False):
            position.play(turn)
        if not position.ending and not winning_turns(position, CONFIG.grid.limit):
            for turn in position.legal_turns():
                position.play(turn)
                refuted = position.ending or winning_turns(position, CONFIG.grid.limit)
                position.undo()
                if not refuted:
                    return position
    raise AssertionError


def set_middle(pins: Pins) -> Position:
    position = middle()
    assert new_game(pins, [step.turn for step in position.history])["made"] == position.turns
    return position


def test_a_search_with_limits(pins):
    position = set_middle(pins)
    *_, (name, best) = search(pins)
    assert name == "BEST"
    assert best["depth"] == 2
    assert best["variation"][0] in position.legal_turns()
    assert best["cycles"] > best["nodes"] > len(position.legal_turns())
    # The frontier table has grown meanwhile, which takes time to walk, and nothing else.
    *_, (_, again) = search(pins)
    assert {**again, "cycles": 0} == {**best, "cycles": 0}
    for nodes in (1, best["nodes"] // 2):
        *_, (_, cut) = search(pins, nodes=nodes)
        assert nodes <= cut["nodes"] < best["nodes"]
        assert cut["depth"] < 2
    *_, (_, cut) = search(pins, cycles=5_000)
    assert 5_000 <= cut["cycles"] < 10_000
    *_, (_, shallow) = search(pins, depth=1)
    assert shallow["depth"] == 1
    assert shallow["nodes"] < best["nodes"]
    # The game is where it was.
    check_list(pins, position)


def test_verdicts_and_the_reply_that_refutes(pins):
    """In a corridor of positions, whatever comes up: the variation is what the verdict says."""
    seen = set()
    for seed in range(30):
        turns = random_turns(seed, most=9, limit=CONFIG.grid.limit, finish=False)
        position = Position()
        for turn in turns:
            position.play(turn)
        if position.ending:
            continue
        new_game(pins, turns)
        *_, (_, best) = search(pins)
        mover, verdict = position.to_move, Verdict(best["verdict"])
        seen.add(verdict)
        played = position.play(best["variation"][0])
        assert (verdict is Verdict.WIN) == bool(played.result and played.result.winner is mover)
        assert len(best["variation"]) == 1 + (verdict is Verdict.LOSING)
        if verdict is Verdict.LOSING:
            assert position.play(best["variation"][1]).result.winner is mover.other
    assert {Verdict.WIN, Verdict.LOSING, Verdict.SAFE} <= seen
    assert {verdict.name: verdict.value for verdict in Verdict} == {
        rank.name: rank.value for rank in Rank
    }


def test_an_opening_is_searched(pins):
    new_game(pins)
    *_, (_, best) = search(pins)
    assert best["variation"][0] in Position().legal_turns()


def test_progress_stop_and_what_is_obeyed_meanwhile(pins):
    set_middle(pins)
    sequence = pins.ask(Command.SEARCH, **NO_LIMITS)
    answers = pins.answers(sequence, Command.SEARCH)
    name, first = next(answers)
    assert name == "PROGRESS"
    name, second = next(answers)
    assert name == "PROGRESS"
    assert second["nodes"] > first["nodes"]
    interval = PROGRESS_MS * CONFIG.clock_hz // 1000
    assert interval // 2 < second["cycles"] - first["cycles"] < 2 * interval
    assert pins.status.thinking
    identify(pins)
    assert pins.do(Command.STATISTICS)["frames_received"] == 4
    for command, values in (
        (Command.PLAY, {"turns": turns_of("A0/")}),
        (Command.TAKE_BACK, {"count": 1}),
        (Command.LIST, {}),
        (Command.SEARCH, NO_LIMITS),
    ):
        assert not CONTEXTS[command].always
        assert pins.do(command, **values) == error(ErrorCode.BUSY, command)
    assert pins.do(Command.STOP) == {"answer": "STOPPING", "searching": 1}
    [(name, best)] = list(answers)
    assert name == "BEST"
    assert best["depth"] < 2
    assert best["nodes"] >= second["nodes"]
    assert pins.do(Command.STOP) == {"answer": "STOPPING", "searching": 0}
    pins.wait(1_000)
    assert not pins.status.thinking
    known_game(pins)


def test_a_search_asked_for_again_goes_on_and_its_answer_is_kept(pins):
    set_middle(pins)
    limits = {**NO_LIMITS, "nodes": 300}
    pins.ask(Command.SEARCH, sequence=9, **limits)
    pins.wait(500)
    pins.ask(Command.SEARCH, sequence=9, **limits)
    *progress, (name, best) = pins.answers(9, Command.SEARCH)
    assert progress
    assert name == "BEST"
    assert 300 <= best["nodes"] < 400
    pins.ask(Command.SEARCH, sequence=9, **limits)
    assert list(pins.answers(9, Command.SEARCH)) == [("BEST", best)]
    assert pins.do(Command.STATISTICS)["repeats"] == 2


@pytest.mark.parametrize("how", ["-T", "-W", "-B", "-S", "NEW_GAME", "RESET"])
def test_what_drops_a_search(pins, how):
    set_middle(pins)
    search_ = pins.ask(Command.SEARCH, **NO_LIMITS)
    pins.wait(300)
    if how == "NEW_GAME":
        sequence = pins.ask(Command.NEW_GAME, area=0, rules=1, turns=[])
    elif how == "RESET":
        sequence = pins.ask(Command.RESET)
    else:
        pins.send(how.encode() + b"\n")
    answers = []
    while not answers or answers[-1][0] != "ERROR":
        if how in ("-T", "-S") and not answers and pins.next_byte(10_000) == ord("L"):
            assert pins.line() == b"L"
            continue
        if pins.heard[:1] != b"\xc0" and how in ("-T", "-S") and not answers:
            pins.heard[:0] = b"\xc0"
        answers += pins.answers(search_, Command.SEARCH)
    assert answers[-1][1] == {"error": ErrorCode.DROPPED, "command": Command.SEARCH}
    if how == "NEW_GAME":
        assert [name for name, _ in pins.answers(sequence, Command.NEW_GAME)] == ["GAME"]
    elif how == "RESET":
        assert [name for name, _ in pins.answers(sequence, Command.RESET)] == ["RESET"]
    elif how == "-W":
        assert pins.line() in (b"@0/", b"@0+")
    identify(pins)
    known_game(pins)


# Errors, and frames after them.


def raw(data: bytes) -> bytes:
    """A frame of these bytes and a right CRC."""
    return pack_frame(0, 0, b"")[:1] + data + crc(data).to_bytes(2, "big") + b"\xc0"


@pytest.mark.parametrize(
    ("line", "sequence", "code", "command"),
    [
        (pack_frame(5, 4, b"ab")[:-2] + b"\x00\xc0", 5, ErrorCode.DAMAGED, 4),
        (raw(b"\x85\x01\x01"), 5, ErrorCode.DAMAGED, 1),
        (b"\xc0\x85\xc0", 5, ErrorCode.DAMAGED, 0),
        (b"\xc0\x85\x01\xdb\x01\xc0", 5, ErrorCode.FRAMING, 1),
        (b"\xc0\x85\x01" + bytes(140) + b"\xc0", 5, ErrorCode.TOO_LONG, 1),
        (raw(b"\x85\x3f\x00"), 5, ErrorCode.UNKNOWN, 0x3F),
        (raw(b"\x85\x00\x00"), 5, ErrorCode.UNKNOWN, 0),
        (raw(b"\x85\x81\x00"), 5, ErrorCode.UNKNOWN, 0x81),
        (pack_frame(5, Command.IDENTIFY, b"\0"), 5, ErrorCode.LENGTH, Command.IDENTIFY),
        (pack_frame(5, Command.PLAY, b""), 5, ErrorCode.LENGTH, Command.PLAY),
        (pack_frame(5, Command.PLAY, bytes(3)), 5, ErrorCode.LENGTH, Command.PLAY),
        (pack_frame(5, Command.NEW_GAME, bytes(1)), 5, ErrorCode.LENGTH, Command.NEW_GAME),
        (pack_frame(5, Command.SEARCH, bytes(8)), 5, ErrorCode.LENGTH, Command.SEARCH),
        (pack_frame(5, Command.NEW_GAME, b"\0\x04"), 5, ErrorCode.FIELD, Command.NEW_GAME),
        (pack_frame(5, Command.TAKE_BACK, b"\1")[:-4], 5, ErrorCode.CUT, Command.TAKE_BACK),
    ],
)
def test_every_error_changes_nothing(pins, line, sequence, code, command):
    position = Position()
    position.play("@0/")
    new_game(pins, "@0/")
    pins.send(line)
    if code is ErrorCode.CUT:
        pins.wait(PAUSE)
    answer = pins.frame()
    assert answer == (sequence, answer_code(0), bytes([code, command]))
    assert pins.silent()
    played = position.play("B1+")
    assert pins.do(Command.PLAY, turns=turns_of("B1+")) == game_answer(position, 1, played)


def test_no_game_yet(pins):
    for command, values in (
        (Command.PLAY, {"turns": turns_of("@0/")}),
        (Command.TAKE_BACK, {"count": 1}),
        (Command.LIST, {}),
        (Command.SEARCH, NO_LIMITS),
    ):
        assert pins.do(command, **values) == error(ErrorCode.NO_GAME, command)


def test_a_character_without_a_stop_bit(pins):
    frame = pack_frame(7, Command.IDENTIFY)
    for place in range(1, len(frame) - 1):
        pins.send(frame[:place])
        pins.send_levels(frame[place] << 1)
        pins.send_levels(0x3FF)
        pins.send(frame[place + 1 :])
        assert pins.frame().payload[0] == ErrorCode.FRAMING
        identify(pins)
    counters = pins.do(Command.STATISTICS)
    assert counters["framing_errors"] == counters["frames_malformed"] == len(frame) - 2


def test_frames_that_come_too_fast(pins):
    """One is answered, one waits, and one error stands for those that are dropped."""
    pins.send(b"".join(pack_frame(number, Command.IDENTIFY) for number in range(1, 13)))
    answers = [pins.frame()]
    while not pins.silent():
        answers.append(pins.frame())
    lost = [answer for answer in answers if answer.code == answer_code(0)]
    assert lost
    assert all(answer.payload == bytes([ErrorCode.OVERRUN, 0]) for answer in lost)
    answered = [answer.sequence for answer in answers if answer not in lost]
    assert answered[:2] == [1, 2]
    counters = pins.do(Command.STATISTICS)
    assert counters["frames_lost"] == 12 - len(answered)
    assert counters["frames_received"] == len(answered) + 1
    assert counters["overruns"] == 0


# Repetitions.


def test_a_sequence_number_that_comes_again(pins):
    position = Position()
    answer = pins.do(Command.NEW_GAME, sequence=1, area=0, rules=1, turns=turns_of("@0/"))
    assert pins.do(Command.NEW_GAME, sequence=1, area=0, rules=1, turns=turns_of("@0/")) == answer
    position.play("@0/")
    played = position.play("B1+")
    expected = game_answer(position, 1, played)
    for _ in range(3):
        assert pins.do(Command.PLAY, sequence=2, turns=turns_of("B1+")) == expected
    # The same number for another command, and another number, are new.
    position.undo()
    assert pins.do(Command.TAKE_BACK, sequence=2, count=1) == game_answer(position, 1)
    position.undo()
    assert pins.do(Command.TAKE_BACK, sequence=3, count=1) == game_answer(position, 1)
    assert pins.do(Command.TAKE_BACK, sequence=3, count=1) == game_answer(position, 1)
    # Whatever is obeyed in between makes it new, and so does an identification.
    pins.do(Command.STATISTICS, sequence=4)
    assert pins.do(Command.TAKE_BACK, sequence=3, count=1) == error(
        ErrorCode.NOTHING, Command.TAKE_BACK
    )
    position.play("@0/")
    expected = pins.do(Command.PLAY, sequence=3, turns=turns_of("@0/"))
    identify(pins)
    position.play("B1+")
    assert pins.do(Command.PLAY, sequence=3, turns=turns_of("B1+"))["turns"] == 2
    counters = pins.do(Command.STATISTICS)
    assert counters["repeats"] == 4


def test_a_damaged_frame_in_between_does_not_make_it_new(pins):
    new_game(pins)
    first = pins.do(Command.PLAY, sequence=9, turns=turns_of("@0/"))
    pins.send(b"\xc0\xff\xff\xff\xc0")
    assert pins.frame().payload[0] == ErrorCode.DAMAGED
    assert pins.do(Command.PLAY, sequence=9, turns=turns_of("@0/")) == first
    assert first["turns"] == 1


# Both protocols on the same pins.


def test_lines_and_frames_see_one_game(pins):
    pins.send(b"-B\n@0/\n")
    own = parse_turn(pins.line().decode())
    position = Position()
    position.play("@0/")
    position.play(own)
    assert pins.do(Command.TAKE_BACK, count=1)["turns"] == 1
    position.undo()
    # A set-up now: turns of both sides come in, and -G has the board play.
    turn = position.legal_turns()[3]
    position.play(turn)
    assert pins.do(Command.PLAY, turns=[turn])["turns"] == 2
    pins.send(b"-G\n")
    position.play(pins.line().decode())
    check_list(pins, position)
    # A turn in a line is the opponent's again.
    reply = position.legal_turns()[0]
    pins.send(f"{reply}\n".encode())
    position.play(reply)
    if not position.ending:
        position.play(pins.line().decode())


def test_contest_games_are_of_the_variant_that_was_built_in(pins):
    new_game(pins, "@0+", MINI)
    grow = turns_of("A2+ A3+ A4+")
    assert pins.do(Command.PLAY, turns=grow)["status"] == TurnStatus.AREA
    pins.send(b"-S\n@0+\nA2+\nA3+\nA4+\n")
    assert pins.line() == b"LL"
    pins.wait(2_000)
    assert pins.do(Command.PLAY, turns=turns_of("A5+"))["turns"] == 5
    assert not pins.status.error


def test_busy_while_a_contest_turn_is_thought_about(pins):
    for command, values in (
        (Command.LIST, {}),
        (Command.PLAY, {"turns": turns_of("B1+")}),
        (Command.SET_BAUD, {"bit_cycles": 16}),
        (Command.SEARCH, NO_LIMITS),
    ):
        pins.send(b"-B\n@0/\n")
        assert pins.do(command, **values) == error(ErrorCode.BUSY, command)
        assert len(pins.line()) >= 3
    assert pins.do(Command.TAKE_BACK, count=1)["turns"] == 1


@pytest.mark.parametrize("place", range(7))
def test_a_frame_in_the_middle_of_a_line(pins, place):
    """The line is noise, the frame is answered, and the next line is one."""
    pins.send(b"-T\n")
    assert pins.line() == b"LL"
    pins.send(b"AB12+\n"[:place])
    identify(pins)
    assert pins.do(Command.STATISTICS)["lines_noise"] == (place != 0)
    pins.send(b"-W\n")
    assert pins.line() in (b"@0/", b"@0+")


@pytest.mark.parametrize("length", range(1, 8))
def test_a_host_that_vanishes_in_the_middle_of_a_frame(pins, length):
    """After the pause the next host may speak either protocol; one of lines hears no frames."""
    frame = pack_frame(3, Command.PLAY, b"\x40\x00")
    spoken = ""
    for following in ("line", "frame", "frame"):
        pins.send(frame[:length])
        pins.wait(PAUSE)
        if length > 1 and not (following == "frame" and spoken == "line"):
            assert pins.frame().payload[0] == ErrorCode.CUT
        assert pins.silent()
        spoken = following
        if following == "line":
            pins.send(b"-T\n")
            assert pins.line() == b"LL"
        else:
            identify(pins)
    pins.wait(100)
    assert pins.status.idle


NOISES = {
    "all bytes": bytes(range(256)) * 8 + b"\n\n\r\n" + b"B" * 1000,
    "no command's code": b"\xc0\xff-T",
    "an answer's code": b"\xc0\x80\x81",
    "too long a payload": b"\xc0\x80\x04\x81",
    "beyond its length": b"\xc0\x85\x01\x00" + bytes(3),
    "an escape that there is not": b"\xc0\x85\xdb\x01",
    "too long": b"\xc0\x85\x04\x80" + b"\x01" * 131,
    "lines that are none": b"\xc0\xff\xff\n@\n\xff\r+",
    "a line that is broken": b"\xc0\xff\xff\n-W\xc0\xc0\xff\xff",
    "a frame that was damaged": pack_frame(1, 1)[:-2] + b"\x55\xc0",
    "bytes of a frame": b"\xff" + pack_frame(1, 1)[1:-1],
}


@pytest.mark.parametrize("before", ["power-on", "line"])
@pytest.mark.parametrize("name", NOISES)
def test_a_line_after_noise_that_looks_like_frames(pins, name, before):
    """The noise ends with its line, as any noise does; no frame is said to a host of lines."""
    noise = NOISES[name]
    if before == "line":
        pins.send(b"-T\n")
        assert pins.line() == b"LL"
    pins.send(noise)
    pins.send(b"\n-T\n-W\n")
    heard = bytearray()
    while not heard.endswith((b"@0/\n", b"@0+\n")):
        heard.append(pins.next_byte(PAUSE))
    frames, _, _ = heard.rpartition(b"LL\n@0")
    assert not frames if before == "line" else frames.count(b"\xc0") % 2 == 0
    counters = pins.do(Command.STATISTICS)
    assert counters["lines_received"] == 2 + (before == "line")


@pytest.mark.parametrize("seed", range(20))
def test_lines_after_any_noise_and_a_pause(pins, seed):
    """What is no whole frame does nothing, and is answered with nothing."""
    choice = random.Random(seed)
    pins.send(b"-T\n")
    assert pins.line() == b"LL"
    for _ in range(20):
        pins.send(choice.randbytes(choice.randrange(40)).replace(b"-", b"\xc0"))
    pins.send_levels(0x3FF)
    pins.wait(PAUSE)
    pins.send(b"\n-W\n")
    assert pins.line() in (b"@0/", b"@0+")


def test_lines_in_a_damaged_frame_are_none_to_a_host_of_frames(pins):
    """What a damaged frame carries changes nothing, whatever it looks like."""
    game = new_game(pins, "@0/ B1+")
    frame = bytearray(pack_frame(1, Command.SEARCH, b"\n-W\n-T\n\0"))
    for place, value in ((2, 0x3F), (2, 0x81), (3, 0xFF), (3, 1), (4, 0xDB)):
        damaged = frame.copy()
        damaged[place] = value
        pins.send(damaged)
        assert pins.frame().code == answer_code(0)
        assert pins.silent()
    pins.send(frame[:-1] + b"\n-T\n" + bytes(200) + b"\xc0")
    assert pins.frame().payload == bytes([ErrorCode.TOO_LONG, Command.SEARCH])
    assert pins.do(Command.PLAY, turns=turns_of("Z9/"))["turns"] == game["turns"]


def test_no_pause_is_needed_where_a_frame_has_not_begun(pins):
    pins.send(b"\xc0\xc0-T\n")
    assert pins.line() == b"LL"
    pins.send(pack_frame(1, Command.IDENTIFY)[:-1] + pack_frame(2, Command.IDENTIFY))
    assert [pins.frame().sequence, pins.frame().sequence] == [1, 2]


def test_answers_of_both_kinds_are_whole(pins):
    """Codes are asked for while frames are being sent, at the full rate."""
    for _ in range(5):
        pins.send(pack_frame(1, Command.IDENTIFY) + b"-T\n" + pack_frame(2, Command.STATISTICS))
    lines = frames = 0
    while not pins.silent():
        if pins.heard[:1] == b"L" or (not pins.heard and pins.next_byte(9_000) and False):
            assert pins.line() == b"LL"
            lines += 1
        else:
            frames += pins.frame().code != answer_code(0)
    assert lines == 5
    assert frames >= 3


def test_what_is_sent_and_received_is_counted(pins):
    sent = received = 0
    text = pack_frame(1, Command.IDENTIFY)
    pins.send(text)
    sent += len(text)
    received += len(pins.frame().payload) + 7
    pins.send(b"-T\nnoise\nA1+\n")
    sent += 13
    assert pins.line() == b"LL"
    received += 3
    pins.wait(500)
    text = pack_frame(2, Command.STATISTICS)
    pins.send(text)
    counters = dict(next(pins.answers(2, Command.STATISTICS))[1])
    # Nothing of the identity needs an escape; the answer that says it is not out yet.
    assert counters.pop("bytes_sent") == received
    assert counters.pop("bytes_received") == sent + len(text)
    expected = {"frames_received": 2, "frames_sent": 1, "lines_received": 2, "lines_noise": 1}
    expected["lines_refused"] = 1
    assert {name: value for name, value in counters.items() if value} == expected
    assert pins.do(Command.RESET) == {"answer": "RESET"}
    assert pins.do(Command.STATISTICS)["lines_noise"] == 0
    assert pins.status.errors == 0
    assert not pins.status.error


def test_after_a_reset_all_is_as_after_power_on(pins):
    pins.send(b"-W\n")
    first = pins.line()
    pins.send(b"-B\n@0/\n")
    reply = pins.line()
    pins.do(Command.RESET)
    assert pins.do(Command.LIST) == error(ErrorCode.NO_GAME, Command.LIST)
    pins.send(b"-W\n")
    assert pins.line() == first
    pins.send(b"-B\n@0/\n")
    assert pins.line() == reply


def test_another_rate(pins):
    """It is the rate once its answer is out; one that nobody follows lasts for a second."""
    second = CONFIG.clock_hz
    assert pins.do(Command.SET_BAUD, bit_cycles=7) == error(ErrorCode.FIELD, Command.SET_BAUD)
    assert pins.do(Command.SET_BAUD, bit_cycles=21) == {"answer": "BAUD", "bit_cycles": 21}
    pins.wait(100)
    pins.cycles = 21
    assert pins.do(Command.IDENTIFY)["bit_cycles"] == 21
    pins.wait(2 * second)
    known_game(pins)
    pins.do(Command.RESET)
    assert pins.do(Command.IDENTIFY)["bit_cycles"] == 21
    assert pins.do(Command.SET_BAUD, bit_cycles=64) == {"answer": "BAUD", "bit_cycles": 64}
    pins.wait(100)
    assert not pins.status.idle
    pins.send(b"-T\n")
    pins.wait(second + PAUSE)
    # What was said to that, at the other rate, is nothing here.
    while not pins.silent():
        pins.heard.clear()
    assert pins.do(Command.IDENTIFY)["bit_cycles"] == 21
    pins.send(b"-T\n")
    assert pins.line() == b"LL"


SLOWEST = CONFIG.clock_hz // SLOWEST_BAUD
"""Clock cycles of a bit."""


def test_the_slowest_rate(pins):
    new_game(pins)
    for cycles in (SLOWEST + 1, 56_367, 0xFFFF):
        assert pins.do(Command.SET_BAUD, bit_cycles=cycles) == error(
            ErrorCode.FIELD, Command.SET_BAUD
        )
    assert pins.do(Command.SET_BAUD, bit_cycles=SLOWEST)["bit_cycles"] == SLOWEST
    pins.wait(100)
    pins.cycles = SLOWEST
    known_game(pins)


def test_a_rate_is_given_up_in_time_whatever_is_being_sent(pins):
    """Lines are asked for and answered at the slowest rate all the time, and for longer."""
    assert pins.do(Command.SET_BAUD, bit_cycles=SLOWEST)["answer"] == "BAUD"
    pins.wait(100)
    pins.cycles = SLOWEST
    for _ in range(CONFIG.clock_hz // (30 * SLOWEST) + 1):
        pins.send(b"-T\n")
    pins.cycles = 8
    pins.wait(PAUSE)
    # What was said at the other rate is nothing here.
    while not pins.silent():
        pins.heard.clear()
    assert pins.do(Command.IDENTIFY)["bit_cycles"] == 8
    known_game(pins)


def noise(choice: random.Random, length: int) -> bytes:
    """Bytes of which many mean something to the link."""
    return bytes(choice.choice(b"\xc0\xdb\xdc\xdd\x80\x81\x04\x02-WBT@0/\n") for _ in range(length))


@pytest.mark.parametrize("seed", range(6))
def test_anything_at_all_and_then_a_known_game(pins, seed):
    choice = random.Random(seed)
    for _ in range(6):
        on_trial = False
        for _ in range(40):
            kind = choice.randrange(5)
            if kind == 0:
                pins.send(noise(choice, choice.randrange(30)))
            elif kind == 1:
                payload = noise(choice, choice.randrange(12))
                code = choice.randrange(16)
                if code == Command.SET_BAUD:
                    payload = choice.randrange(2 * SLOWEST).to_bytes(2, "big")
                    on_trial = True
                pins.send(pack_frame(choice.randrange(128), code, payload))
            elif kind == 2:
                pins.send_levels(choice.randrange(1 << 10))
            elif kind == 3:
                pins.send(choice.choice([b"-W\n", b"-B\n@0/\n", b"-S\n", b"-T\n", b"-G\n"]))
            else:
                pins.wait(choice.randrange(2_000))
        pins.send_levels(0x3FF)
        # A rate that this host has not followed is given up, a frame that is not complete dropped.
        pins.wait((CONFIG.clock_hz if on_trial else 0) + 2 * PAUSE)
        pins.send(b"\xc0")
        pins.wait(20_000)
        while not pins.silent():
            pins.heard.clear()
        identify(pins)
        known_game(pins)
