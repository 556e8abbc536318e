"""Proofs that the tile logic is what its tables say, for all states of a space's sockets."""

import itertools

import pytest
from amaranth.hdl import Assert, Assume, Cat, Module
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from loopline.game import Colour, Side, Tile
from loopline.hdl.core import tile as tile_module
from loopline.hdl.core.tile import SocketStep, forced_tile
from tests.hdl.support_formal import faulty, finds_it, module, prove

STATES = list(itertools.product((None, *Colour), repeat=4))
"""Each side's socket: 81 states."""


def mask(state, colour: Colour) -> int:
    """The sides on which this colour enters."""
    return sum(side.bit for side, entering in zip(Side, state, strict=True) if entering is colour)


# A new socket: what the space is then.


def step_equals_table(dut, entry: Side):
    m = module(dut)
    m.d.comb += Assume(dut.entry == entry.bit)
    with m.Switch(Cat(dut.white, dut.red, dut.colour)):
        for state, colour in itertools.product(STATES, Colour):
            if state[entry] is not None:
                continue  # A tile's neighbour on that side would lie where the tile does.
            if max(map(state.count, Colour)) > 2:
                continue  # The turn is known to be illegal.
            after = tuple(
                colour if at is entry else had for at, had in zip(Side, state, strict=True)
            )
            before_most = max(map(state.count, Colour))
            most = max(map(after.count, Colour))
            word = mask(state, Colour.WHITE) | mask(state, Colour.RED) << 4 | colour << 8
            with m.Case(word):
                m.d.comb += [
                    Assert(dut.next_white == mask(after, Colour.WHITE)),
                    Assert(dut.next_red == mask(after, Colour.RED)),
                    Assert(dut.is_new == (state == (None,) * 4)),
                    Assert(dut.attached == (colour in state)),
                    Assert(dut.illegal == (most > 2)),
                    Assert(dut.forced == (most == 2 and before_most < 2)),
                ]
    prove(m, cycles=1)


@pytest.mark.parametrize("side", Side, ids=str)
def test_socket_step_equals_its_table(side):
    step_equals_table(SocketStep(), side)


# The tile that two sockets of one colour force.


class Forced(wiring.Component):
    """The forced tile of a space."""

    white: In(4)
    red: In(4)
    tile: Out(4)

    def elaborate(self, platform):
        m = Module()
        # By way of its module, where a fault may have been put in.
        m.d.comb += self.tile.eq(tile_module.forced_tile(self.white, self.red))
        return m


def forced_equals_table():
    dut = Forced()
    m = module(dut)
    states = 0
    with m.Switch(Cat(dut.white, dut.red)):
        for state in STATES:
            counts = sorted(state.count(colour) for colour in Colour)
            if counts[1] == 2:
                (tile,) = (
                    tile
                    for tile in Tile
                    if all(
                        had in (None, tile.colour(side))
                        for side, had in zip(Side, state, strict=True)
                    )
                )
                states += 1
                with m.Case(mask(state, Colour.WHITE) | mask(state, Colour.RED) << 4):
                    m.d.comb += Assert(dut.tile == tile)
    # A pair of either colour on any 2 of 4 sides, with the other two sides empty or each of the
    # other colour; pairs of both colours count once.
    assert states == 2 * 6 * 4 - 6
    prove(m, cycles=1)


def test_forced_tile_equals_its_table():
    forced_equals_table()


# Faults.

STEP_FAULTS = {
    "a red socket goes to the white ones": lambda dut: dut.next_white.eq(dut.white | dut.entry),
    "new without white": lambda dut: dut.is_new.eq(dut.white == 0),
    "attached to the other colour": lambda dut: dut.attached.eq(dut.red.any()),
    "forced again": lambda dut: dut.forced.eq(
        tile_module.has_two(dut.next_white) | tile_module.has_two(dut.next_red)
    ),
    "legal with three red": lambda dut: dut.illegal.eq(tile_module.has_two(dut.white)),
}


@pytest.mark.parametrize("name", STEP_FAULTS)
def test_socket_step_proof_finds_a_fault(name):
    def fault(m, dut):
        m.d.comb += STEP_FAULTS[name](dut)

    with finds_it:
        step_equals_table(faulty(SocketStep(), fault), Side.EAST)


FORCED_FAULTS = {
    "red takes its own sides": lambda white, red: forced_tile(white, ~red & 15),
    "by the number of red": lambda white, red: forced_tile(~red & 15, ~white & 15),
    "white even if it is single": lambda white, red: white,
}


@pytest.mark.parametrize("name", FORCED_FAULTS)
def test_forced_tile_proof_finds_a_fault(monkeypatch, name):
    monkeypatch.setattr(tile_module, "forced_tile", FORCED_FAULTS[name])
    with finds_it:
        forced_equals_table()
