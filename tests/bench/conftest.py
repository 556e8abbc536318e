"""An interruption in the middle of a bench."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType

import pytest


@pytest.fixture
def interrupt(monkeypatch: pytest.MonkeyPatch) -> Callable[[ModuleType], None]:
    """Interrupts the bench that a module is when it tells its progress for the first time."""

    def update(*_: object) -> None:
        raise KeyboardInterrupt

    @contextmanager
    def progress(*_: object, **__: object) -> Iterator[object]:
        yield update

    return lambda module: monkeypatch.setattr(module, "progress", progress)
