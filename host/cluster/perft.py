"""Perft that is shared: deep counts, cut into tasks that are done anywhere.

The first turns are made here. Positions that are the same game, see :mod:`loopline.game.symmetry`,
have the same count below them, so each of them is counted once and multiplied; below that, every
sequence is counted as :func:`loopline.game.perft` does.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass

from loopline.game import STANDARD, Position, Variant, canonical, perft, play_game
from loopline.host.cluster.spread import Workers, spread

__all__ = ["PerftTask", "count_task", "deep_perft", "perft_tasks"]

_ENOUGH = 100
"""How many tasks are enough for any number of processes to end at about the same time."""

_WORTH = 2
"""The least depth that a task has, so that there is something to do in it."""


@dataclass(frozen=True)
class PerftTask:
    """A position to count below, and how many sequences lead to it or to one that is the same game.

    Parameters
    ----------
    turns : tuple of str
        The turns that lead to the position.
    depth : int
        How many turns deep to count.
    times : int
        How many sequences lead to it.
    variant : Variant
        What is played.
    """

    turns: tuple[str, ...]
    depth: int
    times: int = 1
    variant: Variant = STANDARD

    def position(self) -> Position:
        """The position."""
        return play_game(self.turns, self.variant)


def perft_tasks(position: Position, depth: int) -> list[PerftTask]:
    """Cut a count into tasks, whose counts, each as many times as it says, add up to it."""
    turns = tuple(str(played.turn) for played in position.history)
    tasks = [PerftTask(turns, depth, 1, position.variant)]
    while tasks and tasks[0].depth > _WORTH and len(tasks) < _ENOUGH:
        tasks = _deeper(tasks)
    return tasks


def _deeper(tasks: list[PerftTask]) -> list[PerftTask]:
    """The same one turn later."""
    found: dict[str, PerftTask] = {}
    for task in tasks:
        position = task.position()
        for turn in position.legal_turns():
            ends = position.play(turn).ends_game
            form = canonical(position).form
            position.undo()
            if ends:
                # Nothing is counted below the end of a game.
                continue
            same = found.get(form)
            turns = same.turns if same else (*task.turns, str(turn))
            times = task.times + (same.times if same else 0)
            found[form] = PerftTask(turns, task.depth - 1, times, task.variant)
    return list(found.values())


def count_task(task: PerftTask) -> int:
    """Count the sequences below a task's position, once."""
    return perft(task.position(), task.depth)


def deep_perft(
    position: Position,
    depth: int,
    workers: Workers,
    watch: Callable[[int, int], None] = lambda _done, _total: None,
) -> int:
    """Count as :func:`loopline.game.perft` does, on many processes.

    ``watch`` is called with the tasks done and all tasks, at the start and after each. The errors
    are those of :func:`loopline.host.cluster.spread.spread`.
    """
    tasks = perft_tasks(position, depth)
    watch(0, len(tasks))
    count = 0
    with closing(spread(count_task, tasks, workers)) as answers:
        for done, (task, answer) in enumerate(answers, start=1):
            count += task.times * answer
            watch(done, len(tasks))
    return count
