"""Signal handlers for a limited time."""

from __future__ import annotations

import os
import select
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import Final, NoReturn

__all__ = ["Handler", "handled", "handled_endings", "unwind"]

Handler = Callable[[int, FrameType | None], object] | signal.Handlers
"""A function of the signal's number and the current frame, or one of Python's own handlers."""

_OUTPUTS: Final = (1, 2)


@contextmanager
def handled(number: signal.Signals, handler: Handler) -> Iterator[None]:
    """Install a signal handler within the context; restore the old one afterwards.

    Python handles signals in the main thread only: in any other thread nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


def unwind(number: int) -> NoReturn:
    """End the program after a signal as after an exception, with the status that a shell says."""
    raise SystemExit(128 + number)


@contextmanager
def handled_endings(end: Callable[[int], object] = unwind) -> Iterator[None]:
    """Call ``end`` with the number of a signal that asks the program to end: SIGTERM or SIGHUP.

    A signal that is ignored, as SIGHUP is under ``nohup``, stays ignored. Standard streams of a
    terminal that has hung up can be written to nevertheless.
    """

    def handle(number: int, _frame: FrameType | None) -> None:
        if number == signal.SIGHUP:
            # The terminal and the shell both send it: the second must not disturb the clean-up.
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            _lose_outputs_that_hung_up()
        end(number)

    with ExitStack() as stack:
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:
                stack.enter_context(handled(number, handle))
        yield


def _lose_outputs_that_hung_up() -> None:
    for descriptor in _OUTPUTS:
        poll = select.poll()
        poll.register(descriptor, 0)
        if poll.poll(0):
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, descriptor)
            os.close(null)
