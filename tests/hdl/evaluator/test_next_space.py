"""Which space a trial fills next, and what it remembers, against a description in Python.

What a single space becomes is ``Lane``'s, and tested there for every case.
"""

import random

from loopline.game import Colour, Side
from loopline.hdl.config import GridConfig
from loopline.hdl.evaluator.next_space import NextSpace
from loopline.hdl.evaluator.types import Mode
from tests.hdl.support import simulate

GRID = GridConfig(size=8, frontier_entries=16)


class Space:
    """A space beyond an edge: the position's sockets and the trial's, and what a new one does."""

    def __init__(self, chance: random.Random, entry: Side, colour: Colour):
        sides = [side for side in Side if side is not entry]
        chance.shuffle(sides)
        self.index = chance.randrange(16)
        self.base: list[Side | None] = [None, None]
        self.added: list[Side | None] = [None, None]
        for where in chance.sample([(n, c) for n in (0, 1) for c in (0, 1)], chance.randint(0, 3)):
            (self.base, self.added)[where[0]][where[1]] = sides.pop()
        self.entry, self.colour = entry, colour

    def sides(self, colour: int) -> list[Side]:
        both = (self.base[colour], self.added[colour])
        return [side for side in both if side is not None]

    @property
    def illegal(self) -> bool:
        return len(self.sides(self.colour)) == 2

    @property
    def forced(self) -> bool:
        """To be filled now: it gets its second of this colour, and has no pair of the other."""
        return bool(self.sides(self.colour)) and len(self.sides(1 - self.colour)) < 2

    @property
    def full(self) -> bool:
        return self.added[self.colour] is not None

    def put(self, ctx, dut, n: int) -> None:
        ctx.set(dut.bases[n].index, self.index)
        for name, side in zip(("white", "red"), self.base, strict=True):
            ctx.set(getattr(dut.bases[n], name), 0 if side is None else side.bit)
        for colour in range(2):
            side = self.added[colour]
            ctx.set(dut.added[n][colour], {"valid": side is not None, "side": side or 0})


def test_onward():
    dut, chance = NextSpace(GRID), random.Random(29)
    seen = dict.fromkeys(("first", "second", "both", "full goes first", "none", "two", "out"), 0)

    async def bench(ctx):
        for _ in range(4000):
            colour = chance.choice(list(Colour))
            edges = chance.sample(list(Side), 2)
            on = chance.choice(([1, 1], [1, 1], [1, 0], [0, 0]))
            out = [chance.random() < 0.2 for _ in edges]
            spaces = [Space(chance, side.opposite, colour.other) for side in edges]
            x, y = chance.randrange(8), chance.randrange(8)
            waiting, two = chance.randint(0, 3), chance.random() < 0.3
            top = {"place": {"x": 5, "y": 6}, "side": chance.randrange(4), "colour": 1}
            two_side, two_colour = chance.randrange(4), chance.randrange(2)

            token = dut.token
            ctx.set(token.mode, Mode.CHAIN)
            ctx.set(token.colour, colour)
            ctx.set(token.place, {"x": x, "y": y})
            ctx.set(token.pending, waiting)
            ctx.set(token.extra.valid, two)
            ctx.set(token.extra.side, two_side)
            ctx.set(token.extra.colour, two_colour)
            ctx.set(dut.top, top)
            for n, space in enumerate(spaces):
                space.put(ctx, dut, n)
                ctx.set(dut.edges[n], {"valid": on[n], "side": edges[n], "outside": out[n]})

            there = [bool(on[n]) and not out[n] for n in range(2)]
            forced = [there[n] and spaces[n].forced for n in range(2)]
            # The first goes first, but if it alone can be remembered.
            second = not forced[0] or (forced[1] and spaces[1].full and not spaces[0].full)
            goes = int(second)
            remembered = list(there)
            if any(forced):
                remembered[goes] = False

            assert ctx.get(dut.forced) == any(forced)
            assert ctx.get(dut.next.valid) == any(forced)
            assert ctx.get(dut.illegal) == any(there[n] and spaces[n].illegal for n in range(2))
            illegal = ctx.get(dut.illegal)
            seen["both"] += all(forced)
            seen["full goes first"] += forced[0] and second
            assert ctx.get(dut.pushed.valid) == all(forced)
            if all(forced):
                assert ctx.get(dut.pushed.side) == edges[1 - goes]
            if not illegal:
                assert ctx.get(dut.overflow) == any(
                    remembered[n] and spaces[n].full for n in range(2)
                )
                for n in range(2):
                    adds = dut.socket_writes[n]
                    assert ctx.get(adds.valid) == remembered[n]
                    if remembered[n]:
                        kept = spaces[n].added[1 - spaces[n].colour]
                        assert ctx.get(adds.side) == edges[n]
                        assert ctx.get(adds.other.valid) == (kept is not None)
                        assert kept is None or ctx.get(adds.other.side) == kept
            leaving = sum(edges[n].bit for n in range(2) if on[n] and out[n])
            assert ctx.get(dut.exits) == leaving
            seen["out"] += leaving > 0

            last = two and waiting == 1
            assert ctx.get(dut.takes_extra) == last
            onward = dut.next
            if any(forced):
                space, (across, down) = spaces[goes], edges[goes].step
                seen[("first", "second")[goes]] += 1
                place = {"x": (x + across) % 8, "y": (y + down) % 8}
                assert ctx.get(onward.place) == onward.place.shape().const(place)
                assert ctx.get(onward.space) == space.index
                assert ctx.get(onward.pair.colour) == space.colour
                assert ctx.get(onward.pair.a) == space.entry
                if not illegal:
                    assert ctx.get(onward.pair.b) == space.sides(space.colour)[0]
            else:
                seen["none"] += 1
                seen["two"] += last
                assert ctx.get(onward.place) == onward.place.shape().const(top["place"])
                assert ctx.get(onward.pair.a) == (two_side if last else top["side"])
                assert ctx.get(onward.pair.colour) == (two_colour if last else top["colour"])
                assert not ctx.get(onward.pair.b_base)

    simulate(dut, bench, cycles=100_000)
    assert min(seen.values()) > 30, seen


def test_a_space_that_has_waited_is_what_its_lane_says():
    dut, chance = NextSpace(GRID), random.Random(31)

    async def bench(ctx):
        for _ in range(200):
            colour, side = chance.choice(list(Colour)), chance.choice(list(Side))
            sides = chance.sample(list(Side), 2)
            x, y = chance.randrange(8), chance.randrange(8)
            ctx.set(dut.token.mode, Mode.REVISIT)
            ctx.set(dut.token.colour, colour)
            ctx.set(dut.token.place, {"x": x, "y": y})
            ctx.set(dut.edges[0], {"valid": 0, "side": side, "outside": 0})
            ctx.set(dut.bases[0].white, sides[0].bit if colour is Colour.WHITE else 0)
            ctx.set(dut.bases[0].red, sides[0].bit if colour is Colour.RED else 0)
            ctx.set(dut.bases[0].index, 11)
            for each in Colour:
                mine = each is colour
                ctx.set(dut.added[0][each], {"valid": mine, "side": sides[1] if mine else 0})
            across, down = side.step
            pair, place = dut.next.pair, dut.next.place
            assert not ctx.get(dut.forced)
            assert ctx.get(pair.colour) == colour
            assert (ctx.get(pair.a), ctx.get(pair.b)) == (sides[1], sides[0])
            assert ctx.get(pair.b_base)
            assert not ctx.get(pair.both)
            at = {"x": (x + across) % 8, "y": (y + down) % 8}
            assert ctx.get(place) == place.shape().const(at)
            assert ctx.get(dut.next.space) == 11

    simulate(dut, bench)
