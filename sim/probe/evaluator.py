"""The candidate evaluator at native speed: all candidates of a position, and what they cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from amaranth.hdl import Array, Module, Mux, Signal, Value
from amaranth.lib import data, enum, stream, wiring
from amaranth.lib.wiring import In, Out

from loopline.game import Variant
from loopline.hdl.config import GridConfig
from loopline.hdl.core.rules import rules_layout
from loopline.hdl.core.types import Status, TurnOp, command_layout, outcome_layout
from loopline.hdl.core.unit import TurnUnit
from loopline.hdl.evaluator.types import THREADS, Mode
from loopline.sim.probe.turn_unit import Evaluation, NativeTurnUnit, box_of, evaluation_of

__all__ = ["CycleUse", "EvaluatedCandidate", "NativeEvaluator"]

_COUNTER_BITS = 32
_ROUND_BITS = 7


class CycleUse(enum.Enum, shape=4):
    """What a cycle goes to. The chain has room for one token in each."""

    EMPTY = 0
    """Nothing: no first tile is ready to enter, or only the position's last candidates are left."""
    FIRST = 1
    """No token, but a candidate is evaluated by its first tile alone."""
    FETCH = 2
    """A frontier space's neighbours and tracks are read."""
    CHAIN = 3
    """A forced play is made."""
    RESOLVE = 4
    """The track at side ``a`` of a space's second pair is looked up."""
    REVISIT = 5
    """A pending space is read."""
    RECIRCULATE = 6
    """A token cannot go on yet, and goes round once more."""
    SLOW = 7
    """A candidate is made and unmade on the slow path, or waits for that."""
    WIPING = 8
    """The memories are wiped, as the epochs are used up."""


class _StepwiseTurnUnit(wiring.Component):
    """A turn unit with the evaluator that gives one outcome for each command: ``EVALUATE`` is
    repeated for each candidate.

    A command has two more fields: the ``rules``, and the ``counter`` that its outcome returns as
    ``count``: the cycles of one :class:`CycleUse`, or of all. Cycles in which the unit waits for
    the next ``EVALUATE`` are not counted. An outcome of ``EVALUATE`` also has the candidate's
    ``rounds`` through the chain, and whether it took the ``slow`` path.
    """

    def __init__(self, grid: GridConfig) -> None:
        self._grid = grid
        members = {"rules": rules_layout(grid), "counter": range(len(CycleUse) + 1)}
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
        evaluating = Signal()
        owed = Signal()
        counter = Signal(range(len(CycleUse) + 1))
        counters = Array(
            Signal(_COUNTER_BITS, name=f"counter{n}") for n in range(len(CycleUse) + 1)
        )
        repeats = evaluating & (command.op == TurnOp.EVALUATE)
        m.d.comb += [
            # The unit's command is the first part of this one.
            Value.cast(unit.commands.payload).eq(Value.cast(command)),
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
                m.d.sync += evaluating.eq(1)
        with m.If(evaluating & (owed | ~unit.outcomes.valid)):
            use = Value.cast(self._use(m, unit.slot))
            m.d.sync += [
                counters[use].eq(counters[use] + 1),
                counters[len(CycleUse)].eq(counters[len(CycleUse)] + 1),
            ]
        with m.If(self.outcomes.valid & self.outcomes.ready):
            m.d.sync += owed.eq(0)
            with m.If(unit.outcomes.payload.status == Status.END):
                m.d.sync += evaluating.eq(0)
        self._count_rounds(m, unit.slot)
        return m

    def _use(self, m: Module, slot: data.View) -> Signal:
        """Return what this cycle goes to."""
        use = Signal(CycleUse)
        with m.If(~slot.advances | (slot.mode == Mode.SLOW)):
            m.d.comb += use.eq(CycleUse.SLOW)
        with m.Elif(slot.wiping):
            m.d.comb += use.eq(CycleUse.WIPING)
        with m.Elif(slot.recirculates):
            m.d.comb += use.eq(CycleUse.RECIRCULATE)
        with m.Else(), m.Switch(slot.mode):
            with m.Case(Mode.FETCH):
                m.d.comb += use.eq(CycleUse.FETCH)
            with m.Case(Mode.CHAIN):
                m.d.comb += use.eq(CycleUse.CHAIN)
            with m.Case(Mode.RESOLVE):
                m.d.comb += use.eq(CycleUse.RESOLVE)
            with m.Case(Mode.REVISIT):
                m.d.comb += use.eq(CycleUse.REVISIT)
            with m.Default():
                m.d.comb += use.eq(Mux(slot.first, CycleUse.FIRST, CycleUse.EMPTY))
        return use

    def _count_rounds(self, m: Module, slot: data.View) -> None:
        """Count the rounds of each thread's candidate, and give them with its outcome."""
        thread = Signal(range(THREADS))
        under_way = Array(Signal(_ROUND_BITS, name=f"rounds{n}") for n in range(THREADS))
        rounds = Signal(_ROUND_BITS)
        slow = Signal()
        works = (slot.mode != Mode.EMPTY) & (slot.mode != Mode.FETCH) & (slot.mode != Mode.SLOW)
        now = (under_way[thread] + works)[:_ROUND_BITS]
        m.d.comb += [
            self.outcomes.payload.rounds.eq(rounds),
            self.outcomes.payload.slow.eq(slow),
        ]
        with m.If(slot.advances):
            m.d.sync += [thread.eq(thread + 1), under_way[thread].eq(Mux(slot.ended, 0, now))]
            with m.If(slot.ended | slot.first):
                m.d.sync += [
                    rounds.eq(Mux(slot.ended, now, 0)),
                    slow.eq(slot.ended & (slot.mode == Mode.SLOW)),
                ]


class EvaluatedCandidate(NamedTuple):
    """A candidate, by frontier index and shape code, as the unit has evaluated it.

    ``rounds`` is how often its token went through the chain, ``slow`` whether it took the slow
    path.
    """

    index: int
    shape: int
    evaluation: Evaluation
    rounds: int
    slow: bool


class NativeEvaluator(NativeTurnUnit):
    """A turn unit with the candidate evaluator, compiled to native code.

    Attributes
    ----------
    cycles : int
        Cycles of all ``EVALUATE`` so far, from the command to the end, without those in which an
        outcome waited to be taken.
    """

    _component = _StepwiseTurnUnit
    cycles = 0

    def power_on(self, variant: Variant) -> None:
        """Reset the unit as after power-on, without stalls, for a game of this variant."""
        self.cycles = 0
        super().power_on(variant)

    def spaces(self) -> dict[int, tuple[int, int]]:
        """Return the coordinates on the torus of the spaces that have candidates, by frontier
        index."""
        return {turn.turn__index: (turn.turn__x, turn.turn__y) for turn in self.candidates()}

    def evaluate_all(self) -> Iterator[EvaluatedCandidate]:
        """Evaluate every candidate of the position. The iterator has to be exhausted."""
        call, unpack = self.probe.call, self.probe.outcomes.unpack
        word = self._word(TurnOp.EVALUATE, counter=len(CycleUse))
        while True:
            found = unpack(call(word))
            if found.status == Status.END.value:
                self.cycles = found.count + 1  # The cycle of this outcome is not counted yet.
                return
            evaluation = evaluation_of(found)._replace(box=box_of(found))
            yield EvaluatedCandidate(
                found.turn__index, found.turn__symbol, evaluation, found.rounds, bool(found.slow)
            )

    def cycles_by_use(self) -> dict[CycleUse, int]:
        """Return what the cycles so far went to; the sum is :attr:`cycles`."""
        reads = ((use, self.do(TurnOp.NEXT, counter=use.value)) for use in CycleUse)
        return {use: read.count for use, read in reads}
