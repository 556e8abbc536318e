"""A port with the engine behind it, whose cable a test can pull out and cut."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import threading
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from loopline.game.wire import Command, pack_frame

ENGINE = [sys.executable, "-m", "loopline.engine"]

Spoil = Callable[[bytes], bytes]


class Cable:
    """Between a pseudo-terminal and an engine; to be used as a context manager.

    Attributes
    ----------
    path : Path
        The port's name, which stays the same whatever is plugged in there.
    down, up : callable
        What becomes of bytes on their way to the device and back.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.down: Spoil = bytes
        self.up: Spoil = bytes
        self.boards = 0
        self._board: subprocess.Popen[bytes] | None = None
        self._master = self._slave = -1
        self._stopped, self._stop = os.pipe()
        self._thread: threading.Thread | None = None

    def power(self) -> None:
        """Switch the device on, or off and on again."""
        self._switch_off()
        self.boards += 1
        self._board = subprocess.Popen(
            ENGINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        # It is up when it answers.
        assert self._board.stdin is not None
        assert self._board.stdout is not None
        self._board.stdin.write(pack_frame(0, Command.IDENTIFY))
        self._board.stdout.read(4096)

    def reset(self) -> None:
        """Press the reset button: the port stays."""
        self._halt()
        self.power()
        self._run()

    def plug(self) -> None:
        """Plug the cable in: the port is there."""
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        self.path.symlink_to(os.ttyname(self._slave))
        self._run()

    def pull(self) -> None:
        """Pull the cable out: the port has gone."""
        self._halt()
        self.path.unlink()
        os.close(self._slave)
        os.close(self._master)
        self._master = -1

    def _run(self) -> None:
        board = self._board
        assert board is not None
        assert board.stdin is not None
        assert board.stdout is not None
        self._thread = threading.Thread(
            target=self._carry, args=(board.stdin.fileno(), board.stdout.fileno())
        )
        self._thread.start()

    def _halt(self) -> None:
        if self._thread:
            os.write(self._stop, b"!")
            self._thread.join()
            os.read(self._stopped, 1)
            self._thread = None

    def _carry(self, to_board: int, from_board: int) -> None:
        while True:
            ready = select.select([self._stopped, self._master, from_board], [], [])[0]
            if self._stopped in ready:
                return
            if self._master in ready:
                os.write(to_board, self.down(os.read(self._master, 4096)))
            if from_board in ready:
                os.write(self._master, self.up(os.read(from_board, 4096)))

    def _switch_off(self) -> None:
        if self._board:
            assert self._board.stdin is not None
            assert self._board.stdout is not None
            self._board.kill()
            self._board.wait()
            self._board.stdin.close()
            self._board.stdout.close()
            self._board = None

    def close(self) -> None:
        if self._master >= 0:
            self.pull()
        self._switch_off()
        os.close(self._stop)
        os.close(self._stopped)


@contextmanager
def cable(folder: Path) -> Iterator[Cable]:
    """A cable that is plugged in, and a device behind it that is on."""
    held = Cable(folder / "port")
    try:
        held.power()
        held.plug()
        yield held
    finally:
        held.close()
