"""A serial port whose far end a test holds: for answers that no board of ours would give."""

from __future__ import annotations

import os
import pty
import select
import threading
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Answer = Callable[[bytes], bytes]


class Puppet:
    """The far end of a pseudo-terminal: hears whole lines, says whatever the test likes."""

    def __init__(self, master: int, path: str) -> None:
        self.path = path
        self.heard: list[bytes] = []
        self._master = master

    def say(self, data: bytes) -> None:
        os.write(self._master, data)

    def answer(self, answer: Answer, stop: int) -> None:
        """Answer each line with ``answer``, until ``stop`` becomes readable."""
        received = b""
        while stop not in (ready := select.select([self._master, stop], [], [])[0]):
            assert ready
            *lines, received = (received + os.read(self._master, 4096)).split(b"\n")
            for line in lines:
                self.heard.append(line)
                self.say(answer(line))


@contextmanager
def puppet(answer: Answer = lambda line: b"") -> Iterator[Puppet]:
    """A port whose far end answers every line with ``answer(line)``; by default with nothing."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    stopped, stop = os.pipe()
    held = Puppet(master, os.ttyname(slave))
    thread = threading.Thread(target=held.answer, args=(answer, stopped))
    thread.start()
    try:
        yield held
    finally:
        os.write(stop, b"!")
        thread.join()
        for descriptor in (master, slave, stopped, stop):
            os.close(descriptor)


def vanishing_port() -> tuple[int, int, str]:
    """A port whose far end the test may close: both ends and the path."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    return master, slave, os.ttyname(slave)
