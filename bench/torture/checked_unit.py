"""A turn unit with the evaluator, every command of which is compared with the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from loopline.bench.measure.candidates import Candidate
from loopline.bench.torture.torus import TorusPosition
from loopline.game import SHAPE_OF_CODE, STANDARD, Variant
from loopline.game.chain import Chain
from loopline.hdl.core.types import Status, TurnOp
from loopline.hdl.evaluator.types import pending_port
from loopline.sim.probe.evaluator import CycleUse, NativeEvaluator
from loopline.sim.probe.image import Image, image_of
from loopline.sim.probe.turn_unit import box_of, evaluation_of

__all__ = ["COUNTED", "CheckedUnit", "DifferenceError"]

COUNTED = {
    "positions": "in which all candidates were compared",
    "candidates": "of these positions, evaluated and listed",
    "EVALUATE LEGAL": "of them",
    "EVALUATE FORCED": "of them",
    "EVALUATE BOUNDS": "of them",
    "EVALUATE AREA": "of them",
    "slow": "of them, by the slow path",
    "turns": "made",
    "unmade": "turns unmade",
    "MISMATCH": "turns refused for that",
    "FORCED": "turns refused for that",
    "BOUNDS": "turns refused for that",
    "AREA": "turns refused for that",
    "full": "turns refused as the memories might have been too small",
    "at the limit": "turns after which the formation was as large as the grid holds",
    "committed": "times that turns were made final",
    "cleared": "boards",
    "interrupted": "commands by a reset",
    "wiped": "times that the epochs were used up",
}
"""The counters of :attr:`CheckedUnit.seen`."""

_MOST_EVALUATIONS = 200


class DifferenceError(Exception):
    """The unit differs from the rules; the message says in what."""


class CheckedUnit:
    """A unit and the rules, kept in step; methods raise :exc:`DifferenceError` if they differ.

    Compared are the status of each turn, its tiles, loops, lines and box; the candidates by
    ``NEXT`` and by ``EVALUATE``; and the memories (see :mod:`loopline.sim.probe.image`): after a
    command that must leave the position as it was, and after ``UNMAKE`` with those before the turn.

    Parameters
    ----------
    unit : NativeEvaluator
        It is reset.
    variant : Variant
        The variant that is played.
    origin : tuple of int
        The first tile's column and row if it is one of :meth:`TorusPosition.candidates`.

    Attributes
    ----------
    position : TorusPosition
        The position by the rules.
    seen : Counter
        See :data:`COUNTED`.
    deepest, longest : int
        The most turns that could be unmade, and the most tiles of a turn.
    compared : bool
        The position's candidates have been compared.
    """

    def __init__(
        self, unit: NativeEvaluator, variant: Variant = STANDARD, origin: tuple[int, int] = (0, 0)
    ) -> None:
        self.unit, self.grid = unit, unit.grid
        self.seen: Counter[str] = Counter()
        self.deepest = self.longest = 0
        unit.power_on(variant)
        self._begin(variant, origin)

    def _begin(self, variant: Variant, origin: tuple[int, int]) -> None:
        self.position = TorusPosition(variant, self.grid, origin)
        self.compared = False
        self._images: list[Image] = []

    @property
    def depth(self) -> int:
        """The number of turns that can be unmade."""
        return len(self._images)

    # Commands.

    def clear(self, variant: Variant, origin: tuple[int, int] = (0, 0)) -> None:
        """Empty the board, for another game."""
        self.unit.clear(variant)
        self._begin(variant, origin)
        self.seen["cleared"] += 1

    def make(self, turn: Candidate) -> Status:
        """Make a turn of any shape in any cell, legal or not, and return its status.

        The unit may refuse it for lack of room only if the memories may have too little.
        """
        before = self._image()
        expected, chain = self.position.evaluate(turn)
        outcome = self.unit.make(turn.x, turn.y, SHAPE_OF_CODE[turn.shape])
        status = Status(outcome.status)
        if status is Status.LEGAL is expected.status:
            assert chain is not None
            self._expect(f"MAKE of {turn}", evaluation_of(outcome), expected)
            self.position.make(chain)
            self._images.append(before)
            self.compared = False
            self._count_turn(expected.tiles)
            return status
        self.seen[status.name] += 1
        if status is Status.BOUNDS is not expected.status and self._may_be_full(chain):
            self.seen["full"] += 1
        else:
            self._expect(f"MAKE of {turn}", status, expected.status)
        self._expect("the box", box_of(outcome), self.position.box)
        self._expect_image(f"a refused MAKE of {turn}", before)
        return status

    def unmake(self) -> Candidate:
        """Unmake the last turn, and return it."""
        before = self._images.pop()
        outcome = self.unit.unmake()
        chain = self.position.unmake()
        self._expect("UNMAKE", Status(outcome.status), Status.LEGAL)
        self._expect("the box", box_of(outcome), self.position.box)
        self._expect_image("UNMAKE", before)
        self.compared = False
        self.seen["unmade"] += 1
        return self.position.named(chain.steps[0].space, chain.steps[0].tile)

    def remake(self) -> None:
        """Unmake a turn and make it again: then all memories are as they were."""
        after = self._image()
        self.make(self.unmake())
        self._expect_image("the same turn again", after)

    def unmake_nothing(self) -> None:
        """Give ``UNMAKE`` when no turn can be unmade."""
        outcome = self.unit.unmake()
        self._expect("UNMAKE", Status(outcome.status), Status.END)
        self._expect("the box", box_of(outcome), self.position.box)

    def commit(self) -> None:
        """Make all turns final."""
        before = self._image()
        self.unit.commit()
        self._expect_image("COMMIT", before)
        self._images.clear()
        self.seen["committed"] += 1
        self.unmake_nothing()

    def interrupt(self, op: TurnOp, after: int, *, outcomes: int = 0, **fields: int) -> None:
        """Reset the unit some cycles after a command begins; :meth:`clear` has to be next.

        Of an ``EVALUATE``, so many ``outcomes`` are taken before that.
        """
        if op is TurnOp.EVALUATE:
            for _ in zip(range(outcomes), self.unit.evaluate_all(), strict=False):
                pass
        self.unit.interrupt(op, after, **fields)
        self.seen["interrupted"] += 1

    def compare(self, cursor: tuple[int, int] = (0, 0)) -> None:
        """Compare the list of ``NEXT``, from the start and from a cursor, and all evaluations."""
        before = self._image()
        expected = self.position.evaluate_all()
        inside = {turn for turn, by_rules in expected.items() if by_rules.status is not Status.AREA}
        if not self.position.tiles:
            inside = {Candidate(0, 0, 0), Candidate(0, 0, 1)}
        listed = list(self.candidates())
        places = [Candidate(x, y, shape) for _, shape, x, y in listed]
        self._expect("NEXT lists", sorted(places), sorted(inside))
        rest = [turn for turn in listed if turn[:2] >= cursor]
        self._expect(f"NEXT from {cursor}", [*islice(self.candidates(cursor), 1)], rest[:1])
        spaces = {index: (x, y) for index, _, x, y in listed}
        outside: Counter[object] = Counter()
        for evaluated in self.unit.evaluate_all():
            found, index, shape = evaluated.evaluation, evaluated.index, evaluated.shape
            self.seen["slow"] += evaluated.slow
            self.seen[f"EVALUATE {found.status.name}"] += 1
            if found.status is Status.AREA:
                self._expect("an AREA listed", index in spaces, False)
                outside[shape, found] += 1
                continue
            turn = Candidate(*spaces.get(index, (-1, -1)), shape)
            by_rules = expected.pop(turn, None)
            full = evaluated.slow and found.status is Status.BOUNDS and self._may_be_full(None)
            if not (full and by_rules):
                self._expect(f"EVALUATE of {turn}", found, by_rules)
        left = Counter((turn.shape, by_rules) for turn, by_rules in expected.items())
        self._expect("EVALUATE outside of the area", outside, left)
        self._expect_image("NEXT and EVALUATE", before)
        self.seen["positions"] += 1
        self.seen["candidates"] += len(inside) + outside.total()
        self.compared = True

    def candidates(self, cursor: tuple[int, int] = (0, 0)) -> Iterator[tuple[int, int, int, int]]:
        """Yield what ``NEXT`` lists from a cursor on: frontier index, shape, column, row."""
        for turn in self.unit.candidates(*cursor):
            place = turn.turn__index, turn.turn__symbol
            self._expect(f"NEXT from {cursor} goes on", place >= cursor, True)
            yield *place, turn.turn__x, turn.turn__y
            cursor = place[0], place[1] + 1

    def use_up_epochs(self) -> None:
        """Evaluate the position over and over, until the epochs are used up."""
        expected = sorted(evaluated[:3] for evaluated in self.unit.evaluate_all())
        wiped = self.unit.cycles_by_use()[CycleUse.WIPING]
        for _ in range(_MOST_EVALUATIONS):
            again = sorted(evaluated[:3] for evaluated in self.unit.evaluate_all())
            self._expect("EVALUATE again", again, expected)
            if self.unit.cycles_by_use()[CycleUse.WIPING] > wiped:
                self.seen["wiped"] += 1
                return

    # What is compared.

    def _expect(self, what: str, unit: object, rules: object) -> None:
        if unit != rules:
            raise DifferenceError(
                f"{what}: the unit says {unit}, the rules {rules}; "
                f"{self.position.board.variant} on {self.grid}, {self.position.tiles} tiles, "
                f"{self.depth} turns kept"
            )

    def _image(self) -> Image:
        return image_of(self.unit.probe, self.grid)

    def _expect_image(self, what: str, before: Image) -> None:
        """Compare the memories with an earlier image of them."""
        image = self._image()
        for name, words in before.items():
            self._expect(f"{what}, {name}", image[name], words)

    def _may_be_full(self, chain: Chain | None) -> bool:
        """Return whether the memories may lack room for a turn.

        An illegal turn counts as many tiles as the journal holds: their number is not known.
        """
        laid = len(chain.steps) if chain else self.grid.journal
        depth = self.depth
        kept = [len(made.steps) for made, _ in self.position.chains[-depth:]] if depth else []
        # One entry for each tile, up to four for its tracks; a tile needs room for all.
        entries = 5 * (sum(kept) + laid)
        spaces = len(self.position.board.sockets) + 2 * laid + 2
        room = self.grid.journal - pending_port(self.grid).depth
        return entries > room or spaces + 1 > self.grid.frontier_entries

    def _count_turn(self, tiles: int) -> None:
        self.seen["turns"] += 1
        self.deepest = max(self.deepest, self.depth)
        self.longest = max(self.longest, tiles)
        box = self.position.board.box
        self.seen["at the limit"] += max(box.width, box.height) == self.grid.limit
