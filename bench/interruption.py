"""What a bench does at Ctrl-C: it prints what it has found until then."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["INTERRUPTED", "Interruption", "interruptible"]

INTERRUPTED = 130
"""The exit status of a bench that was interrupted."""


class Interruption:
    """Whether the work was interrupted: ``status`` is 0, or then :data:`INTERRUPTED`."""

    status = 0


@contextmanager
def interruptible() -> Iterator[Interruption]:
    """End the work within the context at Ctrl-C, and go on after it."""
    found = Interruption()
    try:
        yield found
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        found.status = INTERRUPTED
