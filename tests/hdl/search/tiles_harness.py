"""A turn unit and the units that follow the tiles that it lays, behind one stream of commands."""

from __future__ import annotations

from amaranth.hdl import Module, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import Status, TurnOp, command_layout, is_frontier
from loopline.hdl.core.unit import TurnUnit
from loopline.hdl.search.hash import PositionHash
from loopline.hdl.search.hashing import HASH_BITS

_FIELDS = ("op", "symbol", "x", "y", "index")


class TilesHarness(wiring.Component):
    """Give the turn unit a command; the hash begins with ``base``.

    The outcome comes when the hash is ready: the turn unit's status and tiles, the frontier table's
    ``high``, the tiles that ``laid`` has shown and the first ones among them, and the fewest cycles
    between two of these (15: 15 or more). Of ``READ`` it has the place, and whether no space is
    there.
    """

    def __init__(self, grid: GridConfig):
        self._grid = grid
        fields = dict(command_layout(grid).members)
        command = {name: fields[name] for name in _FIELDS}
        command["base"] = HASH_BITS
        outcome = {
            "status": Status,
            "tiles": 9,
            "high": 9,
            "x": 6,
            "y": 6,
            "free": 1,
            "laid": 9,
            "first": 4,
            "apart": 4,
            "hash": HASH_BITS,
        }
        super().__init__(
            {
                "commands": In(stream.Signature(data.StructLayout(command))),
                "outcomes": Out(stream.Signature(data.StructLayout(outcome))),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        m.submodules.unit = unit = TurnUnit(self._grid, reader=True)
        m.submodules.hash = position = PositionHash(self._grid)
        command, outcome = self.commands.payload, self.outcomes.payload
        laid, first, apart, since = Signal(9), Signal(4), Signal(4), Signal(4)
        taken = self.commands.valid & self.commands.ready
        m.d.comb += [
            unit.commands.valid.eq(self.commands.valid),
            self.commands.ready.eq(unit.commands.ready),
            position.laid.eq(unit.laid),
            position.base.eq(command.base),
            position.start.eq(taken & (command.op == TurnOp.MAKE)),
            self.outcomes.valid.eq(unit.outcomes.valid & position.ready),
            unit.outcomes.ready.eq(self.outcomes.ready & position.ready),
            outcome.status.eq(unit.outcomes.payload.status),
            outcome.tiles.eq(unit.outcomes.payload.tiles),
            outcome.high.eq(unit.reader.high),
            outcome.laid.eq(laid),
            outcome.first.eq(first),
            outcome.apart.eq(apart),
            outcome.hash.eq(position.hash),
            outcome.x.eq(unit.outcomes.payload.turn.x),
            outcome.y.eq(unit.outcomes.payload.turn.y),
            outcome.free.eq(~is_frontier(unit.cell)),
            *(unit.commands.payload[name].eq(command[name]) for name in _FIELDS),
        ]
        with m.If(since != 15):
            m.d.sync += since.eq(since + 1)
        with m.If(taken):
            m.d.sync += [laid.eq(0), first.eq(0), apart.eq(15), since.eq(15)]
        with m.If(unit.laid.valid):
            m.d.sync += [laid.eq(laid + 1), first.eq(first + unit.laid.first), since.eq(1)]
            with m.If(since < apart):
                m.d.sync += apart.eq(since)
        return m
