"""Python's garbage collector, where it finds nothing and costs a lot."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["collector_paused"]


@contextmanager
def collector_paused() -> Iterator[None]:
    """Collect no garbage meanwhile, unless it was off before.

    While Amaranth converts a design, nearly all that it makes stays in use until the end; the
    collector would look through it again and again, for half of the time.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
