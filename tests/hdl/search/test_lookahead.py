"""The two-turn search against a plain one over the reference rules, at native speed."""

from __future__ import annotations

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
    Position,
    Shape,
    Turn,
    Variant,
    limited,
    parse_turn,
    play_game,
    variant_named,
)
from loopline.hdl.config import GridConfig
from loopline.hdl.core.rules import rules_of
from loopline.hdl.core.types import SCORE_BITS, Status, TurnOp
from loopline.hdl.search.types import NOISE_BITS, Rank
from loopline.sim.probe.probe import Probe
from loopline.sim.probe.turn_unit import NativeTurnUnit
from tests.game.positions import chosen_positions
from tests.hdl.search.search_harness import SearchHarness

GRID = GridConfig(size=32)
SHAPES = {shape.code: shape for shape in Shape}

pytestmark = pytest.mark.xdist_group("look-ahead")  # Compiled once.


class Searcher:
    """Runs the harness on positions of the reference rules."""

    def __init__(self) -> None:
        self.probe = Probe(SearchHarness(GRID))
        self.rules = 0

    def core(self, op: TurnOp, **fields: int):
        fields = {f"core__{name}": value for name, value in fields.items()}
        return self.do(core__op=op, **fields)

    def do(self, **fields: int):
        command = self.probe.commands.pack(**fields) | self.rules
        return self.probe.outcomes.unpack(self.probe.call(command))

    def set_up(self, position: Position) -> None:
        rules = rules_of(position.variant, GRID).as_bits()
        self.rules = rules << self.probe.commands.fields["rules__area"][0]
        self.core(TurnOp.CLEAR)
        for played in position.history:
            first = played.tiles[0]
            mask = GRID.size - 1
            outcome = self.core(
                TurnOp.MAKE, x=first.x & mask, y=first.y & mask, symbol=first.tile.shape.code
            )
            assert outcome.core__status == Status.LEGAL.value
            self.core(TurnOp.COMMIT)

    def search(self, position: Position, **fields: int):
        """The rank and the turn found, or ``(rank, None)``."""
        found = self.found(position, **fields)
        rank = Rank(found.found__rank)
        return rank, None if rank is Rank.NONE else self.turn(position, found, "turn")

    def found(self, position: Position, **fields: int):
        """All that the searcher says."""
        found = self.do(search=1, colour=position.to_move, **fields)
        assert not found.abandoned
        return found

    def turn(self, position: Position, found, name: str) -> Turn:
        """A turn of the searcher's, by the labels of a position in which it can be made."""
        place = getattr(found, f"found__{name}__x"), getattr(found, f"found__{name}__y")
        for x, y in position.frontier() or [(0, 0)]:
            if (x & (GRID.size - 1), y & (GRID.size - 1)) == place:
                column, row = position.label(x, y) if position.turns else (0, 0)
                return Turn(column, row, SHAPES[getattr(found, f"found__{name}__symbol")])
        raise AssertionError(f"no frontier space at {place}")


@pytest.fixture(scope="module")
def searcher() -> Iterator[Searcher]:
    searcher = Searcher()
    yield searcher
    searcher.probe.close()


@pytest.fixture(scope="module")
def unit() -> Iterator[NativeTurnUnit]:
    unit = NativeTurnUnit(GRID)
    yield unit
    unit.close()


def rank_of(position: Position, turn: Turn) -> Rank:
    """Return the rank of a turn, by trying it and all replies."""
    mover = position.to_move
    played = position.play(turn)
    if played.result:
        rank = Rank.WIN if played.result.winner is mover else Rank.SUICIDE
    elif played.draw:
        rank = Rank.DRAW
    else:
        rank = Rank.SAFE
        for reply in position.legal_turns():
            answer = position.play(reply).result
            position.undo()
            if answer and answer.winner is not mover:
                rank = Rank.LOSING
                break
    position.undo()
    return rank


def score_after(unit: NativeTurnUnit, position: Position, turn: Turn) -> int:
    """The turn unit's evaluation after a turn, for the player who makes it."""
    unit.clear(position.variant)
    for played in (*position.history, position.play(turn)):
        first = played.tiles[0]
        unit.make(first.x, first.y, first.tile.shape)
        unit.commit()
    position.undo()
    return unit.score() if position.to_move is Colour.WHITE else -unit.score()


def random_position(seed: int, turns: int, variant: Variant = STANDARD) -> Position:
    """An unfinished position."""
    rng = random.Random(seed)
    while True:
        position = Position(variant)
        while position.turns < turns and not position.ending:
            position.play(rng.choice(position.legal_turns()))
        if not position.ending:
            return position


def check_search(searcher: Searcher, unit: NativeTurnUnit, position: Position) -> Rank:
    """Search, compare with the plain search, and return the rank of the best turns."""
    ranks = {turn: rank_of(position, turn) for turn in position.legal_turns()}
    best = max(ranks.values(), key=lambda rank: rank.value)
    searcher.set_up(position)
    rank, turn = searcher.search(position)
    assert rank is best
    assert ranks[turn] is best
    if best in (Rank.SAFE, Rank.LOSING):
        scores = {
            other: score_after(unit, position, other)
            for other, other_rank in ranks.items()
            if other_rank is best
        }
        assert scores[turn] + (1 << NOISE_BITS) - 1 >= max(scores.values())
    return best


@pytest.mark.parametrize("turns", [0, 1, 2, 4, 6, 8, 11, 14])
@pytest.mark.parametrize("seed", range(6))
def test_finds_a_turn_of_the_best_rank_and_score(searcher, unit, turns, seed):
    check_search(searcher, unit, random_position(seed * 100 + turns, turns))


@pytest.mark.parametrize("variant", [LIMITED, DELUXE, LOOP, MINI, limited(4)], ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_other_variants(searcher, unit, variant, seed):
    for turns in (0, 1, 3, 4) if variant.size in (3, 4) else (2, 7, 12):
        check_search(searcher, unit, random_position(seed * 100 + turns, turns, variant))


BOTH = chosen_positions("both")


@pytest.mark.parametrize("chosen", BOTH, ids=[chosen.name for chosen in BOTH])
def test_both_on_one_turn_wins_or_is_drawn(searcher, unit, chosen):
    """The turn is there to be made: it wins, but in Deluxe Trax it is worth no more than a draw."""
    position = play_game(chosen.turns[:-1], variant_named(chosen.variant))
    last = rank_of(position, parse_turn(chosen.turns[-1]))
    assert last is (Rank.DRAW if chosen.variant == "deluxe" else Rank.WIN)
    best = check_search(searcher, unit, position)
    assert best.value >= last.value


FULL = [chosen for chosen in chosen_positions("full") if len(chosen.turns) < 50]


@pytest.mark.parametrize("chosen", FULL, ids=[chosen.name for chosen in FULL])
def test_the_last_turns_in_a_small_area(searcher, unit, chosen):
    """From here back, as long as not much is left: turns that end the game without a winner."""
    position = play_game(chosen.turns, variant_named(chosen.variant))
    best = set()
    for _ in range(4):
        position.undo()
        best.add(check_search(searcher, unit, position))
    assert best & {Rank.DRAW, Rank.WIN}


def test_a_probe_says_whether_a_legal_turn_is_left(searcher):
    for chosen in FULL:
        position = play_game(chosen.turns, variant_named(chosen.variant))
        for _ in range(3):
            searcher.set_up(position)
            for late_after in (0, 1, 200):
                found = searcher.do(search=1, probe=1, colour=1, late_after=late_after)
                none_left = not position.result and position.draw is not None
                if not position.result:
                    assert (Rank(found.found__rank) is Rank.NONE) == none_left
            assert searcher.core(TurnOp.UNMAKE).core__status == Status.END.value
            position.undo()


def test_the_position_is_left_as_it_was(searcher):
    position = random_position(5, 9)
    searcher.set_up(position)
    before = searcher.core(TurnOp.SCORE)
    searcher.search(position)
    after = searcher.core(TurnOp.SCORE)
    assert after.core__score == before.core__score
    assert [value for name, value in after._asdict().items() if "box" in name] == [
        value for name, value in before._asdict().items() if "box" in name
    ]
    assert searcher.core(TurnOp.UNMAKE).core__status == Status.END.value


@pytest.mark.parametrize("late_after", [1, 50, 300, 2_000, 10_000, 40_000])
def test_out_of_time_it_answers_soon_and_legally(searcher, late_after):
    for seed in range(5):
        position = random_position(seed, 10)
        legal = {turn: rank_of(position, turn) for turn in position.legal_turns()}
        searcher.set_up(position)
        rank, turn = searcher.search(position, late_after=late_after)
        # What is under way when time runs out is one turn, with the reply that is being tried.
        assert searcher.probe.last_cycles <= late_after + 2_000
        assert turn in legal
        # Never worse than what it says; a turn of unknown rank may be anything that does not
        # win or lose by itself.
        if rank is Rank.UNKNOWN:
            assert legal[turn] in (Rank.LOSING, Rank.SAFE)
        else:
            assert legal[turn] is rank
        if rank is Rank.SUICIDE:
            assert set(legal.values()) == {Rank.SUICIDE}


def test_a_job_is_abandoned_within_one_operation(searcher):
    position = random_position(3, 2)
    searcher.set_up(position)
    for abandon_after in range(1, 4_000, 97):
        found = searcher.do(search=1, colour=0, abandon_after=abandon_after)
        assert found.abandoned
        assert searcher.probe.last_cycles <= abandon_after + 600
        # The bench's searcher is ready for the next game.
        searcher.set_up(position)
    rank, _ = searcher.search(position)
    assert rank is not Rank.NONE


def test_equal_turns_are_not_always_played_alike(searcher):
    position = Position()
    position.play("@0/")
    searcher.set_up(position)
    assert len({searcher.search(position)[1] for _ in range(40)}) > 1


def signed_score(found) -> int:
    """The probe's fields are unsigned."""
    sign = 1 << SCORE_BITS - 1
    return (found.found__score ^ sign) - sign


def said(found):
    """What has a meaning in every answer."""
    return [
        value
        for name, value in found._asdict().items()
        if "reply" not in name and "core" not in name
    ]


@pytest.mark.parametrize("seed", range(4))
def test_what_an_exact_search_says(searcher, unit, seed):
    """The best score of all, always the same; the reply that refutes; all turns were tried."""
    for turns in (0, 3, 8, 13):
        position = random_position(seed * 50 + turns, turns)
        ranks = {turn: rank_of(position, turn) for turn in position.legal_turns()}
        searcher.set_up(position)
        found = searcher.found(position, exact=1)
        assert said(found) == said(searcher.found(position, exact=1))
        best = searcher.turn(position, found, "turn")
        rank = Rank(found.found__rank)
        assert ranks[best] is rank
        if rank is Rank.WIN:
            assert (found.found__depth, found.found__score) == (1, 0)
            continue
        assert found.found__depth == 2
        # Each own turn twice, and at least one reply to those that do not end the game.
        assert found.nodes >= 3 * len(ranks) - 1
        if rank in (Rank.SAFE, Rank.LOSING):
            scores = [
                score_after(unit, position, turn) for turn, other in ranks.items() if other is rank
            ]
            assert signed_score(found) == max(scores) == score_after(unit, position, best)
        if rank is Rank.LOSING:
            mover = position.to_move
            position.play(best)
            reply = position.play(searcher.turn(position, found, "reply"))
            assert reply.result
            assert reply.result.winner is mover.other


@pytest.mark.parametrize("seed", range(4))
def test_a_shallow_search_takes_the_best_score(searcher, unit, seed):
    position = random_position(seed, 7)
    ranks = {turn: rank_of(position, turn) for turn in position.legal_turns()}
    searcher.set_up(position)
    found = searcher.found(position, exact=1, shallow=1)
    assert found.found__depth == 1
    best = searcher.turn(position, found, "turn")
    if Rank.WIN in ranks.values():
        assert ranks[best] is Rank.WIN
    else:
        assert Rank(found.found__rank) is Rank.UNKNOWN
        open_ended = [turn for turn, rank in ranks.items() if rank in (Rank.SAFE, Rank.LOSING)]
        assert signed_score(found) == max(score_after(unit, position, turn) for turn in open_ended)
        assert signed_score(found) == score_after(unit, position, best)


def test_a_limit_of_nodes_is_kept_and_repeats(searcher):
    position = random_position(2, 10)
    searcher.set_up(position)
    legal = {turn: rank_of(position, turn) for turn in position.legal_turns()}
    whole = searcher.found(position, exact=1)
    depths = set()
    for limit in [*range(1, 40), *range(40, whole.nodes + 60, 61)]:
        found = searcher.found(position, exact=1, limited=1, late_after=limit)
        again = searcher.found(position, exact=1, limited=1, late_after=limit)
        assert said(found) == said(again)
        # What is under way is finished: an own turn; and if all those so far are lost, the next.
        assert min(limit, whole.nodes) <= found.nodes <= limit + 2 + len(legal)
        assert searcher.turn(position, found, "turn") in legal
        depths.add(found.found__depth)
        if limit > whole.nodes:
            assert said(found) == said(whole)
    assert depths == {0, 1, 2}
