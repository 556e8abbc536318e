"""The first words that a new user types."""

import re

import pytest

from tests.host.program import loopline


def test_without_a_command_a_guide_says_what_to_do_first() -> None:
    done = loopline()
    assert (done.returncode, done.stderr) == (0, "")
    assert "loopline play --device greedy" in done.stdout
    assert "loopline --help lists all commands" in done.stdout
    assert max(map(len, done.stdout.splitlines())) < 80


def test_the_version() -> None:
    done = loopline("--version")
    assert done.returncode == 0
    assert re.fullmatch(r"loopline [0-9]+\.[0-9]+\.[0-9]+\S*\n", done.stdout)


@pytest.mark.parametrize("word", ["hint", "hello board", "x"])
def test_a_word_that_is_no_command_and_no_turn(word: str) -> None:
    done = loopline("play", "--device", "random:1", stdin=f"{word}\nquit\n")
    assert f"no such command or turn: {word.split()[0]}; help lists both\n" in done.stdout


def test_a_long_message_breaks_between_words() -> None:
    done = loopline("play", "--device", "random:1", stdin="@0/\nBBB999+\nquit\n")
    hint = "(moves lists the legal turns, help explains)"
    assert hint in done.stdout.replace("\n", " ")
    assert max(map(len, done.stdout.splitlines())) < 80
