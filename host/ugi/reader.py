"""The manager's lines, read all the time by a thread, so that they can interrupt a search.

::

                    ┌─ stop, quit: at once to all searches that were asked for before
    input ─► thread ┼─ isready during a search: answered at once
                    └─ any other line, in order ─► the main thread
"""

from __future__ import annotations

import os
import queue
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import NamedTuple

__all__ = ["LONGEST_LINE", "Inbox", "Line"]

LONGEST_LINE = 1 << 16
"""The most bytes of a line; a game of 255 turns takes some 1,500. A longer line is ignored."""

_TOO_LONG = f"info string a line of more than {LONGEST_LINE} bytes is ignored"
_CHUNK = 1 << 16
_MOST_WAITING = 1024
_SECONDS_AFTER_QUIT = 3.0
_SECONDS_AFTER_END = 600.0


class Line(NamedTuple):
    """A line of the input; ``stop`` is set when the search that it starts has to end."""

    text: str
    stop: threading.Event


class _QuitError(BaseException):
    """Raised in the main thread if it does not end in time."""


class Inbox:
    """The lines of a file descriptor, read by a thread; to be used in the main thread.

    ``quit`` is the last line, and ends searches as ``stop`` does. After the end of the input, all
    lines before it are obeyed first. A line that takes too long then, such as a search of a device
    that does not answer, is cut off: three seconds after ``quit``, ten minutes after the end; later
    while a player starts, which may be compiled first.

    Parameters
    ----------
    source : int
        The file descriptor.
    say : callable
        Takes the replies that are sent at once; the thread calls it.
    starting : callable
        Returns whether a player is being started; the thread calls it.
    """

    def __init__(
        self,
        source: int,
        say: Callable[[str], None],
        starting: Callable[[], bool] = lambda: False,
    ) -> None:
        self._source = source
        self._starting = starting
        self._say = say
        self._lines: queue.Queue[Line | None] = queue.Queue(_MOST_WAITING)
        self._searches: list[threading.Event] = []
        self._lock = threading.Lock()
        self._finished = threading.Event()

    def run(self, obey: Callable[[Line], None]) -> None:
        """Call ``obey`` with each line, up to the last one."""
        before = signal.signal(signal.SIGUSR1, self._interrupted)
        # A read of the source cannot be interrupted: the thread ends with the program.
        threading.Thread(target=self._read, daemon=True).start()
        try:
            for line in iter(self._lines.get, None):
                assert line is not None
                obey(line)
                self._is_done(line)
        except _QuitError:
            pass
        finally:
            self._finished.set()
            signal.signal(signal.SIGUSR1, before)

    def _interrupted(self, _number: int, _frame: FrameType | None) -> None:
        if not self._finished.is_set():
            raise _QuitError

    def _is_done(self, line: Line) -> None:
        with self._lock:
            if line.stop in self._searches:
                self._searches.remove(line.stop)

    def _read(self) -> None:
        """Read up to the end, then end the main thread; runs as a thread."""
        try:
            timeout = self._take_lines()
        except OSError:
            # The input has hung up, or the manager does not read the replies any more.
            timeout = _SECONDS_AFTER_QUIT
        if timeout == _SECONDS_AFTER_QUIT:
            self._stop()
        threading.Thread(target=self._lines.put, args=(None,), daemon=True).start()
        ended = self._finished.wait(timeout)
        while not ended and self._starting():
            ended = self._finished.wait(timeout)
        if not ended:
            self._stop()
            main = threading.main_thread().ident
            assert main is not None
            signal.pthread_kill(main, signal.SIGUSR1)

    def _take_lines(self) -> float:
        """Take lines up to ``quit`` or the end; return the timeout of the main thread after it."""
        for text in self._texts():
            command = text.split(maxsplit=1)[0] if text.strip() else ""
            if command == "quit":
                return _SECONDS_AFTER_QUIT
            if command == "stop":
                self._stop()
            elif command == "isready" and self._is_searching():
                self._say("readyok")
            elif command:
                line = Line(text, threading.Event())
                if command == "go":
                    with self._lock:
                        self._searches.append(line.stop)
                self._lines.put(line)
        return _SECONDS_AFTER_END

    def _texts(self) -> Iterator[str]:
        """Yield the lines of the source without their ends; the last one may have none."""
        rest = b""
        too_long = False
        while data := os.read(self._source, _CHUNK):
            *lines, rest = (rest + data).replace(b"\r", b"\n").split(b"\n")
            for line in lines:
                if too_long or len(line) > LONGEST_LINE:
                    self._say(_TOO_LONG)
                else:
                    yield line.decode("utf-8", "replace")
                too_long = False
            if len(rest) > LONGEST_LINE:
                rest, too_long = b"", True
        if too_long:
            self._say(_TOO_LONG)
        elif rest:
            yield rest.decode("utf-8", "replace")

    def _is_searching(self) -> bool:
        with self._lock:
            return bool(self._searches)

    def _stop(self) -> None:
        with self._lock:
            for stop in self._searches:
                stop.set()
