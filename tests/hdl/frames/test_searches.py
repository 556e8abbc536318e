"""SEARCH: limits, verdicts, progress, and the ways in which a search ends."""

from __future__ import annotations

import itertools

import pytest

from loopline.game import Position
from loopline.game.wire import CONTEXTS, PROGRESS_MS, Command, ErrorCode, Verdict
from loopline.hdl.search.types import Rank
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


def search(pins: Pins, **limits: int) -> list[tuple[str, dict]]:
    values = {**NO_LIMITS, **limits}
    return list(pins.answers(pins.ask(Command.SEARCH, **values), Command.SEARCH))


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
    """The variation agrees with the verdict, in positions of random games."""
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
        assert pins.line() in (b"@0/", b"@0+")
    identify(pins)
    known_game(pins)
