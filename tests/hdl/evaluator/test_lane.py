"""What a new socket does to a space, for everything that a space may hold."""

import itertools
from collections.abc import Iterator
from typing import NamedTuple

from loopline.game import Colour, Side
from loopline.hdl.config import GridConfig
from loopline.hdl.evaluator.lane import Lane
from tests.hdl.support import simulate

GRID = GridConfig(size=8, frontier_entries=16)


class Case(NamedTuple):
    """A space's sockets by colour, the position's and the candidate's, and one more."""

    base: tuple[Side | None, Side | None]
    added: tuple[Side | None, Side | None]
    colour: Colour
    entry: Side

    def before(self, colour: Colour) -> list[Side]:
        """The sockets of a colour, the position's first."""
        return [side for side in (self.base[colour], self.added[colour]) if side is not None]


def cases() -> Iterator[Case]:
    """Every case: no two sockets on one side."""
    some = (None, *Side)
    for *sides, entry in itertools.product(some, some, some, some, Side):
        taken = [side for side in (*sides, entry) if side is not None]
        if len(set(taken)) == len(taken):
            for colour in Colour:
                yield Case((sides[0], sides[1]), (sides[2], sides[3]), colour, entry)


def test_number_of_cases():
    # For the new socket 4 sides and 2 colours; for each of the other 3 sides nothing or one of the
    # 4 sockets, no socket twice: 1 + 3 * 4 + 3 * (4 * 3) + 4 * 3 * 2 assignments.
    assert len(list(cases())) == 8 * (1 + 12 + 36 + 24)


def test_lane():
    dut = Lane(GRID)
    seen = {"illegal": 0, "forced": 0, "overflow": 0, "revisit": 0, "both": 0}

    def pair_is(ctx, pair, *, colour, a, b, b_base, case, both):
        assert ctx.get(pair.colour) == colour
        assert ctx.get(pair.a) == a
        assert ctx.get(pair.b) == b
        assert ctx.get(pair.b_base) == b_base
        other = case.before(colour.other)
        assert ctx.get(pair.other.valid) == bool(other)
        if other:
            assert ctx.get(pair.other.side) == other[0]
            assert ctx.get(pair.other_base) == (case.base[colour.other] is not None)
        assert ctx.get(pair.both) == both

    async def driver(ctx):
        for case in cases():
            ctx.set(dut.base.white, 0 if case.base[0] is None else case.base[0].bit)
            ctx.set(dut.base.red, 0 if case.base[1] is None else case.base[1].bit)
            for colour, side in zip(Colour, case.added, strict=True):
                ctx.set(dut.added[colour].valid, side is not None)
                ctx.set(dut.added[colour].side, side or 0)
            ctx.set(dut.colour, case.colour)
            ctx.set(dut.entry, case.entry)
            mine, theirs = case.before(case.colour), case.before(case.colour.other)

            illegal = len(mine) == 2
            assert ctx.get(dut.illegal) == illegal, case
            seen["illegal"] += illegal
            forced = len(mine) == 1 and len(theirs) < 2
            if not illegal:
                assert ctx.get(dut.forced) == forced, case
            if forced:
                seen["forced"] += 1
                base = case.base[case.colour] is not None
                pair_is(
                    ctx,
                    dut.pair,
                    colour=case.colour,
                    a=case.entry,
                    b=mine[0],
                    b_base=base,
                    case=case,
                    both=False,
                )

            overflow = case.added[case.colour] is not None
            assert ctx.get(dut.overflow) == overflow, case
            seen["overflow"] += overflow
            added_other = case.added[case.colour.other]
            assert ctx.get(dut.other.valid) == (added_other is not None), case
            assert added_other is None or ctx.get(dut.other.side) == added_other, case

            if len(theirs) == 2:
                seen["revisit"] += 1
                both = len(mine) == 2
                seen["both"] += both
                pair_is(
                    ctx,
                    dut.revisit,
                    colour=case.colour.other,
                    a=theirs[1],
                    b=theirs[0],
                    b_base=True,
                    case=case,
                    both=both,
                )

    simulate(dut, driver)
    # With the new one there are five sockets where both colours wait, so that this is for a space
    # that is read again, whose ``entry`` means nothing: see the test below.
    assert seen.pop("both") == 0
    assert min(seen.values()) > 50


def test_a_pending_space_with_two_pairs():
    """``revisit`` has both pairs, one first and the other to follow, whatever ``entry`` is."""
    dut = Lane(GRID)

    async def driver(ctx):
        for sides, entry, colour in itertools.product(itertools.permutations(Side), Side, Colour):
            white, red, added_white, added_red = sides
            ctx.set(dut.base.white, white.bit)
            ctx.set(dut.base.red, red.bit)
            ctx.set(dut.added[0], {"side": added_white, "valid": 1})
            ctx.set(dut.added[1], {"side": added_red, "valid": 1})
            ctx.set(dut.entry, entry)
            ctx.set(dut.colour, colour)
            base, added = ((white, red), (added_white, added_red))
            revisit = dut.revisit
            assert ctx.get(revisit.colour) == colour.other
            assert ctx.get(revisit.a) == added[colour.other]
            assert ctx.get(revisit.b) == base[colour.other]
            assert ctx.get(revisit.b_base)
            assert ctx.get(revisit.other.valid)
            assert ctx.get(revisit.other.side) == base[colour]
            assert ctx.get(revisit.other_base)
            assert ctx.get(revisit.both)

    simulate(dut, driver)
