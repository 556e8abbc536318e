"""Tile logic, for every possible input, against the game's tiles."""

import itertools

import pytest
from amaranth.hdl import Module
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from loopline.game import Colour, Shape, Side, Tile
from loopline.hdl.core.tile import SocketStep, TileFit, forced_tile, has_two
from loopline.hdl.core.types import ShapeCode
from tests.hdl.support import simulate

SOCKETS = [
    dict(zip(Side, state, strict=True)) for state in itertools.product((None, *Colour), repeat=4)
]
"""What may enter a space on its four sides: 81 states."""


def mask(sockets, colour):
    """The sides on which a track of this colour enters."""
    return sum(side.bit for side, entering in sockets.items() if entering is colour)


def matches(sockets, tile):
    """Whether a tile may go into a space with these sockets."""
    return all(colour in (None, tile.colour(side)) for side, colour in sockets.items())


def test_there_are_81_states_of_which_one_has_no_sockets():
    assert len(SOCKETS) == 81
    assert sum(not mask(state, Colour.WHITE) | mask(state, Colour.RED) for state in SOCKETS) == 1


def test_tile_fits_as_in_the_game():
    dut = TileFit()
    fitting = 0

    async def driver(ctx):
        nonlocal fitting
        for sockets, shape in itertools.product(SOCKETS, Shape):
            ctx.set(dut.white, mask(sockets, Colour.WHITE))
            ctx.set(dut.red, mask(sockets, Colour.RED))
            ctx.set(dut.shape, ShapeCode(shape.code))
            tiles = [tile for tile in shape.tiles if matches(sockets, tile)]
            assert ctx.get(dut.fits) == bool(tiles), (sockets, shape)
            if tiles:
                # Both fit only where nothing enters: there the white edge goes north.
                assert ctx.get(dut.tile) == tiles[0], (sockets, shape)
                assert len(tiles) == 1 or tiles[0].colour(Side.NORTH) is Colour.WHITE
                fitting += 1

    simulate(dut, driver)
    # Each of the six tiles matches the 16 subsets of its own edges; without any, two count once.
    assert fitting == 6 * 16 - 3


def test_nothing_fits_an_occupied_cell():
    dut = TileFit()

    async def driver(ctx):
        ctx.set(dut.white, 0b1111)
        ctx.set(dut.red, 0b1111)
        for shape in ShapeCode:
            ctx.set(dut.shape, shape)
            assert not ctx.get(dut.fits)

    simulate(dut, driver)


@pytest.mark.parametrize("side", Side)
def test_socket_step(side):
    dut = SocketStep()
    masks = [mask for mask in range(16) if mask.bit_count() <= 2 and not mask & side.opposite.bit]

    async def driver(ctx):
        ctx.set(dut.entry, side.opposite.bit)
        for white, red, colour in itertools.product(masks, masks, Colour):
            ctx.set(dut.white, white)
            ctx.set(dut.red, red)
            ctx.set(dut.colour, colour)
            before, after = [white, red], [white, red]
            after[colour] |= side.opposite.bit
            most = max(sockets.bit_count() for sockets in after)
            already = max(sockets.bit_count() for sockets in before) >= 2
            expected = {
                "next_white": after[Colour.WHITE],
                "next_red": after[Colour.RED],
                "is_new": white == 0 and red == 0,
                "attached": before[colour] != 0,
                "forced": most >= 2 and not already,
                "illegal": most >= 3,
            }
            found = {name: ctx.get(getattr(dut, name)) for name in expected}
            assert found == expected, (white, red, colour)

    simulate(dut, driver)


class Masks(wiring.Component):
    """The functions on masks, as a component."""

    white: In(4)
    red: In(4)
    two: Out(1)
    forced: Out(4)

    def elaborate(self, platform):
        m = Module()
        m.d.comb += [
            self.two.eq(has_two(self.white)),
            self.forced.eq(forced_tile(self.white, self.red)),
        ]
        return m


def test_masks_are_counted():
    dut = Masks()

    async def driver(ctx):
        for white in range(16):
            ctx.set(dut.white, white)
            assert ctx.get(dut.two) == (white.bit_count() >= 2), white

    simulate(dut, driver)


def test_forced_tile_is_the_only_one_that_fits():
    dut = Masks()
    states = [
        sockets
        for sockets in SOCKETS
        if max(mask(sockets, colour).bit_count() for colour in Colour) == 2
    ]

    async def driver(ctx):
        for sockets in states:
            (tile,) = (tile for tile in Tile if matches(sockets, tile))
            ctx.set(dut.white, mask(sockets, Colour.WHITE))
            ctx.set(dut.red, mask(sockets, Colour.RED))
            assert ctx.get(dut.forced) == tile, sockets

    simulate(dut, driver)
    # A pair (6 ways) of one colour with none, one or two of the other; both pairs counted once.
    assert len(states) == 2 * 6 * (1 + 2) + 6
