"""The first words that a new user types."""

import argparse
import io
import re
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from loopline.engine import options
from loopline.host.cli.commands import SUBCOMMANDS
from loopline.host.cli.main import main
from loopline.host.players.spec import LEVELS
from loopline.host.transport import engine
from tests.host.program import loopline


def test_without_a_command_a_guide_says_what_to_do_first() -> None:
    done = loopline()
    assert (done.returncode, done.stderr) == (0, "")
    assert "loopline play --level easy" in done.stdout
    assert "loopline --help lists all commands" in done.stdout
    named = re.findall(r"^  loopline (\w+)", done.stdout, re.MULTILINE)
    assert {"play", "serve", "puzzle", "sim"} <= set(named) <= set(SUBCOMMANDS)
    assert max(map(len, done.stdout.splitlines())) < 80
    drawn = loopline("show", *re.search(r"loopline show (--turns) '(.*?)'", done.stdout).groups())
    assert (drawn.returncode, drawn.stderr) == (0, "")


def test_the_document_names_the_levels_and_the_commands() -> None:
    document = (Path(__file__).parents[3] / "docs" / "play.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| `(\S+)` \|", document, re.MULTILINE)
    assert rows == list(LEVELS.items())
    done = loopline("play", "--level", "easy", stdin="help\nresign\nhelp\n")
    assert done.stdout.startswith("You play white against greedy. ")
    typed = re.findall(r"^  ([a-z]+)(?: \[FILE\])? {2,}", done.stdout, re.MULTILINE)
    assert {"hint", "threats", "rematch", "undo"} <= set(typed)
    for name in typed:
        assert f"`{name}" in document


def test_the_version() -> None:
    done = loopline("--version")
    assert done.returncode == 0
    assert re.fullmatch(r"loopline [0-9]+\.[0-9]+\.[0-9]+\S*\n", done.stdout)


@pytest.mark.parametrize("word", ["hist", "hello board", "x"])
def test_a_word_that_is_no_command_and_no_turn(word: str) -> None:
    done = loopline("play", "--device", "random:1", stdin=f"{word}\nquit\n")
    assert f"no such command or turn: {word.split()[0]}; help lists both\n" in done.stdout


class Screen(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    "argv", [["play", "--device", "engine:nodez=2"], ["show", "--format", "nonesuch"], ["dance"]]
)
def test_a_long_error_breaks_between_words_on_a_terminal(
    argv: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    texts = []
    for stream in Screen(), io.StringIO():
        monkeypatch.setattr(sys, "stderr", stream)
        with suppress(SystemExit):
            main(argv)
        texts.append(stream.getvalue())
    on_screen, in_file = texts
    assert in_file.count("\n") == 1
    assert on_screen.split() == in_file.split()
    assert len(in_file) > 60
    assert max(map(len, on_screen.splitlines())) < 60


def test_the_engine_takes_what_its_spec_may_set() -> None:
    parser = argparse.ArgumentParser()
    options.add_search(parser)
    # ``ponder`` is for matches, and loopline.engine alone.
    assert {*vars(parser.parse_args([]))} == {*engine._OPTIONS, "set"} - {"ponder"}
    assert {*engine._SEARCH} == {*options._SETTINGS}


def test_a_long_message_breaks_between_words() -> None:
    done = loopline("play", "--device", "random:1", stdin="@0/\nBBB999+\nquit\n")
    hint = "(moves lists the legal turns, help explains)"
    assert hint in done.stdout.replace("\n", " ")
    assert max(map(len, done.stdout.splitlines())) < 80
