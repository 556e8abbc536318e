"""SEARCH: limits, results as the engine's, progress, and the ways in which a search ends."""

from __future__ import annotations

import itertools

import pytest

from loopline.engine.options import Limits
from loopline.engine.search.searcher import Found, Searcher
from loopline.game import LOOP, MINI, STANDARD, Position, Variant, parse_turn
from loopline.game.wire import (
    CONTEXTS,
    PROGRESS_MS,
    WIN_BOUND,
    WIN_SCORE,
    Command,
    ErrorCode,
    Verdict,
)
from tests.hdl.core.unit.games import random_turns
from tests.hdl.frames.expected import (
    CONFIG,
    NO_LIMITS,
    check_list,
    error,
    identify,
    known_game,
    new_game,
    turns_of,
)
from tests.hdl.frames.pins_driver import Pins
from tests.hdl.player.reference_session import winning_turns

pytestmark = pytest.mark.xdist_group("framed link")  # Compiled once.

ENDLESS = {**NO_LIMITS, "depth": 255}

LATEST = 3_000
"""The most clock cycles from the end of a search's time to its answer."""


@pytest.fixture(scope="module")
def engine() -> Searcher:
    """The engine with the board's search."""
    return Searcher(CONFIG.search)


def search(pins: Pins, **limits: int) -> list[tuple[str, dict]]:
    values = {**NO_LIMITS, **limits}
    return list(pins.answers(pins.ask(Command.SEARCH, **values), Command.SEARCH))


def verdict_of(found: Found) -> Verdict:
    if found.score >= WIN_BOUND:
        return Verdict.WIN
    if found.score <= -WIN_BOUND:
        return Verdict.SUICIDE if found.score == 1 - WIN_SCORE else Verdict.LOSING
    return Verdict.SAFE if found.depth else Verdict.UNKNOWN


def answer_of(found: Found) -> dict:
    """Return the answer to SEARCH that says this, without the cycles."""
    return {
        "verdict": verdict_of(found),
        "score": found.score,
        "depth": found.depth,
        "nodes": found.nodes,
        "variation": list(found.line),
    }


def open_games(count: int, variant: Variant) -> list[Position]:
    """Return positions of random games that are not over, with a turn or more."""
    games: list[Position] = []
    for seed in itertools.count():
        turns = random_turns(seed, most=9, limit=CONFIG.grid.limit - 2, finish=False)
        position = Position(variant)
        for turn in turns:
            if position.ending or not position.is_legal(turn):
                break
            position.play(turn)
        if position.turns and not position.ending:
            games.append(position)
        if len(games) == count:
            return games
    raise AssertionError


def middle() -> Position:
    """Return a position in which a search takes long."""
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


@pytest.mark.parametrize("variant", [STANDARD, LOOP, MINI], ids=str)
def test_a_search_says_what_the_engine_says(pins, engine, variant):
    """For limits of depth and nodes, whatever was searched before."""
    seen = set()
    for position in open_games(12, variant):
        new_game(pins, [step.turn for step in position.history], variant)
        for limits in ({"depth": 1}, {"depth": 2}, {"nodes": 1}, {"nodes": 300}):
            *_, (name, best) = search(pins, **limits)
            assert name == "BEST"
            assert best.pop("cycles") > best["nodes"]
            assert best == answer_of(engine.search(position, Limits(**limits)))
            seen.add(best["verdict"])
        # The game is where it was.
        check_list(pins, position)
    assert {Verdict.WIN, Verdict.SAFE} <= seen
    assert variant is MINI or Verdict.LOSING in seen


def test_limits_of_time(pins):
    """Without any limit it is that of a turn in a contest."""
    set_middle(pins)
    think = CONFIG.think_cycles
    for cycles, limit in ((0, think), (think // 3, think // 3), (5 * think, 5 * think)):
        *_, (_, best) = search(pins, cycles=cycles)
        assert limit <= best["cycles"] < limit + LATEST
        assert best["variation"]


@pytest.mark.parametrize("line", ["-G", "a turn"])
def test_a_line_that_asks_for_a_turn_ends_a_search(pins, line):
    """The board answers both within their time: a turn after ``-G``, none in a set-up."""
    position = set_middle(pins)
    asked = pins.ask(Command.SEARCH, **ENDLESS)
    pins.wait(300)
    turn = position.legal_turns()[2]
    pins.send(f"{turn if line == 'a turn' else line}\n".encode())
    *_, (name, best) = pins.answers(asked, Command.SEARCH)
    assert name == "BEST"
    assert position.is_legal(best["variation"][0])
    assert best["cycles"] < LATEST
    if line == "-G":
        answer = pins.line(CONFIG.think_cycles + LATEST).decode()
        assert position.is_legal(parse_turn(answer))
    else:
        position.play(turn)
    pins.wait(200)
    assert not pins.status.error
    if line == "a turn":
        check_list(pins, position)


def test_the_first_turn_is_not_searched(pins, engine):
    new_game(pins)
    *_, (_, best) = search(pins)
    best.pop("cycles")
    assert best == answer_of(engine.search(Position(), Limits(depth=1)))


def test_progress_stop_and_what_is_obeyed_meanwhile(pins):
    set_middle(pins)
    sequence = pins.ask(Command.SEARCH, **ENDLESS)
    answers = pins.answers(sequence, Command.SEARCH)
    interval = PROGRESS_MS * CONFIG.clock_hz // 1000
    second = None
    depths = set()
    since = 0
    # The iteration after these takes much longer than all that follows here.
    while len(depths) < 2 or since < 2 or second["depth"] < 3:
        first = second
        name, second = next(answers)
        assert name == "PROGRESS"
        since = since + 1 if second["depth"] in depths else 0
        depths.add(second["depth"])
        if first:
            # After an iteration, or when it is time.
            later = second["cycles"] - first["cycles"]
            assert second["nodes"] > first["nodes"]
            assert later < 2 * interval
    assert pins.status.thinking
    identify(pins)
    assert pins.do(Command.STATISTICS)["frames_received"] == 4
    for command, values in (
        (Command.PLAY, {"turns": turns_of("A0/")}),
        (Command.TAKE_BACK, {"count": 1}),
        (Command.LIST, {}),
        (Command.SEARCH, ENDLESS),
    ):
        assert not CONTEXTS[command].always
        assert pins.do(command, **values) == error(ErrorCode.BUSY, command)
    assert pins.do(Command.STOP) == {"answer": "STOPPING", "searching": 1}
    [(name, best)] = list(answers)
    assert name == "BEST"
    assert best["nodes"] >= second["nodes"]
    assert best["depth"] >= second["depth"]
    assert pins.do(Command.STOP) == {"answer": "STOPPING", "searching": 0}
    pins.wait(1_000)
    assert not pins.status.thinking
    known_game(pins)


def test_a_search_asked_for_again_goes_on_and_its_answer_is_kept(pins):
    set_middle(pins)
    limits = {**NO_LIMITS, "nodes": 1000}
    pins.ask(Command.SEARCH, sequence=9, **limits)
    pins.wait(500)
    pins.ask(Command.SEARCH, sequence=9, **limits)
    *progress, (name, best) = pins.answers(9, Command.SEARCH)
    assert progress
    assert name == "BEST"
    assert best["nodes"] == 1000
    pins.ask(Command.SEARCH, sequence=9, **limits)
    assert list(pins.answers(9, Command.SEARCH)) == [("BEST", best)]
    assert pins.do(Command.STATISTICS)["repeats"] == 2


@pytest.mark.parametrize("how", ["-T", "-W", "-B", "-S", "NEW_GAME", "RESET"])
def test_what_drops_a_search(pins, how):
    set_middle(pins)
    search_ = pins.ask(Command.SEARCH, **ENDLESS)
    pins.wait(300)
    if how == "NEW_GAME":
        sequence = pins.ask(Command.NEW_GAME, area=0, rules=1, turns=[])
    elif how == "RESET":
        sequence = pins.ask(Command.RESET)
    else:
        pins.send(how.encode() + b"\n")
    answers = []
    while not answers or answers[-1][0] != "ERROR":
        if how in ("-T", "-S") and pins.peek(10_000) == ord("L"):
            assert pins.line() == b"LL"
            continue
        answers += pins.answers(search_, Command.SEARCH)
    assert answers[-1][1] == {"error": ErrorCode.DROPPED, "command": Command.SEARCH}
    if how == "NEW_GAME":
        assert [name for name, _ in pins.answers(sequence, Command.NEW_GAME)] == ["GAME"]
    elif how == "RESET":
        assert [name for name, _ in pins.answers(sequence, Command.RESET)] == ["RESET"]
    elif how == "-W":
        assert pins.line() == b"@0/"
    identify(pins)
    known_game(pins)
