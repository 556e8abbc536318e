"""Evaluation of tracks made up at random: distances and lines on the torus against the plane."""

from __future__ import annotations

import random

import pytest
from amaranth.hdl import Cat

from loopline.game import Colour
from loopline.hdl.config import GridConfig
from loopline.hdl.core.score import DISTANCE_POINTS, LINE_POINTS, TrackScore
from tests.hdl.core.edges import edges_of
from tests.hdl.core.memories import memory
from tests.hdl.core.unit.evaluation import track_points
from tests.hdl.support import pulse, simulate, stream_get

GRID = GridConfig(size=16, frontier_entries=32)


class Tracks:
    """A frontier with the tracks between its spaces."""

    def __init__(self, seed, *, width, height):
        rng = random.Random(seed)
        west, north = rng.randrange(GRID.size), rng.randrange(GRID.size)
        self.box = (west, north, west + width - 1, north + height - 1)
        west, north, east, south = self.box
        edges = [(x, y) for x in range(west, east + 1) for y in (north - 1, south + 1)]
        edges += [(x, y) for y in range(north, south + 1) for x in (west - 1, east + 1)]
        inner = [(x, y) for x in range(west, east + 1) for y in range(north, south + 1)]
        places = rng.sample(edges, 15) + rng.sample(inner, 5)
        rng.shuffle(places)
        # Some indices are free: they have no sockets, whatever the partner tables hold.
        self.places = {index: place for index, place in enumerate(places) if rng.random() < 0.85}
        self.high = len(places)
        self.stale = places
        self.partner = []
        for _ in Colour:
            partner = {}
            ends = rng.sample(sorted(self.places), rng.randint(4, len(self.places)) // 2 * 2)
            for one, other in zip(ends[::2], ends[1::2], strict=True):
                partner[one], partner[other] = other, one
            self.partner.append(partner)
        for index in sorted(self.places):
            if not any(index in partner for partner in self.partner):
                del self.places[index]

    def score(self, *, lines):
        """The sum over the tracks."""
        total = 0
        for colour, sign in zip(Colour, (1, -1), strict=True):
            for one, other in self.partner[colour].items():
                if one < other:
                    places = self.places[one], self.places[other]
                    total += sign * track_points(self.box, *places, lines=lines)
        return total

    def wrap(self, place):
        """A place as a word."""
        x, y = (value % GRID.size for value in place)
        return x | y << GRID.coord_bits

    def sockets(self, index):
        """An entry's sockets as a part of its word."""
        white, red = (index in partner for partner in self.partner)
        return (0b0001 * white | 0b0010_0000 * red) << 2 * GRID.coord_bits


@pytest.mark.parametrize(
    ("width", "height"), [(5, 6), (6, 5), (7, 4), (4, 7), (7, 7), (8, 6), (14, 7), (7, 14)]
)
@pytest.mark.parametrize("seed", range(3))
def test_random_tracks(seed, width, height):
    tracks = Tracks(repr((seed, width, height)), width=width, height=height)
    dut = TrackScore(GRID)
    garbage = random.Random(seed)
    places = [tracks.wrap(place) for place in tracks.stale]
    places += [garbage.randrange(256) for _ in range(GRID.frontier_entries - len(places))]

    def partner_of(colour):
        stale = [garbage.randrange(GRID.frontier_entries) for _ in range(GRID.frontier_entries)]
        return lambda index: tracks.partner[colour].get(index, stale[index])

    partners = [memory(dut.index, dut.partners[colour], partner_of(colour)) for colour in Colour]

    # While it follows partners, what the table shows is no entry; and the other way round.
    def entry(word):
        follows, index = word & 1, word >> 1
        return garbage.getrandbits(16) if follows else places[index] | tracks.sockets(index)

    def place(word):
        follows, partner = word & 1, word >> 1
        return places[partner] if follows else garbage.getrandbits(8)

    partner_places = [
        memory(Cat(dut.follow, dut.partners[colour]), dut.partner_places[colour], place)
        for colour in Colour
    ]
    background = [
        memory(Cat(dut.follow, dut.index), dut.entry, entry),
        *partner_places,
        *partners,
    ]

    async def driver(ctx):
        names = ("west", "north", "east", "south")
        edges = (value % GRID.size for value in tracks.box)
        ctx.set(dut.box, dict(zip(names, edges, strict=True)))
        ctx.set(dut.edges, edges_of(tracks.box, GRID))
        ctx.set(dut.high, tracks.high)
        for lines in (True, False, True):
            ctx.set(dut.lines, lines)
            await pulse(ctx, dut.start)
            cycles = 1
            while not ctx.get(dut.scores.valid):
                await ctx.tick()
                cycles += 1
            assert cycles == 8 * tracks.high + 2
            # A second start has to wait for the answer to be taken.
            ctx.set(dut.start, 1)
            await ctx.tick().repeat(3)
            ctx.set(dut.start, 0)
            assert await stream_get(ctx, dut.scores) == tracks.score(lines=lines)

    simulate(dut, driver, background=background, check=[dut.scores], cycles=5_000)


def test_empty_board_is_even():
    dut = TrackScore(GRID)

    async def driver(ctx):
        ctx.set(dut.box.empty, 1)
        await pulse(ctx, dut.start)
        assert await stream_get(ctx, dut.scores) == 0

    simulate(dut, driver, check=[dut.scores])


def test_points_fall_with_distance_and_rise_with_length():
    near = DISTANCE_POINTS[1:]
    assert list(near) == sorted(near, reverse=True)
    assert list(LINE_POINTS) == sorted(LINE_POINTS)
