"""A device that differs from the rules is noticed, whatever the difference is."""

from dataclasses import replace
from pathlib import Path

import pytest

from loopline.game import IllegalTurnError, Position, Turn, parse_turn, variant_named
from loopline.game.wire import Completed, GameFlag, TurnStatus
from loopline.host.device import BoardPosition, Candidate, Device, GameState
from loopline.host.device.compare import Comparison, compare_game
from loopline.host.device.test_vectors import VECTORS

POSITIONS = sorted((Path(__file__).parents[2] / "data" / "positions").glob("*.txt"))
GAME = [parse_turn(text) for text in "@0+ @1+ A0/ A3\\".split()]


class Bent:
    """A device whose answers a test bends, after some turn."""

    def __init__(self, device: Device, after: int, **bends: object) -> None:
        self._device = device
        self._after = after
        self._bends = bends
        self.new_game = device.new_game

    def _bent(self, name: str, value: object) -> object:
        bend = self._bends.get(name)
        if bend is None or len(self._device.turns) != self._after:
            return value
        return bend(value)  # type: ignore[operator]

    def play(self, turn: Turn) -> object:
        return self._bent("play", self._device.play(turn))

    def position(self) -> object:
        return self._bent("position", self._device.position())

    def candidates(self) -> object:
        return self._bent("candidates", self._device.candidates())


def compared(device: Device, after: int = 3, **bends: object) -> Comparison:
    return compare_game(Bent(device, after, **bends), variant_named("standard"), GAME)  # type: ignore[arg-type]


def without_tile(held: BoardPosition) -> BoardPosition:
    return replace(held, tiles=dict(list(held.tiles.items())[1:]))


def other_sockets(held: BoardPosition) -> BoardPosition:
    return replace(held, sockets={**held.sockets, (0, 1): 0x10})


def first_changed(**changes: object) -> object:
    def change(found: list[Candidate]) -> list[Candidate]:
        return [replace(found[0], **changes), *found[1:]]  # type: ignore[arg-type]

    return change


@pytest.mark.parametrize(
    ("bend", "text"),
    [
        ({"play": lambda s: replace(s, tiles=s.tiles + 1)}, "A0/: tiles of the turn: 3, and 2 by"),
        (
            {"play": lambda s: replace(s, completed=Completed.RED_LINE)},
            "completed: red line, and",
        ),
        ({"play": lambda s: replace(s, state=s.state | GameFlag.OVER)}, "over: True, and False"),
        ({"play": lambda s: replace(s, state=GameFlag.ON)}, "red to move: False, and True by"),
        ({"play": lambda s: replace(s, turns=9)}, "turn 3, A0/: turns: 9, and 3 by the rules"),
        ({"play": lambda s: replace(s, status=TurnStatus.FORCED)}, "it refuses it (FORCED)"),
        ({"position": without_tile}, "after turn 3: other tiles at A1"),
        ({"position": other_sockets}, "after turn 3: other tracks into @1"),
        ({"candidates": lambda found: found[1:]}, "after turn 3: it does not list C2+"),
        ({"candidates": first_changed(turn=parse_turn("A1+"))}, "it lists A1+, which is not legal"),
        ({"candidates": first_changed(tiles=7)}, "C2+ would be 7 tiles and complete nothing, and"),
        ({"candidates": first_changed(completed=Completed.WHITE_LOOP)}, "complete white loop, and"),
    ],
)
def test_each_difference_is_noticed(engine: Device, bend: dict[str, object], text: str) -> None:
    found = compared(engine, **bend)
    assert text in str(found)
    assert str(found).startswith("the device differs: ")


def test_a_device_that_agrees(opened: Device) -> None:
    assert str(compared(opened)) == "the device agrees on 4 turns"


def test_a_legal_turn_that_is_too_large_is_no_difference(engine: Device) -> None:
    found = compared(engine, candidates=first_changed(status=TurnStatus.BOUNDS))
    assert found == Comparison(4, (), beyond=False)

    def beyond(state: GameState) -> GameState:
        return replace(state, status=TurnStatus.BOUNDS)

    assert compared(engine, play=beyond) == Comparison(2, (), beyond=True)


def test_an_illegal_turn_that_is_taken(engine: Device) -> None:
    found = compare_game(engine, variant_named("standard"), GAME[:1], parse_turn("A2+"))
    assert found.differences == ("turn 2, A2+: it takes it for legal",)


def test_an_illegal_turn_that_no_frame_holds(engine: Device) -> None:
    found = compare_game(engine, variant_named("standard"), GAME[:1], parse_turn("ZZ99+"))
    assert found == Comparison(1, (), beyond=False)


@pytest.mark.parametrize("file", POSITIONS, ids=lambda file: file.stem)
def test_positions_with_everything(engine: Device, file: Path) -> None:
    """The last turns of difficult games; all turns of some are in ``loopline selftest``."""
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        name, variant, _, _, _, _, text = line.split(" | ")
        position = Position(variant_named(variant))
        turns = [parse_turn(turn) for turn in text.split()]
        legal = 0
        for turn in turns:
            try:
                position.play(turn)
            except IllegalTurnError:
                break
            legal += 1
        largest = engine.identity.largest
        if max(position.width, position.height) > largest:
            continue
        engine.new_game(variant_named(variant), turns[:legal])
        held = engine.position()
        assert len(held.tiles) == position.tiles, name
        assert (held.columns, held.rows) == (position.width, position.height), name
        assert (GameFlag.OVER in held.state) is (position.ending is not None), name
        for turn in turns[legal:]:
            assert engine.play(turn).status is TurnStatus.FORCED, name


def test_what_selftest_knows_is_taken_from_these_positions() -> None:
    lines = [line for file in POSITIONS for line in file.read_text(encoding="utf-8").splitlines()]
    fields = [line.split(" | ") for line in lines if " | " in line and not line.startswith("#")]
    known = {(name, variant, turns) for name, variant, *_, turns in fields}
    assert known.issuperset(VECTORS)
