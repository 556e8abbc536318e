"""The turn unit's trials at native speed: all candidates of a position, and what they cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from amaranth.hdl import Array, Module, Mux, Signal, Value
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import STANDARD, Shape, Variant
from loopline.hdl.config import GridConfig
from loopline.hdl.core.rules import rules_layout, rules_of
from loopline.hdl.core.types import Status, TurnOp, command_layout, outcome_layout
from loopline.hdl.core.unit import TurnUnit
from loopline.hdl.evaluator.types import THREADS, Mode
from loopline.sim.probe.probe import Probe

__all__ = ["NativeTrials", "Spent", "Trial"]

_COUNTER_BITS = 32
_ROUND_BITS = 7


class Spent(enum.Enum, shape=4):
    """What a cycle went to: the pipeline has room for one token in each."""

    EMPTY = 0
    """Nothing: no first tile was ready to enter, or the position's last trials went on alone."""
    FIRST = 1
    """No token either, but meanwhile a first tile that forces nothing was judged beside it."""
    FETCH = 2
    """What is around a frontier space was read."""
    CHAIN = 3
    """A forced play was made."""
    RESOLVE = 4
    """The track that came last of a space's second pair was looked up."""
    REVISIT = 5
    """A space that had waited was read."""
    AGAIN = 6
    """A token could not go on yet, and went round once more."""
    SLOW = 7
    """A trial was made and taken back on the slow path, or waited for that."""
    WIPING = 8
    """The overlay was emptied, as the trials' numbers had run out."""


class _StepwiseTurnUnit(wiring.Component):
    """A turn unit with trials that gives one outcome per command: ``EVALUATE`` is repeated for
    each.

    The rules come with each command, and which ``counter`` to give in the outcome's ``count``:
    the cycles spent on one thing (see :class:`Spent`), or all of them. Not counted are those in
    which the unit had to wait for the next of these commands. Of a trial, ``rounds`` tells how
    often it went through the pipeline, and ``slow`` whether it took the slow path.
    """

    def __init__(self, grid: GridConfig) -> None:
        self._grid = grid
        members = {"rules": rules_layout(grid), "counter": range(len(Spent) + 1)}
        command = {**command_layout(grid).members, **members}
        members = {"count": _COUNTER_BITS, "rounds": _ROUND_BITS, "slow": 1}
        outcome = {**outcome_layout(grid).members, **members}
        super().__init__(
            {
                "commands": In(stream.Signature(data.StructLayout(command))),
                "outcomes": Out(stream.Signature(data.StructLayout(outcome))),
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.unit = unit = TurnUnit(self._grid, evaluator=True)
        command = self.commands.payload
        rules = Signal(rules_layout(self._grid))
        trying = Signal()
        owed = Signal()
        counter = Signal(range(len(Spent) + 1))
        counters = Array(Signal(_COUNTER_BITS, name=f"counter{n}") for n in range(len(Spent) + 1))
        repeats = trying & (command.op == TurnOp.EVALUATE)
        m.d.comb += [
            Value.cast(unit.commands.payload).eq(Value.cast(command)),  # which begins with it
            unit.commands.valid.eq(self.commands.valid & ~repeats & ~owed),
            self.commands.ready.eq((unit.commands.ready | repeats) & ~owed),
            unit.rules.eq(rules),
            self.outcomes.valid.eq(unit.outcomes.valid & owed),
            unit.outcomes.ready.eq(self.outcomes.ready & owed),
            Value.cast(self.outcomes.payload).eq(Value.cast(unit.outcomes.payload)),
            self.outcomes.payload.count.eq(counters[counter]),
        ]
        with m.If(self.commands.valid & self.commands.ready):
            m.d.sync += [rules.eq(command.rules), counter.eq(command.counter), owed.eq(1)]
            with m.If(command.op == TurnOp.EVALUATE):
                m.d.sync += trying.eq(1)
        with m.If(trying & (owed | ~unit.outcomes.valid)):
            spent = self._spent(m, unit.slot)
            m.d.sync += [
                counters[Value.cast(spent)].eq(counters[Value.cast(spent)] + 1),
                counters[len(Spent)].eq(counters[len(Spent)] + 1),
            ]
        with m.If(self.outcomes.valid & self.outcomes.ready):
            m.d.sync += owed.eq(0)
            with m.If(unit.outcomes.payload.status == Status.END):
                m.d.sync += trying.eq(0)
        self._follow(m, unit.slot)
        return m

    def _spent(self, m: Module, slot: data.View) -> Signal:
        """What the present cycle goes to."""
        spent = Signal(Spent)
        with m.If(~slot.advances | (slot.mode == Mode.SLOW)):
            m.d.comb += spent.eq(Spent.SLOW)
        with m.Elif(slot.wiping):
            m.d.comb += spent.eq(Spent.WIPING)
        with m.Elif(slot.recirculates):
            m.d.comb += spent.eq(Spent.AGAIN)
        with m.Else(), m.Switch(slot.mode):
            with m.Case(Mode.FETCH):
                m.d.comb += spent.eq(Spent.FETCH)
            with m.Case(Mode.CHAIN):
                m.d.comb += spent.eq(Spent.CHAIN)
            with m.Case(Mode.RESOLVE):
                m.d.comb += spent.eq(Spent.RESOLVE)
            with m.Case(Mode.REVISIT):
                m.d.comb += spent.eq(Spent.REVISIT)
            with m.Default():
                m.d.comb += spent.eq(Mux(slot.first, Spent.FIRST, Spent.EMPTY))
        return spent

    def _follow(self, m: Module, slot: data.View) -> None:
        """Count the rounds of each trial under way, and give them together with its outcome."""
        turn = Signal(range(THREADS))
        under_way = Array(Signal(_ROUND_BITS, name=f"rounds{n}") for n in range(THREADS))
        rounds = Signal(_ROUND_BITS)
        slow = Signal()
        works = (slot.mode != Mode.EMPTY) & (slot.mode != Mode.FETCH) & (slot.mode != Mode.SLOW)
        now = (under_way[turn] + works)[:_ROUND_BITS]
        m.d.comb += [
            self.outcomes.payload.rounds.eq(rounds),
            self.outcomes.payload.slow.eq(slow),
        ]
        with m.If(slot.advances):
            m.d.sync += [turn.eq(turn + 1), under_way[turn].eq(Mux(slot.ended, 0, now))]
            with m.If(slot.ended | slot.first):
                m.d.sync += [
                    rounds.eq(Mux(slot.ended, now, 0)),
                    slow.eq(slot.ended & (slot.mode == Mode.SLOW)),
                ]


class Trial(NamedTuple):
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
    box : tuple of int
        The formation's first column and row and its last ones after it, on the torus.
    rounds : int
        How often it went through the pipeline.
    slow : bool
        Whether it took the slow path.
    """

    index: int
    shape: int
    status: Status
    tiles: int
    loops: int
    lines: int
    box: tuple[int, int, int, int]
    rounds: int
    slow: bool


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
    optimise : str
        As for :class:`Probe`.

    Attributes
    ----------
    probe : Probe
        The model.
    cycles : int
        Of all trials up to now, from the command to the end, without those in which an outcome
        waited to be taken.
    """

    def __init__(
        self,
        grid: GridConfig | None = None,
        *,
        variant: Variant = STANDARD,
        stall: int = 0,
        optimise: str = "-O3",
    ) -> None:
        self.grid = grid or GridConfig()
        self._mask = self.grid.size - 1
        self.probe = Probe(_StepwiseTurnUnit(self.grid), optimise=optimise)
        self._start = self.probe.commands.fields["rules__area"][0]
        self.cycles = 0
        if stall:
            self.probe.stall(stall)
        self.clear(variant)

    def _word(self, op: TurnOp, **fields: int) -> int:
        return self.probe.commands.pack(op=op, **fields) | self._rules

    def do(self, op: TurnOp, **fields: int):  # type: ignore[no-untyped-def]
        """One command but ``EVALUATE``; the fields of its outcome, ``status`` as a number."""
        return self.probe.outcomes.unpack(self.probe.call(self._word(op, **fields)))

    def interrupt(self, op: TurnOp, after: int, **fields: int) -> None:
        """Begin a command, and pulse the reset after so many cycles; :meth:`clear` comes next.

        Of an ``EVALUATE``, or after some of the outcomes of :meth:`try_all`, all others are lost.
        """
        self.probe.interrupt(self._word(op, **fields), after)

    def power_on(self, variant: Variant) -> None:
        """Go back to how it was made, without stalls, for a game of this variant."""
        self.probe.reset()
        self.cycles = 0
        self.clear(variant)

    def clear(self, variant: Variant) -> None:
        """Empty the board, for a game of this variant."""
        self._rules = rules_of(variant, self.grid).as_bits() << self._start
        self.do(TurnOp.CLEAR)

    def place(self, x: int, y: int, shape: Shape):  # type: ignore[no-untyped-def]
        """Make the turn that begins with a tile at model coordinates; the outcome's fields."""
        return self.do(TurnOp.MAKE, symbol=shape.code, x=x & self._mask, y=y & self._mask)

    def undo(self):  # type: ignore[no-untyped-def]
        """Take back the last turn; the outcome's fields."""
        return self.do(TurnOp.UNMAKE)

    def commit(self) -> None:
        """Make all turns final."""
        self.do(TurnOp.COMMIT)

    def spaces(self) -> dict[int, tuple[int, int]]:
        """The coordinates on the torus of the spaces that have candidates, by frontier index."""
        found, index = {}, 0
        while True:
            turn = self.do(TurnOp.NEXT, index=index, symbol=0)
            if turn.status == Status.END.value or turn.turn__index < index:
                return found
            index = turn.turn__index
            found[index] = (turn.turn__x, turn.turn__y)
            if index == self.grid.frontier_entries - 1:
                return found
            index += 1

    def try_all(self) -> Iterator[Trial]:
        """Judge every candidate of the position. To be walked to the end."""
        call, unpack = self.probe.call, self.probe.outcomes.unpack
        word = self._word(TurnOp.EVALUATE, counter=len(Spent))
        while True:
            found = unpack(call(word))
            if found.status == Status.END.value:
                self.cycles = found.count + 1  # The cycle of this answer is not in it yet.
                return
            yield Trial(
                index=found.turn__index,
                shape=found.turn__symbol,
                status=Status(found.status),
                tiles=found.tiles,
                loops=found.loops,
                lines=found.lines,
                box=(found.box__west, found.box__north, found.box__east, found.box__south),
                rounds=found.rounds,
                slow=bool(found.slow),
            )

    def spent(self) -> dict[Spent, int]:
        """What the trials' cycles up to now went to; together they are :attr:`cycles`."""
        reads = ((what, self.do(TurnOp.NEXT, counter=what.value)) for what in Spent)
        return {what: read.count for what, read in reads}

    def stall(self, seed: int) -> None:
        """From now on hold back both streams at random, by another seed; 0 ends that."""
        self.probe.stall(seed)

    def close(self) -> None:
        """Free the model."""
        self.probe.close()
