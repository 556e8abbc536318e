"""Turns kept to a depth of 32 and more, and unmade one by one, with evaluations at each depth."""

from __future__ import annotations

import random

import pytest

from loopline.bench.torture.checked_unit import CheckedUnit
from loopline.game import LOOP, STANDARD
from loopline.hdl.core.types import Status
from tests.sim.probe.units import group

pytestmark = group(64)

DEPTH = 32


def quiet_turn(checked: CheckedUnit, rng: random.Random) -> bool:
    """Make a random turn that ends nothing and is not too long for the journal to hold 32."""
    position = checked.position
    turns = [position.named(*turn) for turn in position.candidates()]
    for turn in rng.sample(turns, len(turns)):
        evaluation, _ = position.evaluate(turn)
        ends = evaluation.loops | evaluation.lines
        if evaluation.tiles < 4 and not ends and checked.make(turn) is Status.LEGAL:
            return True
    return False


@pytest.mark.parametrize(("variant", "seed"), [(STANDARD, 2), (STANDARD, 3), (LOOP, 4)])
def test_turns_are_unmade_one_by_one_from_a_depth_of_32(unit, variant, seed):
    """At each depth position, candidates and memories are what they were on the way there.

    What ``EVALUATE`` says is compared with the rules on both ways; the list of candidates and their
    frontier indices, and the memories, with those of the way there.
    """
    rng = random.Random(seed)
    checked = CheckedUnit(unit, variant, (63, 1))
    lists = []
    while checked.depth < DEPTH or (checked.depth < DEPTH + 8 and rng.random() < 0.8):
        lists.append(list(checked.candidates()))
        checked.compare()
        assert quiet_turn(checked, rng)
    assert checked.longest > 1
    while checked.depth:
        checked.compare()
        checked.unmake()
        assert list(checked.candidates()) == lists.pop()
    checked.compare()
    checked.unmake_nothing()
    assert checked.deepest >= DEPTH
    assert not checked.position.tiles
    assert checked.seen["positions"] >= 2 * DEPTH
