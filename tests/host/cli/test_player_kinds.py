"""``loopline player`` takes the players that the other commands take."""

import argparse

import pytest

from loopline.game import MINI, Position
from loopline.host.cli.commands import ugi
from tests.host.positions import position_after
from tests.host.program import loopline


@pytest.mark.parametrize("spec", ["random:1", "greedy", "greedy:3"])
def test_players_of_this_process_speak_the_protocol(spec: str) -> None:
    said = b"noise\n-G\n-T\n-B\nb1+\n@0/\n-S\n@0/\nB1+\n-G\n"
    done = loopline("player", "--device", spec, stdin=said)
    assert (done.stderr, done.returncode) == ("", 0)
    code, second, again, third = done.stdout.splitlines()
    assert (code, again) == ("LL", "LL")
    assert position_after("@0/").is_legal(second)
    assert position_after("@0/ B1+").is_legal(third)


def test_a_whole_game_of_a_variant() -> None:
    """Each turn is that of a new process, which gets the turns before it."""
    position = Position(MINI)
    while not position.ending:
        turns = "".join(f"{played.turn}\n" for played in position.history)
        done = loopline(
            *("player", "--device", "greedy:1", "--variant", "mini"), stdin=f"-S\n{turns}-G\n"
        )
        assert done.returncode == 0, done.stderr
        _, turn = done.stdout.split()
        position.play(turn)
    assert position.turns > 2


def test_ugi_plays_as_the_strongest_one_by_default() -> None:
    parser = argparse.ArgumentParser()
    ugi.COMMANDS["ugi"].configure(parser)
    assert parser.parse_args([]).device == "engine"
