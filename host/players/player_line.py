"""A player of this process behind the contest's lines, as a transport."""

from __future__ import annotations

import queue
from typing import Final

from loopline.game import STANDARD, Colour, Position, TraxError, Variant, format_turn, parse_turn
from loopline.host.players.base import Player
from loopline.host.transport.transport import READ_SECONDS

__all__ = ["PlayerLine"]

_CODE: Final = "LL"
_LONGEST: Final = 4096


class PlayerLine:
    """A player that obeys the contest's lines, ``-S`` and ``-G`` included: a :class:`Transport`.

    Lines that are not of the protocol, and turns that are not legal, get no answer.

    Parameters
    ----------
    player : Player
        A player that keeps no game, such as ``greedy``; closed with this line.
    variant : Variant
        What it plays.
    """

    def __init__(self, player: Player, variant: Variant = STANDARD) -> None:
        self.path = player.name
        self._player = player
        self._variant = variant
        self._heard = b""
        self._answers: queue.Queue[bytes] = queue.Queue()
        self._position: Position | None = None
        self._mine: Colour | None = None
        """The player's side; None during a set-up."""

    def open(self, seconds: float) -> None:
        """Do nothing: the player is there."""

    def read(self, wait: float = READ_SECONDS) -> bytes:
        """Return an answer, or nothing after ``wait`` seconds."""
        try:
            return self._answers.get(timeout=max(wait, 1e-6))
        except queue.Empty:
            return b""

    def write(self, data: bytes) -> None:
        """Obey each whole line. Returns when the player has made its turn."""
        *lines, rest = (self._heard + data).replace(b"\r", b"\n").split(b"\n")
        self._heard = rest[:_LONGEST]
        for line in lines:
            answer = self._obey(line.decode("latin-1"))
            if answer:
                self._answers.put(answer.encode() + b"\n")

    def remark(self) -> str:
        """Return nothing: all is in the error."""
        return ""

    def close(self) -> None:
        """Close the player."""
        self._player.close()

    def _obey(self, line: str) -> str | None:
        match line:
            case "-T":
                self._position = self._mine = None
                return _CODE
            case "-S":
                self._position, self._mine = Position(self._variant), None
                return _CODE
            case "-W":
                return self._begin(Colour.WHITE)
            case "-B":
                return self._begin(Colour.RED)
            case "-G" if self._position and not self._position.ending:
                return self._begin(self._position.to_move, self._position)
            case _ if self._position:
                return self._hear(self._position, line)
        return None

    def _begin(self, colour: Colour, position: Position | None = None) -> str | None:
        """Take a side of this game, or of a new one; return the turn, if it is to move."""
        self._position, self._mine = position or Position(self._variant), colour
        turns = [played.turn for played in self._position.history]
        self._player.start(colour, self._variant, turns)
        return self._reply(self._position)

    def _hear(self, position: Position, line: str) -> str | None:
        """Take a turn of the opponent or of a set-up; return the reply, if there is one."""
        try:
            turn = parse_turn(line)
            position.play(turn)
        except TraxError:
            return None
        if self._mine is None:
            return None
        self._player.hear(turn)
        return self._reply(position)

    def _reply(self, position: Position) -> str | None:
        if position.ending or position.to_move is not self._mine:
            return None
        turn = self._player.choose(position)
        position.play(turn)
        return format_turn(turn)
