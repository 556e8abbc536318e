"""Signal handlers for a limited time."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["Handler", "handled"]

Handler = Callable[[int, FrameType | None], object] | signal.Handlers
"""A function of the signal's number and the current frame, or one of Python's own handlers."""


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
