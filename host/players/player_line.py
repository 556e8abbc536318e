"""A player of this process behind the contest's lines, as a transport."""

from __future__ import annotations

import queue
import threading
from typing import Final

from loopline.game import STANDARD, Colour, Position, TraxError, Variant, format_turn, parse_turn
from loopline.host.contest.pending_replies import drops_game
from loopline.host.errors import DeviceError, DeviceTalkError, UsageError
from loopline.host.players.base import Player
from loopline.host.players.device_player import DevicePlayer
from loopline.host.transport.transport import READ_SECONDS

__all__ = ["PlayerLine"]

_CODE: Final = "LL"
_LONGEST: Final = 4096


class PlayerLine:
    """A player that obeys the contest's lines, ``-S`` and ``-G`` included: a :class:`Transport`.

    Lines that are not of the protocol, and turns that are not legal, get no answer. The player
    thinks in a thread of its own: a line that begins another session ends the search of a device,
    which gets no answer then. Players that choose at once answer every line.

    Parameters
    ----------
    player : Player
        A player that keeps no game, such as ``greedy``; closed with this line.
    variant : Variant
        What it plays.
    seconds : float or None
        The longest time for a turn; None: what the player itself takes.
    """

    def __init__(
        self, player: Player, variant: Variant = STANDARD, seconds: float | None = None
    ) -> None:
        self.path = player.name
        self._player = player
        self._variant = variant
        self._seconds = seconds
        self._heard = b""
        self._lines: queue.Queue[tuple[int, str] | None] = queue.Queue()
        self._answers: queue.Queue[bytes | DeviceError] = queue.Queue()
        self._session = 0
        """The number of the last session that has come."""
        self._obeyed = 0
        """That of the line that is obeyed."""
        self._position: Position | None = None
        self._mine: Colour | None = None
        """The player's side; None during a set-up."""
        self._device = player if isinstance(player, DevicePlayer) else None
        if self._device:
            # A stop that comes before the search does not end it.
            self._device.report = lambda _found: self._stop_stale()
        self._thread = threading.Thread(target=self._obey_lines, daemon=True)
        self._thread.start()

    def open(self, seconds: float) -> None:
        """Do nothing: the player is there."""

    def read(self, wait: float = READ_SECONDS) -> bytes:
        """Return an answer, or nothing after ``wait`` seconds; raise the player's failure."""
        try:
            answer = self._answers.get(timeout=max(wait, 1e-6))
        except queue.Empty:
            return b""
        if isinstance(answer, DeviceError):
            raise answer
        return answer

    def write(self, data: bytes) -> None:
        """Take lines; they are obeyed in their order, a new session at once."""
        *lines, rest = (self._heard + data).replace(b"\r", b"\n").split(b"\n")
        self._heard = rest[:_LONGEST]
        for line in lines:
            text = line.decode("latin-1")
            if drops_game(text):
                self._session += 1
                self._stop_stale()
            self._lines.put((self._session, text))

    def remark(self) -> str:
        """Return nothing: all is in the error."""
        return ""

    def close(self) -> None:
        """End what the player does, and close it."""
        self._session += 1
        self._stop_stale()
        self._lines.put(None)
        self._thread.join(1.0)
        self._player.close()

    def _is_stale(self) -> bool:
        """Return whether a device need not search, as another session has followed."""
        return self._device is not None and self._obeyed != self._session

    def _stop_stale(self) -> None:
        if self._device and self._is_stale():
            self._device.stop()

    def _obey_lines(self) -> None:
        while entry := self._lines.get():
            self._obeyed, line = entry
            try:
                answer = self._obey(line)
            except DeviceError as error:
                self._answers.put(error)
            except UsageError as error:
                self._answers.put(DeviceTalkError(str(error)))
            else:
                if answer:
                    self._answers.put(answer.encode() + b"\n")

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
        if position.ending or position.to_move is not self._mine or self._is_stale():
            return None
        turn = self._player.choose(position, self._seconds)
        if self._is_stale():
            return None
        try:
            position.play(turn)
        except TraxError as error:
            raise DeviceTalkError(f"{self.path} has made an illegal turn: {error}") from error
        return format_turn(turn)
