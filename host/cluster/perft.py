"""Deep perft counts, cut into tasks for many processes.

The first turns are made here. Symmetric positions (:mod:`loopline.game.symmetry`) have the same
count below them: one of them is counted, and the count multiplied. A task counts all sequences
below its position, as :func:`loopline.game.perft` does.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass

from loopline.game import STANDARD, Position, Variant, canonical, perft, play_game
from loopline.host.cluster.spread import Workers, spread

__all__ = ["PerftTask", "count_task", "deep_perft", "perft_tasks"]

_ENOUGH = 100
"""The number of tasks from which on processes end at about the same time, however many."""

_WORTH = 2
"""The least depth of a task; a task of less depth would be too short."""


@dataclass(frozen=True)
class PerftTask:
    """A position to count below.

    Parameters
    ----------
    turns : tuple of str
        The turns that lead to the position.
    depth : int
        The number of turns to count.
    times : int
        How many sequences of turns lead to it or to a position symmetric to it.
    variant : Variant
        What is played.
    """

    turns: tuple[str, ...]
    depth: int
    times: int = 1
    variant: Variant = STANDARD

    def position(self) -> Position:
        """Return the position, with its history."""
        return play_game(self.turns, self.variant)


def perft_tasks(position: Position, depth: int) -> list[PerftTask]:
    """Cut a count into tasks: their counts, each multiplied by its ``times``, add up to it."""
    turns = tuple(str(played.turn) for played in position.history)
    tasks = [PerftTask(turns, depth, 1, position.variant)]
    while tasks and tasks[0].depth > _WORTH and len(tasks) < _ENOUGH:
        tasks = _deeper(tasks)
    return tasks


def _deeper(tasks: list[PerftTask]) -> list[PerftTask]:
    """Return the same count as tasks of one turn less depth."""
    found: dict[str, PerftTask] = {}
    for task in tasks:
        position = task.position()
        for turn in position.legal_turns():
            ends = position.play(turn).ends_game
            form = canonical(position).form
            position.undo()
            if ends:
                # A game that is over has no turns to count.
                continue
            same = found.get(form)
            turns = same.turns if same else (*task.turns, str(turn))
            times = task.times + (same.times if same else 0)
            found[form] = PerftTask(turns, task.depth - 1, times, task.variant)
    return list(found.values())


def count_task(task: PerftTask) -> int:
    """Count the sequences below a task's position."""
    return perft(task.position(), task.depth)


def deep_perft(
    position: Position,
    depth: int,
    workers: Workers,
    watch: Callable[[int, int], None] = lambda _done, _total: None,
) -> int:
    """Count as :func:`loopline.game.perft` does, on many processes.

    ``watch`` is called at the start and after each task, with the number of tasks done and of all.
    Raises what :func:`loopline.host.cluster.spread.spread` raises.
    """
    tasks = perft_tasks(position, depth)
    watch(0, len(tasks))
    count = 0
    with closing(spread(count_task, tasks, workers)) as answers:
        for done, (task, answer) in enumerate(answers, start=1):
            count += task.times * answer
            watch(done, len(tasks))
    return count
