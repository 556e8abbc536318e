"""The engine as a player: its lines, its options, its weights, and the host's way to it."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from loopline.engine.__main__ import main
from loopline.engine.device.device import CODE, Device
from loopline.engine.evaluation.weights import DEFAULT_WEIGHTS, WeightsError, read_weights
from loopline.engine.options import Limits
from loopline.engine.search.searcher import Searcher
from loopline.game import LIMITED, STANDARD, Colour, Position, Variant, parse_turn
from loopline.hdl.search.config import Pruning, SearchConfig
from loopline.host.clock import CONTEST, UNTIMED, Clock
from loopline.host.errors import UsageError
from loopline.host.players.line_player import LinePlayer
from loopline.host.players.spec import PlayerOpener
from loopline.host.transport.engine import is_engine, start_engine, thinking_seconds

pytestmark = pytest.mark.xdist_group("engine")


class Talk:
    """A device that is fed lines, each after a pause; the lines that it sends."""

    def __init__(
        self,
        *lines: str,
        limits: Limits | None = None,
        variant: Variant = STANDARD,
        game_seed: int | None = None,
        pause: float = 0.0,
    ) -> None:
        self.said: list[str] = []
        self._lines = list(lines)
        self._pause = pause
        self._due = time.monotonic()
        Device(
            Searcher,
            limits or Limits(depth=2),
            self._receive,
            self._send,
            variant=variant,
            game_seed=game_seed,
        ).run()

    def _receive(self, seconds: float | None) -> bytes | None:
        left = self._due - time.monotonic()
        if left > 0 and seconds is not None:
            time.sleep(min(left, seconds))
            return b""
        time.sleep(max(left, 0))
        self._due = time.monotonic() + self._pause
        return self._lines.pop(0).encode() + b"\n" if self._lines else None

    def _send(self, data: bytes) -> None:
        self.said += data.decode().splitlines()


def test_code_and_opening():
    assert Talk("-T", "-T").said == [CODE, CODE]
    assert Talk("-W").said == ["@0/"]
    assert Talk("-B").said == []


def test_a_game():
    position = Position()
    said = Talk("-B", "@0+", "", "noise", "Z9/", "-G").said
    assert len(said) == 2  # the second one as White, whose side -G takes
    for text in ("@0+", *said):
        position.play(text)


def test_games_vary_by_their_seed():
    def games(seed: int) -> list[str]:
        lines = ["-S", "@0/", "B1+", "-G", "-G", "-G"]
        return Talk(*lines, *lines, limits=Limits(depth=1), game_seed=seed).said

    assert games(1) == games(1)
    assert len({tuple(games(seed)) for seed in range(8)}) > 1


def test_the_program_takes_the_seed_of_contest_games_from_the_time(monkeypatch):
    made = []
    monkeypatch.setattr(
        "loopline.engine.__main__.Device", lambda *_, **options: made.append(options)
    )
    monkeypatch.setattr("time.time_ns", lambda: 7_000)
    for fixed, words in ("", []), ("9", []), ("9", ["--seed", "5"]):
        monkeypatch.setenv("LOOPLINE_SEED", fixed)
        with pytest.raises(AttributeError, match="run"):
            main(words)
    assert [(each["seed"], each["game_seed"]) for each in made] == [(None, 7), (None, 9), (5, 5)]


def test_both_sides_of_a_game():
    """With -G alone it plays on, for the side to move, until the game is over."""
    said = Talk("-S", "@0/", "B1+", *["-G"] * 60, limits=Limits(nodes=300)).said
    position = Position()
    for text in ("@0/", "B1+", *said[1:]):
        position.play(text)
    assert said[0] == CODE
    assert position.result


def test_turns_of_a_set_up_are_checked_and_not_answered():
    talk = Talk("-S", "@0/", "B7+", "B1+", "C1+", "-G")
    position = Position()
    for text in "@0/ B1+ C1+".split():
        position.play(text)
    assert talk.said[0] == CODE
    assert position.is_legal(talk.said[1])
    assert len(talk.said) == 2


def test_a_new_game_ends_a_search():
    start = time.monotonic()
    assert Talk("-B", "@0/", "-T", limits=Limits(seconds=60), pause=0.3).said == [CODE]
    assert time.monotonic() - start < 30


def test_the_end_of_the_input_lets_a_search_finish():
    assert len(Talk("-B", "@0/", limits=Limits(nodes=3000)).said) == 1


def test_the_program():
    Searcher().warm_up()  # What is compiled first is announced.
    command = [sys.executable, "-m", "loopline.engine", "--nodes", "500", "--variant", "limited"]
    done = subprocess.run(command, input="-T\n-W\n", capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == (f"{CODE}\n@0/\n", "", 0)


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (("--time", "0"), "'0' is not a number of seconds from 0.001 to 86400"),
        (("--nodes", "x"), "'x' is not a whole number from 1 to "),
        (("--seed", "-1"), "'-1' is not a whole number from 0 to "),
        (("--set", "nears=2"), "'nears' cannot be set: use one of lanes, "),
        (("--set", "near=2"), "'near' cannot be set: use one of lanes, "),
        (("--set", "quiescence_radius=99"), "quiescence_radius must be from 0 to 15, not 99"),
        (("--variant", "chess"), "'chess' is not a variant"),
        (("--weights", "/none"), "/none: No such file or directory"),
    ],
)
def test_wrong_words(words, wrong, capsys):
    with pytest.raises(SystemExit, match="^2$"):
        main(words)
    said = capsys.readouterr()
    assert said.out == ""
    assert wrong in said.err
    assert said.err.count("\n") == 1


def test_the_host_plays_with_it():
    assert is_engine("engine")
    assert is_engine("engine:nodes=5")
    assert not is_engine("models")
    with closing(PlayerOpener().open("engine:nodes=300,seed=4,quiescence_radius=3")) as player:
        assert isinstance(player, LinePlayer)
        assert player.code == CODE
        for colour in Colour:
            position = Position()
            opening = [parse_turn(text) for text in ("@0/", "B1+", "C1+")]
            for turn in opening:
                position.play(turn)
            player.start(colour, opening=opening)
            while not position.ending:
                if position.to_move is colour:
                    position.play(player.choose(position, 60))
                else:
                    turn = position.legal_turns()[position.turns % 3]
                    position.play(turn)
                    player.hear(turn)
            assert position.result
            assert position.result.winner is colour


def test_variants_of_the_host():
    with closing(PlayerOpener(variant=LIMITED).open("engine:depth=1")) as player:
        player.start(Colour.WHITE, LIMITED)
        assert str(player.choose(Position(LIMITED), 60)) == "@0/"


@pytest.mark.parametrize("spec", ["engine:nodes", "engine:=3", "engine:nodes="])
def test_wrong_specs(spec):
    with pytest.raises(UsageError, match="sets nothing: use NAME=VALUE$"):
        start_engine(spec)


def test_time_of_a_clock():
    assert thinking_seconds(UNTIMED) is None
    assert thinking_seconds(CONTEST) == pytest.approx(0.83)
    assert thinking_seconds(Clock(0.01)) == 0.001
    assert thinking_seconds(Clock(600)) == 60


def test_weights_come_back_as_written(tmp_path: Path):
    weights, path = read_weights(), tmp_path / "weights.txt"
    weights.save(path)
    assert path.read_bytes() == DEFAULT_WEIGHTS.read_bytes()
    text = path.read_text()
    path.write_text(text.replace("tempo 1\n", "tempo 1\n1"))
    with pytest.raises(WeightsError, match="damaged, the checksum is wrong"):
        read_weights(path)
    path.write_text("weights\n")
    with pytest.raises(WeightsError, match="no file of weights"):
        read_weights(path)
    weights.check(10)
    with pytest.raises(WeightsError, match="do not fit into 6 bits"):
        weights.check(6)


def test_configuration():
    for make, wrong in (
        (lambda: SearchConfig(table_bits=15), "table_bits must be from 6 to 14, not 15"),
        (lambda: SearchConfig(root_turns=63), "root_turns must be from 64 to 256, not 63"),
        (lambda: SearchConfig(plies=65), "plies must be from 8 to 64, not 65"),
        (lambda: Pruning(quiescence_radius=-1), "quiescence_radius must be from 0 to 15, not -1"),
    ):
        with pytest.raises(ValueError, match=wrong):
            make()
