"""What a program must not leave behind: descriptors, threads, children."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def _children() -> set[str]:
    found: set[str] = set()
    for task in Path("/proc/self/task").glob("*/children"):
        # A thread may end between the two.
        with suppress(FileNotFoundError, ProcessLookupError):
            found.update(task.read_text(encoding="ascii").split())
    return found


def _descriptors() -> set[str]:
    return {path.name for path in Path("/proc/self/fd").iterdir() if path.is_symlink()}


@contextmanager
def nothing_left() -> Iterator[None]:
    """Fail if there are more descriptors, threads or children after the block than before it."""
    before = _descriptors(), set(threading.enumerate()), _children()
    yield
    assert _descriptors() <= before[0]
    assert set(threading.enumerate()) <= before[1]
    assert _children() <= before[2]


def is_running(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(") ")[2][0] != "Z"


def ends(pid: int, seconds: float = 30.0) -> bool:
    """Whether a process is gone within so many seconds.

    A process that was killed stays until its parent, which is another process, waits for it.
    """
    deadline = time.monotonic() + seconds
    while is_running(pid):
        if time.monotonic() >= deadline:
            return False
        time.sleep(0.01)
    return True


def appears(path: Path, seconds: float = 30.0) -> str:
    """What a file says as soon as it says something."""
    deadline = time.monotonic() + seconds
    while not path.exists() or not path.read_text():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return path.read_text()
