"""TurnHistory: counts and stores the turns of a game, so that some can be taken back."""

from __future__ import annotations

from amaranth.hdl import Module, Signal
from amaranth.lib import data, wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.hdl.config import GridConfig
from loopline.hdl.core.types import ShapeCode
from loopline.hdl.frames.requests import HISTORY
from loopline.hdl.search.types import TURN_BITS

__all__ = ["TurnHistory", "past_turn_layout"]


def past_turn_layout(grid: GridConfig) -> data.StructLayout:
    """A turn as the turn unit makes it: the coordinates of the first tile, and its shape."""
    return data.StructLayout({"x": grid.coord_bits, "y": grid.coord_bits, "symbol": ShapeCode})


class TurnHistory(wiring.Component):
    """Count the turns of a game and store the first ``HISTORY`` of them.

    ::

        add, turn ──► memory[turns] ──► past
        take_back ──► turns = 0, then the same turns are added again until ``replayed``

    Parameters
    ----------
    stored : bool
        Store the turns. Otherwise they are only counted, and ``possible`` is 0.

    Members
    -------
    add : In(1), turn : In(past_turn_layout)
        A turn has been made, and which one.
    turns : Out(TURN_BITS)
        The number of turns.
    clear : In(1)
        Begin a game: there are no turns.
    count : In(8), possible : Out(1)
        How many turns are to be taken back, and whether all turns are stored and there are so many.
    take_back : In(1)
        Begin to replay: ``turns`` starts from 0. Only when ``possible``.
    replayed : Out(1)
        All turns but those taken back are there again.
    past : Out(past_turn_layout)
        The turn whose number was ``turns`` one cycle ago.
    """

    def __init__(self, grid: GridConfig, *, stored: bool = True):
        self._stored = stored
        self._layout = past_turn_layout(grid)
        super().__init__(
            {
                "add": In(1),
                "turn": In(self._layout),
                "turns": Out(TURN_BITS),
                "clear": In(1),
                "count": In(8),
                "possible": Out(1),
                "take_back": In(1),
                "replayed": Out(1),
                "past": Out(self._layout),
            }
        )

    def elaborate(self, platform) -> Module:
        m = Module()
        with m.If(self.add):
            m.d.sync += self.turns.eq(self.turns + 1)
        with m.If(self.clear | self.take_back):
            m.d.sync += self.turns.eq(0)
        if self._stored:
            self._store(m)
        return m

    def _store(self, m: Module) -> None:
        m.submodules.memory = memory = Memory(shape=self._layout, depth=HISTORY, init=[])
        write, read = memory.write_port(), memory.read_port()
        target = Signal(TURN_BITS)
        m.d.comb += [
            write.en.eq(self.add & (self.turns < HISTORY)),
            write.addr.eq(self.turns),
            write.data.eq(self.turn),
            read.addr.eq(self.turns),
            self.past.eq(read.data),
            self.possible.eq((self.count <= self.turns) & (self.turns <= HISTORY)),
            self.replayed.eq(self.turns == target),
        ]
        with m.If(self.take_back):
            m.d.sync += target.eq(self.turns - self.count)
