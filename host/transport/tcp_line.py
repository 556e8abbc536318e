"""A TCP connection as a transport; either end may make it."""

from __future__ import annotations

import os
import socket

from loopline.host.errors import DeviceGoneError, DeviceSilentError
from loopline.host.transport.transport import CHUNK, READ_SECONDS, can_read, write_all

__all__ = ["TcpCall", "TcpListener"]

_LEAST_SECONDS = 0.001


def _join(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _reason(error: OSError) -> str:
    """Return in a few words why there is no connection."""
    if isinstance(error, socket.gaierror):
        return str(error.strerror)
    return os.strerror(error.errno) if error.errno else str(error)


class _TcpLine:
    """The common part of both transports: the connection, once there is one."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._connection: socket.socket | None = None

    def open(self, seconds: float) -> None:
        """Make the connection."""
        if self._connection is None:
            connection = self._connect(seconds)
            connection.setblocking(False)
            # A turn has few bytes and has to go out at once.
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._connection = connection

    def _connect(self, seconds: float) -> socket.socket:
        raise NotImplementedError

    def read(self, wait: float = READ_SECONDS) -> bytes:
        """Return what the far end has sent."""
        connection = self._open_connection()
        if not can_read(connection.fileno(), wait):
            return b""
        try:
            data = connection.recv(CHUNK)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise DeviceGoneError(f"{self.path} is lost: {_reason(error)}") from error
        if not data:
            raise DeviceGoneError(f"{self.path} has hung up")
        return data

    def write(self, data: bytes) -> None:
        """Send bytes to the far end."""
        try:
            write_all(self._open_connection().fileno(), data, self.path)
        except OSError as error:
            raise DeviceGoneError(f"{self.path} is lost: {_reason(error)}") from error

    def remark(self) -> str:
        """Return nothing: a connection has no more to tell."""
        return ""

    def close(self) -> None:
        """Hang up."""
        if self._connection:
            self._connection.close()

    def _open_connection(self) -> socket.socket:
        if self._connection is None or self._connection.fileno() < 0:
            raise DeviceGoneError(f"{self.path} is not connected")
        return self._connection


class TcpCall(_TcpLine):
    """A connection to a player that listens.

    Parameters
    ----------
    host : str
        The player's host, a name or an address.
    port : int
        The player's port.
    """

    def __init__(self, host: str, port: int) -> None:
        super().__init__(f"tcp:{_join(host, port)}")
        self._address = (host, port)

    def _connect(self, seconds: float) -> socket.socket:
        try:
            # With 0 it would not wait at all.
            return socket.create_connection(self._address, max(seconds, _LEAST_SECONDS))
        except TimeoutError as error:
            raise DeviceSilentError(f"{self.path} does not answer within {seconds:g} s") from error
        except (OSError, UnicodeError) as error:
            reason = _reason(error) if isinstance(error, OSError) else "that is not a host name"
            raise DeviceGoneError(f"cannot reach {self.path}: {reason}") from error


class TcpListener(_TcpLine):
    """A connection that the player makes. Only the first connection is accepted.

    Parameters
    ----------
    host : str
        The address to listen at: one of this machine, or ``0.0.0.0`` for all of them.
    port : int
        The port; 0 for a free one, which ``path`` then names.

    Raises
    ------
    DeviceGoneError
        If the address cannot be listened at.
    """

    def __init__(self, host: str, port: int) -> None:
        super().__init__(f"tcp-listen:{_join(host, port)}")
        try:
            family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
            self._listener = socket.create_server((host, port), family=family)
        except (OSError, UnicodeError) as error:
            reason = _reason(error) if isinstance(error, OSError) else "that is not a host name"
            raise DeviceGoneError(f"cannot listen at {self.path}: {reason}") from error
        self.path = f"tcp-listen:{_join(host, self._listener.getsockname()[1])}"

    def _connect(self, seconds: float) -> socket.socket:
        if not can_read(self._listener.fileno(), seconds):
            raise DeviceSilentError(f"no player has called {self.path} within {seconds:g} s")
        try:
            connection, _ = self._listener.accept()
        except OSError as error:
            raise DeviceGoneError(f"{self.path} is lost: {_reason(error)}") from error
        self._listener.close()
        return connection

    def close(self) -> None:
        """Hang up, and stop listening."""
        super().close()
        self._listener.close()
