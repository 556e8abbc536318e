"""A serial port with a simulated board behind it, whose cable can be damaged, cut and unplugged."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import termios
import threading
import time
import tty
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

from loopline.game.wire import END
from loopline.host.errors import DeviceGoneError

__all__ = ["Cable", "Strike"]

_CHUNK = 4096
_END = bytes([END])

Strike = Callable[["Cable", bytes], bytes]
"""A fault on the cable: it returns the bytes that arrive of those that were sent. It may also
switch the board off and on, or unplug the cable."""


class Cable:
    """Carry bytes between a pseudo-terminal for the host and that of a board, which is a process.

    The context switches the board on and plugs the cable in. It raises
    :exc:`~loopline.host.errors.DeviceGoneError` if the board does not start. A thread of its own
    carries the bytes, and runs the strikes. Other threads call methods only while no bytes are
    under way.

    Parameters
    ----------
    path : Path
        A symbolic link to the pseudo-terminal that is plugged in.
    command : sequence of str
        Starts a board that prints ``pty: NAME`` as its first line.

    Attributes
    ----------
    sent : bytes
        The last bytes that went to the board.
    trouble : Exception or None
        The error that ended the thread that carries the bytes.
    """

    def __init__(self, path: Path, command: Sequence[str]) -> None:
        self.path = path
        self.sent = b""
        self.trouble: Exception | None = None
        self._command = command
        self._armed: tuple[bool, Strike] | None = None
        self._board: subprocess.Popen[str] | None = None
        self._line = self._master = self._slave = -1
        self._stopped, self._stop = os.pipe()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        try:
            self.switch_on()
            self.plug()
        except BaseException:
            self.switch_off()
            raise
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        os.write(self._stop, b"!")
        self._thread.join()
        self.switch_off()
        self.pull()
        os.close(self._stop)
        os.close(self._stopped)

    def arm(self, down: bool, strike: Strike) -> None:
        """Let a strike hit the next bytes of a frame to the board (``down``), or from it."""
        self._armed = down, strike

    @property
    def armed(self) -> bool:
        """Whether the strike has not hit yet."""
        return self._armed is not None

    def inject(self, data: bytes) -> None:
        """Send bytes to the board that do not come from the host."""
        os.write(self._line, data)

    # What strikes do.

    def switch_on(self) -> None:
        """Start the board, as after power-on."""
        # A session of its own: the terminal's Ctrl-C reaches this process alone.
        self._board = subprocess.Popen(
            self._command, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        assert self._board.stdout is not None
        label, _, name = self._board.stdout.readline().strip().partition(" ")
        if label != "pty:":
            raise DeviceGoneError("the simulated board does not start")
        self._line = os.open(name, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(self._line)

    def switch_off(self) -> None:
        """Cut the board's power."""
        if self._board is not None:
            self._board.kill()
            self._board.wait()
            assert self._board.stdout is not None
            self._board.stdout.close()
            self._board = None
        if self._line >= 0:
            os.close(self._line)
            self._line = -1

    def pause(self, seconds: float) -> None:
        """Stop the board for some seconds."""
        assert self._board is not None
        self._board.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        self._board.send_signal(signal.SIGCONT)

    def plug(self) -> None:
        """Plug the cable in: the port appears."""
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        link = self.path.with_suffix(".new")
        link.symlink_to(os.ttyname(self._slave))
        link.rename(self.path)

    def pull(self) -> None:
        """Unplug the cable: the port disappears, and bytes under way are lost."""
        self.path.unlink()
        os.close(self._slave)
        os.close(self._master)
        if self._line >= 0:
            termios.tcflush(self._line, termios.TCIOFLUSH)

    # Carrying.

    def _run(self) -> None:
        try:
            self._carry()
        except Exception as error:  # The main thread reports it.
            self.trouble = error

    def _carry(self) -> None:
        while True:
            ready = select.select([self._stopped, self._master, self._line], [], [])[0]
            if self._stopped in ready:
                return
            # A strike may plug in another port, or another board.
            if self._master in ready:
                self._pass(True, os.read(self._master, _CHUNK))
            elif self._line in ready:
                with suppress(OSError):
                    self._pass(False, os.read(self._line, _CHUNK))

    def _pass(self, down: bool, data: bytes) -> None:
        # An END alone is no part of a frame: the one before it has another, which ends it.
        if self._armed and self._armed[0] is down and data.strip(_END):
            _, strike = self._armed
            self._armed = None
            data = strike(self, data)
        if down and data:
            self.sent = data
        if data:
            os.write(self._line if down else self._master, data)
