"""Which space a candidate fills next, and what the overlay holds, against a model in Python.

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
    """A space beyond an edge: its sockets, the position's and the candidate's, and a new one."""

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
    def overflow(self) -> bool:
        return self.added[self.colour] is not None

    def drive(self, ctx, dut, n: int) -> None:
        ctx.set(dut.bases[n].index, self.index)
        for name, side in zip(("white", "red"), self.base, strict=True):
            ctx.set(getattr(dut.bases[n], name), 0 if side is None else side.bit)
        for colour in range(2):
            side = self.added[colour]
            ctx.set(dut.added[n][colour], {"valid": side is not None, "side": side or 0})


def test_next_space():
    dut, chance = NextSpace(GRID), random.Random(29)
    seen = dict.fromkeys(
        ("first", "second", "both", "overflow goes first", "none", "extra", "out"), 0
    )

    async def driver(ctx):
        for _ in range(1000):
            colour = chance.choice(list(Colour))
            edges = chance.sample(list(Side), 2)
            on = chance.choice(([1, 1], [1, 1], [1, 0], [0, 0]))
            out = [chance.random() < 0.2 for _ in edges]
            spaces = [Space(chance, side.opposite, colour.other) for side in edges]
            x, y = chance.randrange(8), chance.randrange(8)
            pending, extra = chance.randint(0, 3), chance.random() < 0.3
            top = {"place": {"x": 5, "y": 6}, "side": chance.randrange(4), "colour": 1}
            extra_side, extra_colour = chance.randrange(4), chance.randrange(2)

            token = dut.token
            ctx.set(token.mode, Mode.CHAIN)
            ctx.set(token.colour, colour)
            ctx.set(token.place, {"x": x, "y": y})
            ctx.set(token.pending, pending)
            ctx.set(token.extra.valid, extra)
            ctx.set(token.extra.side, extra_side)
            ctx.set(token.extra.colour, extra_colour)
            ctx.set(dut.top, top)
            for n, space in enumerate(spaces):
                space.drive(ctx, dut, n)
                ctx.set(dut.edges[n], {"valid": on[n], "side": edges[n], "outside": out[n]})

            there = [bool(on[n]) and not out[n] for n in range(2)]
            forced = [there[n] and spaces[n].forced for n in range(2)]
            # The first one comes next, but the second if only that one overflows the overlay.
            second = not forced[0] or (forced[1] and spaces[1].overflow and not spaces[0].overflow)
            goes = int(second)
            written = list(there)
            if any(forced):
                written[goes] = False

            assert ctx.get(dut.forced) == any(forced)
            assert ctx.get(dut.next.valid) == any(forced)
            assert ctx.get(dut.illegal) == any(there[n] and spaces[n].illegal for n in range(2))
            illegal = ctx.get(dut.illegal)
            seen["both"] += all(forced)
            seen["overflow goes first"] += forced[0] and second
            assert ctx.get(dut.pushed.valid) == all(forced)
            if all(forced):
                assert ctx.get(dut.pushed.side) == edges[1 - goes]
            if not illegal:
                assert ctx.get(dut.overflow) == any(
                    written[n] and spaces[n].overflow for n in range(2)
                )
                for n in range(2):
                    write = dut.socket_writes[n]
                    assert ctx.get(write.valid) == written[n]
                    if written[n]:
                        other = spaces[n].added[1 - spaces[n].colour]
                        assert ctx.get(write.side) == edges[n]
                        assert ctx.get(write.other.valid) == (other is not None)
                        assert other is None or ctx.get(write.other.side) == other
            leaving = sum(edges[n].bit for n in range(2) if on[n] and out[n])
            assert ctx.get(dut.exits) == leaving
            seen["out"] += leaving > 0

            last = extra and pending == 1
            assert ctx.get(dut.takes_extra) == last
            following = dut.next
            if any(forced):
                space, (across, down) = spaces[goes], edges[goes].step
                seen[("first", "second")[goes]] += 1
                place = {"x": (x + across) % 8, "y": (y + down) % 8}
                assert ctx.get(following.place) == following.place.shape().const(place)
                assert ctx.get(following.space) == space.index
                assert ctx.get(following.pair.colour) == space.colour
                assert ctx.get(following.pair.a) == space.entry
                if not illegal:
                    assert ctx.get(following.pair.b) == space.sides(space.colour)[0]
            else:
                seen["none"] += 1
                seen["extra"] += last
                assert ctx.get(following.place) == following.place.shape().const(top["place"])
                assert ctx.get(following.pair.a) == (extra_side if last else top["side"])
                assert ctx.get(following.pair.colour) == (extra_colour if last else top["colour"])
                assert not ctx.get(following.pair.b_base)

    simulate(dut, driver, cycles=100_000)
    assert min(seen.values()) > 5, seen


def test_a_pending_space_is_filled_as_its_lane_says():
    dut, chance = NextSpace(GRID), random.Random(31)

    async def driver(ctx):
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

    simulate(dut, driver)
