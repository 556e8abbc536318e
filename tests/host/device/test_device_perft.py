"""``loopline perft --device``: devices that count by themselves, and those that list turns only."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from loopline.game import LOOP, MINI, STANDARD, Variant, limited, perft, play_game
from loopline.game.wire import COUNT_DEPTH, Feature
from loopline.host.device import Device, open_device
from loopline.host.device.perft import RoomError, device_perft
from loopline.host.errors import UsageError
from tests.host.program import loopline

CASES = [
    ("", STANDARD),
    ("@0+ @1+ A0/", STANDARD),
    ("@0+ @1+ @1+", MINI),
    ("@0+ @1+ A0/ A3\\", STANDARD),
]
"""The last one is over."""


@pytest.fixture(scope="module", params=[1, 2])
def board(request: pytest.FixtureRequest) -> Iterator[Device]:
    """A simulated board with an evaluator, and so many lanes."""
    with open_device(f"sim:grid=16,lanes={request.param},evaluator=on") as device:
        yield device


def check(device: Device, turns: str, variant: Variant, deepest: int) -> None:
    position = play_game(turns.split(), variant)
    for depth in range(1, deepest + 1):
        expected = perft(position, depth) if not position.ending else 0
        assert device_perft(device, depth, turns.split(), variant) == expected


@pytest.mark.parametrize(("turns", "variant"), CASES)
def test_the_engine_counts(engine: Device, turns: str, variant: Variant) -> None:
    assert Feature.COUNT in engine.identity.features
    check(engine, turns, variant, 3)


@pytest.mark.slow  # A board of its own, which takes a minute or two to compile.
@pytest.mark.xdist_group("host-board")
@pytest.mark.parametrize(("turns", "variant"), CASES)
def test_a_simulated_board_counts(board: Device, turns: str, variant: Variant) -> None:
    assert Feature.COUNT | Feature.EVALUATE in board.identity.features
    check(board, turns, variant, 3)


def test_more_turns_than_a_device_counts_at_once(
    engine: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    count = Device.count

    def counting(device: Device, depth: int = 1):
        asked.append(depth)
        return count(device, depth)

    monkeypatch.setattr(Device, "count", counting)
    assert device_perft(engine, COUNT_DEPTH + 1) == perft(play_game([]), COUNT_DEPTH + 1)
    # To know how many turns there are; and behind each of the two first ones.
    assert asked == [1, COUNT_DEPTH, COUNT_DEPTH]
    with pytest.raises(UsageError, match="1 to 3 turns are counted, not of 4"):
        engine.count(COUNT_DEPTH + 1)


def test_games_that_end_as_no_turn_is_left(engine: Device) -> None:
    check(engine, "", limited(2), 6)


def test_a_device_that_lists_turns(engine: Device) -> None:
    identity = engine.identity
    features = identity.features
    object.__setattr__(identity, "features", features & ~Feature.COUNT)
    try:
        check(engine, "@0+ @1+ A0/", STANDARD, 2)
        with pytest.raises(UsageError, match="does not count turns"):
            engine.count()
    finally:
        object.__setattr__(identity, "features", features)


def check_room(device: Device) -> None:
    column = ["@0+", *["@1+"] * (device.identity.largest - 2)]
    assert device_perft(device, 1, column, LOOP) == perft(play_game(column, LOOP), 1)
    with pytest.raises(RoomError, match="no room for all turns"):
        device_perft(device, 2, column, LOOP)
    with pytest.raises(RoomError, match="no room for these turns"):
        device_perft(device, 1, ["@0+", *["@1+"] * device.identity.largest], LOOP)


def test_turns_beyond_a_device_that_counts(engine: Device) -> None:
    assert Feature.COUNT in engine.identity.features
    check_room(engine)


@pytest.mark.slow
@pytest.mark.xdist_group("host-board")
def test_turns_beyond_a_simulated_board_that_counts(board: Device) -> None:
    check_room(board)


@pytest.mark.xdist_group("host-board")
def test_turns_beyond_a_simulated_board_that_lists(sim_port: str) -> None:
    with open_device(sim_port) as device:
        assert Feature.COUNT not in device.identity.features
        check_room(device)


def test_the_counts_of_a_device() -> None:
    done = loopline("perft", "3", "@0+", "@1+", "--device", "engine")
    assert done.stdout.splitlines() == loopline("perft", "3", "@0+", "@1+").stdout.splitlines()
    assert len(done.stdout.splitlines()) == 3


def test_other_processes_do_not_count_for_a_device() -> None:
    done = loopline("perft", "1", "--device", "engine", "--processes", "2")
    assert done.returncode == 2
    assert "nothing for other processes" in done.stderr
