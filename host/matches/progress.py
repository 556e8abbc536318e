"""How a match goes on: a bar on a terminal, now and then a line elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

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

__all__ = ["progress"]

_STEPS = 20
"""How many lines there are where there is no terminal, if it does not take long."""

_LONG = 60.0
"""The seconds after which there is one more."""

Update = Callable[[int, str], None]
"""Called with how much is done, and how things stand in one line."""


@contextmanager
def progress(
    console: Console, title: str, total: int, unit: str, *, bar: bool = True
) -> Iterator[Update]:
    """Show how far something is, as long as it lasts.

    Parameters
    ----------
    console : Console
        Where: a bar that is gone at the end if it is a terminal, or else lines that stay.
    title : str
        What is done.
    total : int
        How much there is to do.
    unit : str
        What is counted, in the plural.
    bar : bool
        Whether there may be a bar, which leaves no place for anything else that is shown.
    """
    if bar and console.is_terminal:
        with _bar(console, title, total, unit) as update:
            yield update
    else:
        yield _lines(console, title, total, unit)


@contextmanager
def _bar(console: Console, title: str, total: int, unit: str) -> Iterator[Update]:
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
    # Shown from the first update on, so that what was done before is not taken for speed.
    task = bar.add_task(title, total=total, start=False, visible=False)
    state = Text(style="dim", no_wrap=True, overflow="ellipsis")
    group = Group(bar, state)
    with Live(group, console=console, transient=True, refresh_per_second=8):

        def update(done: int, text: str) -> None:
            if bar.tasks[task].started:
                bar.update(task, completed=done)
            else:
                bar.reset(task, completed=done, visible=True)
            state.plain = text

        yield update


def _lines(console: Console, title: str, total: int, unit: str) -> Update:
    shown, last = -1, time.monotonic()

    def update(done: int, text: str) -> None:
        nonlocal shown, last
        step = done * _STEPS // total if total else _STEPS
        now = time.monotonic()
        if step == shown and now - last < _LONG:
            return
        shown, last = step, now
        console.print(Text(f"{title}: {done} of {total} {unit}{text and f', {text}'}"))

    return update
