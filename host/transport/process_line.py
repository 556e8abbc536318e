"""A program's standard input and output as a transport; its standard error explains a fault."""

from __future__ import annotations

import os
import select
import shlex
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO

from loopline.host.errors import DeviceGoneError, UsageError
from loopline.host.transport.transport import CHUNK, READ_SECONDS, can_read, write_all
from loopline.tools.messages import signal_name

__all__ = ["ProcessLine", "split_command"]

_INPUT_SECONDS = 0.2
"""How long a program may take to end by itself after its input has ended."""

_TERM_SECONDS = 1.0
"""How long it may take after SIGTERM, before it is killed."""

_MOST_ERROR_OUTPUT = 2000
_SHOWN = 160


def _made(stream: IO[bytes] | None) -> IO[bytes]:
    """Return a pipe that ``Popen`` has created."""
    assert stream is not None
    return stream


class _StandardError:
    """The end of a program's standard error, read by a thread so that the program never waits.

    With ``shown`` it also goes to the standard error of this process, as it comes.
    """

    def __init__(self, stream: IO[bytes], shown: bool) -> None:
        self._stream = stream
        self._shown = shown
        self._text = b""
        self._ended = threading.Event()
        self._stop, self._stopper = os.pipe()
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _read(self) -> None:
        poll = select.poll()
        poll.register(self._stream, select.POLLIN)
        poll.register(self._stop, select.POLLIN)
        while self._stop not in [descriptor for descriptor, _ in poll.poll()]:
            data = os.read(self._stream.fileno(), CHUNK)
            if not data:
                break
            if self._shown:
                self._show(data)
            self._text = (self._text + data)[-_MOST_ERROR_OUTPUT:]
        self._ended.set()

    def _show(self, data: bytes) -> None:
        try:
            sys.stderr.write(data.decode("utf-8", "backslashreplace"))
            sys.stderr.flush()
        except (OSError, ValueError):
            # Nobody reads it any more; the program must not wait for that.
            self._shown = False

    def last_line(self, seconds: float) -> str:
        """Return the last line that is not empty; wait for the output's end, but no longer."""
        self._ended.wait(seconds)
        text = self._text.decode("utf-8", "backslashreplace")
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        return lines[-1][:_SHOWN] if lines else ""

    def close(self) -> None:
        """Stop reading, even if another process still holds the other end."""
        os.write(self._stopper, b"!")
        self._thread.join()
        self._stream.close()
        os.close(self._stop)
        os.close(self._stopper)


def split_command(command: str) -> list[str]:
    """Split a command into words as a shell does; a ``~`` at its beginning is a home folder.

    Raises :exc:`UsageError` if the command is empty, a quotation in it has no end, or there is no
    such home folder.
    """
    try:
        argv = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"'cmd:{command}': {str(error).lower()}") from error
    if not argv:
        raise UsageError("'cmd:' names no program: use cmd:PROGRAM ARGUMENTS")
    if argv[0].startswith("~"):
        try:
            argv[0] = str(Path(argv[0]).expanduser())
        except RuntimeError as error:
            raise UsageError(f"'cmd:{command}': {argv[0]} has no home folder") from error
    return argv


class ProcessLine:
    """A program of its own as a :class:`Transport`; it starts at once.

    Parameters
    ----------
    command : str
        The program and its arguments, split as by a shell. Nothing else is expanded but a ``~`` at
        the beginning of the program.
    settle : float
        The seconds that :meth:`open` gives the program to start.
    shown : bool
        Whether its standard error is shown on that of this process.

    Raises
    ------
    UsageError
        If the command is empty, or a quotation in it has no end.
    DeviceGoneError
        If there is no such program.
    """

    def __init__(self, command: str, settle: float = 0.0, *, shown: bool = False) -> None:
        argv = split_command(command)
        self.path = command
        self._settled = time.monotonic() + settle
        self._closed = False
        try:
            # A process group of its own: close() ends it with all its children, and the terminal's
            # Ctrl-C reaches this process alone.
            self._process = subprocess.Popen(
                argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            reason = os.strerror(error.errno or 0)
            raise DeviceGoneError(f"cannot run {argv[0]}: {reason}") from error
        except ValueError as error:
            raise UsageError(f"'cmd:{command}': {error}") from error
        self._input = _made(self._process.stdin)
        self._output = _made(self._process.stdout)
        os.set_blocking(self._input.fileno(), False)
        os.set_blocking(self._output.fileno(), False)
        try:
            self._errors = _StandardError(_made(self._process.stderr), shown)
        except OSError as error:
            with self._process:
                self._process.kill()
            reason = os.strerror(error.errno or 0)
            raise DeviceGoneError(f"cannot run {argv[0]}: {reason}") from error

    def open(self, seconds: float) -> None:
        """Wait for the program to settle; DeviceGoneError if it ends meanwhile."""
        while (left := self._settled - time.monotonic()) > 0:
            if self._has_ended(min(left, READ_SECONDS)):
                raise self._gone()

    def read(self, wait: float = READ_SECONDS) -> bytes:
        """Return what the program has written."""
        try:
            if not can_read(self._output.fileno(), wait):
                return b""
            data = os.read(self._output.fileno(), CHUNK)
        except (OSError, ValueError) as error:  # the latter where it was closed here
            raise self._gone() from error
        if not data:
            raise self._gone()
        return data

    def write(self, data: bytes) -> None:
        """Write to the program."""
        try:
            write_all(self._input.fileno(), data, self.path)
        except (OSError, ValueError) as error:
            raise self._gone() from error

    def remark(self) -> str:
        """Return the last line of the program's standard error, as a clause."""
        line = self._errors.last_line(_INPUT_SECONDS)
        return f"its standard error ends with {line!r}" if line else ""

    def close(self) -> None:
        """End the program and all that it has started: its input ends, then SIGTERM, SIGKILL."""
        if self._closed:
            return
        self._closed = True
        try:
            self._input.close()
            if not self._has_ended(_INPUT_SECONDS):
                self._signal(signal.SIGTERM)
                self._has_ended(_TERM_SECONDS)
        finally:
            # Also after a second Ctrl-C, from a user who does not want to wait.
            self._signal(signal.SIGKILL)
            self._process.wait()
            self._output.close()
            self._errors.close()

    def _signal(self, number: int) -> None:
        """Send a signal to the program's group, which keeps its number until the wait."""
        if self._process.returncode is None:
            os.killpg(self._process.pid, number)

    def _has_ended(self, seconds: float) -> bool:
        """Whether the program ends within so many seconds; it stays a zombie until the wait."""
        deadline = time.monotonic() + seconds
        look = os.WEXITED | os.WNOHANG | os.WNOWAIT
        while os.waitid(os.P_PID, self._process.pid, look) is None:
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.005)
        return True

    def _gone(self) -> DeviceGoneError:
        """Return the error that tells how the program has ended."""
        if self._closed:
            return DeviceGoneError(f"{self.path} is closed")
        if not self._has_ended(_INPUT_SECONDS):
            return DeviceGoneError(f"{self.path} has closed its input or output, but runs on")
        ended = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)
        assert ended is not None
        if ended.si_code == os.CLD_EXITED:
            return DeviceGoneError(f"{self.path} has ended with status {ended.si_status}")
        return DeviceGoneError(f"{self.path} was ended by {signal_name(ended.si_status)}")
