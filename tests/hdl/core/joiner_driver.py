"""A track joiner, driven by random turns together with reference models: dictionaries of ends."""

from __future__ import annotations

import random

from loopline.game import LINE_LENGTH, Colour
from loopline.hdl.config import GridConfig
from loopline.hdl.core.joiner import TrackJoiner
from tests.hdl.core.edges import edges_of
from tests.hdl.core.memories import memory
from tests.hdl.support import Stalls, pulse, stream_put

__all__ = ["JoinerDriver", "Tracks"]

GRID = GridConfig(size=16, frontier_entries=32, journal=32)


class Tracks:
    """The tracks of one colour on the plane: which ends belong together and where they are."""

    def __init__(self, box):
        self.box = box
        self.partner: dict[int, int] = {}
        self.place: dict[int, tuple[int, int]] = {}
        self.loop = self.line = False

    def state(self):
        """All that undo restores."""
        return self.box, dict(self.partner), dict(self.place)

    def restore(self, state):
        """Go back to a state."""
        self.box, self.partner, self.place = state

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
        one, other = self.exit(first), self.exit(second)
        if one and other and one[0] == other[0] and one[1] != other[1]:
            west, north, east, south = self.box
            length = east - west + 1 if one[0] == "columns" else south - north + 1
            self.line |= length >= LINE_LENGTH


class JoinerDriver:
    """A joiner and its reference models, one for each colour, driven by the same random turns."""

    def __init__(self, seed, *, grid=GRID):
        self.grid = grid
        self.dut = TrackJoiner(grid)
        self.rng = random.Random(seed)
        self.stalls = Stalls(seed)
        west, north = self.rng.randrange(grid.size), self.rng.randrange(grid.size)
        width, height = self.rng.randint(7, 10), self.rng.randint(7, 10)
        box = (west, north, west + width - 1, north + height - 1)
        self.tracks = [Tracks(box) for _ in Colour]
        self.journal: list[tuple[int, int, int]] = []
        self.turns = []
        self.places: dict[int, tuple[int, int]] = {}
        self.written: dict[int, tuple[int, int]] = {}
        self.found = {"loop": 0, "line": 0, "undo": 0, "turn": 0}

    def wrapped(self, *coordinates):
        return [value % self.grid.size for value in coordinates]

    async def listen(self, ctx):
        """A background testbench that is the journal."""
        port = self.dut.port
        async for _, _, changed, track in ctx.tick().sample(port.changed, port.track):
            if changed:
                self.journal.append((track.colour, track.near, track.far))

    async def settle(self, ctx):
        while ctx.get(self.dut.port.busy):
            await ctx.tick()

    def frontier(self):
        """A background testbench that is the frontier table: where a space was last written."""

        def place_of(index):
            x, y = self.wrapped(*self.written.get(index, (0, 0)))
            return x | y << self.grid.coord_bits

        return memory(self.dut.far, self.dut.place, place_of)

    async def show_box(self, ctx):
        ctx.set(self.dut.edges, edges_of(self.tracks[0].box, self.grid))

    def some_place(self):
        """A space in the box or right beside it, but not at a corner."""
        west, north, east, south = self.tracks[0].box
        x, y = self.rng.randint(west, east), self.rng.randint(north, south)
        edge = self.rng.randrange(5)
        return [(west - 1, y), (east + 1, y), (x, north - 1), (x, south + 1), (x, y)][edge]

    def some_ends(self, colour):
        """Two different ends of a colour, each known or new; often those of one track."""
        tracks, foreign = self.tracks[colour], self.tracks[1 - colour]
        known = sorted(tracks.partner)
        new = [index for index in range(self.grid.frontier_entries) if index not in tracks.partner]
        # A space that is new to this colour may be known to the other one, and then stays.
        if known and self.rng.random() < 0.12:
            a = self.rng.choice(known)
            return a, tracks.partner[a]
        ends = []
        for _ in range(2):
            choice = known if known and (self.rng.random() < 0.5 or not new) else new
            ends.append(choice.pop(self.rng.randrange(len(choice))))
        for end in ends:
            if end not in tracks.partner and end not in foreign.partner:
                self.places[end] = self.some_place()
        return tuple(ends)

    async def pulse(self, ctx, signal):
        await pulse(ctx, signal)

    async def turn(self, ctx, joins):
        """A beginning and some joins of either colour, which may follow each other at once."""
        self.turns.append(([tracks.state() for tracks in self.tracks], dict(self.places)))
        self.journal.append(None)
        for tracks in self.tracks:
            tracks.loop = tracks.line = False
        await self.pulse(ctx, self.dut.port.begin)
        if self.rng.random() < 0.3:
            grown = list(self.tracks[0].box)
            edge = self.rng.randrange(4)
            grown[edge] += 1 if edge >= 2 else -1
            if max(grown[2] - grown[0], grown[3] - grown[1]) < self.grid.limit:
                for tracks in self.tracks:
                    tracks.box = tuple(grown)
        await self.show_box(ctx)
        for _ in range(joins):
            colour = self.rng.choice(list(Colour))
            await self.join(ctx, colour, *self.some_ends(colour))
        await self.settle(ctx)
        self.found["turn"] += 1
        for colour, tracks in zip(Colour, self.tracks, strict=True):
            self.found["loop"] += tracks.loop
            self.found["line"] += tracks.line
            assert ctx.get(self.dut.port.loops) >> colour & 1 == tracks.loop
            assert ctx.get(self.dut.port.lines) >> colour & 1 == tracks.line

    async def join(self, ctx, colour, a, b):
        tracks = self.tracks[colour]
        attached = [end in tracks.partner for end in (a, b)]
        for end in (a, b):
            tracks.place[end] = self.places[end]
            if self.written.get(end) != self.places[end]:
                # The joiner may still be looking for what was there before.
                await self.settle(ctx)
                self.written[end] = self.places[end]
        tracks.join(a, b)
        await self.put(ctx, colour, a, b, attached)

    async def put(self, ctx, colour, a, b, attached):
        ends = [
            {"index": end, "attached": known} for end, known in zip((a, b), attached, strict=True)
        ]
        join = {"colour": colour, "a": ends[0], "b": ends[1]}
        ctx.set(self.dut.working, 1)
        await stream_put(ctx, self.dut.port.joins, join, stalls=self.stalls)

    async def undo(self, ctx):
        """Take the last turn back; the places are the frontier table's to restore."""
        ctx.set(self.dut.port.find_lines, 0)
        found = ctx.get(self.dut.port.loops), ctx.get(self.dut.port.lines)
        while (entry := self.journal.pop()) is not None:
            await self.put(ctx, *entry, (0, 0))
        await self.settle(ctx)
        assert (ctx.get(self.dut.port.loops), ctx.get(self.dut.port.lines)) == found
        ctx.set(self.dut.port.find_lines, 1)
        states, self.places = self.turns.pop()
        for tracks, state in zip(self.tracks, states, strict=True):
            tracks.restore(state)
            for index in tracks.partner:
                self.written[index] = tracks.place[index]
        await self.show_box(ctx)
        self.found["undo"] += 1

    async def check(self, ctx):
        """Compare all ends."""
        ctx.set(self.dut.working, 0)
        for colour, tracks in zip(Colour, self.tracks, strict=True):
            for end, partner in tracks.partner.items():
                ctx.set(self.dut.index, end)
                await ctx.tick()
                assert ctx.get(self.dut.partners[colour]) == partner
