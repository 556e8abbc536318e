"""The far end of a port that says who it is, whatever a test wants it to be."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from loopline.game.wire import ANSWERS, Command, Frame, FrameReader, answer_code, pack_frame
from tests.host.puppet import Puppet, far_end

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


@contextmanager
def framed_puppet(**changes: object) -> Iterator[Puppet]:
    """A port whose far end answers every frame with its identity, and nothing else."""
    code = answer_code(Command.IDENTIFY)
    payload = ANSWERS[code].pack(**{**IDENTITY, **changes})  # type: ignore[arg-type]
    reader = FrameReader()

    def hear(held: Puppet, data: bytes) -> None:
        for event in reader.feed(data):
            if isinstance(event, Frame):
                held.say(pack_frame(event.sequence, code, payload))

    with far_end(hear) as held:
        yield held
