"""The turn unit's trials at native speed: all candidates of a position, and what they cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from amaranth.hdl import Module, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import STANDARD, Shape, Variant
from loopline.hdl.config import GridConfig
from loopline.hdl.core.rules import rules_layout, rules_of
from loopline.hdl.core.types import Status, TurnOp, command_layout, outcome_layout
from loopline.hdl.core.unit import TurnUnit

from .probe import Probe

__all__ = ["NativeTrials", "Trial"]

_CLOCK_BITS = 32


class _StepwiseTurnUnit(wiring.Component):
    """A turn unit with trials that gives one outcome per command: ``TRY`` is repeated for each.

    ``clock`` counts the cycles in which the unit did not have to wait for the next of these
    commands. The rules come with each command.
    """

    def __init__(self, grid: GridConfig) -> None:
        self._grid = grid
        command = {**command_layout(grid).members, "rules": rules_layout(grid)}
        outcome = {**outcome_layout(grid).members, "clock": _CLOCK_BITS}
        super().__init__(
            {
                "commands": In(stream.Signature(data.StructLayout(command))),
                "outcomes": Out(stream.Signature(data.StructLayout(outcome))),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.unit = unit = TurnUnit(self._grid, trials=True)
        command, rules = self.commands.payload, Signal(rules_layout(self._grid))
        trying, owed, clock = Signal(), Signal(), Signal(_CLOCK_BITS)
        repeats = trying & (command.op == TurnOp.TRY)
        m.d.comb += [
            Value.cast(unit.commands.payload).eq(Value.cast(command)),  # which begins with it
            unit.commands.valid.eq(self.commands.valid & ~repeats & ~owed),
            self.commands.ready.eq((unit.commands.ready | repeats) & ~owed),
            unit.rules.eq(rules),
            self.outcomes.valid.eq(unit.outcomes.valid & owed),
            unit.outcomes.ready.eq(self.outcomes.ready & owed),
            Value.cast(self.outcomes.payload).eq(Value.cast(unit.outcomes.payload)),
            self.outcomes.payload.clock.eq(clock),
        ]
        with m.If(self.commands.valid & self.commands.ready):
            m.d.sync += [rules.eq(command.rules), owed.eq(1)]
            with m.If(command.op == TurnOp.TRY):
                m.d.sync += trying.eq(1)
        with m.If(trying & (owed | ~unit.outcomes.valid)):
            m.d.sync += clock.eq(clock + 1)
        with m.If(self.outcomes.valid & self.outcomes.ready):
            m.d.sync += owed.eq(0)
            with m.If(unit.outcomes.payload.status == Status.END):
                m.d.sync += trying.eq(0)
        return m


@dataclass(frozen=True)
class Trial:
    """What became of one candidate.

    Attributes
    ----------
    index : int
        The space, by its frontier index.
    shape : int
        The tile's shape code.
    status : Status
        As :class:`Status` has it.
    tiles, loops, lines : int
        Of a legal turn: tiles placed, and the colours that completed something as masks, bit 0
        white.
    width, height : int
        The formation's columns and rows after it.
    """

    index: int
    shape: int
    status: Status
    tiles: int
    loops: int
    lines: int
    width: int
    height: int


class NativeTrials:
    """A :class:`TurnUnit` with trials, compiled to native code.

    Parameters
    ----------
    grid : GridConfig
        As for the unit.
    variant : Variant
        What is played.
    stall : int
        A seed, not 0, to hold back both streams at random.

    Attributes
    ----------
    cycles : int
        Of all trials up to now, from the command to the end, without those in which an outcome
        waited to be taken.
    """

    def __init__(
        self, grid: GridConfig | None = None, *, variant: Variant = STANDARD, stall: int = 0
    ) -> None:
        self.grid = grid or GridConfig()
        self._mask = self.grid.size - 1
        self._probe = Probe(_StepwiseTurnUnit(self.grid))
        self._start = self._probe.commands.width - rules_layout(self.grid).size
        self.cycles = 0
        if stall:
            self._probe.stall(stall)
        self.clear(variant)

    def _do(self, op: TurnOp, **fields: int):  # type: ignore[no-untyped-def]
        word = self._probe.commands.pack(op=op, **fields) | self._rules
        return self._probe.outcomes.unpack(self._probe.call(word))

    def clear(self, variant: Variant) -> None:
        """Empty the board, for a game of this variant."""
        self._rules = rules_of(variant, self.grid).as_bits() << self._start
        self._do(TurnOp.CLEAR)

    def place(self, x: int, y: int, shape: Shape):  # type: ignore[no-untyped-def]
        """Make the turn that begins with a tile at model coordinates; the outcome's fields."""
        return self._do(TurnOp.PLACE, symbol=shape.code, x=x & self._mask, y=y & self._mask)

    def undo(self) -> None:
        """Take back the last turn."""
        self._do(TurnOp.UNDO)

    def commit(self) -> None:
        """Make all turns final."""
        self._do(TurnOp.COMMIT)

    def spaces(self) -> dict[int, tuple[int, int]]:
        """The coordinates on the torus of the spaces that have candidates, by frontier index."""
        found, index = {}, 0
        while True:
            turn = self._do(TurnOp.NEXT, index=index, symbol=0)
            if turn.status == Status.END.value or turn.turn__index < index:
                return found
            index = turn.turn__index
            found[index] = (turn.turn__x, turn.turn__y)
            if index == self.grid.spaces - 1:
                return found
            index += 1

    def try_all(self) -> Iterator[Trial]:
        """Judge every candidate of the position. To be walked to the end."""
        while True:
            found = self._do(TurnOp.TRY)
            self.cycles = found.clock
            if found.status == Status.END.value:
                return
            yield Trial(
                index=found.turn__index,
                shape=found.turn__symbol,
                status=Status(found.status),
                tiles=found.tiles,
                loops=found.loops,
                lines=found.lines,
                width=((found.box__east - found.box__west) & self._mask) + 1,
                height=((found.box__south - found.box__north) & self._mask) + 1,
            )

    def close(self) -> None:
        """Free the model."""
        self._probe.close()
