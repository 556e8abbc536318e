"""Counts of turn sequences."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from loopline.game import VARIANTS, Position, perft, play_game, variant_named
from tests.game.rules.variants import naive_game

FOLDER = Path(__file__).resolve().parents[1] / "data"


class Chosen(NamedTuple):
    """A position of a data file: how many sequences of one, two, ... turns there are."""

    variant: str
    name: str
    turns: list[str]
    counts: list[int]


def chosen_positions() -> list[Chosen]:
    """The positions of all data files; a file's name is that of its variant."""
    positions = []
    for path in sorted(FOLDER.glob("*.perft")):
        name = ""
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("# "):
                name = line[2:]
            elif line:
                turns, counts = line.split(";")
                numbers = [int(count) for count in counts.split()]
                positions.append(Chosen(path.stem, name, turns.split(), numbers))
    return positions


CHOSEN = chosen_positions()
IDS = [f"{chosen.variant}: {chosen.name}" for chosen in CHOSEN]


def test_every_variant_has_its_file() -> None:
    assert {chosen.variant for chosen in CHOSEN} >= set(VARIANTS)
    for name in VARIANTS:
        assert min(len(chosen.counts) for chosen in CHOSEN if chosen.variant == name) >= 2


@pytest.mark.parametrize("variant", VARIANTS)
def test_nothing_to_count(variant: str) -> None:
    assert perft(Position(variant_named(variant)), 0) == 1


@pytest.mark.slow
def test_six_turns_from_the_start() -> None:
    assert perft(Position(), 6) == 7_209_480


@pytest.mark.parametrize("chosen", CHOSEN, ids=IDS)
def test_chosen_positions(chosen: Chosen) -> None:
    """As deep as there are few sequences."""
    check_counts(chosen, [count for count in chosen.counts if count <= 2_000])


@pytest.mark.slow
@pytest.mark.parametrize("chosen", CHOSEN, ids=IDS)
def test_chosen_positions_further_on(chosen: Chosen) -> None:
    check_counts(chosen, chosen.counts)


def check_counts(chosen: Chosen, counts: list[int]) -> None:
    position = play_game(chosen.turns, variant_named(chosen.variant))
    assert [perft(position, depth) for depth in range(1, len(counts) + 1)] == counts
    assert [str(played.turn) for played in position.history] == chosen.turns


@pytest.mark.parametrize("chosen", CHOSEN, ids=IDS)
def test_the_slow_implementation_agrees_on_the_first_turns(chosen: Chosen) -> None:
    check_slowly(chosen, at_most=60)


@pytest.mark.slow
@pytest.mark.parametrize("chosen", CHOSEN, ids=IDS)
def test_the_slow_implementation_agrees_further_on(chosen: Chosen) -> None:
    check_slowly(chosen, at_most=4_000)


def check_slowly(chosen: Chosen, at_most: int) -> None:
    """Count as deep as there are so few sequences, but one turn in any case."""
    game = naive_game(chosen.variant)
    for turn in chosen.turns:
        game.play(turn)
    assert game.perft(1) == chosen.counts[0]
    for depth, count in enumerate(chosen.counts[1:], start=2):
        if count > at_most:
            break
        assert game.perft(depth) == count


def test_the_last_turn_is_only_counted() -> None:
    """The short way gives the same as making every turn."""
    position = play_game(["@0/", "A0\\"])
    total = 0
    for turn in position.legal_turns():
        position.play(turn)
        total += len(position.legal_turns())
        position.undo()
    assert perft(position, 2) == total


def test_a_finished_game_has_no_continuation() -> None:
    position = play_game(["@0/", "A0\\", "B1+", "@1/"])
    assert [perft(position, depth) for depth in range(3)] == [1, 0, 0]


def test_a_negative_depth_is_refused() -> None:
    with pytest.raises(ValueError, match="a depth is 0 or more, not -1"):
        perft(Position(), -1)
