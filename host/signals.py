"""Signals that are handled in a way of their own for a while."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["Handler", "handled"]

Handler = Callable[[int, FrameType | None], object] | signal.Handlers
"""What is called with a signal's number and where the program is; or one of Python's own."""


@contextmanager
def handled(number: signal.Signals, handler: Handler) -> Iterator[None]:
    """Handle a signal like this within; afterwards as before.

    Python handles signals in the main thread only: in any other nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)
