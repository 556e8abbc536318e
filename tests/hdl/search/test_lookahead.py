"""The two-turn search against a plain one over the reference model, at native speed."""

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
from loopline.hdl.core.types import Status, TurnOp
from loopline.hdl.search.lookahead import NOISE_BITS, Rank
from loopline.sim.probe import Probe
from loopline.sim.turn_unit import NativeTurnUnit
from tests.game.positions import chosen_positions
from tests.hdl.search.bench import SearchBench

GRID = GridConfig(size=32)
SHAPES = {shape.code: shape for shape in Shape}


class Searcher:
    """The searcher of the bench on the model's positions."""

    def __init__(self) -> None:
        self.probe = Probe(SearchBench(GRID))
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
                TurnOp.PLACE, x=first.x & mask, y=first.y & mask, symbol=first.tile.shape.code
            )
            assert outcome.core__status == Status.LEGAL.value
            self.core(TurnOp.COMMIT)

    def search(self, position: Position, **fields: int):
        """The rank and the turn found, by model coordinates, or ``(rank, None)``."""
        found = self.do(search=1, colour=position.to_move, **fields)
        assert not found.abandoned
        rank = Rank(found.found__rank)
        if rank is Rank.NONE:
            return rank, None
        place = found.found__turn__x, found.found__turn__y
        for x, y in position.frontier() or [(0, 0)]:
            if (x & (GRID.size - 1), y & (GRID.size - 1)) == place:
                column, row = position.label(x, y) if position.turns else (0, 0)
                return rank, Turn(column, row, SHAPES[found.found__turn__symbol])
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
    """What a turn is worth, by trying it and all replies."""
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
        unit.place(first.x, first.y, first.tile.shape)
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
            assert searcher.core(TurnOp.UNDO).core__status == Status.END.value
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
    assert searcher.core(TurnOp.UNDO).core__status == Status.END.value


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
