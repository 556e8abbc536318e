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
from loopline.host.cli.commands import SUBCOMMANDS
from loopline.host.cli.commands.programs import COMMANDS as PROGRAMS
from loopline.host.cli.main import main
from loopline.host.render.terminal import wants_colour
from tests.host.program import COMMAND, environment, loopline, started


def test_the_table_names_the_module_of_each_command() -> None:
    modules = {subcommand.module for subcommand in SUBCOMMANDS.values()}
    for name in modules:
        module = importlib.import_module(f"loopline.host.cli.commands.{name}")
        named = {command for command, entry in SUBCOMMANDS.items() if entry.module == name}
        assert named == set(module.COMMANDS)
    folder = Path(commands.__file__).parent
    assert modules == {path.stem for path in folder.glob("*.py")} - {"__init__"}


def test_a_command_does_not_wait_for_the_others() -> None:
    script = (
        "import sys, loopline.host.cli.main as cli; assert cli.main(['perft', '1']) == 0; "
        "print(*sorted(name for name in sys.modules if name.startswith('loopline.host.cli.com')))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    package = "loopline.host.cli.commands"
    assert done.stdout.decode().splitlines() == ["1 2", f"{package} {package}.perft"]


def test_help_lists_every_command_and_imports_none() -> None:
    script = (
        "import sys, loopline.host.cli.main as cli\n"
        "try: cli.main(['--help'])\n"
        "finally: print(*({'loopline.game', 'rich'} & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert done.stderr == b"\n"
    for name in SUBCOMMANDS:
        assert re.search(rf"\n  {name} +[a-z]", done.stdout.decode())


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_help_of_a_command_fits_the_terminal_and_ends_with_examples(name: str) -> None:
    done = (started if name in PROGRAMS else loopline)(name, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    text, examples = re.split(r"^examples?:\n", done.stdout, flags=re.MULTILINE)
    assert text.startswith(f"usage: loopline {name} ")
    assert re.search(rf"^  .*loopline {name}\b", examples, re.MULTILINE)
    if name not in PROGRAMS:
        _usage, text = text.split("\n\n", 1)
        assert [line for line in text.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "loopline: the following arguments are required: COMMAND (see loopline --help)"),
        (["dance"], None),
        (["play", "--colour", "green"], None),
        (["player"], "loopline player: the following arguments are required: --device "),
        (["replay"], "loopline replay: the following arguments are required: FILE "),
        (["play", "--device", "@19200"], "loopline play: '@19200' is no device: use sim, "),
        (["play", "--device", "port@fast"], "loopline play: 'port@fast' is no device: "),
        (
            ["play", "--variant", "go"],
            "loopline play: argument --variant: 'go' is no variant: use ",
        ),
        (["play", "--clock", "-1"], "loopline play: argument --clock: "),
        (["play", "--save", "/no/file"], "loopline play: cannot write /no/file: No such file or "),
        (["demo", "--turns", "256"], None),
        (["demo", "--pause", "-1"], None),
        (["demo", "--pause", "nan"], None),
        (
            ["player", "--device", "sim", "--patience", "long"],
            "loopline player: argument --patience: 'long' is not a number of seconds from 0 to ",
        ),
        (["demo", "--white", "x", "--red", "x"], "loopline demo: 'x' can play one colour only"),
    ],
)
def test_wrong_use_is_one_line_and_status_2(words: list[str], message: str | None) -> None:
    done = loopline(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(message or "loopline")


def test_main_returns_its_status(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["moves", "@0/", "Z9+"]) == 1
    assert main(["moves"]) == 0
    assert capsys.readouterr().out == "@0+\n@0/\n"


def test_main_leaves_the_handling_of_sigterm_as_it_was() -> None:
    before = signal.getsignal(signal.SIGTERM)
    main(["moves", "--json"])
    assert signal.getsignal(signal.SIGTERM) is before


def test_interrupt_is_no_traceback() -> None:
    with subprocess.Popen(
        [*COMMAND, "perft", "9"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"1 2\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert process.stderr.read() == b"\ninterrupted\n"


def test_boards_and_build_are_programs() -> None:
    listed = started("boards", "--json")
    assert listed.returncode == 0
    assert "hx8k" in json.dumps(json.loads(listed.stdout))
    refused = started("build", "no-such-board")
    assert refused.returncode == 2
    assert refused.stderr.startswith("loopline build: argument BOARD: no board 'no-such-board'; ")


def test_host_imports_nothing_of_ours_but_game_and_tools() -> None:
    script = (
        "import sys, pkgutil, importlib, loopline.host\n"
        "for module in pkgutil.walk_packages(loopline.host.__path__, 'loopline.host.'):\n"
        "    if not module.name.endswith('__main__'): importlib.import_module(module.name)\n"
        "print(*sorted({'.'.join(name.split('.')[:2]) "
        "for name in sys.modules if name.startswith('loopline.')}))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert done.stdout.split() == [b"loopline.game", b"loopline.host", b"loopline.tools"]


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
    terminal: bool,
    variables: dict[str, str],
    colour: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert wants_colour(Screen(terminal)) is colour  # type: ignore[arg-type]


def test_output_that_the_encoding_lacks_is_replaced(tmp_path: Path) -> None:
    game = tmp_path / "game.txt"
    game.write_text("@0/ \u2551\n", encoding="utf-8")
    done = subprocess.run(
        [*COMMAND, "replay", os.fspath(game)],
        capture_output=True,
        env=environment(PYTHONUTF8="0", PYTHONIOENCODING="ascii"),
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == b""
    assert done.stdout.startswith(b"line 1: error at line 1, column 5: turn 2: '?'")
