"""Check a board after each burst.

Everything that the board sends has to be whole: known frames, turns, or its code. Then it has to
identify itself, to have lost no byte, and to play a known game in frames and in lines exactly as it
did after power-on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from loopline.bench.torture.fuzz.events import Burst, acts_of
from loopline.bench.torture.fuzz.recipes import MILLISECOND
from loopline.game import Position, parse_turn
from loopline.game.wire import (
    ANSWERS,
    FRAME_PAUSE_MS,
    LEAST_BIT_CYCLES,
    MAGIC,
    Command,
    Damage,
    Event,
    Frame,
    FrameReader,
    answer_code,
    command_frame,
)
from loopline.sim.probe.pins import Act, FuzzBoard

__all__ = ["GAME", "RATE", "Checked", "FuzzError"]

RATE = "link.rate.cycles"
"""The register with the board's rate, at which the fuzzer listens and sends."""

GAME = "@0/ B1+ A2/".split()

_LINE = re.compile(rb"LL|(@|[A-Z]{1,2})(0|[1-9][0-9]?)[+/\\]")
_PIECES = 3
"""Damaged pieces that a frame may leave when the rate changes in its middle."""

_TIMEOUT = 60_000 * MILLISECOND
"""Enough for two long answers at the slowest rate that a burst sets."""

_RETRY = 300 * MILLISECOND
_THINKING = 3_000 * MILLISECOND


class FuzzError(Exception):
    """The board is wrong; the message says in what."""


class Checked:
    """Check everything that a board sends, from its power-on on.

    ``asked`` counts the characters sent to it for checks, ``answered`` those that it has sent. All
    methods raise :exc:`FuzzError`.
    """

    def __init__(self, board: FuzzBoard) -> None:
        self.board = board
        self.asked = self.answered = 0
        self._sequence = 0
        self.restart()
        self._expected = list(self._session())
        self._check_expected()

    def restart(self) -> None:
        """Switch the board off and on again."""
        self.board.restart()
        self._reader = FrameReader()
        self._torn = self._excused = 0

    def run(self, burst: Burst) -> None:
        """Run a burst, and check the board after it."""
        self.board.act(list(acts_of(burst)))
        self._hear()
        self.check()

    def check(self) -> None:
        """Check that the board identifies itself and plays the known game."""
        self.board.act([Act.rest((FRAME_PAUSE_MS + 2) * MILLISECOND)])
        identity = self._ask(Command.IDENTIFY)
        if self.board.read(RATE) != LEAST_BIT_CYCLES:
            # A search may have no end, and while it runs the rate does not change.
            self._ask(Command.STOP)
            self._ask(Command.SET_BAUD, bit_cycles=LEAST_BIT_CYCLES)
            identity = self._ask(Command.IDENTIFY)
        if (identity["magic"], identity["bit_cycles"]) != (MAGIC, LEAST_BIT_CYCLES):
            raise FuzzError(f"it identifies itself as {identity}")
        if overruns := self._ask(Command.STATISTICS)["overruns"]:
            raise FuzzError(f"{overruns} characters were lost by the receiver")
        self._ask(Command.RESET)
        self.board.act([Act.rest(20 * MILLISECOND)])
        self._hear()
        for (sent, answer), (_, expected) in zip(self._session(), self._expected, strict=True):
            if answer != expected:
                raise FuzzError(f"to {sent!r} it says {answer!r}, not {expected!r}")
        if self.board.framing_errors:
            raise FuzzError("a character of an answer has no stop bit")

    def _session(self) -> Iterator[tuple[bytes, bytes]]:
        """Run the known session after a reset; yield what is sent and what is answered."""
        self._sequence = 0
        yield self._line(b"-T\n")
        yield self._line(b"-W\n")
        yield self._line(b"-B\n@0/\n")
        yield self._frame(Command.IDENTIFY)
        yield self._frame(Command.NEW_GAME, area=0, rules=1)
        for turn in GAME:
            yield self._frame(Command.PLAY, turns=[parse_turn(turn)])
        yield self._frame(Command.TAKE_BACK, count=2)
        yield self._frame(Command.POSITION)

    def _check_expected(self) -> None:
        """Check the first session with the rules: later ones are compared with it."""
        position = Position()
        position.play(parse_turn("@0/"))
        code, first, reply = (answer for _, answer in self._expected[:3])
        if code != b"LL\n" or first not in (b"@0/\n", b"@0+\n"):
            raise FuzzError(f"after power-on it says {code!r} and {first!r}")
        if parse_turn(reply.decode().strip()) not in position.legal_turns():
            raise FuzzError(f"after power-on it answers @0/ with {reply!r}")
        for number, turn in enumerate(GAME):
            if number:
                position.play(parse_turn(turn))
            found = FrameReader().feed(self._expected[5 + number][1])
            (frame,) = (event for event in found if isinstance(event, Frame))
            turns = ANSWERS[frame.code].unpack(frame.payload)["turns"]
            if turns != position.turns:
                raise FuzzError(f"after power-on it has {turns} turns after {turn}")

    def _line(self, text: bytes) -> tuple[bytes, bytes]:
        self._send(text)
        self.board.act([Act.listen(_THINKING)])
        return text, self._hear()

    def _frame(self, command: Command, **values: object) -> tuple[bytes, bytes]:
        """Send a frame with the next sequence number; return it and all its answers."""
        self._sequence = (self._sequence + 1) % 128
        octets = command_frame(self._sequence, command, **values)
        self._send(octets)
        heard = b""
        while True:
            self.board.act([Act.listen(_THINKING)])
            if not (more := self.board.take()):
                raise FuzzError(f"no answer to {command.name}")
            heard += more
            frames = (event for event in self._look(more) if isinstance(event, Frame))
            if any(not frame.code & 0x40 for frame in frames):  # not one of several answers
                return octets, heard

    def _ask(self, command: Command, **values: object) -> dict:
        """Send a command until it is answered, as a host does that has just been started."""
        last = self.board.cycles + _TIMEOUT
        while self.board.cycles < last:
            self._sequence = (self._sequence + 1) % 128
            # The first of its two ENDs closes an open frame.
            self._send(b"\xc0" + command_frame(self._sequence, command, **values))
            while True:
                self.board.act([Act.listen(_RETRY)])
                if not (heard := self.board.take()):
                    break
                for event in self._look(heard):
                    wanted = self._sequence, answer_code(command)
                    if isinstance(event, Frame) and event[:2] == wanted:
                        return dict(ANSWERS[event.code].unpack(event.payload))
                if self.board.cycles >= last:
                    break
        raise FuzzError(f"no answer to {command.name} within {_TIMEOUT // MILLISECOND} ms")

    def _send(self, octets: bytes) -> None:
        self.asked += len(octets)
        self.board.act([Act.byte(octet) for octet in octets])

    def _hear(self) -> bytes:
        """Return what the board has sent, after a check."""
        heard = self.board.take()
        self._look(heard)
        return heard

    def _look(self, heard: bytes) -> list[Event]:
        """Check what the board has sent, and return it as frames and lines."""
        self.answered += len(heard)
        events = list(self._reader.feed(heard))
        if self.board.torn != self._torn:
            # A rate that the host did not confirm is dropped, even in the middle of a character.
            self._excused = _PIECES * (self.board.torn - self._torn)
            self._torn = self.board.torn
        for event in events:
            if what := _nonsense(event):
                if not self._excused:
                    raise FuzzError(what)
                self._excused -= 1
        return events


def _nonsense(event: Event) -> str:
    """Return what is wrong with a frame or line of the board, or an empty text."""
    if isinstance(event, Damage):
        return f"a frame comes damaged: {event.error}"
    if isinstance(event, Frame):
        try:
            ANSWERS[event.code].unpack(event.payload)
        except (KeyError, ValueError) as error:
            return f"an answer makes no sense: {event}: {error}"
    elif not _LINE.fullmatch(event.text):
        return f"a line makes no sense: {event.text!r}"
    return ""
