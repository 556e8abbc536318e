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
    """The far end of a pseudo-terminal: notes the lines it hears, says what the test likes."""

    def __init__(self, master: int, path: str) -> None:
        self.path = path
        self.heard: list[bytes] = []
        self._master = master

    def say(self, data: bytes) -> None:
        os.write(self._master, data)


@contextmanager
def far_end(hear: Callable[[Puppet, bytes], object]) -> Iterator[Puppet]:
    """A port whose far end calls ``hear`` with itself and what comes, piece by piece."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    stopped, stop = os.pipe()
    held = Puppet(master, os.ttyname(slave))

    def listen() -> None:
        while stopped not in select.select([master, stopped], [], [])[0]:
            hear(held, os.read(master, 4096))

    thread = threading.Thread(target=listen)
    thread.start()
    try:
        yield held
    finally:
        os.write(stop, b"!")
        thread.join()
        for descriptor in (master, slave, stopped, stop):
            os.close(descriptor)


@contextmanager
def puppet(answer: Answer = lambda line: b"") -> Iterator[Puppet]:
    """A port whose far end answers every line with ``answer(line)``; by default with nothing."""
    received = b""

    def hear(held: Puppet, data: bytes) -> None:
        nonlocal received
        *lines, received = (received + data).split(b"\n")
        for line in lines:
            held.heard.append(line)
            held.say(answer(line))

    with far_end(hear) as held:
        yield held


def vanishing_port() -> tuple[int, int, str]:
    """A port whose far end the test may close: both ends and the path."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    return master, slave, os.ttyname(slave)
