"""The web server: the page, and WebSockets to offered devices and watched files."""

from __future__ import annotations

import asyncio
import hmac
import json
import time
from collections.abc import Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Final
from urllib.parse import quote, urlsplit

from tornado import web, websocket
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets

from loopline.host.errors import UsageError
from loopline.host.serve.bridge import Bridge
from loopline.host.serve.offered import LOOPBACK, BusyError, Offered
from loopline.host.serve.watched import Watched

__all__ = ["LIMITS", "Limits", "Server"]

_POLICY_VIOLATION, _TOO_MANY, _TOO_FAST, _DEVICE_ENDED = 1008, 4001, 4002, 4003
_PING_SECONDS: Final = 20
_MOST_BODY: Final = 1 << 16
_WATCH_SECONDS: Final = 0.2


@dataclass(frozen=True)
class Limits:
    """What one connection may do, and how many there may be that watch.

    Parameters
    ----------
    message : int
        The most bytes of one message.
    rate : int
        The most bytes per second, on average over ``burst / rate`` seconds.
    burst : int
        The most bytes at once.
    waiting : int
        The most bytes that a device has not taken yet.
    unread : float
        The most seconds in which a page takes what it is sent.
    viewers : int
        The most connections to all watched files.
    """

    message: int = 4096
    rate: int = 16384
    burst: int = 65536
    waiting: int = 131072
    unread: float = 20.0
    viewers: int = 100


LIMITS: Final = Limits()


class _Meter:
    """How many bytes came lately: a bucket that leaks."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._level = 0.0
        self._since = time.monotonic()

    def accepts(self, count: int) -> bool:
        """Count bytes; return whether they are within the limits."""
        now = time.monotonic()
        self._level = max(0.0, self._level - (now - self._since) * self._limits.rate) + count
        self._since = now
        return self._level <= self._limits.burst


class _Guard:
    """Who may use the devices: pages of this server, with the token if there is one."""

    def __init__(self, token: str | None) -> None:
        self._token = token

    def is_host(self, host: str) -> bool:
        """Whether a request means this server, and not another name with this address."""
        if self._token is not None:
            return True
        try:
            return urlsplit(f"//{host}").hostname in LOOPBACK
        except ValueError:
            return False

    def is_known(self, token: str) -> bool:
        """Whether a request has the right token, or needs none."""
        return self._token is None or hmac.compare_digest(token.encode(), self._token.encode())

    @staticmethod
    def is_own(origin: str, host: str) -> bool:
        """Whether a page is from this server."""
        try:
            return urlsplit(origin).netloc.lower() == host.lower()
        except ValueError:
            return False


class _Silent(web.RequestHandler):
    """A request that may be refused without a word: what it says must not reach the terminal."""

    def log_exception(
        self,
        typ: type[BaseException] | None,
        value: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        """Tell of the server's own faults only."""
        if not isinstance(value, web.HTTPError):
            super().log_exception(typ, value, tb)


class _Checked(_Silent):
    """A request that names this server."""

    guard: _Guard

    def prepare(self) -> None:
        """Refuse requests for another name: a page of that name could reach the devices else."""
        if not self.guard.is_host(self.request.host):
            raise web.HTTPError(403)

    def set_default_headers(self) -> None:
        """Forbid that other pages embed this one, and that types are guessed."""
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("X-Frame-Options", "DENY")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("Cache-Control", "no-cache")
        self.clear_header("Server")


class _File(_Checked, web.StaticFileHandler):
    """A file of the page."""

    # Tornado hands on what a route has, so that each handler has arguments of its own.
    def initialize(self, path: str, guard: _Guard) -> None:  # type: ignore[override]
        self.guard = guard
        super().initialize(path, "index.html")

    def parse_url_path(self, url_path: str) -> str:
        """Return the file's name; no file has one with a null character."""
        if "\0" in url_path:
            raise web.HTTPError(404)
        return super().parse_url_path(url_path)


class _PageSettings(_Checked):
    """``page.json``: what the page has, the devices offered, and the files watched."""

    def initialize(self, settings: dict[str, Any], server: Server) -> None:
        self.guard = server.guard
        self._settings = settings
        self._server = server

    def get(self) -> None:
        devices, live = [], []
        if self.guard.is_known(self.get_query_argument("token", "")):
            devices = [
                {"name": name, "path": f"device/{quote(name, safe='')}"}
                for name in self._server.offered.names
            ]
            live = [
                {"name": file.name, "path": f"live/{number}"}
                for number, file in enumerate(self._server.watched)
            ]
        self.write({**self._settings, "devices": devices, "live": live})


class _Socket(_Silent, websocket.WebSocketHandler):
    """A connection of a page of this server, with the token if there is one."""

    _server: Server

    def prepare(self) -> None:
        guard = self._server.guard
        token = self.get_query_argument("token", "")
        if not guard.is_host(self.request.host) or not guard.is_known(token):
            raise web.HTTPError(403)
        if not guard.is_own(self.request.headers.get("Origin", ""), self.request.host):
            raise web.HTTPError(403)

    def check_origin(self, origin: str) -> bool:
        return self._server.guard.is_own(origin, self.request.host)

    async def send(self, data: bytes | str) -> None:
        """Send a message; close the connection if the page does not take it in time."""
        try:
            message = self.write_message(data, binary=isinstance(data, bytes))
            await asyncio.wait_for(message, self._server.limits.unread)
        except TimeoutError:
            if self.ws_connection is not None:
                self.close(_TOO_FAST, "the page does not read")
                self.on_close()
        except websocket.WebSocketClosedError:
            pass


class _LiveSocket(_Socket):
    """A viewer of a watched file: gets messages of JSON, as of :meth:`.Watched.read`."""

    def initialize(self, server: Server) -> None:
        self._server = server
        self._task: asyncio.Task[None] | None = None

    def open(self, *args: str, **kwargs: str) -> None:
        number = int(args[0])
        if number >= len(self._server.watched):
            self.close(_POLICY_VIOLATION, "this file is not shown")
        elif len(self._server.viewers) >= self._server.limits.viewers:
            self.close(_TOO_MANY, "the server has too many viewers")
        else:
            self._task = asyncio.create_task(self._show(self._server.watched[number]))
            self._server.viewers.add(self._task)
            self._task.add_done_callback(self._server.viewers.discard)

    async def _show(self, file: Watched) -> None:
        """Send the file as it is, and again after each change; a slow page misses changes."""
        shown = None
        while self.ws_connection is not None:
            now = file.read()
            if now != shown:
                shown = now
                await self.send(json.dumps(now))
            await asyncio.sleep(_WATCH_SECONDS)

    def on_message(self, message: str | bytes) -> None:
        self.close(_POLICY_VIOLATION, "there is nothing to be said here")

    def on_close(self) -> None:
        if self._task:
            self._task.cancel()


class _DeviceSocket(_Socket):
    """A connection to a device: binary messages are its bytes."""

    def initialize(self, server: Server) -> None:
        self._server = server
        self._meter = _Meter(server.limits)
        self._bridge: Bridge | None = None
        self._name = ""

    def open(self, *args: str, **kwargs: str) -> None:
        [name] = args
        offered, bridges = self._server.offered, self._server.bridges
        if name not in offered:
            self.close(_POLICY_VIOLATION, "this device is not offered")
            return
        self._name = name
        loop = asyncio.get_running_loop()
        received, ended = partial(self._deliver, loop), partial(_call, loop, self._ended)
        # A device that is slow to open has the connection of a page that was left meanwhile.
        for bridge, other in bridges.items():
            if other == name and bridge.take_over(received, ended):
                self._bridge = bridge
                return
        try:
            offered.take(name)
        except BusyError as error:
            self.close(_TOO_MANY, str(error))
            return
        self._bridge = Bridge(lambda: offered.connect(name), received, ended)
        bridges[self._bridge] = name

    def on_message(self, message: str | bytes) -> None:
        if self.ws_connection is None:
            return  # It was closed here: a device gets no bytes behind some that it lacks.
        if isinstance(message, str):
            self.close(_POLICY_VIOLATION, "only bytes are understood")
        elif not self._meter.accepts(len(message)):
            self.close(_TOO_FAST, "too many bytes in a short time")
        elif self._bridge and self._bridge.waiting + len(message) > self._server.limits.waiting:
            self.close(_TOO_FAST, "the device does not take its bytes in time")
        elif self._bridge and message:
            self._bridge.send(message)

    def on_close(self) -> None:
        if self._bridge:
            self._bridge.close()

    def _deliver(self, loop: asyncio.AbstractEventLoop, data: bytes) -> None:
        """Send bytes of the device, in its thread, which reads no more until they are taken."""
        if loop.is_closed():
            return
        sent = asyncio.run_coroutine_threadsafe(self.send(data), loop)
        # The server may end meanwhile.
        with suppress(TimeoutError, CancelledError):
            sent.result(2 * self._server.limits.unread)

    def _ended(self, reason: str) -> None:
        assert self._bridge is not None
        del self._server.bridges[self._bridge]
        self._server.offered.release(self._name)
        if self.ws_connection is not None:
            self.close(_DEVICE_ENDED, reason or None)


def _call(loop: asyncio.AbstractEventLoop, action: Any, value: object) -> None:
    """Call a function in the server's thread, unless the server has ended."""
    if not loop.is_closed():
        loop.call_soon_threadsafe(action, value)


def _page_settings(folder: Path) -> dict[str, Any]:
    """Return the settings of a page. Raises :exc:`UsageError` if the folder has no page."""
    path, remedy = folder / "page.json", "write a page with loopline page DIR"
    try:
        if not path.is_file():
            raise UsageError(f"{folder} is no page: {remedy}")
        settings = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is not JSON: {remedy}") from error
    if not isinstance(settings, dict):
        raise UsageError(f"{path} is no object of JSON: {remedy}")
    return settings


class Server:
    """The page and the devices, on one address.

    Parameters
    ----------
    folder : Path
        The page, as ``loopline page`` writes it. Nothing outside of it is served.
    offered : Offered
        The devices.
    watched : sequence of Watched
        The files that are shown while they are written.
    host : str
        The address to listen at.
    port : int
        The port; 0: any that is free.
    token : str or None
        What requests for devices have to carry; None only for a loopback address.
    limits : Limits
        The limits of connections.

    Attributes
    ----------
    port : int
        The port.

    Raises
    ------
    UsageError
        If the folder has no page.
    OSError
        If the address cannot be used.
    """

    def __init__(
        self,
        folder: Path,
        offered: Offered,
        watched: Sequence[Watched] = (),
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        token: str | None = None,
        limits: Limits = LIMITS,
    ) -> None:
        settings = _page_settings(folder)
        self.offered = offered
        self.watched = tuple(watched)
        self.limits = limits
        self.guard = _Guard(token)
        self.bridges: dict[Bridge, str] = {}
        self.viewers: set[asyncio.Task[None]] = set()
        application = web.Application(
            [
                (r"/page\.json", _PageSettings, {"settings": settings, "server": self}),
                (r"/device/([^/]+)", _DeviceSocket, {"server": self}),
                (r"/live/([0-9]{1,4})", _LiveSocket, {"server": self}),
                (r"/(.*)", _File, {"path": str(folder), "guard": self.guard}),
            ],
            websocket_max_message_size=limits.message,
            websocket_ping_interval=_PING_SECONDS,
            log_function=lambda _handler: None,
        )
        self._http = HTTPServer(application, max_body_size=_MOST_BODY)
        sockets = bind_sockets(port, host)
        self.port: int = sockets[0].getsockname()[1]
        self._http.add_sockets(sockets)

    async def close(self) -> None:
        """Take no more connections, and close all devices."""
        self._http.stop()
        for viewer in self.viewers:
            viewer.cancel()
        bridges = list(self.bridges)
        for bridge in bridges:
            bridge.close()
        loop = asyncio.get_running_loop()
        for bridge in bridges:
            await loop.run_in_executor(None, bridge.join, 10.0)
