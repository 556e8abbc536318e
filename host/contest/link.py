"""The contest's protocol and its extension, from the PC's side of the link.

::

    -T  code?               answered with two characters
    -W  begin as White      answered with a turn      -B  begin as Red        not answered
    turn of the opponent    answered with a turn
                       the extension, which a device may lack:
    -S  begin with turns    answered with the code; the turns that follow are made and not answered
    -G  go on               answered with a turn of the side to move

A :class:`~loopline.host.transport.transport.Transport` carries the bytes.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from loopline.game import NotationError, Turn, format_turn, parse_turn
from loopline.host.errors import DeviceSilentError, DeviceTalkError
from loopline.host.transport.lines import Lines
from loopline.host.transport.transport import Transport

__all__ = ["ContestDevice"]

_PROBE_SECONDS = 5.0
"""The timeout of the question whether a device has the extension: over the contest's second."""


class ContestDevice:
    """A device that plays one game at a time over the contest link. A context manager.

    Parameters
    ----------
    transport : Transport
        Its transport, closed with the device.
    timeout : float
        The usual seconds to wait for a turn.
    greeting_timeout : float or None
        The seconds to wait for the code; None: as for a turn.
    """

    def __init__(
        self, transport: Transport, timeout: float, greeting_timeout: float | None = None
    ) -> None:
        self.transport = transport
        self.timeout = timeout
        self._greeting_timeout = timeout if greeting_timeout is None else greeting_timeout
        self._lines = Lines(transport)
        self._knows_set_up: bool | None = None

    @property
    def name(self) -> str:
        """The device's name in messages."""
        return self.transport.path

    def identify(self) -> str:
        """Return the device's two-character code; the device drops its game.

        Turns that the device sent before are skipped: the link is in step afterwards.
        """
        return self._ask_code("-T")

    def _ask_code(self, command: str, seconds: float | None = None) -> str:
        self._lines.discard()
        self.send(command)
        seconds = self._greeting_timeout if seconds is None else seconds
        deadline = time.monotonic() + seconds
        while True:
            try:
                answer = self._lines.read_line(max(0.0, deadline - time.monotonic()))
            except DeviceSilentError as error:
                raise DeviceSilentError(
                    f"{self.name} does not answer {command} within {seconds:g} s: "
                    "is it a Trax player, at this rate?"
                ) from error
            if answer == command:
                raise DeviceTalkError(f"{self.name} echoes {command}")
            if len(answer) == 2:
                return answer
            try:
                parse_turn(answer)
            except NotationError as error:
                raise DeviceTalkError(
                    f"{self.name} answers {command} with {answer!r} instead of a two-character code"
                ) from error

    def knows_set_up(self) -> bool:
        """Whether the device has the extension. The first call asks, and the device drops its game.

        A plain contest player does not answer, or takes the question for a turn.
        """
        if self._knows_set_up is None:
            try:
                self._ask_code("-S", min(self._greeting_timeout, _PROBE_SECONDS))
            except (DeviceSilentError, DeviceTalkError):
                self._knows_set_up = False
            else:
                self._knows_set_up = True
        return self._knows_set_up

    def set_up(self, turns: Iterable[Turn]) -> None:
        """Begin a game with these turns; the device must have the extension."""
        self._ask_code("-S")
        for turn in turns:
            self.send_turn(turn)

    def send(self, line: str) -> None:
        """Send a line: a command, or a turn in notation."""
        self.transport.write(line.encode("ascii") + b"\n")

    def send_turn(self, turn: Turn) -> None:
        """Send a turn: the opponent's, or one of a set-up."""
        self.send(format_turn(turn))

    def read_turn(self, timeout: float | None = None, since: float | None = None) -> Turn:
        """Return the device's turn.

        Parameters
        ----------
        timeout : float or None
            The seconds to wait; None: the usual timeout.
        since : float or None
            The start of the timeout, by ``time.monotonic``; None: now.

        Raises
        ------
        DeviceSilentError
            If no turn comes in time.
        DeviceTalkError
            If the answer is not a turn.
        """
        answer = self._lines.read_line(self.timeout if timeout is None else timeout, since)
        try:
            return parse_turn(answer)
        except NotationError as error:
            raise DeviceTalkError(f"{self.name} answers {answer!r} instead of a turn") from error

    def discard(self) -> None:
        """Drop received bytes that were not read."""
        self._lines.discard()

    def check_silence(self) -> None:
        """Check that the device has sent nothing while its opponent is to move; do not wait.

        Raises
        ------
        DeviceTalkError
            If it has sent a byte.
        """
        early = self._lines.waiting()
        if early:
            raise DeviceTalkError(f"{self.name} sent {early[:16]!r} when it was not its turn")

    def close(self) -> None:
        """Close the transport. A second call does nothing."""
        self.transport.close()

    def __enter__(self) -> ContestDevice:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
