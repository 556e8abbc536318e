"""The far end of a port that says who it is, whatever a test wants it to be."""

from __future__ import annotations

import os
import pty
import select
import threading
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from loopline.game.wire import ANSWERS, Command, Frame, FrameReader, answer_code, pack_frame

IDENTITY: dict[str, object] = {
    "magic": "TRAX",
    "protocol": 1,
    "name": "Puppet",
    "build": 0xC0FFEE,
    "grid": 64,
    "lanes": 1,
    "clock": 12_000_000,
    "bit_cycles": 104,
    "baud": 115_200,
    "area": 0,
    "rules": 1,
    "code": "PU",
    "depth": 2,
    "features": 1,
    "history": 255,
}


class Port(NamedTuple):
    """Where it is."""

    path: str


@contextmanager
def framed_puppet(**changes: object) -> Iterator[Port]:
    """A port whose far end answers every frame with its identity, and nothing else."""
    code = answer_code(Command.IDENTIFY)
    payload = ANSWERS[code].pack(**{**IDENTITY, **changes})  # type: ignore[arg-type]
    master, slave = pty.openpty()
    tty.setraw(slave)
    stopped, stop = os.pipe()

    def answer() -> None:
        reader = FrameReader()
        while stopped not in select.select([master, stopped], [], [])[0]:
            for event in reader.feed(os.read(master, 4096)):
                if isinstance(event, Frame):
                    os.write(master, pack_frame(event.sequence, code, payload))

    thread = threading.Thread(target=answer)
    thread.start()
    try:
        yield Port(os.ttyname(slave))
    finally:
        os.write(stop, b"!")
        thread.join()
        for descriptor in (master, slave, stopped, stop):
            os.close(descriptor)
