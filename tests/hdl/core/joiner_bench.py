"""A track joiner, driven by random turns together with a model that is a dictionary of ends."""

from __future__ import annotations

import random

from loopline.game import LINE_LENGTH
from loopline.hdl.config import GridConfig
from loopline.hdl.core.joiner import TrackJoiner
from tests.hdl.support import Stalls, stream_put

__all__ = ["Bench", "Tracks"]

GRID = GridConfig(size=16, spaces=32, journal=32)


class Tracks:
    """The tracks of one colour on the plane: which ends belong together and where they are."""

    def __init__(self, box):
        self.box = box
        self.partner: dict[int, int] = {}
        self.place: dict[int, tuple[int, int]] = {}
        self.entries = 0
        self.loop = self.line = False

    def state(self):
        """All that undo restores."""
        return self.box, dict(self.partner), dict(self.place), self.entries

    def restore(self, state):
        """Go back to a state."""
        self.box, self.partner, self.place, self.entries = state

    def exit(self, end):
        """The side of the box that an end leaves: which axis, and which way; none if it stays."""
        west, north, east, south = self.box
        x, y = self.place[end]
        if x < west or x > east:
            return "columns", x > east
        if y < north or y > south:
            return "rows", y > south
        return None

    def join(self, a, b):
        """Connect two ends; one that is not known yet begins here."""
        if self.partner.get(a) == b:
            del self.partner[a], self.partner[b]
            self.loop = True
            return
        first, second = (self.partner.pop(end, end) for end in (a, b))
        self.partner[first], self.partner[second] = second, first
        self.entries += 2
        one, other = self.exit(first), self.exit(second)
        if one and other and one[0] == other[0] and one[1] != other[1]:
            west, north, east, south = self.box
            length = east - west + 1 if one[0] == "columns" else south - north + 1
            self.line |= length >= LINE_LENGTH


class Bench:
    """A joiner and its model, driven by the same random turns."""

    def __init__(self, seed, *, grid=GRID):
        self.grid = grid
        self.dut = TrackJoiner(grid)
        self.rng = random.Random(seed)
        self.stalls = Stalls(seed)
        west, north = self.rng.randrange(grid.size), self.rng.randrange(grid.size)
        width, height = self.rng.randint(7, 10), self.rng.randint(7, 10)
        self.tracks = Tracks((west, north, west + width - 1, north + height - 1))
        self.turns = []
        self.written: dict[int, tuple[int, int]] = {}
        self.found = {"loop": 0, "line": 0, "undo": 0, "turn": 0}

    def wrapped(self, *coordinates):
        return [value % self.grid.size for value in coordinates]

    async def settle(self, ctx):
        while ctx.get(self.dut.busy):
            await ctx.tick()

    async def write_place(self, ctx, index):
        self.written[index] = self.tracks.place[index]
        x, y = self.wrapped(*self.tracks.place[index])
        ctx.set(self.dut.spaces.index, index)
        ctx.set(self.dut.spaces.place, {"x": x, "y": y})
        ctx.set(self.dut.spaces.en, 1)
        await ctx.tick()
        ctx.set(self.dut.spaces.en, 0)

    async def show_box(self, ctx):
        edges = self.wrapped(*self.tracks.box)
        names = ("west", "north", "east", "south")
        ctx.set(self.dut.box, dict(zip(names, edges, strict=True)))

    def some_place(self):
        """A space in the box or right beside it, but not at a corner."""
        west, north, east, south = self.tracks.box
        x, y = self.rng.randint(west, east), self.rng.randint(north, south)
        edge = self.rng.randrange(5)
        return [(west - 1, y), (east + 1, y), (x, north - 1), (x, south + 1), (x, y)][edge]

    def some_ends(self):
        """Two different ends, each known or new; often those of one track."""
        known = sorted(self.tracks.partner)
        new = [index for index in range(self.grid.spaces) if index not in self.tracks.partner]
        if known and self.rng.random() < 0.12:
            a = self.rng.choice(known)
            return a, self.tracks.partner[a]
        ends = []
        for _ in range(2):
            choice = known if known and (self.rng.random() < 0.5 or not new) else new
            ends.append(choice.pop(self.rng.randrange(len(choice))))
        return tuple(ends)

    async def pulse(self, ctx, signal):
        ctx.set(signal, 1)
        await ctx.tick()
        ctx.set(signal, 0)

    async def turn(self, ctx, joins):
        """A mark and some joins, as long as the journal has room."""
        tracks = self.tracks
        self.turns.append(tracks.state())
        tracks.loop = tracks.line = False
        await self.pulse(ctx, self.dut.mark)
        tracks.entries += 1
        if self.rng.random() < 0.3:
            grown = list(tracks.box)
            edge = self.rng.randrange(4)
            grown[edge] += 1 if edge >= 2 else -1
            if max(grown[2] - grown[0], grown[3] - grown[1]) < self.grid.limit:
                tracks.box = tuple(grown)
        await self.show_box(ctx)
        for _ in range(joins):
            await self.settle(ctx)
            if not ctx.get(self.dut.room):
                break
            await self.join(ctx, *self.some_ends())
        await self.settle(ctx)
        self.found["turn"] += 1
        self.found["loop"] += tracks.loop
        self.found["line"] += tracks.line
        assert ctx.get(self.dut.loop) == tracks.loop
        assert ctx.get(self.dut.line) == tracks.line

    async def join(self, ctx, a, b):
        known = [end in self.tracks.partner for end in (a, b)]
        for end, attached in zip((a, b), known, strict=True):
            if not attached:
                self.tracks.place[end] = self.some_place()
                await self.write_place(ctx, end)
        self.tracks.join(a, b)
        ends = [
            {"index": end, "attached": attached}
            for end, attached in zip((a, b), known, strict=True)
        ]
        await stream_put(ctx, self.dut.joins, {"a": ends[0], "b": ends[1]}, stalls=self.stalls)

    async def undo(self, ctx):
        """Take the last turn back; the places are the frontier table's to restore."""
        state = self.turns.pop()
        entries = self.tracks.entries - state[3] - 1
        await ctx.tick()
        await self.pulse(ctx, self.dut.undo)
        cycles = 1
        while ctx.get(self.dut.busy):
            await ctx.tick()
            cycles += 1
        assert cycles == entries + 2
        self.tracks.restore(state)
        for index in self.tracks.partner:
            if self.written[index] != self.tracks.place[index]:
                await self.write_place(ctx, index)
        await self.show_box(ctx)
        self.found["undo"] += 1

    async def check(self, ctx):
        """Compare all ends, and what is left in the journal."""
        tracks = self.tracks
        left = self.grid.journal - tracks.entries
        # A mark and the two entries of a join; one more entry may be kept in reserve.
        assert ctx.get(self.dut.room) or left < 4
        assert not ctx.get(self.dut.room) or left >= 3
        for end, partner in tracks.partner.items():
            ctx.set(self.dut.index, end)
            await ctx.tick()
            assert ctx.get(self.dut.partner) == partner
            await ctx.tick()
            place = ctx.get(self.dut.partner_place)
            assert [place.x, place.y] == self.wrapped(*tracks.place[partner])
