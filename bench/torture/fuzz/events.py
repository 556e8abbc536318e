"""Events on the serial line: their form in a file, and the levels that they are made of.

=========================================  ======================================================
``["frame", sequence, code, payload, t]``  a whole and undamaged frame, its payload in hexadecimal
``["bytes", octets, t]``                   any characters
``["bad", octet, t]``                      a character without a stop bit
``["level", level, cycles]``               a glitch, a break, or silence
``["listen", cycles]``                     silence up to the end of the next frame or line
=========================================  ======================================================

``t`` is how long a bit lasts in sixteenths of a clock cycle; 0: as the board's own at that moment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from loopline.game.wire import pack_frame
from loopline.sim.probe.pins import Act

__all__ = ["Burst", "Event", "acts_of", "check", "length_of", "octets_of"]

Event = tuple[Any, ...]
Burst = list[Event]
"""Events between two checks of the board."""

_FIELDS = {
    "frame": (int, int, str, int),
    "bytes": (str, int),
    "bad": (int, int),
    "level": (int, int),
    "listen": (int,),
}
_MOST_CYCLES = 1 << 24


def octets_of(event: Event) -> bytes:
    """Return the characters of an event that have a stop bit."""
    if event[0] == "frame":
        return pack_frame(event[1], event[2], bytes.fromhex(event[3]))
    return bytes.fromhex(event[1]) if event[0] == "bytes" else b""


def length_of(burst: Sequence[Event]) -> int:
    """Return how many characters a burst sends, those without a stop bit too."""
    return sum(len(octets_of(event)) + (event[0] == "bad") for event in burst)


def acts_of(burst: Sequence[Event]) -> Iterator[Act]:
    """Return what to do with ``rx``."""
    for event in burst:
        match event[0]:
            case "frame" | "bytes":
                yield from (Act.byte(octet, event[-1]) for octet in octets_of(event))
            case "bad":
                yield Act.byte(event[1], event[2], stop=False)
            case "level":
                yield Act.level(bool(event[1]), event[2])
            case "listen":
                yield Act.listen(event[1])


def check(read: object) -> list[Burst]:
    """Return the bursts of a file. Raises ``ValueError``, which says what is wrong."""
    if not isinstance(read, list) or not all(isinstance(burst, list) for burst in read):
        raise ValueError("it has no list of bursts, each a list of events")
    for number, burst in enumerate(read, 1):
        for event in burst:
            kind = event[0] if isinstance(event, list) and event else None
            fields = _FIELDS.get(kind) if isinstance(kind, str) else None
            if fields is None or [type(field) for field in event[1:]] != list(fields):
                raise ValueError(f"burst {number}: {event!r} is not an event")
            if any(not 0 <= field < _MOST_CYCLES for field in event if isinstance(field, int)):
                raise ValueError(f"burst {number}: a number of {event!r} is out of range")
            try:
                octets_of(tuple(event))
            except ValueError as error:
                raise ValueError(f"burst {number}: {event!r}: {error}") from None
    return [[tuple(event) for event in burst] for burst in read]
