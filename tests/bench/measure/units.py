"""Units for the tests of ``loopline bench core``."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from loopline.sim.probe.evaluator import EvaluatedCandidate, NativeEvaluator
from tests.sim.probe.units import UNITS

SIZE = 64


class FaultyEvaluator(NativeEvaluator):
    """The unit that other tests have, too, but it spoils every hundredth evaluation: by default a
    bit of its number of tiles is flipped."""

    spoil: Callable[[EvaluatedCandidate], list[EvaluatedCandidate]] = staticmethod(
        lambda evaluated: [flipped(evaluated, tiles=1)]
    )

    def __init__(self) -> None:
        vars(self).update(vars(UNITS[SIZE]))

    def evaluate_all(self) -> Iterator[EvaluatedCandidate]:
        seen = vars(self).setdefault("seen", 0)
        for self.seen, evaluated in enumerate(super().evaluate_all(), seen + 1):
            yield from self.spoil(evaluated) if self.seen % 100 == 0 else [evaluated]


def flipped(evaluated: EvaluatedCandidate, **bits: int) -> EvaluatedCandidate:
    """The same candidate with some bits of its evaluation flipped."""
    evaluation = evaluated.evaluation
    changed = {name: getattr(evaluation, name) ^ mask for name, mask in bits.items()}
    return evaluated._replace(evaluation=evaluation._replace(**changed))
