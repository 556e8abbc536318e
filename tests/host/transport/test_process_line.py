import errno
import io
import os
import shlex
import signal
import sys
import time

import pytest

from loopline.host.errors import DeviceGoneError, DeviceSilentError, UsageError
from loopline.host.transport import process_line, transport
from loopline.host.transport.lines import Lines
from loopline.host.transport.process_line import ProcessLine
from loopline.host.transport.transport import CHUNK
from tests.host.leftovers import nothing_left


def python(program: str) -> str:
    return shlex.join([sys.executable, "-c", program])


@pytest.mark.parametrize(
    ("command", "error"),
    [
        ("", "'cmd:' names no program: use cmd:PROGRAM ARGUMENTS"),
        ("player 'x", "'cmd:player 'x': no closing quotation"),
        ("a\0b", "'cmd:a\0b': embedded null byte"),
    ],
)
def test_what_is_no_command(command: str, error: str) -> None:
    with nothing_left(), pytest.raises(UsageError) as caught:
        ProcessLine(command)
    assert str(caught.value) == error


@pytest.mark.parametrize(
    ("command", "error"),
    [
        ("/no/player -v", "cannot run /no/player: No such file or directory"),
        ("/etc/passwd", "cannot run /etc/passwd: Permission denied"),
        ("~/no-such-player", "No such file or directory"),
    ],
)
def test_what_cannot_be_run(command: str, error: str) -> None:
    with nothing_left(), pytest.raises(DeviceGoneError, match=error) as caught:
        ProcessLine(command)
    assert "~" not in str(caught.value)


def test_a_program_that_is_not_heard_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_pipe(*_: object) -> None:
        raise OSError(errno.EMFILE, "")

    monkeypatch.setattr(process_line, "_StandardError", no_pipe)
    with nothing_left(), pytest.raises(DeviceGoneError, match="^cannot run sleep: Too many open"):
        ProcessLine("sleep 1000")


def test_a_closed_line_has_gone() -> None:
    line = ProcessLine("cat")
    line.close()
    for use in (line.read, lambda: line.write(b"-T\n")):
        with pytest.raises(DeviceGoneError, match=r"^cat is closed$"):
            use()


def test_lines_both_ways_and_everything_before_the_end() -> None:
    program = "import sys; print(input()[::-1]); sys.stdout.write('rest')"
    with nothing_left():
        line = ProcessLine(python(program))
        try:
            line.write(b"abc\n")
            lines = Lines(line)
            assert lines.read_line(60) == "cba"
            with pytest.raises(DeviceGoneError, match=r"has ended with status 0$"):
                lines.read_line(60)
            with pytest.raises(DeviceGoneError, match=r"has ended with status 0$"):
                line.write(b"abc\n")
        finally:
            line.close()
            line.close()


def test_program_that_takes_no_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "WRITE_SECONDS", 0.2)
    with nothing_left():
        line = ProcessLine(python("import time; time.sleep(600)"))
        try:
            with pytest.raises(DeviceSilentError, match=r"takes no bytes: it has read nothing for"):
                line.write(b"x" * 1_000_000)
        finally:
            line.close()


def test_standard_error_never_blocks_the_program() -> None:
    program = "import sys; sys.stderr.write('e' * 9999999 + '\\nlast\\n'); print('done')"
    with nothing_left():
        line = ProcessLine(python(program))
        try:
            assert Lines(line).read_line(60) == "done"
            assert line.remark() == "its standard error ends with 'last'"
        finally:
            line.close()


def test_the_last_line_of_standard_error_may_come_in_two_reads() -> None:
    """The pipe holds all of it, and a read takes less."""
    said = "x" * (CHUNK - 7) + "\\nthe last line"
    with nothing_left():
        line = ProcessLine(python(f'import os; os.write(2, b"{said}")'))
        with pytest.raises(DeviceGoneError):
            line.read(60)
        assert line.remark().endswith("ends with 'the last line'")
        line.close()


def test_pipes_that_somebody_else_keeps_open_hold_nothing_up() -> None:
    # The grandchild has left the group: it lives on, and keeps all pipes.
    program = (
        "import os, time\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    print(os.getpid(), flush=True)\n"
        "    time.sleep(600)\n"
    )
    with nothing_left():
        line = ProcessLine(python(program))
        grandchild = int(Lines(line).read_line(60))
        line.close()
    os.kill(grandchild, signal.SIGKILL)


def test_time_to_begin() -> None:
    with nothing_left():
        line = ProcessLine(python("print('hello', flush=True); input()"), settle=0.3)
        begun = time.monotonic()
        line.open(0)
        assert time.monotonic() - begun >= 0.25
        line.open(0)
        assert Lines(line).read_line(60) == "hello"
        line.close()


def test_program_that_ends_while_it_begins() -> None:
    with nothing_left():
        line = ProcessLine(python("import sys; sys.exit(7)"), settle=60)
        with pytest.raises(DeviceGoneError, match=r"has ended with status 7$"):
            line.open(0)
        line.close()


def test_a_program_goes_on_when_nobody_reads_what_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """It writes more than a pipe holds to its standard error."""

    class Closed(io.StringIO):
        def write(self, _text: str) -> int:
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stderr", Closed())
    program = "import sys; sys.stderr.write('x' * 1_000_000); print('done', flush=True); input()"
    line = ProcessLine(python(program), shown=True)
    try:
        said, deadline = b"", time.monotonic() + 60
        while b"done" not in said and time.monotonic() < deadline:
            said += line.read(0.1)
        assert said.strip() == b"done"
    finally:
        line.close()


@pytest.mark.parametrize("shown", [False, True])
def test_standard_error_is_shown_at_once(shown: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    # `capsys.readouterr` reads and then empties: it loses what a thread writes in between.
    errors = io.StringIO()
    monkeypatch.setattr(sys, "stderr", errors)
    program = "import sys; print('compiling ...', file=sys.stderr, flush=True); sys.stdin.read()"
    line = ProcessLine(python(program), shown=shown)
    deadline = time.monotonic() + (60 if shown else 0)
    while not errors.getvalue() and time.monotonic() < deadline:
        time.sleep(0.01)
    said = errors.getvalue()
    line.close()
    assert said == ("compiling ...\n" if shown else "")
