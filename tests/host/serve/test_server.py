"""The server for browsers: bytes to devices and back, and everything that it refuses."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import pty
import random
import tty
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event
from urllib.parse import quote

import pytest
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from loopline.game.records.record_lines import LONGEST_GAME
from loopline.host.errors import UsageError
from loopline.host.serve.offered import Offered
from loopline.host.serve.server import Limits, Server
from loopline.host.serve.watched import Watched, watched_files
from loopline.host.transport.process_line import ProcessLine

ECHO = "cmd:cat"
ENDS = "cmd:false"
SECONDS = 30


class Visitor:
    """What a browser does, and what it should not."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.host = f"127.0.0.1:{server.port}"
        self.origin = f"http://{self.host}"
        self.sockets: list[WebSocketClientConnection] = []

    async def get(self, path: str, **headers: str) -> tuple[int, bytes]:
        request = HTTPRequest(f"http://{self.host}{path}", headers=headers)
        try:
            answer = await AsyncHTTPClient().fetch(request)
        except HTTPClientError as error:
            return error.code, b""
        return answer.code, answer.body

    async def connect(
        self, name: str = ECHO, query: str = "", **headers: str
    ) -> WebSocketClientConnection:
        return await self.open(f"device/{quote(name, safe='')}{query}", **headers)

    async def open(self, path: str, **headers: str) -> WebSocketClientConnection:
        headers = {"Origin": self.origin, **headers}
        headers = {key: value for key, value in headers.items() if value}
        request = HTTPRequest(f"ws://{self.host}/{path}", headers=headers)
        self.sockets.append(await websocket_connect(request))
        return self.sockets[-1]

    async def leave(self) -> None:
        """Close all connections, and wait until the server has, too."""
        for socket in self.sockets:
            socket.close()
        await until(lambda: all(socket.protocol is None for socket in self.sockets))
        await until(lambda: not self.server.bridges and not self.server.viewers)

    async def refused(self, name: str = ECHO, query: str = "", **headers: str) -> int:
        """The status with which a connection is refused."""
        with pytest.raises(HTTPClientError) as refused:
            await self.connect(name, query, **headers)
        return refused.value.code


async def read(socket: WebSocketClientConnection, count: int) -> bytes:
    data = b""
    while len(data) < count:
        message = await asyncio.wait_for(socket.read_message(), SECONDS)
        assert isinstance(message, bytes), "the connection was closed"
        data += message
    return data


async def closed(socket: WebSocketClientConnection) -> tuple[int | None, str | None]:
    while await asyncio.wait_for(socket.read_message(), SECONDS) is not None:
        pass
    return socket.close_code, socket.close_reason


async def until(condition: Callable[[], bool]) -> None:
    for _ in range(SECONDS * 100):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("not in time")


@pytest.fixture
def serving(tmp_path: Path) -> Callable[..., None]:
    """Run a visit to a server with a page of one file."""
    page = tmp_path / "page"
    page.mkdir()
    (page / "index.html").write_text("the page")
    (page / "page.json").write_text('{"board": null, "devices": []}')
    (tmp_path / "secret").write_text("secret")

    def run(
        visit: Callable[[Visitor], Awaitable[None]],
        *specs: str,
        limits: Limits | None = None,
        connections: int = 8,
        token: str | None = None,
        watched: Sequence[Path] = (),
    ) -> None:
        limits = limits or Limits()

        async def main() -> None:
            offered = Offered(specs or (ECHO,), connections)
            files = watched_files(watched)
            server = Server(page, offered, files, token=token, limits=limits)
            visitor = Visitor(server)
            try:
                await visit(visitor)
                await visitor.leave()
            finally:
                await server.close()

        asyncio.run(main())

    return run


def test_the_page_and_its_devices(serving: Callable[..., None]) -> None:
    async def visit(visitor: Visitor) -> None:
        assert await visitor.get("/") == (200, b"the page")
        status, body = await visitor.get("/page.json")
        assert status == 200
        devices = [{"name": ECHO, "path": "device/cmd%3Acat"}]
        assert json.loads(body) == {"board": None, "devices": devices, "live": []}

    serving(visit)


def test_bytes_go_both_ways_and_the_program_ends(serving: Callable[..., None]) -> None:
    async def visit(visitor: Visitor) -> None:
        first, second = await visitor.connect(), await visitor.connect()
        for socket, data in ((first, bytes(range(256))), (second, b"\xc0" * 4096)):
            await socket.write_message(data, binary=True)
            assert await read(socket, len(data)) == data
        assert len(visitor.server.bridges) == 2
        first.close()
        second.close()
        await until(lambda: not visitor.server.bridges)

    serving(visit)


def test_a_device_that_ends_says_why(serving: Callable[..., None]) -> None:
    async def visit(visitor: Visitor) -> None:
        code, reason = await closed(await visitor.connect(ENDS))
        assert code == 4003
        assert reason == "false has ended with status 1"
        code, reason = await closed(await visitor.connect("cmd:no-such-program"))
        assert code == 4003
        assert "No such file" in (reason or "")

    serving(visit, ENDS, "cmd:no-such-program")


def test_a_long_reason_keeps_its_end_in_any_letters(serving: Callable[..., None]) -> None:
    program = f"/{'é' * 100}/\N{WHITE CHESS KING}"

    async def visit(visitor: Visitor) -> None:
        code, reason = await closed(await visitor.connect(f"cmd:{program}"))
        assert code == 4003
        assert reason is not None
        assert len(reason.encode()) <= 120
        assert reason.startswith("cannot run /é")
        assert reason.endswith("é/\N{WHITE CHESS KING}: No such file or directory")

    serving(visit, f"cmd:{program}")


def test_a_device_that_cannot_be_opened_leaves_room_for_the_next(
    serving: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def connect(*_: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(Offered, "connect", connect)

    async def visit(visitor: Visitor) -> None:
        for _ in range(2):
            code, reason = await closed(await visitor.connect())
            assert (code, reason) == (4003, "the device cannot be used: Too many open files")
            await until(lambda: not visitor.server.bridges)

    serving(visit, connections=1)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> tuple[Event, list[bytes]]:
    """Devices that do not open before the event is set; and what was written to them."""
    opened, written = Event(), []

    class Line(ProcessLine):
        def write(self, data: bytes) -> None:
            written.append(data)
            super().write(data)

    def connect(*_: object) -> Line:
        assert opened.wait(SECONDS)
        return Line("cat")

    monkeypatch.setattr(Offered, "connect", connect)
    return opened, written


def test_a_page_that_is_loaded_again_has_the_device_that_it_waited_for(
    serving: Callable[..., None], slow: tuple[Event, list[bytes]]
) -> None:
    opened, written = slow

    async def visit(visitor: Visitor) -> None:
        for data in (b"first", b"second"):
            left = await visitor.connect()
            await left.write_message(data, binary=True)
            assert (await closed(await visitor.connect()))[0] == 4001
            left.close()
            await closed(left)
        socket = await visitor.connect()
        await socket.write_message(b"third", binary=True)
        opened.set()
        assert await read(socket, 5) == b"third"
        assert written == [b"third"]
        socket.close()
        await until(lambda: not visitor.server.bridges)
        # It was open: another connection has a device of its own.
        socket = await visitor.connect()
        await socket.write_message(b"fourth", binary=True)
        assert await read(socket, 6) == b"fourth"

    serving(visit, connections=1)


def test_what_waits_for_a_device_is_limited(
    serving: Callable[..., None], slow: tuple[Event, list[bytes]]
) -> None:
    opened, written = slow

    async def visit(visitor: Visitor) -> None:
        socket, full = await visitor.connect(), await visitor.connect()
        for data in (b"", b"x" * 200, b"", b"y" * 50):
            await socket.write_message(data, binary=True)
        for data in (b"x" * 200, b"y" * 51, b"z"):
            await full.write_message(data, binary=True)
        assert await closed(full) == (4002, "the device does not take its bytes in time")
        opened.set()
        assert await read(socket, 250) == b"x" * 200 + b"y" * 50
        await socket.write_message(b"z" * 250, binary=True)
        assert await read(socket, 250) == b"z" * 250
        await until(lambda: len(visitor.server.bridges) == 1)
        assert b"" not in written
        assert b"z" not in written

    serving(visit, limits=Limits(waiting=250))


def test_only_what_was_offered(serving: Callable[..., None]) -> None:
    async def visit(visitor: Visitor) -> None:
        for name in ("cmd:ls", "engine", "cmd:cat ", "/dev/null", ".."):
            code, reason = await closed(await visitor.connect(name))
            assert (code, reason) == (1008, "this device is not offered")
        for path in ("/../secret", "/%2e%2e/secret", "/..%2fsecret", "//secret", "/device/"):
            status, body = await visitor.get(path)
            assert status in (403, 404)
            assert b"secret" not in body
        assert not visitor.server.bridges

    serving(visit)


def test_what_is_refused_says_nothing_at_the_terminal(
    serving: Callable[..., None], caplog: pytest.LogCaptureFixture
) -> None:
    """A page of anybody could send control sequences to it else."""

    async def visit(visitor: Visitor) -> None:
        for path, status in (
            ("/..%2f%1b[31m", 403),
            ("/%1b[31m/%ff", 400),
            ("/%00", 404),
            ("/page.json?token=%ff", 400),
            ("/device/%ff", 400),
        ):
            assert (await visitor.get(path))[0] == status

    serving(visit)
    assert caplog.messages == []


def test_pages_of_others_are_refused(serving: Callable[..., None]) -> None:
    async def visit(visitor: Visitor) -> None:
        port = visitor.server.port
        for origin in ("http://example.org", f"http://127.0.0.1:{port + 1}", "null", "x://["):
            assert await visitor.refused(Origin=origin) == 403
        assert await visitor.refused(Origin="") == 403
        # Another name with this address: its pages would have the same origin.
        other = f"example.org:{port}"
        assert await visitor.refused(Host=other, Origin=f"http://{other}") == 403
        assert (await visitor.get("/", Host=other))[0] == 403
        assert (await visitor.get("/page.json", Host="["))[0] == 403
        assert (await visitor.get("/", Host=f"localhost:{port}"))[0] == 200

    serving(visit)


def test_a_token_is_needed_where_there_is_one(serving: Callable[..., None]) -> None:
    async def visit(visitor: Visitor) -> None:
        for query in ("", "?token=", "?token=wrong", "?token=%C3%A9"):
            assert await visitor.refused(query=query) == 403
            _, body = await visitor.get(f"/page.json{query}")
            assert json.loads(body)["devices"] == []
        _, body = await visitor.get("/page.json?token=right")
        assert len(json.loads(body)["devices"]) == 1
        socket = await visitor.connect(query="?token=right")
        await socket.write_message(b"x", binary=True)
        assert await read(socket, 1) == b"x"

    serving(visit, token="right")


def test_limits(serving: Callable[..., None]) -> None:
    limits = Limits(message=100, rate=1, burst=250)

    async def visit(visitor: Visitor) -> None:
        large = await visitor.connect()
        await large.write_message(bytes(101), binary=True)
        assert (await closed(large))[0] in (1009, 1006, None)
        text = await visitor.connect()
        await text.write_message("text")
        assert (await closed(text))[0] == 1008
        await until(lambda: not visitor.server.bridges)
        fast = await visitor.connect()
        for _ in range(3):
            await fast.write_message(bytes(100), binary=True)
        assert await closed(fast) == (4002, "too many bytes in a short time")
        await until(lambda: not visitor.server.bridges)
        two = [await visitor.connect(), await visitor.connect()]
        code, reason = await closed(await visitor.connect())
        assert (code, reason) == (4001, "the server has too many connections")
        two[0].close()
        await until(lambda: len(visitor.server.bridges) == 1)
        third = await visitor.connect()
        await third.write_message(b"x", binary=True)
        assert await read(third, 1) == b"x"

    serving(visit, limits=limits, connections=2)


def test_a_page_that_does_not_read_is_cut_off(serving: Callable[..., None]) -> None:
    async def visit(visitor: Visitor) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", visitor.server.port)
        lines = [
            "GET /device/cmd%3Ayes HTTP/1.1",
            f"Host: {visitor.host}",
            f"Origin: {visitor.origin}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        ]
        writer.write("\r\n".join([*lines, "", ""]).encode())
        assert (await reader.readline()).startswith(b"HTTP/1.1 101")
        await until(lambda: bool(visitor.server.bridges))
        await until(lambda: not visitor.server.bridges)
        writer.close()

    serving(visit, "cmd:yes", limits=Limits(unread=0.2))


def test_a_port_has_one_connection(serving: Callable[..., None]) -> None:
    controller, terminal = pty.openpty()
    tty.setraw(terminal)
    name = os.ttyname(terminal)

    async def visit(visitor: Visitor) -> None:
        socket = await visitor.connect(name)
        await socket.write_message(b"to the board", binary=True)
        loop = asyncio.get_running_loop()
        assert await loop.run_in_executor(None, os.read, controller, 100) == b"to the board"
        os.write(controller, b"and back")
        assert await read(socket, 8) == b"and back"
        assert (await closed(await visitor.connect(name)))[1] == "the board has another connection"

    try:
        serving(visit, name)
    finally:
        os.close(controller)
        os.close(terminal)


async def shown(socket: WebSocketClientConnection) -> dict[str, str]:
    message = await asyncio.wait_for(socket.read_message(), SECONDS)
    assert isinstance(message, str), "the connection was closed"
    said: dict[str, str] = json.loads(message)
    return said


def test_a_file_is_shown_to_several_viewers_while_it_is_written(
    serving: Callable[..., None], tmp_path: Path
) -> None:
    file = tmp_path / "game.txt"

    async def visit(visitor: Visitor) -> None:
        _, body = await visitor.get("/page.json")
        assert json.loads(body)["live"] == [{"name": "game.txt", "path": "live/0"}]
        first = await visitor.open("live/0")
        assert await shown(first) == {"problem": "game.txt is not there yet"}
        file.write_text("@0/\n")
        assert await shown(first) == {"record": "@0/\n"}
        second = await visitor.open("live/0")
        assert await shown(second) == {"record": "@0/\n"}
        # Another file takes its place, as large and as old.
        other = tmp_path / "other"
        other.write_text("@0+\n")
        times = (file.stat().st_atime_ns, file.stat().st_mtime_ns)
        os.utime(other, ns=times)
        other.replace(file)
        for viewer in (first, second):
            assert await shown(viewer) == {"record": "@0+\n"}
        first.close()
        await until(lambda: len(visitor.server.viewers) == 1)
        file.unlink()
        assert await shown(second) == {"problem": "game.txt is not there yet"}

    serving(visit, watched=[file])


def test_what_cannot_be_shown_is_said_in_a_line(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    watched = Watched(file)
    file.write_bytes(b"\xff")
    assert watched.read() == {"problem": "game.txt is no text"}
    file.write_bytes(b" " * (LONGEST_GAME + 1))
    assert watched.read() == {"problem": "game.txt is larger than a game"}
    file.unlink()
    os.mkfifo(file)
    assert watched.read() == {"problem": "game.txt is no plain file"}
    assert Watched(file / "below").read()["problem"] == "below cannot be read: Not a directory"
    with pytest.raises(UsageError, match="the same name"):
        watched_files([file, tmp_path / "b" / "game.txt"])
    with pytest.raises(UsageError, match=r"^--watch: \. is a folder; name the file of a game$"):
        watched_files([file, Path()])


def test_viewers_are_checked_and_limited(serving: Callable[..., None], tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("@0/\n")

    async def visit(visitor: Visitor) -> None:
        with pytest.raises(HTTPClientError, match="403"):
            await visitor.open("live/0?token=right", Origin="http://example.org")
        with pytest.raises(HTTPClientError, match="403"):
            await visitor.open("live/0?token=wrong")
        _, body = await visitor.get("/page.json")
        assert json.loads(body)["live"] == []
        path = "live/0?token=right"
        assert (await closed(await visitor.open("live/1?token=right")))[0] == 1008
        talking = await visitor.open(path)
        await talking.write_message(b"x", binary=True)
        assert (await closed(talking))[0] == 1008
        await until(lambda: not visitor.server.viewers)
        await visitor.open(path)
        await until(lambda: len(visitor.server.viewers) == 1)
        reason = (await closed(await visitor.open(path)))[1]
        assert reason == "the server has too many viewers"

    serving(visit, token="right", limits=Limits(viewers=1), watched=[file])

    async def visit_without_token(visitor: Visitor) -> None:
        # Another name with this address: its pages would have the same origin.
        other = f"example.org:{visitor.server.port}"
        with pytest.raises(HTTPClientError, match="403"):
            await visitor.open("live/0", Host=other, Origin=f"http://{other}")

    serving(visit_without_token, watched=[file])


def test_a_device_is_offered_once() -> None:
    with pytest.raises(UsageError, match="twice"):
        Offered(["engine", "engine"], 8)


def test_garbage_leaves_the_server_alive(serving: Callable[..., None]) -> None:
    """Random requests and random bytes behind good ones: nothing is served, nothing breaks."""
    rng = random.Random(0)
    heads = [b"GET /", b"GET /device/", b"POST /page.json HTTP/1.1\r\n", b"", b"\x16\x03\x01"]
    pieces = [
        b"/../",
        b"%2e%2e",
        b"%",
        b"\x00",
        b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"?token=",
    ]

    async def visit(visitor: Visitor) -> None:
        for _ in range(150):
            reader, writer = await asyncio.open_connection("127.0.0.1", visitor.server.port)
            parts = [rng.choice([*pieces, rng.randbytes(9)]) for _ in range(rng.randrange(8))]
            writer.write(rng.choice(heads) + b"".join(parts) + b"\r\n\r\n")
            writer.write_eof()
            with suppress(ConnectionError):
                assert b"secret" not in await asyncio.wait_for(reader.read(), SECONDS)
            writer.close()
        socket = await visitor.connect()
        await socket.write_message(b"alive", binary=True)
        assert await read(socket, 5) == b"alive"

    serving(visit)
