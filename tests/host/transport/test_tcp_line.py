import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import closing

import pytest

from loopline.game import Colour, Ending
from loopline.host.clock import Clock
from loopline.host.errors import DeviceGoneError, DeviceSilentError
from loopline.host.players.software import RandomPlayer
from loopline.host.players.spec import PlayerOpener
from loopline.host.referee.referee import play_game
from loopline.host.transport import transport
from loopline.host.transport.lines import Lines
from loopline.host.transport.tcp_line import TcpCall, TcpListener
from tests.host.leftovers import nothing_left


@pytest.fixture
def server() -> Iterator[socket.socket]:
    """A listening socket of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(60)
        yield listener


def port_of(listener: socket.socket) -> int:
    port: int = listener.getsockname()[1]
    return port


def test_a_closed_line_has_gone(server: socket.socket) -> None:
    line = TcpCall("127.0.0.1", port_of(server))
    line.open(60)
    line.close()
    for use in (line.read, lambda: line.write(b"-T\n")):
        with pytest.raises(DeviceGoneError, match=rf"^{line.path} is not connected$"):
            use()


def test_call(server: socket.socket) -> None:
    with nothing_left():
        line = TcpCall("127.0.0.1", port_of(server))
        assert line.path == f"tcp:127.0.0.1:{port_of(server)}"
        line.open(60)
        line.open(60)
        far, _ = server.accept()
        with far:
            line.write(b"-T\n")
            assert far.recv(10) == b"-T\n"
            far.sendall(b"LL\n")
            assert Lines(line).read_line(60) == "LL"
            assert line.read(0) == b""
        with pytest.raises(DeviceGoneError, match=r"^tcp:127.0.0.1:\d+ has hung up$"):
            Lines(line).read_line(60)
        line.close()
        line.close()


def test_a_call_that_is_to_wait_for_nothing(server: socket.socket) -> None:
    line = TcpCall("127.0.0.1", port_of(server))
    line.open(0)
    line.close()


def test_nobody_listens(server: socket.socket) -> None:
    port = port_of(server)
    server.close()
    with pytest.raises(
        DeviceGoneError, match=rf"^cannot reach tcp:127.0.0.1:{port}: Connection refused$"
    ):
        TcpCall("127.0.0.1", port).open(60)


@pytest.mark.parametrize("host", ["no.such.host.invalid", "a..b", "x" * 300])
def test_host_that_is_not_there(host: str) -> None:
    with pytest.raises(DeviceGoneError, match=r"^cannot reach tcp:"):
        TcpCall(host, 5000).open(60)


def test_listener_takes_one_call() -> None:
    with nothing_left():
        line = TcpListener("127.0.0.1", 0)
        port = int(line.path.rpartition(":")[2])
        assert port > 0
        with socket.create_connection(("127.0.0.1", port), 60) as far:
            line.open(60)
            far.sendall(b"LL\r\n")
            assert Lines(line).read_line(60) == "LL"
            with pytest.raises(OSError, match=r"refused"):
                socket.create_connection(("127.0.0.1", port), 60)
        line.close()


def test_nobody_calls() -> None:
    with nothing_left():
        line = TcpListener("127.0.0.1", 0)
        with pytest.raises(
            DeviceSilentError, match=r"^no player has called tcp-listen:127.0.0.1:\d+ within 0.1 s$"
        ):
            line.open(0.1)
        line.close()


def test_port_that_is_taken(server: socket.socket) -> None:
    with nothing_left(), pytest.raises(DeviceGoneError, match=r": Address already in use$"):
        TcpListener("127.0.0.1", port_of(server))


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="no IPv6 here")
def test_ipv6() -> None:
    with nothing_left(), closing(TcpListener("::1", 0)) as line:
        assert line.path.startswith("tcp-listen:[::1]:")
        port = int(line.path.rpartition(":")[2])
        with closing(TcpCall("::1", port)) as far:
            far.open(60)
            line.open(60)
            far.write(b"hello\n")
            assert Lines(line).read_line(60) == "hello"


def test_far_end_that_takes_no_bytes(
    server: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "WRITE_SECONDS", 0.2)
    with closing(TcpCall("127.0.0.1", port_of(server))) as line:
        line.open(60)
        with pytest.raises(DeviceSilentError, match=r"takes no bytes"):
            line.write(b"x" * 50_000_000)


def play_against(server: socket.socket, act: object) -> tuple[Ending, str]:
    """The end of a game whose White is at the far end of a call and does this when it has -W."""

    def run() -> None:
        far, _ = server.accept()
        with far:
            far.recv(100)
            act(far)  # type: ignore[operator]

    thread = threading.Thread(target=run)
    thread.start()
    try:
        with closing(PlayerOpener(code=False).open(f"tcp:127.0.0.1:{port_of(server)}")) as player:
            game = play_game(player, RandomPlayer(1), clock=Clock(1.0))
    finally:
        thread.join()
    return game.ending, game.explanation


def reset(far: socket.socket) -> None:
    far.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    far.close()


def test_far_end_that_resets(server: socket.socket) -> None:
    ending, why = play_against(server, reset)
    assert ending == Ending(Colour.RED, "fault")
    assert why.startswith("white loses at turn 1: tcp:127.0.0.1:")
    assert why.endswith(" is lost: Connection reset by peer")


def test_far_end_that_hangs_up_in_the_middle_of_a_line(server: socket.socket) -> None:
    ending, why = play_against(server, lambda far: far.sendall(b"@0"))
    assert ending == Ending(Colour.RED, "fault")
    assert why.endswith(" has hung up")


def test_far_end_that_says_nothing(server: socket.socket) -> None:
    ending, why = play_against(server, lambda far: far.recv(100))
    assert ending == Ending(Colour.RED, "time")
    assert why.endswith(" sent nothing within 1 s")


def test_both_sides_of_a_connection_play() -> None:
    """A listener as White, called by a program of the test: the notice tells where."""
    notices: list[str] = []
    calls: list[threading.Thread] = []

    def notice(text: str) -> None:
        notices.append(text)
        port = int(text.removesuffix(" ...").rpartition(":")[2])
        calls.append(threading.Thread(target=answer, args=(port,)))
        calls[0].start()

    def answer(port: int) -> None:
        with socket.create_connection(("127.0.0.1", port), 60) as far, far.makefile("rwb") as file:
            for line in file:
                file.write(b"XY\n" if line == b"-T\n" else b"@0+\n")
                file.flush()

    with nothing_left():
        opener = PlayerOpener(notice=notice)
        with closing(opener.open("tcp-listen:0")) as player:
            game = play_game(player, RandomPlayer(1), limit=1)
        calls[0].join()
    assert game.ending == Ending(None, "turn limit")
    assert player.name.endswith("(XY)")
    assert notices[0].startswith("Waiting for a player to call tcp-listen:127.0.0.1:")
