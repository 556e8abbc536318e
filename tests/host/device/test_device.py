"""Every command on every device, against the rules."""

import pytest

from loopline.game import (
    DELUXE,
    LIMITED,
    LOOP,
    MINI,
    STANDARD,
    VARIANTS,
    Colour,
    NotationError,
    Position,
    Variant,
    limited,
)
from loopline.game.wire import Completed, ErrorCode, Feature, GameFlag, TurnStatus
from loopline.game.wire import TestPart as Part
from loopline.host.device import CancelledError, Device
from loopline.host.errors import UsageError
from tests.host.device.games import LOOP_GAME, random_game, refused, turns_of

LONG_GAME_SEED = 31


def test_identity(device: Device) -> None:
    identity = device.identify()
    assert identity == device.identity
    assert identity.magic == "TRAX"
    assert 10 < identity.largest <= 62
    assert identity.clock // identity.bit_cycles in range(9600, 10**7)
    assert identity.variant == STANDARD
    assert Feature.LIST | Feature.SEARCH | Feature.POSITION in identity.features


def test_a_whole_game(device: Device) -> None:
    state = device.new_game()
    assert (state.made, state.turns, state.state) == (0, 0, GameFlag.ON)
    position = Position()
    for turn in LOOP_GAME:
        played = position.play(turn)
        state = device.play(turn)
        assert (state.made, state.status, state.tiles) == (1, TurnStatus.LEGAL, len(played.tiles))
        assert state.turns == position.turns
        red = GameFlag.RED_TO_MOVE in state.state
        assert red is (position.to_move is Colour.RED)
    assert state.over
    assert state.completed == Completed.WHITE_LOOP
    assert [str(turn) for turn in device.turns] == LOOP_GAME
    state = device.play("B5+")
    assert (state.made, state.status) == (0, TurnStatus.OVER)
    state = device.take_back(2)
    assert (state.made, state.turns, state.over) == (2, 2, False)
    assert [str(turn) for turn in device.turns] == LOOP_GAME[:2]


@pytest.mark.parametrize(
    ("before", "turn", "status"),
    [
        ("@0+", "B2+", TurnStatus.MISMATCH),
        ("@0+", "A1+", TurnStatus.MISMATCH),
        ("@0+", "E1+", TurnStatus.OUTSIDE),
        ("@0+", "A3+", TurnStatus.OUTSIDE),
        ("", "@0\\", TurnStatus.MISMATCH),
    ],
)
def test_turns_that_are_refused(device: Device, before: str, turn: str, status: TurnStatus) -> None:
    device.new_game(turns=before.split())
    state = device.play(turn, "B1+")
    assert (state.made, state.status) == (0, status)
    assert device.turns == device.turns[: len(before.split())]
    assert device.position().turns == len(before.split())


def test_a_forced_conflict_is_refused(device: Device) -> None:
    position = random_game(STANDARD, 30, 21)
    device.new_game(turns=turns_of(position))
    bad = [candidate for candidate in device.candidates() if not candidate.legal]
    assert bad
    for candidate in bad:
        assert candidate.status is TurnStatus.FORCED
        assert not position.is_legal(candidate.turn)
        assert device.play(candidate.turn).status is TurnStatus.FORCED


def test_a_turn_beyond_the_area_is_refused(device: Device) -> None:
    device.new_game(MINI, ["@0+", "@1+", "@1+"])
    state = device.play("@1+")
    assert (state.made, state.status) == (0, TurnStatus.AREA)


def test_a_formation_as_large_as_the_board(device: Device) -> None:
    largest = device.identity.largest
    state = device.new_game(LOOP, ["@0+", *["@1+"] * largest])
    assert (state.made, state.status, state.turns) == (largest, TurnStatus.BOUNDS, largest)


@pytest.mark.parametrize(
    "variant", [*VARIANTS.values(), limited(5)], ids=lambda variant: str(variant)
)
def test_positions_and_legal_turns(device: Device, variant: Variant) -> None:
    position = random_game(variant, 5 if variant == MINI else 12, 7)
    device.new_game(variant, turns_of(position))
    held = device.position()
    west, north = position.west - 1, position.north - 1
    assert held.tiles == {(x - west, y - north): tile for x, y, tile in position.cells()}
    assert held.sockets.keys() == {(x - west, y - north) for x, y in position.frontier()}
    for (column, row), bits in held.sockets.items():
        sockets = position.sockets(column + west, row + north)
        assert bits == sum(side.bit << 4 * (not colour) for side, colour in sockets.items())
    for (here, colour), there in held.ends.items():
        assert held.ends[there, colour] == here
    assert (held.columns, held.rows, held.turns) == (
        position.width,
        position.height,
        position.turns,
    )
    legal = device.legal_turns()
    assert len(legal) == len(set(legal))
    assert set(legal) == set(position.legal_turns())
    for candidate in device.candidates():
        if candidate.legal:
            played = position.play(candidate.turn)
            assert len(played.tiles) == candidate.tiles
            assert bool(candidate.completed) == bool(played.loops or played.lines)
            position.undo()


def test_the_empty_board(device: Device) -> None:
    held = device.position()
    assert (held.state, held.turns, held.columns, held.tiles) == (GameFlag(0), 0, 0, {})
    device.new_game()
    held = device.position()
    assert (held.state, held.turns, held.columns, held.tiles) == (GameFlag.ON, 0, 0, {})
    assert {str(turn) for turn in device.legal_turns()} == {"@0+", "@0/"}


def test_rules_of_the_variant(device: Device) -> None:
    line = ["@0+", *["@1+"] * 7]
    ended = [device.new_game(variant, line).over for variant in (STANDARD, LIMITED, LOOP)]
    assert ended == [True, True, False]
    assert device.new_game(DELUXE, line).completed & (Completed.WHITE_LINE | Completed.RED_LINE)


def test_a_game_of_more_turns_than_fit_into_a_frame(device: Device) -> None:
    position = random_game(LOOP, 130, LONG_GAME_SEED)
    turns = turns_of(position)
    state = device.new_game(LOOP, turns)
    assert (state.made, state.turns, state.status) == (130, 130, TurnStatus.LEGAL)
    assert state.tiles == len(position.history[-1].tiles)
    state = device.new_game(LOOP)
    state = device.play(*turns, turns[-1], turns[0])
    assert (state.made, state.turns) == (130, 130)
    assert state.status is TurnStatus.MISMATCH


def test_what_cannot_be_asked_for(device: Device) -> None:
    for ask in (lambda: device.play("@0+"), device.take_back, device.candidates, device.search):
        with refused(ErrorCode.NO_GAME):
            ask()
    device.new_game(turns=LOOP_GAME)
    for ask in (device.candidates, device.search):
        with refused(ErrorCode.GAME_OVER):
            ask()
    with refused(ErrorCode.NOTHING):
        device.take_back(5)
    with pytest.raises(UsageError, match=r"1 to 255 turns are taken back at once, not 0"):
        device.take_back(0)
    with pytest.raises(UsageError, match=r"there is no turn to play"):
        device.play()
    with pytest.raises(UsageError, match=r"^A64\+ is beyond column and row 63"):
        device.play("A64+")
    with pytest.raises(UsageError, match=r"^boards know lines of 8 or none"):
        device.new_game(Variant("short", line_length=5))
    with pytest.raises(NotationError):
        device.play("B1")
    assert device.position().turns == 4


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


def test_self_test_and_reset_drop_the_game(device: Device) -> None:
    device.new_game(turns=["@0+"])
    if Feature.SELF_TEST not in device.identity.features:
        with refused(ErrorCode.UNKNOWN):
            device.self_test()
        return
    tested = device.self_test()
    assert Part.TURNS | Part.UNMAKE | Part.CLEARED in tested.parts
    assert tested.failed == Part(0)
    assert device.turns == ()
    assert GameFlag.ON not in device.position().state
    device.new_game(turns=["@0+"])
    device.reset()
    assert GameFlag.ON not in device.position().state
