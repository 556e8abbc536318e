"""What Dask does first in each process that it starts on this machine: a preload module."""

from __future__ import annotations

import signal

__all__ = ["dask_setup"]


def dask_setup(_worker: object) -> None:
    """Leave interrupts from the keyboard, which go to all processes, to the one that commands."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
