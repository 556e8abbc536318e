"""The chosen positions and the perft files of every variant, on the turn unit at native speed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from loopline.game import Colour, Shape, Turn, parse_turn, variant_named
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status, TurnOp
from loopline.sim.probe.turn_unit import Comparison, NativeTurnUnit, compare_game, count_sequences
from tests.game.positions import ChosenPosition, chosen_positions
from tests.game.test_perft import CHOSEN as PERFT
from tests.game.test_perft import IDS as PERFT_IDS

CHOSEN = chosen_positions()
LIMITS = chosen_positions("limits")
GRIDS = {size: GridConfig(size=size) for size in (8, 16, 32, 64)}

pytestmark = pytest.mark.xdist_group("turn units")  # Each compiled once.


@pytest.fixture(scope="module")
def units() -> Iterator[dict[int, NativeTurnUnit]]:
    units: dict[int, NativeTurnUnit] = {}
    yield units
    for unit in units.values():
        unit.close()


def unit_of(units: dict[int, NativeTurnUnit], size: int) -> NativeTurnUnit:
    """The unit on this grid, compiled when it is asked for first."""
    if size not in units:
        units[size] = NativeTurnUnit(GRIDS[size])
    return units[size]


class Seen:
    """A position as the unit alone knows it; turns are found by the box in its outcomes."""

    def __init__(self, unit: NativeTurnUnit, variant: str):
        self.unit = unit
        self.both_draws = variant_named(variant).both == "draw"
        self.unit.clear(variant_named(variant))
        self.box: tuple[int, int, int, int] | None = None
        self.tiles = 0
        self.turns = 0
        self.outcome = "-"

    def play(self, turn: Turn) -> Status:
        """Make a turn, if it is legal."""
        west, north = self.box[:2] if self.box else (1, 1)
        x, y = (west + turn.column - 1, north + turn.row - 1) if self.box else (0, 0)
        seen = self.unit.make(x, y, turn.shape)
        status = Status(seen.status)
        if status is Status.LEGAL:
            self.tiles += seen.tiles
            self.turns += 1
            self.box = seen.box__west, seen.box__north, seen.box__east, seen.box__south
            self.outcome = self._judge(seen.loops, seen.lines)
            self.unit.commit()
        return status

    def _judge(self, loops: int, lines: int) -> str:
        """As the data files write it; that nobody can move is told by the list of turns."""
        completed = loops | lines
        if not completed:
            return "-"
        if completed == 3 and self.both_draws:
            return "draw:both"
        mover = Colour((self.turns - 1) & 1)
        winner = mover if completed >> mover & 1 else mover.other
        kinds = [kind for kind, ways in (("loop", loops), ("line", lines)) if ways >> winner & 1]
        return f"{winner.letter}:{'+'.join(kinds)}{':both' * (completed == 3)}"

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        mask = self.unit.grid.size - 1
        west, north, east, south = self.box or (0, 0, 0, 0)
        return ((east - west) & mask) + 1, ((south - north) & mask) + 1

    def count(self) -> dict[Status, int]:
        """What becomes of each candidate."""
        counts = dict.fromkeys(Status, 0)
        for found in list(self.unit.candidates()):
            place = {"x": found.turn__x, "y": found.turn__y, "symbol": found.turn__symbol}
            status = Status(self.unit.do(TurnOp.MAKE, **place).status)
            counts[status] += 1
            if status is Status.LEGAL:
                self.unit.unmake()
        return counts


def check(chosen: ChosenPosition, seen: Seen) -> None:
    """Compare with what the file says."""
    counts = seen.count() if seen.outcome == "-" else dict.fromkeys(Status, 0)
    # What only the grid refuses is legal in the game; none of these rows has other such turns.
    assert counts[Status.LEGAL] + counts[Status.BOUNDS] == chosen.legal
    assert counts[Status.MISMATCH] == counts[Status.AREA] == 0
    if chosen.outcome == "draw:blocked":
        assert seen.outcome == "-"
        assert counts[Status.LEGAL] == 0
    elif not chosen.illegal:
        assert seen.outcome == chosen.outcome
    assert seen.tiles == chosen.tiles
    assert seen.size == (chosen.width, chosen.height)


@pytest.mark.parametrize("chosen", CHOSEN, ids=[f"{c.file}: {c.name}" for c in CHOSEN])
def test_the_unit_says_what_the_file_says(units, chosen):
    seen = Seen(unit_of(units, 64), chosen.variant)
    *turns, last = map(parse_turn, chosen.turns)
    for number, turn in enumerate(turns, 1):
        status = seen.play(turn)
        if status is Status.BOUNDS:
            # More rows than this grid holds: it is refused, and nothing has changed.
            assert number == GRIDS[64].limit + 1 < max(chosen.width, chosen.height)
            assert max(seen.size) == seen.tiles == GRIDS[64].limit
            return
        assert status is Status.LEGAL
        assert seen.outcome == "-"
    if chosen.illegal:
        assert seen.play(last) is Status.FORCED
    elif max(chosen.width, chosen.height) > GRIDS[64].limit:
        assert seen.play(last) is Status.BOUNDS
        return
    else:
        assert seen.play(last) is Status.LEGAL
    check(chosen, seen)


@pytest.mark.parametrize("chosen", LIMITS, ids=[chosen.name for chosen in LIMITS])
@pytest.mark.parametrize("size", GRIDS)
def test_each_grid_holds_as_much_as_it_says(units, chosen, size):
    seen = Seen(unit_of(units, size), chosen.variant)
    limit = GRIDS[size].limit
    statuses = [seen.play(parse_turn(turn)) for turn in chosen.turns[: limit + 1]]
    # Each turn but the first adds a column or row.
    held = min(len(chosen.turns), limit)
    assert statuses[:held] == [Status.LEGAL] * held
    assert statuses[held:] == [Status.BOUNDS] * (len(chosen.turns) > limit)
    assert max(seen.size) == seen.tiles == held
    if len(chosen.turns) <= limit:
        check(chosen, seen)


ROOMY = [c for c in CHOSEN if max(c.width, c.height) < GRIDS[64].limit]


@pytest.mark.parametrize("chosen", ROOMY, ids=[f"{c.file}: {c.name}" for c in ROOMY])
def test_the_unit_agrees_with_the_rules_before_each_turn(units, chosen):
    """The lists of legal turns, too, where there are not too many turns."""
    differences = Comparison()
    variant = variant_named(chosen.variant)
    lists = len(chosen.turns) < 60
    compare_game(unit_of(units, 64), chosen.turns, differences, lists=lists, variant=variant)
    assert differences.differences == []


@pytest.mark.parametrize("chosen", PERFT, ids=PERFT_IDS)
def test_perft_of_every_variant(units, chosen):
    """To where there are no more than a few thousand sequences."""
    unit = unit_of(units, 64)
    seen = Seen(unit, chosen.variant)
    for turn in chosen.turns:
        assert seen.play(parse_turn(turn)) is Status.LEGAL
    if seen.outcome != "-":
        assert not any(chosen.counts)
        return
    depths = [depth for depth, count in enumerate(chosen.counts, 1) if count < 4_000]
    assert [count_sequences(unit, depth) for depth in depths] == chosen.counts[: len(depths)]


@pytest.mark.parametrize("name", ["mini", "limited-4", "limited", "limited-1", "limited-62"])
@pytest.mark.parametrize("step", [(1, 0), (0, 1), (-1, 0), (0, -1)])
def test_an_area_ends_where_the_variant_says(units, name, step):
    """A straight row: what lies beyond its ends is neither listed nor made; beside it there is
    room, unless the area has one row only."""
    unit, area = unit_of(units, 64), variant_named(name).size
    unit.clear(variant_named(name))
    dx, dy = step
    for number in range(area):
        unit.commit()
        outcome = unit.make(dx * number, dy * number, Shape.CROSS)
        assert Status(outcome.status) is Status.LEGAL
    for number in (-1, area):
        for shape in Shape:
            # A space with one socket takes any shape.
            status = Status(unit.make(dx * number, dy * number, shape).status)
            assert status is Status.AREA
    listed = {(found.turn__x, found.turn__y) for found in unit.candidates()}
    row = range(area)
    expected = {
        ((dx * number + side * dy) & 63, (dy * number + side * dx) & 63)
        for number in row
        for side in (-1, 1)
    }
    assert listed == (expected if area > 1 else set())
    assert unit.unmake().box__empty == (area == 1)
