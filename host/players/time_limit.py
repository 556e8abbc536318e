"""A limit to how long the terminal is waited for."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from loopline.host.signals import handled

__all__ = ["TimeUpError", "time_limit"]


class TimeUpError(Exception):
    """The time is up. No OSError, so that nobody takes it for a failed read."""


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raise :exc:`TimeUpError` from whatever waits in here for longer; None: no limit.

    It works by SIGALRM, so in the main thread only; in any other there is no limit.
    """
    if seconds is None or threading.current_thread() is not threading.main_thread():
        yield
        return

    def late(_number: int, _frame: FrameType | None) -> None:
        raise TimeUpError

    with handled(signal.SIGALRM, late):
        # An interval of nothing would mean no alarm at all.
        signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6))
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
