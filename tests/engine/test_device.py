"""The engine as a device: lines and frames among each other, and what comes during a search."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from loopline.engine.device.device import CODE, Device
from loopline.engine.options import Limits
from loopline.engine.search.searcher import Searcher
from loopline.game import STANDARD, Position, Variant, parse_turn, variant_named
from loopline.game.wire import (
    ANSWERS,
    Command,
    ErrorCode,
    Event,
    Frame,
    FrameReader,
    GameFlag,
    Noise,
    TurnStatus,
    Verdict,
    command_frame,
)

pytestmark = pytest.mark.xdist_group("engine")

GAME = [parse_turn(text) for text in "@0/ B1+ C1+".split()]
NO_LIMITS = {"depth": 0, "nodes": 0, "cycles": 0}
FOREVER = {"depth": 0, "nodes": 0xFFFF_FFFF, "cycles": 0}

Said = tuple[str, dict[str, Any]]
"""A line, or the name of an answer; and the answer's values."""


@pytest.fixture(scope="module")
def searcher() -> Searcher:
    """As the device has it: the first search does not take longer than all others."""
    searcher = Searcher()
    searcher.warm_up()
    return searcher


@pytest.fixture
def talk(searcher: Searcher) -> Callable[..., list[Said]]:
    """Feeds pieces of bytes to a device, each after a pause, and returns what it says.

    With ``idle`` a piece comes when the device has nothing to do, however long that takes. With
    ``loads_last`` the searcher is there after the last piece.
    """

    def feed(
        *pieces: bytes,
        limits: Limits | None = None,
        pause: float = 0.2,
        idle: bool = False,
        loads_last: bool = False,
        ponder: int = 0,
        variant: Variant = STANDARD,
    ) -> list[Said]:
        waiting, reader, said = list(pieces), FrameReader(), []
        due, over = time.monotonic(), threading.Event()

        def load() -> Searcher:
            assert not loads_last or over.wait(30)
            return searcher

        def receive(seconds: float | None) -> bytes | None:
            nonlocal due
            if idle and seconds is not None:
                time.sleep(min(pause, seconds))
                return b""
            left = due - time.monotonic()
            if left > 0 and seconds is not None:
                time.sleep(min(left, seconds))
                return b""
            time.sleep(max(0.0, left))
            due = time.monotonic() + pause
            piece = waiting.pop(0) if waiting else None
            if not waiting:
                over.set()
            return piece

        def send(data: bytes) -> None:
            for event in reader.feed(data):
                if isinstance(event, Noise):
                    said.append((event.text.decode(), {}))
                else:
                    assert isinstance(event, Frame)
                    message = ANSWERS[event.code]
                    name = "PROGRESS" if event.code == 0xC7 else message.name
                    said.append((name, message.unpack(event.payload)))

        limits = limits or Limits(depth=2)
        Device(load, limits, receive, send, ponder=ponder, variant=variant).run()
        return said

    return feed


def frame(command: Command, sequence: int = 1, **values: Any) -> bytes:
    return command_frame(sequence, command, **values)


def new_game(sequence: int = 9) -> bytes:
    return frame(Command.NEW_GAME, sequence, area=0, rules=1, turns=GAME)


def names(said: list[Said]) -> list[str]:
    return [name for name, _ in said if name != "PROGRESS"]


def test_both_protocols_see_one_game(talk):
    said = talk(b"-S\n@0/\n", frame(Command.PLAY, turns=GAME[1:]), b"A1+\nZ9+\n-G\n")
    assert names(said)[:2] == [CODE, "GAME"]
    assert said[1][1]["turns"] == 3
    position = Position()
    for turn in (*GAME, said[2][0]):
        position.play(turn)
    assert len(said) == 3


@pytest.mark.parametrize("limit", ["nodes", "cycles"])
def test_a_turn_after_the_expected_one_may_take_more(talk, searcher, monkeypatch, limit):
    """As if the opponent's time had been the device's, too; after another turn it has not."""
    asked, search = [], searcher.search
    # A node takes about a hundred cycles.
    unit = 100 if limit == "cycles" else 1

    def noting(position, limits, **options):
        asked.append(getattr(limits, limit))
        return search(position, limits, **options)

    monkeypatch.setattr(searcher, "search", noting)
    position = Position()
    for turn in GAME:
        position.play(turn)
    limits = Limits(**{limit: 500 * unit})
    first = search(position, limits)
    position.play(first.turn)
    expected = first.line[1]
    other = next(turn for turn in position.legal_turns() if turn != expected)
    set_up = "".join(f"{line}\n" for line in ("-S", *GAME, "-G"))
    for ponder, reply, most in ((400, expected, 900), (400, other, 500), (0, expected, 500)):
        asked.clear()
        lines = set_up.encode(), f"{reply}\n".encode()
        said = talk(*lines, limits=limits, idle=True, ponder=ponder * unit)
        after = position.copy()
        after.play(reply)
        answer = search(after, Limits(**{limit: most * unit})).turn
        assert [name for name, _ in said] == [CODE, str(first.turn), str(answer)]
        assert asked == [500 * unit, most * unit]


def test_no_more_is_taken_where_a_board_does_not_ponder(talk, searcher, monkeypatch):
    """After a frame, which ends pondering; nor in a limited area."""
    asked, search = [], searcher.search

    def noting(position, limits, **options):
        asked.append(limits.nodes)
        return search(position, limits, **options)

    monkeypatch.setattr(searcher, "search", noting)
    position = Position()
    for turn in GAME:
        position.play(turn)
    first = search(position, Limits(nodes=500))
    lines = "".join(f"{line}\n" for line in ("-S", *GAME, "-G")).encode()
    reply = f"{first.line[1]}\n".encode()
    for frames, most in ((frame(Command.STATISTICS), 900), (frame(Command.POSITION), 500)):
        asked.clear()
        talk(lines, frames, reply, limits=Limits(nodes=500), ponder=400)
        assert asked == [500, most]
    asked.clear()
    talk(lines, reply, limits=Limits(nodes=500), ponder=400, variant=variant_named("limited-9"))
    assert asked == [500, 500]


def test_a_line_before_a_frame_is_not_for_the_game_of_that(talk):
    empty = frame(Command.NEW_GAME, 4, area=0, rules=1, turns=[])
    rest = frame(Command.STATISTICS, 5) + frame(Command.POSITION, 6)
    said = talk(b"-B\n@0/\n", b"@0/\nx\n" + empty, rest, limits=Limits(seconds=60))
    assert names(said) == ["GAME", "COUNTERS", "POSITION"]
    answers = dict(said)
    assert answers["GAME"]["turns"] == answers["POSITION"]["turns"] == 0
    counters = answers["COUNTERS"]
    assert (counters["lines_refused"], counters["lines_noise"]) == (1, 1)


def test_pondering_needs_nodes_or_cycles():
    done = subprocess.run(
        [sys.executable, "-m", "loopline.engine", "--ponder", "5"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "--ponder needs --nodes or --cycles" in done.stderr


def in_a_grid_of_8(talk: bytes) -> list[Event]:
    """What a device with a smaller grid says to this."""
    arguments = ["--set", "grid=8", "--set", "table_bits=6", "--depth", "1"]
    done = subprocess.run(
        [sys.executable, "-m", "loopline.engine", *arguments],
        input=talk,
        capture_output=True,
        check=True,
    )
    return FrameReader().feed(done.stdout)


def test_a_smaller_grid_holds_a_smaller_formation():
    row = [parse_turn(text) for text in ("@0/", "B1\\", "C1/", "D1\\", "E1/", "F1\\", "G1/")]
    talk = frame(Command.IDENTIFY) + frame(Command.NEW_GAME, 2, area=0, rules=0, turns=row)
    board, game = (each for each in in_a_grid_of_8(talk) if isinstance(each, Frame))
    assert ANSWERS[board.code].unpack(board.payload)["grid"] == 8
    answer = ANSWERS[game.code].unpack(game.payload)
    assert (answer["made"], answer["status"]) == (6, TurnStatus.BOUNDS)


def test_a_session_is_over_if_no_turn_fits():
    game = "@0/ A2/ A0/ A0/ A0/ A0/ @5/ C3+ D4/ @1+ E1+ @3/ A4+ A6/ A1\\"
    lines = "\n".join(["-S", *game.split(), "-G", ""]).encode()
    code, answer = in_a_grid_of_8(lines + frame(Command.TAKE_BACK, count=1))
    assert isinstance(code, Noise)
    assert code.text.decode() == CODE
    assert isinstance(answer, Frame)
    fields = ANSWERS[answer.code].unpack(answer.payload)
    assert fields == {"error": ErrorCode.NO_GAME, "command": Command.TAKE_BACK}


def test_the_link_is_attended_while_the_searcher_is_loaded(talk):
    search = frame(Command.SEARCH, 1, **FOREVER)
    said = talk(new_game(), search, frame(Command.IDENTIFY, 2), new_game(8), loads_last=True)
    assert names(said) == ["GAME", "IDENTITY", "ERROR", "GAME"]
    assert dict(said)["ERROR"] == {"error": ErrorCode.DROPPED, "command": Command.SEARCH}


def test_the_search_of_a_frame_is_that_of_a_contest(talk, searcher):
    position = Position()
    for turn in GAME:
        position.play(turn)
    search = frame(Command.SEARCH, **{**NO_LIMITS, "depth": 4})
    said = talk(new_game(), search, b"-G\n", idle=True)
    found = searcher.search(position, Limits(depth=4))
    best = said[-2][1]
    assert best["variation"] == list(found.line)
    assert (best["score"], best["depth"]) == (found.score, found.depth)
    assert (best["nodes"], best["cycles"]) == (found.nodes, found.cycles)
    assert best["verdict"] == Verdict.SAFE
    depths = [values["depth"] for name, values in said if name == "PROGRESS"]
    assert set(depths) >= {1, 2, 3, 4}
    assert position.is_legal(said[-1][0])


def test_limits_of_a_frame(talk):
    """Those of the command count; without any, those of the device."""
    said = talk(
        new_game(),
        frame(Command.SEARCH, 1, **{**NO_LIMITS, "nodes": 300}),
        frame(Command.SEARCH, 2, **{**NO_LIMITS, "cycles": 100_000}),
        frame(Command.SEARCH, 3, **NO_LIMITS),
        limits=Limits(nodes=500),
        idle=True,
    )
    few, short, own = (values for name, values in said if name == "BEST")
    assert few["nodes"] == 300
    assert 100_000 <= short["cycles"] < 110_000
    assert own["nodes"] == 500


def test_what_is_obeyed_during_a_search(talk):
    said = talk(
        new_game(),
        frame(Command.SEARCH, 1, **FOREVER)
        + frame(Command.PLAY, 2, turns=GAME[:1])
        + frame(Command.STATISTICS, 3)
        + b"\na1+\n"
        + frame(Command.SEARCH, 1, **FOREVER)
        + frame(Command.STOP, 4),
        frame(Command.STATISTICS, 5),
    )
    assert names(said) == ["GAME", "ERROR", "COUNTERS", "STOPPING", "BEST", "COUNTERS"]
    assert said[1][1] == {"error": ErrorCode.BUSY, "command": Command.PLAY}
    assert dict(said)["STOPPING"] == {"searching": 1}
    assert dict(said)["BEST"]["variation"]
    # The same search asked for again is answered by its progress; noise stays noise.
    assert (said[-1][1]["repeats"], said[-1][1]["lines_noise"]) == (1, 1)


@pytest.mark.parametrize(("line", "refused"), [("D1+", 0), ("-G", 0), ("A1+", 1)])
def test_a_turn_of_a_line_ends_the_search_of_a_frame(talk, line, refused):
    """As in gateware, also a turn that is refused then."""
    search = new_game() + frame(Command.SEARCH, 1, **FOREVER)
    said = talk(search, f"\n{line}\n".encode() + frame(Command.STATISTICS, 2), pause=0.05)
    assert names(said)[:2] == ["GAME", "BEST"]
    counts = dict(said)["COUNTERS"]
    assert (counts["lines_received"], counts["lines_refused"]) == (1, refused)
    assert len(names(said)) == (4 if line == "-G" else 3)


def test_a_search_makes_the_sequence_number_before_it_new(talk):
    """As in gateware: a repetition is answered as any other command that has to wait."""
    play = frame(Command.PLAY, 2, turns=[parse_turn("D1+")])
    search = frame(Command.SEARCH, 1, **FOREVER)
    said = talk(new_game() + play + play, search + play + frame(Command.STOP, 4))
    assert names(said) == ["GAME", "GAME", "GAME", "ERROR", "STOPPING", "BEST"]
    assert said[3][1] == {"error": ErrorCode.BUSY, "command": Command.PLAY}


def test_lines_during_a_search_are_obeyed_in_their_order(talk):
    """The second @0/ is no turn of the new session, which begins with a turn by the engine."""
    said = talk(b"-B\n@0/\n@0/\n-S\n-G\n", frame(Command.STATISTICS), limits=Limits(seconds=9))
    assert [name[:2] for name in names(said)] == [CODE, "@0", "CO"]
    assert said[2][1]["lines_refused"] == 1


def test_a_turn_that_comes_while_it_thinks_is_refused(talk):
    """As in gateware: it is not kept as the reply to the engine's own turn."""
    sent = b"-B\n@0/\nB1+\n-G\n", frame(Command.STATISTICS)
    counters, turn = talk(*sent, limits=Limits(seconds=2), pause=0.3)
    assert (counters[1]["lines_received"], counters[1]["lines_refused"]) == (4, 2)
    assert parse_turn(turn[0])


@pytest.mark.parametrize(
    ("after", "answers"),
    [
        (new_game(8), ["ERROR", "GAME"]),
        (frame(Command.RESET, 8), ["ERROR", "RESET"]),
        (b"\n-T\n", ["ERROR", CODE]),
    ],
)
def test_what_drops_a_search(talk, after, answers):
    said = talk(new_game(), frame(Command.SEARCH, 1, **FOREVER), after)
    assert names(said)[1:] == answers
    assert [values for name, values in said if name == "ERROR"] == [
        {"error": ErrorCode.DROPPED, "command": Command.SEARCH}
    ]


def test_frames_while_it_thinks_for_a_contest(talk):
    said = talk(
        b"-B\n@0/\n",
        frame(Command.POSITION, 1) + frame(Command.STOP, 2) + frame(Command.IDENTIFY, 3),
        new_game(4),
        frame(Command.LIST, 5),
        limits=Limits(seconds=60),
    )
    assert names(said)[:4] == ["ERROR", "STOPPING", "IDENTITY", "GAME"]
    assert said[0][1]["error"] == ErrorCode.BUSY
    assert said[1][1] == {"searching": 0}
    assert said[3][1]["state"] == GameFlag.ON | GameFlag.RED_TO_MOVE
    assert said[-1][0] == "CANDIDATES"


def test_state_of_a_contest_game(talk):
    said = talk(b"-B\n", frame(Command.POSITION), frame(Command.TAKE_BACK, 2, count=1))
    assert said[0][1]["state"] == GameFlag.ON | GameFlag.CONTEST
    assert said[1][1]["error"] == ErrorCode.NOTHING


def test_damage_is_answered_unless_the_other_end_speaks_lines(talk):
    damaged = bytearray(frame(Command.STATISTICS, 5))
    damaged[-2] ^= 1
    counters = frame(Command.STATISTICS)
    said = talk(bytes(damaged), b"\n-T\n", bytes(damaged) + counters, bytes(damaged))
    assert names(said) == ["ERROR", CODE, "COUNTERS", "ERROR"]
    assert said[0][1]["error"] == ErrorCode.DAMAGED
    counts = said[2][1]
    assert (counts["frames_damaged"], counts["lines_received"]) == (2, 1)


def test_a_frame_may_come_in_pieces_during_a_search(talk):
    asked = frame(Command.STATISTICS, 5)
    pieces = [asked[:3], asked[3:6], asked[6:], frame(Command.STOP, 6)]
    said = talk(new_game() + frame(Command.SEARCH, 1, **FOREVER), *pieces, pause=0.03)
    assert names(said) == ["GAME", "COUNTERS", "STOPPING", "BEST"]
    assert said[-1][1]["verdict"] == Verdict.SAFE


def test_a_frame_that_stops_is_cut(talk):
    said = talk(frame(Command.STATISTICS, 5)[:-3], frame(Command.IDENTIFY), pause=0.3)
    assert [name for name, _ in said] == ["ERROR", "IDENTITY"]
    assert said[0][1]["error"] == ErrorCode.CUT


def test_the_end_of_the_input_ends_a_framed_search(talk):
    said = talk(new_game(), frame(Command.SEARCH, **FOREVER))
    assert said[-1][0] == "BEST"


def test_a_forced_win_is_counted(talk):
    turns = [parse_turn(text) for text in "@0+ @1+ A0/ C1+".split()]
    begin = frame(Command.NEW_GAME, 9, area=0, rules=1, turns=turns)
    said = talk(begin, frame(Command.SEARCH, 1, **{**NO_LIMITS, "depth": 1}))
    assert (said[-1][1]["verdict"], said[-1][1]["score"]) == (Verdict.WIN, 29_999)
