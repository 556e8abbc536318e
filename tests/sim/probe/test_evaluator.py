"""The candidate evaluator at native speed against the rules: every candidate all along games.

Games come from ``../shared/games``, from ``tests/data/positions`` and from seeds. By the rules each
candidate is made and unmade; the unit has to say the same of it without making it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from contextlib import closing

import pytest

from loopline.game import (
    DELUXE,
    LIMITED,
    LOOP,
    MINI,
    SHAPE_OF_CODE,
    STANDARD,
    Position,
    Turn,
    Variant,
    parse_turn,
    variant_named,
)
from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status
from loopline.hdl.evaluator import types as types_module
from loopline.hdl.evaluator import union_find as union_find_module
from loopline.hdl.evaluator.chain import ring as ring_module
from loopline.hdl.evaluator.chain import stage_join as join_module
from loopline.sim.probe.evaluator import CycleUse, NativeEvaluator
from tests.game.corridors import corridor
from tests.game.positions import ChosenPosition, chosen_positions
from tests.game.shared_games import human_games, random_games
from tests.hdl.core.unit.games import random_turns, start_of
from tests.hdl.evaluator.verdicts import Evaluations, Key, by_rules
from tests.sim.probe.units import EACH_SIZE, group

GAME_VARIANTS = {"Trax": STANDARD, "8x8 Trax": LIMITED, "Loop Trax": LOOP}
CHOSEN = chosen_positions()


def by_unit(
    unit: NativeEvaluator, seen: Counter[str], rare: dict[Key, set[str]]
) -> tuple[Evaluations, Counter[int]]:
    """Return every candidate's evaluation by the unit; and by shape the number of those with AREA.

    ``NEXT`` does not list candidates outside of the area, so their coordinates are not known.
    """
    evaluated_candidates = list(unit.evaluate_all())
    spaces = unit.spaces()
    found: Evaluations = {}
    outside: Counter[int] = Counter()
    for index, shape, evaluation, _, slow in evaluated_candidates:
        seen[evaluation.status.name] += 1
        seen["slow"] += slow
        seen["tiles"] = max(seen["tiles"], evaluation.tiles)
        seen["loops"] += evaluation.loops != 0
        seen["lines"] += evaluation.lines != 0
        if evaluation.status is Status.AREA:
            assert index not in spaces
            outside[shape] += 1
        else:
            where = (*spaces[index], shape)
            assert where not in found, f"{where} is evaluated twice"
            found[where] = evaluation
            for what in rare.get(where, ()):
                seen[f"{what}, slow" if slow else what] += 1
    return found, outside


def check(unit: NativeEvaluator, position: Position, seen: Counter[str]) -> None:
    """Compare all candidates."""
    expected, rare = by_rules(position, unit.grid)
    found, outside = by_unit(unit, seen, rare)
    seen["positions"] += 1
    assert outside == Counter(
        code for (_, _, code), said in expected.items() if said.status is Status.AREA
    )
    inside = {key: said for key, said in expected.items() if said.status is not Status.AREA}
    for key in found.keys() | inside.keys() if found != inside else ():
        assert found.get(key) == inside.get(key), (
            f"candidate {key}: found {found.get(key)}, expected {inside.get(key)} "
            f"after {' '.join(map(str, position.history))}"
        )


def play(unit: NativeEvaluator, position: Position, turn: Turn) -> Status:
    """Make a turn on both, if the unit makes it."""
    status = Status(unit.make(*start_of(position, turn)).status)
    if status is Status.LEGAL:
        position.play(turn)
    return status


def check_game(
    unit: NativeEvaluator,
    turns: Iterable[Turn | str],
    seen: Counter[str],
    *,
    variant: Variant = STANDARD,
    every: int = 1,
) -> Position:
    """Compare the position before each turn, or before every so manieth and the last few."""
    position = Position(variant)
    unit.clear(variant)
    assert list(unit.evaluate_all()) == []
    turns = [parse_turn(turn) if isinstance(turn, str) else turn for turn in turns]
    for number, turn in enumerate(turns):
        if position.turns and (number % every == 0 or number > len(turns) - 3):
            check(unit, position, seen)
        status = play(unit, position, turn)
        if status is not Status.LEGAL:
            # Illegal in the game, or more than the grid holds: nothing has changed.
            check(unit, position, seen)
            return position
        unit.commit()
    if not position.ending:
        check(unit, position, seen)
    return position


@group(64)
def test_human_games(unit):
    games = human_games()
    others = [game for game in games if game.variant != "Trax"]
    standard = [game for game in games if game.variant == "Trax"]
    seen: Counter[str] = Counter()
    for game in others + random.Random(1).sample(standard, 40):
        check_game(unit, game.moves, seen, variant=GAME_VARIANTS[game.variant], every=2)
    assert seen["positions"] > 300
    assert seen["loops"] > 300
    assert seen["lines"] > 30


@group(64)
def test_recorded_random_games(unit):
    """These games are longer, and have more of the rare cases."""
    seen: Counter[str] = Counter()
    check_game(unit, ["@0/"], seen)  # The wiping after the reset does not count.
    wiped = unit.cycles_by_use()[CycleUse.WIPING]
    for game in random.Random(3).sample(random_games(), 40):
        check_game(unit, game.moves, seen, every=2)
    # The epochs have been used up a few times.
    assert unit.cycles_by_use()[CycleUse.WIPING] > wiped
    assert seen["positions"] > 150
    assert seen["FORCED"] > 100
    assert seen["slow"] > 50
    for rare in ("three at once", "arrival", "both colours"):
        assert seen[rare] > 20
        assert seen[f"{rare}, slow"] > 0


@pytest.mark.parametrize("variant", [STANDARD, LOOP, LIMITED, DELUXE, MINI], ids=str)
@pytest.mark.parametrize("size", EACH_SIZE)
def test_random_games_of_each_variant(units, size, variant):
    unit, seen = units[size], Counter()
    for seed in range(3 if size == 64 else 2):
        limit = min(unit.grid.limit, variant.size or 99)
        turns = random_turns(seed, most=16, limit=limit, finish=False, variant=variant)
        check_game(unit, turns, seen, variant=variant, every=3)
    # The games on the other grids are too few to reach an area of eight. On 8 x 8 the grid limits
    # before that area does.
    if variant is MINI or (variant.size and size in (8, 64)):
        assert seen["AREA" if variant.size <= unit.grid.limit else "BOUNDS"] > 0
    assert seen["positions"] > 4


def check_tree(unit: NativeEvaluator, position: Position, turns: int, seen: Counter[str]) -> None:
    """Compare the position and all that so many turns lead to."""
    if position.turns:
        check(unit, position, seen)
    for turn in position.legal_turns() if turns else ():
        assert play(unit, position, turn) is Status.LEGAL
        if not position.ending:
            check_tree(unit, position, turns - 1, seen)
        position.undo()
        unit.unmake()


@pytest.mark.parametrize(
    ("turns", "positions"),
    [(3, 450), pytest.param(4, 9742, marks=pytest.mark.slow)],
)
@pytest.mark.parametrize("size", EACH_SIZE[-1:])
def test_every_position_after_few_turns(units, size, turns, positions):
    """All games of up to so many turns, each candidate after each of their turns."""
    unit, seen = units[size], Counter()
    unit.clear(STANDARD)
    check_tree(unit, Position(), turns, seen)
    assert seen["positions"] == positions


@pytest.mark.parametrize("size", EACH_SIZE)
def test_random_games_with_stalls(units, size):
    unit, seen = units[size], Counter()
    for seed in range(4 if size == 64 else 2):
        unit.stall(seed + 1)
        turns = random_turns(50 + seed, most=18, limit=unit.grid.limit, finish=False)
        check_game(unit, turns, seen, every=3)
    assert seen["positions"] > 8
    assert size > 8 or seen["BOUNDS"] > 0


def chosen_for(size: int) -> list[ChosenPosition]:
    """The positions for a grid: all for the full one, for the others some, and those at its limit.

    One that is larger by one shows that the last turn is refused.
    """
    fit = [chosen for chosen in CHOSEN if max(chosen.width, chosen.height) < size]
    at_limit = [chosen for chosen in fit if max(chosen.width, chosen.height) >= size - 2]
    return fit if size == 64 else at_limit + fit[::5]


@pytest.mark.parametrize("size", EACH_SIZE)
def test_chosen_positions(units, size):
    """The positions before and after the last turn of each; the rare cases are in them."""
    unit, seen = units[size], Counter()
    for chosen in chosen_for(size):
        variant = variant_named(chosen.variant)
        check_game(unit, chosen.turns, seen, variant=variant, every=99)
    assert seen["BOUNDS"] > 0
    if size == 64:
        assert seen["AREA"] > 0
        assert seen["FORCED"] > 0
        assert seen["slow"] > 2
        assert seen["loops"] > 20
        assert seen["lines"] > 20
        for rare in ("three at once", "arrival", "both colours"):
            assert seen[rare] > 0, "not on the fast path"


@pytest.mark.parametrize("down", [False, True], ids=["across", "down"])
@pytest.mark.parametrize("size", EACH_SIZE)
def test_corridors(units, size, down):
    """One turn fills a whole corridor: more than the window holds, and more than is counted.

    On 16 x 16 the window is all of the torus.
    """
    unit, seen = units[size], Counter()
    length = {8: 1, 16: 9, 32: 25, 64: 36}[size]
    check_game(unit, corridor(length, down=down), seen, every=99)
    if size == 16:
        assert seen["far"] > 0
    if size > 16:
        assert seen["far"] == 0
        assert seen["far, slow"] > 0
    if size > 32:
        assert seen["many tiles"] == 0
        assert seen["many tiles, slow"] > 0


BOTH_WAYS = "@0+ B1/ C1/ D1/ E1/ F1/ G1/ H1/ I1/ J1/ K1/ L1/ M1/ N1/ O1/ P1/ Q1\\ R1/"
"""A tile above J1 forces a row of tiles to both sides. The space to the left of a candidate's
window has the low bits of the one to the right of the row, which has got a socket."""


@pytest.mark.parametrize("size", EACH_SIZE[2:])
def test_a_candidate_that_fills_its_window(units, size):
    unit, seen = units[size], Counter()
    position = check_game(unit, BOTH_WAYS.split(), seen, every=99)
    assert len(position.play("J0+").tiles) == 16
    assert seen["far, slow"] > 0
    assert seen["FORCED"] == 0


FOLDED = (
    "@0+ @1+ @1/ @1+ @1/ @1\\ @1\\ @1/ @1+ @1\\ @1\\ @1/ A2/ A3/ A4/ A5\\ B5\\ C5\\ D5/ E5\\ F5+ "
    "G5\\ H5\\ I5/ J5\\ K5/ @4\\ @4\\ @4\\ @4+ A5\\ A6/ A7/ A8/ B8/ C8/ D8/ E8\\ E7/ F7/ G7/ H7+ "
    "I7+ J7\\ K7\\ L7+ M7\\ N7/ O7+ P7\\ Q7+ Q6\\ Q5\\ Q4\\ Q3+ P3+ O3/ N3+ M3+ L3\\ K3+ J3\\ I3+ "
    "H3+ G3+"
)
"""A corridor with two bends in 11 x 5 spaces. Turns in its middle fill it to both ends, and reach
no more than six spaces in any direction."""


@group(64)
def test_more_tiles_than_a_candidate_counts_in_its_window(unit):
    seen: Counter[str] = Counter()
    position = check_game(unit, FOLDED.split(), seen, every=99)
    tiles = position.play("J4\\").tiles
    assert len(tiles) > 31
    x, y, _ = tiles[0]
    assert max(abs(x - column) for column, _, _ in tiles) <= 6
    assert max(abs(y - row) for _, row, _ in tiles) <= 6
    assert seen["many tiles"] == 0
    assert seen["many tiles, slow"] > 50


EIGHT_APART = "@0+ B1\\ C1+ D1\\ E1\\ F1\\ G1\\ H1\\ I1\\ J1\\ K1\\ L1+ L2\\ L3/ L4\\ K4+ J4\\"
"""J3+ forces a row of tiles to the west, and completes a loop to the east, where it reads the
track id of a tile that one in the row, eight cells away from it, has overwritten."""


@pytest.mark.parametrize("size", EACH_SIZE[1:])
def test_a_track_id_that_was_overwritten_eight_cells_away(units, size):
    unit, seen = units[size], Counter()
    position = check_game(unit, EIGHT_APART.split(), seen, variant=LOOP, every=99)
    played = position.play("J3+")
    assert len(played.tiles) == 11
    assert played.loops
    columns = {x for x, y, _ in played.tiles if y == 1}
    assert columns & {x + 8 for x in columns}
    assert seen["slow"] > 0


@pytest.mark.parametrize("bits", [1, 2])
@pytest.mark.slow
def test_tracks_that_take_each_others_rows(monkeypatch, bits):
    """With few rows of the union-find most tracks find theirs taken, and many both ways. With the
    real number of rows that is rare. No evaluation depends on it."""
    monkeypatch.setattr(union_find_module, "_ROW_BITS", bits)
    seen: Counter[str] = Counter()
    with closing(NativeEvaluator(GridConfig(size=32))) as unit:
        long = [game for game in random_games() if 50 < game.turns < 80]
        for game in random.Random(bits).sample(long, 3):
            check_game(unit, game.moves, seen, every=9)
        standard = [game for game in human_games() if game.variant == "Trax"]
        for game in random.Random(bits).sample(standard, 40):
            check_game(unit, game.moves, seen, every=99)
        check_game(unit, EIGHT_APART.split(), seen, variant=LOOP, every=2)
        # Four positions in which a loop is missed if exits in the second way go to another row.
        check_game(unit, random_games()[305].moves[:44], seen, every=41)
    assert seen["slow"] > 200
    assert seen["loops"] > 200
    assert seen["lines"] > 10


@pytest.mark.slow
def test_more_pending_spaces_than_the_stack_holds(monkeypatch):
    """With two rows instead of four. In the recorded random games no evaluation depends on there
    being only four rows; in these positions some would depend on there being only two."""
    for module in (types_module, ring_module, join_module):
        monkeypatch.setattr(module, "PENDING_SPACES", 2)
    seen: Counter[str] = Counter()
    with closing(NativeEvaluator(GridConfig(size=32))) as unit:
        for game, turns in ((355, 59), (374, 43), (386, 41)):
            check_game(unit, random_games()[game].moves[:turns], seen, every=99)
    assert seen["slow"] > 2


@pytest.mark.parametrize("size", EACH_SIZE)
def test_evaluation_leaves_the_position_as_it_was(units, size):
    """Turns made, kept and unmade at random with evaluations in between.

    The unit's own answer to MAKE of each candidate, where it lies and its frontier index are the
    same before and after, and those of the rules.
    """
    unit, rng, seen = units[size], random.Random(size), Counter()
    position = Position()
    unit.clear(STANDARD)
    kept = 0
    for number in range(240 if size == 64 else 30):
        kind = rng.random()
        if kind < 0.1 and position.turns:
            unit.commit()
            kept = 0
        elif kept and kind < 0.4:
            position.undo()
            unit.unmake()
            kept -= 1
        else:
            turn = rng.choice([*position.legal_turns()])
            if play(unit, position, turn) is not Status.LEGAL:
                continue
            kept += 1
            if position.ending:
                position.undo()
                unit.unmake()
                kept -= 1
        if position.turns and number % 3 == 0:
            spaces = unit.spaces()
            made = made_and_unmade(unit, spaces)
            found, _ = by_unit(unit, seen, {})
            assert {key: said[:4] for key, said in found.items()} == made
            assert unit.spaces() == spaces
            check(unit, position, seen)
            assert made_and_unmade(unit, spaces) == made
    assert seen["positions"] > 5


@group(64)
def test_what_does_not_fit_the_journal(unit):
    """Kept turns fill the journal: MAKE then refuses, but evaluator only on the slow path.

    Off the slow path a candidate is evaluated by the rules and the grid alone.
    """
    position = Position()
    unit.clear(STANDARD)
    for turn in corridor(30):
        assert play(unit, position, turn) is Status.LEGAL
        unit.commit()
    rng, kept = random.Random(1), 0
    while True:
        quiet = [turn for turn in position.legal_turns() if tiles_of(position, turn) == 1]
        if play(unit, position, rng.choice(quiet)) is not Status.LEGAL:
            break
        kept += 1
    expected, _ = by_rules(position, unit.grid)
    spaces, refused = unit.spaces(), Counter()
    for index, shape, evaluation, _, slow in unit.evaluate_all():
        said = expected[*spaces[index], shape]
        if evaluation.status is Status.BOUNDS and said.status is not Status.BOUNDS:
            assert slow
            refused["candidates"] += 1
        else:
            assert evaluation == said
    made = made_and_unmade(unit, spaces)
    refused["turns"] = sum(status is Status.BOUNDS for status, *_ in made.values())
    assert refused["turns"] > refused["candidates"] > 5
    for _ in range(kept):
        unit.unmake()
        position.undo()
    check(unit, position, Counter())


def tiles_of(position: Position, turn: Turn) -> int:
    """How many tiles a legal turn lays, but 0 if it ends the game."""
    played = position.play(turn)
    ends = position.ending
    position.undo()
    return 0 if ends else len(played.tiles)


def made_and_unmade(
    unit: NativeEvaluator, spaces: dict[int, tuple[int, int]]
) -> dict[Key, tuple[Status, int, int, int]]:
    """Return what MAKE says of each candidate."""
    made = {}
    for x, y in spaces.values():
        for code, shape in enumerate(SHAPE_OF_CODE):
            outcome = unit.make(x, y, shape)
            status = Status(outcome.status)
            if status is Status.LEGAL:
                unit.unmake()
                made[x, y, code] = status, outcome.tiles, outcome.loops, outcome.lines
            elif status is not Status.MISMATCH:
                made[x, y, code] = status, 0, 0, 0
    return made
