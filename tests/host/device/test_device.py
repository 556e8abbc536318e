"""What ``Device`` adds to the commands of the link; ``tests/framed`` has those."""

import math
import time

import pytest

from loopline.game import (
    LOOP,
    STANDARD,
    NotationError,
    Variant,
)
from loopline.game.wire import Feature, TurnStatus
from loopline.host.device import CancelledError, Device
from loopline.host.device import device as device_module
from loopline.host.errors import UsageError
from tests.host.device.games import LOOP_GAME, random_game, turns_of

LONG_GAME_SEED = 31


def test_identity(device: Device) -> None:
    identity = device.identify()
    assert identity == device.identity
    assert identity.magic == "TRAX"
    assert 10 < identity.largest <= 62
    assert identity.clock // identity.bit_cycles in range(9600, 10**7)
    assert identity.variant == STANDARD
    assert Feature.LIST | Feature.SEARCH | Feature.POSITION in identity.features


def test_the_turns_of_the_game(device: Device) -> None:
    device.new_game(turns=LOOP_GAME[:2])
    device.play(*LOOP_GAME[2:], "B5+")
    assert [str(turn) for turn in device.turns] == LOOP_GAME
    device.take_back(2)
    assert [str(turn) for turn in device.turns] == LOOP_GAME[:2]


def test_a_game_of_more_turns_than_fit_into_a_frame(device: Device) -> None:
    position = random_game(LOOP, 160, LONG_GAME_SEED)
    turns = turns_of(position)
    state = device.new_game(LOOP, turns)
    assert (state.made, state.turns, state.status) == (160, 160, TurnStatus.LEGAL)
    assert state.tiles == len(position.history[-1].tiles)
    # More candidates and tiles than one byte counts.
    candidates = device.candidates()
    assert len(candidates) > 256
    assert {each.turn for each in candidates if each.legal} == set(position.legal_turns())
    assert len(device.position().tiles) == position.tiles > 256
    state = device.new_game(LOOP)
    state = device.play(*turns, turns[-1], turns[0])
    assert (state.made, state.turns) == (160, 160)
    assert state.status is TurnStatus.MISMATCH


def test_what_cannot_be_asked_for(device: Device) -> None:
    device.new_game(turns=LOOP_GAME)
    with pytest.raises(UsageError, match=r"1 to 255 turns are taken back at once, not 0"):
        device.take_back(0)
    with pytest.raises(UsageError, match=r"there is no turn to play"):
        device.play()
    with pytest.raises(UsageError, match=r"^A64\+ is beyond column and row 63"):
        device.play("A64+")
    with pytest.raises(UsageError, match=r"^boards know lines of 8 or none"):
        device.new_game(Variant("short", line_length=5))
    with pytest.raises(UsageError, match=r"depth of a search is 0 or more, not -1"):
        device.search(depth=-1)
    with pytest.raises(UsageError, match=r"seconds of a search is 0 or more, not nan"):
        device.search(seconds=math.nan)
    with pytest.raises(NotationError):
        device.play("B1")
    assert device.position().turns == 4


def test_a_search_of_more_cycles_than_a_device_counts_ends_by_this_clock(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A count of cycles has 32 bits: 55 s at 78 MHz. Here it has fewer."""
    device.new_game(turns=LOOP_GAME[:3])
    device.search(nodes=1)  # It may have to be compiled.
    monkeypatch.setattr(device_module, "_MOST_CYCLES", 100)
    for deadline in (None, time.monotonic() + 60):
        begun = time.monotonic()
        found = device.search(seconds=0.4, deadline=deadline)
        assert found.variation
        assert found.cycles > 100
        assert 0.4 <= time.monotonic() - begun < 10


def test_lists_can_be_cancelled(device: Device) -> None:
    device.new_game(turns=turns_of(random_game(STANDARD, 20, 4)))
    seen: list[int] = []
    with pytest.raises(CancelledError):
        device.candidates(report=lambda count: seen.append(count) or count == 3)
    assert seen == [1, 2, 3]
    with pytest.raises(CancelledError):
        device.position(report=lambda count: count == 2)
    assert len(device.legal_turns()) > 3


def test_statistics_count(device: Device) -> None:
    before = device.statistics()
    device.new_game(turns=["@0+"])
    after = device.statistics()
    assert after.frames_received == before.frames_received + 2
    assert after.frames_sent == before.frames_sent + 2
    assert after.bytes_received > before.bytes_received
    assert after.bytes_sent > before.bytes_sent
    assert (after.frames_damaged, after.frames_cut, after.overruns) == (0, 0, 0)
