"""``loopline serve`` as a program."""

from __future__ import annotations

import errno
import json
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from urllib.request import urlopen

import pytest

from loopline.host.cli.commands import serve
from tests.host.program import COMMAND, environment, started


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


@pytest.mark.parametrize(
    ("words", "number", "status"),
    [
        ((), signal.SIGINT, 130),
        (("--watch", "game.txt"), signal.SIGINT, 130),
        (("--host", "0.0.0.0"), signal.SIGTERM, 143),
    ],
)
def test_it_serves_the_page_until_it_is_ended(
    words: tuple[str, ...], number: signal.Signals, status: int
) -> None:
    """Beyond loopback the address has a token, without which no device is named."""
    argv = [*COMMAND, "serve", "--port", "0", "--device", "cmd:cat", "--device", "engine", *words]
    with subprocess.Popen(
        argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
    ) as process:
        address = urlsplit(first_line(process))
        server = f"http://127.0.0.1:{address.port}"
        with urlopen(f"{server}/") as answer:
            assert b"Loopline" in answer.read()
        with urlopen(f"{server}/page.json?{address.query}") as answer:
            names = [each["name"] for each in json.load(answer)["devices"]]
        assert names == ["cmd:cat", "engine"]
        token = parse_qs(address.query).get("token")
        assert bool(token) == ("--host" in words)
        assert address.fragment == ("live" if "--watch" in words else "")
        if token:
            assert len(token[0]) >= 20
            with urlopen(f"{server}/page.json") as answer:
                assert json.load(answer)["devices"] == []
        process.send_signal(number)
        _, errors = process.communicate(timeout=60)
        assert process.returncode == status
        assert "Traceback" not in errors


def test_a_token_of_the_environment_is_the_same_at_each_start(tmp_path: Path) -> None:
    (tmp_path / "page.json").write_text("{}", encoding="utf-8")
    token, words = "0123456789abcdef_-XYZ", ["serve", "--page", str(tmp_path), "--port", "0"]
    argv = [*COMMAND, *words, "--device", "cmd:cat", "--host"]
    variables = environment(LOOPLINE_TOKEN=token)
    for host, query in (("0.0.0.0", f"token={token}"), ("127.0.0.1", "")):
        with subprocess.Popen(
            [*argv, host], stdout=subprocess.PIPE, text=True, env=variables
        ) as process:
            address = urlsplit(first_line(process))
            process.terminate()
        assert address.query == query
        # Where it listens everywhere, the address is one that others can use.
        assert address.hostname not in (None, "", "0.0.0.0")
    for wrong in ("short", f"{token}/", f"{token}é"):
        done = started(*words, "--host", "0.0.0.0", LOOPLINE_TOKEN=wrong)
        assert done.returncode == 2
        assert done.stderr == (
            "loopline serve: LOOPLINE_TOKEN is no token: use 16 or more of A-Z, a-z, 0-9, - and _\n"
        )


class Route:
    """A datagram socket of a machine with this address, or without a network."""

    def __init__(self, own: str | None) -> None:
        self._own = own

    def __call__(self, *_: object) -> Route:
        return self

    def __enter__(self) -> Route:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def connect(self, _far: tuple[str, int]) -> None:
        if self._own is None:
            raise OSError(errno.ENETUNREACH, "")

    def getsockname(self) -> tuple[str, int]:
        assert self._own is not None
        return self._own, 1


@pytest.mark.parametrize(
    ("host", "own", "shown"),
    [
        ("0.0.0.0", "198.51.100.7", "198.51.100.7"),
        ("::", "2001:db8::7", "2001:db8::7"),
        ("0.0.0.0", None, "the-host"),
        ("198.51.100.8", "198.51.100.7", "198.51.100.8"),
        ("::1", "2001:db8::7", "::1"),
        ("localhost", "198.51.100.7", "localhost"),
    ],
)
def test_the_printed_address_can_be_reached(
    monkeypatch: pytest.MonkeyPatch, host: str, own: str | None, shown: str
) -> None:
    monkeypatch.setattr(serve, "socket", Route(own))
    monkeypatch.setattr(serve, "gethostname", lambda: "the-host")
    assert serve.reachable(host) == shown


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"[]", "is no object of JSON"),
        (b"hello", "is not JSON"),
        (b"\xff", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
    ],
)
def test_a_folder_with_settings_that_are_none(text: bytes, said: str, tmp_path: Path) -> None:
    file = tmp_path / "page.json"
    file.write_bytes(text)
    done = started("serve", "--page", str(tmp_path), "--port", "0")
    assert done.returncode == 2
    remedy = "write a page with loopline page DIR"
    assert done.stderr == f"loopline serve: {file} {said}: {remedy}\n"


def test_what_cannot_be_served_is_wrong_use(tmp_path: Path) -> None:
    done = started("serve", "--page", str(tmp_path))
    assert done.returncode == 2
    assert "is no page: write a page with loopline page DIR" in done.stderr
    done = started("serve", "--device", "engine:nonsense=1", "--port", "0")
    assert done.returncode == 2
    assert done.stderr.startswith("loopline serve: ")
    done = started("serve", "--host", "203.0.113.1", "--port", "0")
    assert done.returncode == 2
    assert "cannot listen at 203.0.113.1" in done.stderr
    assert sys.executable not in done.stderr


@pytest.mark.parametrize(
    ("host", "said"),
    [
        ("a..b", "cannot listen at a..b, port 0: "),
        ("x" * 64, "cannot listen at xxx"),
        ("", "--host '' is no address: use one such as 127.0.0.1 or 0.0.0.0"),
    ],
)
def test_a_host_that_is_no_name(host: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "page.json").write_text("{}", encoding="utf-8")
    done = started("serve", "--page", str(tmp_path), "--host", host, "--port", "0")
    assert done.returncode == 2
    assert done.stderr.startswith(f"loopline serve: {said}")
    assert done.stderr.count("\n") == 1


def test_a_page_that_cannot_be_written_is_wrong_use() -> None:
    words = (*COMMAND, "serve", "--port", "0")
    done = subprocess.run(
        ["bash", "-c", 'ulimit -f 4; exec "$@"', "bash", *words],
        capture_output=True,
        text=True,
        timeout=60,
        env=environment(PYTHONDONTWRITEBYTECODE="1"),
        check=False,
    )
    assert done.returncode == 2
    last = done.stderr.splitlines()[-1]
    assert last.startswith("loopline serve: the page cannot be written to /")
