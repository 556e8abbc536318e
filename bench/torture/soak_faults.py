"""The faults of cable, board and host in the middle of a game."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from loopline.bench.torture.soak_cable import Cable
from loopline.game.wire import Command, command_frame

__all__ = ["FAULTS", "Fault"]

Chance = random.Random


class Fault(NamedTuple):
    """One fault: a strike on the cable, or something that happens before the next turn.

    Attributes
    ----------
    what : str
        Its name.
    down : bool
        Whether the strike hits a command, or else an answer.
    strike : callable or None
        Returns the bytes that arrive of those that were sent. It may also act on the cable and
        the board.
    before : callable or None
        Acts on the board between two turns.
    leaves : bool
        Whether the host ends then, and another one takes over.
    """

    what: str
    down: bool = True
    strike: Callable[[Chance, Cable, bytes], bytes] | None = None
    before: Callable[[Chance, Cable], None] | None = None
    leaves: bool = False


def _lose(_: Chance, __: Cable, ___: bytes) -> bytes:
    return b""


def _drop_byte(chance: Chance, _: Cable, data: bytes) -> bytes:
    place = chance.randrange(len(data))
    return data[:place] + data[place + 1 :]


def _flip(chance: Chance, _: Cable, data: bytes) -> bytes:
    place = chance.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << chance.randrange(8)]) + data[place + 1 :]


def _cut(chance: Chance, _: Cable, data: bytes) -> bytes:
    return data[: chance.randrange(len(data))]


def _noise(chance: Chance, _: Cable, data: bytes) -> bytes:
    place = chance.randrange(len(data) + 1)
    return data[:place] + chance.randbytes(chance.randrange(1, 40)) + data[place:]


def _power(chance: Chance, cable: Cable, data: bytes) -> bytes:
    cable.switch_off()
    cable.switch_on()
    return data[: chance.randrange(len(data))] if chance.random() < 0.5 else b""


def _pull(chance: Chance, cable: Cable, _: bytes, *, power: bool = False) -> bytes:
    cable.pull()
    if power:
        cable.switch_off()
    time.sleep(chance.uniform(0.0, 0.2))
    if power:
        cable.switch_on()
    cable.plug()
    return b""


def _pause(_: Chance, cable: Cable, data: bytes) -> bytes:
    cable.pause(0.5)
    return data


def _twice(_: Chance, __: Cable, data: bytes) -> bytes:
    return data + data


def _again(_: Chance, cable: Cable) -> None:
    cable.inject(cable.sent)


def _reset(_: Chance, cable: Cable) -> None:
    cable.inject(command_frame(3, Command.RESET))


def _contest(chance: Chance, cable: Cable) -> None:
    # No session that may have as many turns as the host's game: that is not noticed.
    cable.inject(chance.choice((b"-T\n", b"-B\n@0/\n")))


def _half(chance: Chance, cable: Cable) -> None:
    """Send the beginning of a frame that would take a turn back if it were whole."""
    frame = command_frame(7, Command.TAKE_BACK, count=1)
    cable.inject(frame[: chance.randrange(1, len(frame) - 1)])


def _search(_: Chance, cable: Cable) -> None:
    cable.inject(command_frame(9, Command.SEARCH, depth=0, nodes=0, cycles=0))


def _nothing(_: Chance, cable: Cable) -> None:
    """Do nothing: closing the port is the fault."""


FAULTS = (
    Fault("command lost", strike=_lose),
    Fault("answer lost", False, _lose),
    Fault("byte of a command lost", strike=_drop_byte),
    Fault("byte of an answer lost", False, _drop_byte),
    Fault("bit of a command flipped", strike=_flip),
    Fault("bit of an answer flipped", False, _flip),
    Fault("command cut", strike=_cut),
    Fault("answer cut", False, _cut),
    Fault("noise within a command", strike=_noise),
    Fault("noise within an answer", False, _noise),
    Fault("command sent twice", strike=_twice),
    Fault("last command again, with its number", before=_again),
    Fault("board slower than the host waits", strike=_pause),
    Fault("board loses power in a command", strike=_power),
    Fault("board loses power in an answer", False, _power),
    Fault("cable out and in, in a command", strike=_pull),
    Fault("cable out and in, in an answer", False, _pull),
    Fault("cable and power out and in", strike=partial(_pull, power=True)),
    Fault("board reset by another host", before=_reset),
    Fault("contest's session by another host", before=_contest),
    Fault("host closes and opens the port", before=_nothing, leaves=True),
    Fault("host goes in the middle of a frame", before=_half, leaves=True),
    Fault("host goes in the middle of a search", before=_search, leaves=True),
)
"""All faults."""
