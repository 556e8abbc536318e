"""Progress of long work: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console, Group
from rich.live import Live
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

__all__ = ["console", "progress"]

_WIDE = 1000
"""The width of lines in a file, where nothing is cut."""

_LONG = 60.0
"""After so many seconds without a line, one is printed in any case."""


class Update(Protocol):
    """Shows how much is done, of how much, and the state of the work in one line."""

    def __call__(self, done: int, total: int, state: str = "") -> None: ...


class _Console(Console):
    """A console that leaves it to the program what happens when the reader of its output goes."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console(*, error: bool = False) -> Console:
    """Return standard output, or standard error: as wide as the terminal; unlimited in a file."""
    found = _Console(stderr=error, highlight=False, markup=False, soft_wrap=False)
    if not found.is_terminal:
        found = _Console(stderr=error, highlight=False, markup=False, width=_WIDE)
    return found


@contextmanager
def progress(
    console: Console, title: str, unit: str, *, bar: bool = True, lines: int = 20
) -> Iterator[Update]:
    """Show the progress of work within the context.

    Parameters
    ----------
    console : Console
        Where to show it: on a terminal a bar, which disappears at the end; elsewhere lines.
    title : str
        The name of the work.
    unit : str
        The unit that is counted, in the plural.
    bar : bool
        Whether a bar may be used. Other output would destroy it.
    lines : int
        The number of lines in place of a bar, for work that does not take long; 0 for none.
    """
    if bar and console.is_terminal:
        with _bar(console, title, unit) as update:
            yield update
    else:
        yield _lines(console, title, unit, lines)


@contextmanager
def _bar(console: Console, title: str, unit: str) -> Iterator[Update]:
    bar = Progress(
        TextColumn("{task.description}", style="bold", markup=False),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("left"),
        console=console,
        expand=True,
    )
    # The bar starts with the first update: work that was done before does not count as speed.
    task = bar.add_task(title, start=False, visible=False)
    line = Text(style="dim", no_wrap=True, overflow="ellipsis")
    group = Group(bar, line)
    with Live(group, console=console, transient=True, refresh_per_second=8):

        def update(done: int, total: int, state: str = "") -> None:
            if bar.tasks[task].started:
                bar.update(task, completed=done, total=total)
            else:
                bar.reset(task, completed=done, total=total, visible=True)
            line.plain = state

        yield update


def _lines(console: Console, title: str, unit: str, lines: int) -> Update:
    shown, last = -1 if lines else 0, time.monotonic()

    def update(done: int, total: int, state: str = "") -> None:
        nonlocal shown, last
        step = done * lines // total if total else lines
        now = time.monotonic()
        if step == shown and now - last < _LONG:
            return
        shown, last = step, now
        console.print(Text(f"{title}: {done} of {total} {unit}{state and f', {state}'}"))

    return update
