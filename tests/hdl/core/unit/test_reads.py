"""What ``READ`` says of a position, cell by cell and entry by entry, against the rules."""

from __future__ import annotations

import random

import pytest
from amaranth.lib import data

from loopline.game import Colour, Position, Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.rules import rules_of
from loopline.hdl.core.types import ReadKind, Status, TurnOp, command_layout
from loopline.hdl.core.unit import TurnUnit
from tests.hdl.core.unit.games import random_turns, start_of
from tests.hdl.core.unit.tracks import other_end
from tests.hdl.support import Stalls, simulate, stream_get, stream_put

GRID = GridConfig(size=16, frontier_entries=64, journal=256)
MASK = GRID.size - 1
LAYOUT = command_layout(GRID)


def masks(colours):
    """Masks of sides for each colour, out of sides with colours."""
    return {
        colour: sum(1 << side for side, other in colours.items() if other is colour)
        for colour in Colour
    }


class Reader:
    """A turn unit, asked through its streams, and the rules beside it."""

    def __init__(self, ctx, dut, seed):
        self.ctx, self.dut, self.stalls = ctx, dut, Stalls(seed)
        self.position = Position()
        # The other fields of a command are random, as they must not matter.
        self.random = random.Random(seed)

    async def ask(self, op, **fields):
        """Send a command, its other fields at random."""
        values = {name: self.random.randrange(1 << 16) for name in ("symbol", "x", "y", "index")}
        bits = op.value
        for name, value in (values | fields).items():
            field = LAYOUT[name]
            bits |= (value & (1 << field.width) - 1) << field.offset
        await stream_put(self.ctx, self.dut.commands, data.Const(LAYOUT, bits), stalls=self.stalls)

    async def play(self, turn):
        """Make a turn."""
        start = start_of(self.position, turn)
        await self.ask(TurnOp.MAKE, symbol=start.shape.code, x=start.x & MASK, y=start.y & MASK)
        assert (await stream_get(self.ctx, self.dut.outcomes)).status == Status.LEGAL
        self.position.play(turn)

    async def unmake(self):
        """Take a turn back."""
        await self.ask(TurnOp.UNMAKE)
        assert (await stream_get(self.ctx, self.dut.outcomes)).status == Status.LEGAL
        self.position.undo()

    async def read(self, **fields):
        """Outcome of a ``READ``, the cell, and the places of both colours."""
        await self.ask(TurnOp.READ, **fields)
        while not self.ctx.get(self.dut.outcomes.valid):
            await self.ctx.tick()
        # However long it is on offer.
        await self.ctx.tick().repeat(self.stalls.cycles() + 1)
        cell = self.ctx.get(self.dut.cell)
        places = [self.ctx.get(partner) for partner in self.dut.partners]
        outcome = await stream_get(self.ctx, self.dut.outcomes)
        return outcome, cell, [(place.x, place.y) for place in places]

    async def check_cells(self):
        """The box and a ring of cells around it, compared with the rules."""
        position = self.position
        for y in range(position.north - 1, position.south + 2):
            for x in range(position.west - 1, position.east + 2):
                at = {"x": x & MASK, "y": y & MASK}
                outcome, cell, _ = await self.read(symbol=ReadKind.CELL.value, **at)
                assert outcome.status == Status.LEGAL
                assert (outcome.turn.x, outcome.turn.y) == (at["x"], at["y"])
                tile = position.tile_at(x, y)
                if tile:
                    assert (cell.white, cell.red) == (15, 15)
                    edges = masks({side: tile.colour(side) for side in Side})
                    assert cell.index & 15 == edges[Colour.WHITE]
                else:
                    sockets = masks(position.sockets(x, y))
                    assert (cell.white, cell.red) == (sockets[Colour.WHITE], sockets[Colour.RED])

    async def check_spaces(self):
        """Each space has one live entry, which says where its tracks end."""
        position, index = self.position, 0
        spaces = {(x & MASK, y & MASK): (x, y) for x, y in position.frontier()}
        found = []
        while True:
            outcome, cell, places = await self.read(symbol=ReadKind.SPACE.value, index=index)
            if outcome.status == Status.END:
                break
            assert outcome.status == Status.LEGAL
            assert outcome.turn.index == index
            place = outcome.turn.x, outcome.turn.y
            live = place in spaces and cell.index == index
            if live:
                found.append(place)
                space = spaces[place]
                sockets = position.sockets(*space)
                assert {c: getattr(cell, c.name.lower()) for c in Colour} == masks(sockets)
                for side, colour in sockets.items():
                    # The only one of its colour: a second would force a play there.
                    x, y = other_end(position, space, side, colour)
                    assert places[colour] == (x & MASK, y & MASK)
            index += 1
        assert sorted(found) == sorted(spaces)
        return index


@pytest.mark.parametrize("seed", range(40, 43))
def test_position_is_read_as_it_is(seed):
    dut = TurnUnit(GRID)
    turns = random_turns(seed, most=10, limit=GRID.limit, finish=False)

    async def play(ctx):
        ctx.set(dut.rules, rules_of(Position().variant, GRID))
        reader = Reader(ctx, dut, seed)
        assert await reader.check_spaces() == 0
        for turn in turns:
            await reader.play(turn)
        await reader.check_cells()
        used = await reader.check_spaces()
        # Entries that are free again are read like all others; none is forgotten.
        for _ in range(len(turns) // 2):
            await reader.unmake()
        assert await reader.check_spaces() == used
        await reader.check_cells()

    simulate(dut, play, check=[dut.commands, dut.outcomes], cycles=100_000)
