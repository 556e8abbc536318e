"""``EVALUATE``: the candidate evaluator beside the turn unit's other parts, and their memories."""

from __future__ import annotations

from amaranth.hdl import Module, Signal, Value
from amaranth.lib import stream
from amaranth.lib.wiring import connect

from loopline.game import Colour, Side
from loopline.hdl.config import GridConfig
from loopline.hdl.core.memory import SharedMemory
from loopline.hdl.core.parts import Parts
from loopline.hdl.core.placer import Placer
from loopline.hdl.core.types import Status
from loopline.hdl.evaluator.slow import SlowPath
from loopline.hdl.evaluator.unit import CandidateEvaluator

__all__ = ["add_trials", "answer_try"]


def add_trials(
    m: Module, grid: GridConfig, parts: Parts, outcomes: stream.Interface, trying: Value
) -> CandidateEvaluator:
    """Add the trials, which read what the others read while ``trying``; all but their ``start`` is
    connected."""
    placer, cells, spaces, joiner = parts.placer, parts.cells, parts.spaces, parts.joiner
    m.submodules.slow = slow = SlowPath(grid)
    m.submodules.trials = trials = CandidateEvaluator(grid)
    m.d.comb += [
        trials.seen.eq(spaces.seen),
        trials.run.eq(trying),
        # There are outcomes while trying only: what asks for the state as well is late.
        trials.outcomes.ready.eq(outcomes.ready),
        trials.box.eq(placer.box),
        trials.high.eq(spaces.high),
        cells.centre.eq(trials.place),
        trials.banks.eq(cells.banks),
        trials.near.eq(cells.near),
        slow.asked.eq(trials.slow),
        slow.place.eq(trials.slow_place),
        slow.symbol.eq(trials.slow_symbol),
        slow.taken.eq(trials.moves),
        trials.slow_done.eq(slow.done),
        trials.slow_outcome.eq(slow.outcome),
        slow.jobs.ready.eq(placer.jobs.ready),
        slow.results.valid.eq(placer.results.valid),
        slow.results.payload.eq(placer.results.payload),
    ]
    for colour in Colour:
        m.d.comb += [
            trials.partners[colour].eq(joiner.partners[colour]),
            trials.partner_places[colour].eq(spaces.places[colour]),
        ]
    _share(m, grid, placer, trials)
    with m.If(trials.run):
        m.d.comb += [
            placer.jobs.valid.eq(slow.jobs.valid),
            placer.jobs.payload.eq(slow.jobs.payload),
            placer.results.ready.eq(slow.results.ready),
            spaces.index.eq(trials.space),
            spaces.en.eq(~trials.stalled),
            spaces.follow.eq(trials.follow),
            joiner.index.eq(trials.track),
            joiner.en.eq(trials.moves),
        ]
        with m.If(~trials.slow):
            m.d.comb += [parts.tries.eq(trials.moves), cells.around.eq(1)]
    m.d.comb += trials.edges.eq(parts.edges.edges)
    return trials


def _share(m: Module, grid: GridConfig, placer: Placer, trials: CandidateEvaluator) -> None:
    """Add the memories that the evaluator shares with the placer. The evaluator keeps names where
    the placer queues forced plays, and its waiting spaces in the last rows of the journal's
    memory. It is granted both while it evaluates, unless the placer makes a turn for it."""
    evaluating = Signal()
    m.d.comb += evaluating.eq(trials.run & ~trials.slow)
    for name, low, high, depth in (
        ("names_red", trials.names, placer.queue, trials.names.signature.depth),
        ("journal", placer.journal, trials.waiting, grid.journal),
    ):
        shared = SharedMemory(low.signature, high.signature, depth=depth)
        m.submodules[name] = shared
        connect(m, low, shared.low)
        connect(m, high, shared.high)
        m.d.comb += shared.grant.eq(evaluating if high is trials.waiting else ~evaluating)


def answer_try(
    m: Module, parts: Parts, trials: CandidateEvaluator, outcomes: stream.Interface
) -> None:
    """Offer what came of a trial, and after the last one ``END``."""
    outcome, trial = outcomes.payload, trials.outcomes.payload
    m.d.comb += [
        outcomes.valid.eq(trials.outcomes.valid),
        outcome.status.eq(trial.status),
        outcome.tiles.eq(trial.tiles),
        outcome.loops.eq(trial.loops),
        outcome.lines.eq(trial.lines),
        outcome.turn.index.eq(trial.index),
        outcome.turn.symbol.eq(trial.symbol),
    ]
    for side in Side:
        with m.If(trial.growth.any & (trial.growth.side == side)):
            grown = parts.edges.edges.beside[side]
            m.d.comb += outcome.box[side.name.lower()].eq(grown)
    with m.If(trial.end):
        m.d.comb += outcome.status.eq(Status.END)
