"""Fuzz the host's parsers: an input may raise documented errors only.

``loopline bench fuzz-host --parser NAME`` feeds one parser for some seconds, and without a name
each in turn. Atheris makes the input, guided by the code that it reaches; it comes with the extra
``fuzz``: ``pip install 'loopline[fuzz]'``. A line for each parser says how many inputs there were.
Exit status 1 if an input raises another error, or takes more than ten seconds or 1 GB. The bench
saves that input, and ``--replay FILE`` parses it again without Atheris. Ctrl-C prints the inputs of
the parser in turn, and exits with 130.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import logging
import re
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from loopline.bench.interruption import INTERRUPTED, interruptible
from loopline.game import (
    STANDARD,
    NotationError,
    Position,
    RecordError,
    parse_turn,
    read_game,
    read_records,
    split_games,
)
from loopline.game.old_notation import parse_old_turn, read_turn
from loopline.game.wire import ANSWERS, Command, Frame, FrameReader
from loopline.host.contest.link import ContestDevice
from loopline.host.device.exchange import reply_to
from loopline.host.errors import DeviceError
from loopline.host.records.record_file import bounded_lines
from loopline.host.transport.lines import Lines
from loopline.host.ugi.player import UgiPlayer
from loopline.host.ugi.reader import Line
from loopline.host.ugi.ugi import Ugi
from loopline.tools.arguments import Parser, whole_number
from loopline.tools.signals import handled, handled_endings

__all__ = ["PARSERS", "main"]

_SECONDS = 5.0
"""Seconds in which a server has to answer."""

_SEEDS: dict[str, tuple[bytes, ...]] = {
    "records": (
        b'[White "x"]\n[Variant "mini"]\n1. @0+ B1+\n2. A0/ { why } ( B2\\ ) 1-0\n',
        b"@0/\nB1+\nRESIGN\n",
    ),
    "notation": (b"AA10+", b"@0/", b"A1L"),
    "frames": (b"\xc0\x85\x01\x00\xdb\xdc\xc0", b"\xc0\x81\x84\x0a" + bytes(12) + b"\xc0", b"LL\n"),
    "ugi": (b"ugi\nposition startpos moves @0+ @1+\ngo nodes 1\n", b"setoption name Variant value"),
    "lines": (b"LL\n@0/\r\n", b"A1+\n"),
    "serve": (
        b"GET /page.json?token=x HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /../secret HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-9\r\n\r\n",
        # A handshake as of a page of this server, and two messages: bytes, and a text.
        b"GET /live/0 HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
        b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        b"\x82\x82\x01\x02\x03\x04\xc1\x87\x81\x81\x00\x00\x00\x00A",
    ),
}


def _records(data: bytes) -> None:
    """Read records with comments, tags and variations, as text of any encoding."""
    lines = list(bounded_lines(io.StringIO(data.decode("utf-8", "replace"))))
    for game in split_games(lines):
        _ = read_game(game).error
    games = read_records(lines)
    while True:
        try:
            if next(games, None) is None:
                return
        except RecordError:
            pass


def _notation(data: bytes) -> None:
    """Parse a turn in either notation."""
    text = data.decode("utf-8", "replace")
    for read in (parse_turn, parse_old_turn, lambda text: read_turn(Position(), text)):
        with contextlib.suppress(NotationError):
            read(text)


def _frames(data: bytes) -> None:
    """Read what a device sends, in two pieces, and unpack it as answers."""
    reader = FrameReader()
    for piece in (data[: len(data) // 2], data[len(data) // 2 :]):
        for event in reader.feed(piece):
            if isinstance(event, Frame):
                number = event.code & 0x0F
                command = Command(number if 0 < number <= max(Command) else 1)
                with contextlib.suppress(DeviceError):
                    reply_to("it", command, event.sequence, event)
    for code, message in ANSWERS.items():
        if message.accepts(len(data)):
            with contextlib.suppress(DeviceError):
                reply_to("it", Command(code & 0x0F or 1), 3, Frame(3, code, data))


class _Far:
    """A transport from which some bytes come, and then nothing."""

    path = "it"

    def __init__(self, data: bytes) -> None:
        self._data = data

    def open(self, seconds: float) -> None:
        """Nothing is to be done."""

    def read(self, wait: float = 0.0) -> bytes:
        """Return the next forty bytes."""
        piece, self._data = self._data[:40], self._data[40:]
        return piece

    def write(self, data: bytes) -> None:
        """Discard the bytes."""

    def remark(self) -> str:
        """Return no remark."""
        return ""

    def close(self) -> None:
        """Nothing is to be done."""


def _lines(data: bytes) -> None:
    """Read contest lines, and turns of a device at their far end."""
    lines = Lines(_Far(data))
    device = ContestDevice(_Far(data), timeout=0.0)
    for read in (lambda: lines.read_line(0.0), device.read_turn, device.identify):
        with contextlib.suppress(DeviceError):
            read()


def _ugi(data: bytes) -> None:
    """Obey the lines of a manager; searches are short, and no device or file is opened."""
    player = UgiPlayer("random:1", STANDARD, lambda _: None)
    try:
        ugi = Ugi(player, lambda _: None)
        for text in re.split(r"[\r\n]", data.decode("utf-8", "replace"))[:12]:
            if "Device" in text or "Log" in text or "Save" in text:
                continue
            # All limits are small ones.
            ugi.obey(Line(re.sub(r"[0-9]+", lambda found: found[0][:1], text), threading.Event()))
    finally:
        player.close()


class _Reports(logging.Handler):
    """What the server logs: an error of a request handler that it has not expected."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the report."""
        self.texts.append(logging.Formatter().format(record))


async def _visit(page: Path, data: bytes) -> bytes:
    """Send bytes to a server of a page and of a file that is watched; return its answer."""
    from loopline.host.serve.offered import Offered
    from loopline.host.serve.server import Server
    from loopline.host.serve.watched import watched_files

    server = Server(page, Offered([], 8), watched_files([page.parent / "game.txt"]))
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(data)
        writer.write_eof()
        answer = b""
        with contextlib.suppress(ConnectionError):
            answer = await asyncio.wait_for(reader.read(), _SECONDS)
        writer.close()
    finally:
        await server.close()
    return answer


def _serve(data: bytes) -> None:
    """Answer what a browser sends; nothing but the page may come."""
    reports = _Reports()
    logs = [logging.getLogger(name) for name in ("tornado.application", "asyncio")]
    with tempfile.TemporaryDirectory(prefix="loopline-") as folder:
        page = Path(folder, "page")
        page.mkdir()
        (page / "index.html").write_text("the page")
        (page / "page.json").write_text('{"board": null, "devices": []}')
        for name in ("secret", "game.txt"):
            Path(folder, name).write_text(f"{name} of this machine\n")
        for log in logs:
            log.addHandler(reports)
        try:
            answer = asyncio.run(_visit(page, data))
        finally:
            for log in logs:
                log.removeHandler(reports)
    if b"secret of" in answer:
        raise AssertionError("a file that is not of the page was served")
    if reports.texts:
        raise AssertionError("\n".join(reports.texts))


PARSERS: dict[str, Callable[[bytes], None]] = {
    "records": _records,
    "notation": _notation,
    "frames": _frames,
    "ugi": _ugi,
    "lines": _lines,
    "serve": _serve,
}
"""The parsers by name; each takes any bytes."""

_ATHERIS = """
import sys
import atheris
with atheris.instrument_imports(include=["loopline"]):
    from loopline.bench.torture.fuzz_host import PARSERS
atheris.Setup(sys.argv, PARSERS[sys.argv.pop(1)])
atheris.Fuzz()
"""


def _fuzz(name: str, options: argparse.Namespace) -> tuple[int, int]:
    """Fuzz one parser; return the number of inputs, and 0, 1 if one was wrong, or 130 if Ctrl-C
    ended it."""
    with tempfile.TemporaryDirectory(prefix="loopline-") as folder:
        for number, seed in enumerate(_SEEDS[name]):
            Path(folder, str(number)).write_bytes(seed)
        command = [
            *(sys.executable, "-c", _ATHERIS, name, folder),
            f"-max_total_time={options.seconds}",
            f"-seed={options.seed + 1}",
            "-print_final_stats=1",
            "-timeout=10",
            "-rss_limit_mb=1024",
            "-max_len=4096",
            f"-artifact_prefix={options.keep}/fuzz-{name}-",
        ]
        with (
            interruptible() as interruption,
            handled_endings(),
            subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                start_new_session=True,  # Ctrl-C reaches this process alone.
            ) as fuzzer,
        ):
            try:
                output, _ = fuzzer.communicate()
            except BaseException:
                # At Ctrl-C Atheris would end without its figures.
                fuzzer.terminate()
                with handled(signal.SIGINT, signal.SIG_IGN):
                    output, _ = fuzzer.communicate()
                raise
    if "No module named 'atheris'" in output:
        raise ModuleNotFoundError("Atheris is not installed: pip install 'loopline[fuzz]'")
    count = re.search(r"number_of_executed_units:\s*(\d+)", output)
    wrong = not interruption.status and (fuzzer.returncode != 0 or count is None)
    if wrong:
        print(output[-3000:], file=sys.stderr)
    return int(count[1]) if count else 0, interruption.status or int(wrong)


def _parser() -> Parser:
    parser = Parser(
        prog="loopline bench fuzz-host",
        description=__doc__,
        examples=["loopline bench fuzz-host --parser ugi --seconds 600"],
    )
    number = whole_number(1, 10**6)
    parser.add_argument(
        "--parser",
        choices=PARSERS,
        metavar="NAME",
        help=f"the parser: {', '.join(PARSERS)} (each in turn)",
    )
    parser.add_value("--seconds", number, "the seconds for each parser", default=60)
    parser.add_value("--seed", number, "the seed of the random input", default=1)
    parser.add_value(
        "--keep", Path, "the folder for failures", default=Path(), metavar="FOLDER", shown="."
    )
    parser.add_value("--replay", Path, "parse a file, and end", metavar="FILE")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run with these arguments."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.replay:
        if not options.parser:
            parser.error("--replay needs the parser's name: --parser NAME")
        try:
            data = options.replay.read_bytes()
        except OSError as error:
            parser.error(f"{options.replay}: {error.strerror}")
        PARSERS[options.parser](data)
        print(f"{options.replay}: nothing is wrong")
        return 0
    parser.folder("--keep", options.keep)
    failed = 0
    for name in [options.parser] if options.parser else PARSERS:
        try:
            count, status = _fuzz(name, options)
        except ModuleNotFoundError as error:
            parser.error(str(error))
        said = "WRONG" if status == 1 else "nothing is wrong"
        print(f"{name}: {count} inputs, {said}", flush=True)
        if status == INTERRUPTED:
            return status
        failed |= status
    return failed
