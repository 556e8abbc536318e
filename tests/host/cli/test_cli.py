"""The command line as a whole: its commands, its help, its end."""

import importlib
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from loopline.host.cli import commands
from loopline.host.cli.commands import HEADINGS, SUBCOMMANDS
from loopline.host.cli.commands.programs import COMMANDS as PROGRAMS
from loopline.host.cli.main import main
from loopline.host.render.terminal import wants_colour
from tests.host.program import COMMAND, TIMEOUT, environment, loopline, started, talking

PACKAGE = "loopline.host.cli.commands"


def test_the_table_names_the_module_of_each_command() -> None:
    modules = {subcommand.module for subcommand in SUBCOMMANDS.values()}
    for name in modules:
        module = importlib.import_module(f"{PACKAGE}.{name}")
        named = {command for command, entry in SUBCOMMANDS.items() if entry.module == name}
        assert named == set(module.COMMANDS)
    folder = Path(commands.__file__).parent
    assert modules == {path.stem for path in folder.glob("*.py")} - {"__init__"}


@pytest.mark.parametrize(
    ("script", "printed"),
    [
        ("cli.main(['perft', '1'])", ["1 2", f"{PACKAGE} {PACKAGE}.perft"]),
        (
            "import loopline.host; import pkgutil; import importlib\n"
            "for module in pkgutil.walk_packages(loopline.host.__path__, 'loopline.host.'):\n"
            "    module.name.endswith('__main__') or importlib.import_module(module.name)\n"
            "WANTED = 'loopline.'; SHOWN = 2",
            ["loopline.game loopline.host loopline.tools"],
        ),
    ],
    ids=["a command does not wait for the others", "host imports only game and tools of ours"],
)
def test_what_is_imported(script: str, printed: list[str]) -> None:
    script = (
        f"import sys, loopline.host.cli.main as cli; WANTED, SHOWN = '{PACKAGE}', 9\n{script}\n"
        "names = [name.split('.')[:SHOWN] for name in sys.modules if name.startswith(WANTED)]\n"
        "print(*sorted({'.'.join(name) for name in names}))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert done.stdout.decode().splitlines() == printed


def test_help_lists_every_command_and_imports_none() -> None:
    script = (
        "import sys, loopline.host.cli.main as cli\n"
        "try: cli.main(['--help'])\n"
        "finally: print(*({'loopline.game', 'rich'} & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert done.stderr == b"\n"
    text = done.stdout.decode()
    assert re.findall(r"^  ([a-z]+)  +[a-z]", text, re.MULTILINE) == [*SUBCOMMANDS]
    for name, heading in HEADINGS.items():
        assert re.search(rf"\n\n{heading}:\n  {name} +[a-z]", text)


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_each_command_starts_and_its_help_ends_with_examples(name: str) -> None:
    done = (started if name in PROGRAMS else loopline)(name, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    text, examples = re.split(r"^examples?:\n", done.stdout, flags=re.MULTILINE)
    assert text.startswith(f"usage: loopline {name} ")
    assert re.search(rf"^  .*loopline {name}\b", examples, re.MULTILINE)
    if name not in PROGRAMS:
        _usage, text = text.split("\n\n", 1)
        assert [line for line in text.splitlines() if len(line) > 80] == []


def test_boards_and_build_are_programs() -> None:
    listed = started("boards", "--json")
    assert listed.returncode == 0
    assert "hx8k" in json.dumps(json.loads(listed.stdout))
    refused = started("build", "no-such-board")
    assert refused.returncode == 2
    assert refused.stderr.startswith("loopline build: argument BOARD: no board 'no-such-board'; ")


def test_an_interrupt_while_a_program_loads_is_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "amaranth.py").write_text("raise KeyboardInterrupt\n")
    done = started("boards", PYTHONPATH=os.fspath(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "\ninterrupted\n")


def test_main_returns_its_status(capsys: pytest.CaptureFixture[str]) -> None:
    before = signal.getsignal(signal.SIGTERM)
    assert main(["moves", "@0/", "Z9+"]) == 1
    assert main(["moves"]) == 0
    assert capsys.readouterr().out == "@0+\n@0/\n"
    assert signal.getsignal(signal.SIGTERM) is before


def test_an_interrupt_or_a_reader_that_goes_away_is_no_traceback() -> None:
    with talking("perft", "9") as talk:
        assert talk.read_line() == "1 2"
        talk.process.send_signal(signal.SIGINT)
        assert talk.rest()[1] == "\ninterrupted\n"
        assert talk.process.wait(60) == 130
    with talking("perft", "5") as talk:
        assert talk.read_line() == "1 2"
        assert talk.process.stdout is not None
        assert talk.process.stderr is not None
        talk.process.stdout.close()
        assert talk.process.stderr.read() == b""
        assert talk.process.wait(60) == 141


@pytest.mark.parametrize(
    "words",
    [
        "boards",
        "boards --json",
        "bench mutations --list",
        "trace @0/ -o turn.vcd",
        "tournament random random random --games 2 --save games.txt",
    ],
)
def test_a_command_whose_reader_has_gone_ends_quietly(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with talking(*words.split()) as talk:
        assert talk.process.stdout is not None
        assert talk.process.stderr is not None
        talk.process.stdout.close()
        errors = talk.process.stderr.read()
        assert re.sub(rb"3 players: .*\n", b"", errors) == b""  # But for the progress of games.
        assert talk.process.wait(60) == 141


class Screen:
    """A stream that says whether it is a terminal."""

    def __init__(self, is_terminal: bool) -> None:
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal


@pytest.mark.parametrize(
    ("terminal", "variables", "colour"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (True, {"TERM": "dumb"}, False),
    ],
)
def test_when_colours_are_wanted(
    terminal: bool, variables: dict[str, str], colour: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", Screen(terminal))
    assert wants_colour() is colour


def test_output_that_the_encoding_lacks_is_replaced(tmp_path: Path) -> None:
    game = tmp_path / "game.txt"
    game.write_text("@0/ \u2551\n", encoding="utf-8")
    done = started("replay", os.fspath(game), PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("line 1: error at line 1, column 5: turn 2: '?'")


def test_programs_of_other_packages_replace_it_too(tmp_path: Path) -> None:
    done = started("trace", "@0/", "-o", f"{tmp_path}/\udcff.vcd")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{tmp_path}/?.vcd: 21 cycles" in done.stdout
    assert b"/\xff.vcd" in (tmp_path / "\udcff.gtkw").read_bytes()


def redirected(words: str, redirection: str) -> subprocess.CompletedProcess[bytes]:
    """Run ``loopline`` with these arguments in a shell that redirects its standard streams."""
    return subprocess.run(
        ["sh", "-c", f'"$@" {redirection}', "sh", *COMMAND, *words.split()],
        input=b"",
        capture_output=True,
        timeout=TIMEOUT,
        env=environment(),
        check=False,
    )


@pytest.mark.parametrize(
    ("words", "redirection", "status"),
    [
        ("moves", ">&-", 0),
        ("referee --white random:1 --red random:2", ">&-", 0),
        ("ugi --device random", ">&-", 0),
        ("replay -", "<&-", 0),
        ("player --device random", "<&-", 0),
        ("ugi --device random", "<&-", 0),
        ("play --device random", "<&-", 0),
        ("moves --variant chess", "2>&-", 2),
        ("moves", "<&- >&- 2>&-", 0),
    ],
)
def test_closed_standard_streams_are_empty(words: str, redirection: str, status: int) -> None:
    done = redirected(words, redirection)
    assert (done.returncode, done.stderr) == (status, b"")


@pytest.mark.parametrize("words", ["moves", "referee --white random:1 --red random:2"])
def test_a_full_disk_is_one_line(words: str) -> None:
    done = redirected(words, ">/dev/full")
    said = "loopline: cannot write the output: No space left on device\n"
    assert (done.returncode, done.stderr.decode()) == (1, said)


def test_typed_bytes_that_are_no_text_are_no_turn() -> None:
    done = subprocess.run(
        [*COMMAND, "play", "--device", "random", "--plain"],
        input=b"\xff\nquit\n",
        capture_output=True,
        timeout=TIMEOUT,
        env=environment(PYTHONIOENCODING="utf-8:strict"),
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\\xff" in done.stdout
