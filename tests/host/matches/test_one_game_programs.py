"""Programs that play one game per process: each of their games is played, or none counts."""

import shlex
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from loopline.host.errors import DeviceError
from loopline.host.matches.pairs import PairTask, play_pair
from loopline.host.players.software import RandomPlayer

TASK = PairTask(1, (0, 1), ("random", "random"), seed=7)

ONE_GAME = """
import sys
from pathlib import Path
from loopline.game import Position

log, mode = Path(sys.argv[1]), sys.argv[2]
with log.open("a") as file:
    file.write("started\\n")
starts = len(log.read_text().splitlines())
if mode == "never":
    print("no licence", file=sys.stderr)
if mode == "never" or (mode == "second-fails" and starts == 2):
    # Asked for its code when it is opened, and again before the game.
    print("XY", flush=True)
    input()
    input()
    sys.exit(3)
position = Position()
for line in sys.stdin:
    word = line.strip()
    if word == "-T":
        print("XY", flush=True)
        continue
    if word not in ("-W", "-B"):
        position.play(word)
    if word != "-B" and not position.ending:
        turn = str(position.legal_turns()[0])
        position.play(turn)
        print(turn, flush=True)
    if position.ending:
        break
"""


def one_game(folder: Path, mode: str = "well") -> tuple[str, Path]:
    """The spec of a program that ends with its game, and the file in which it notes each start."""
    program, log = folder / "one_game.py", folder / f"{mode}.log"
    program.write_text(ONE_GAME, encoding="utf-8")
    argv = [sys.executable, "-W", "ignore", str(program), str(log), mode]
    return f"cmd:{shlex.join(argv)}", log


@pytest.mark.parametrize(("mode", "starts"), [("well", 2), ("second-fails", 3)])
def test_each_game_gets_a_process_and_is_played(tmp_path: Path, mode: str, starts: int) -> None:
    spec, log = one_game(tmp_path, mode)
    result = play_pair(replace(TASK, specs=(spec, "random")))
    for game in result.games:
        assert game.turns, game.explanation
        assert game.fault is None, game.explanation
        assert game.reason in ("loop", "line", "loop+line"), game.reason
    assert len(log.read_text().splitlines()) == starts


def test_a_game_that_cannot_begin_ends_the_match(tmp_path: Path) -> None:
    spec, _ = one_game(tmp_path, "never")
    with pytest.raises(DeviceError, match=r"^a game of pair 1 cannot begin: .*no licence"):
        play_pair(replace(TASK, specs=(spec, "random")))


def test_a_player_that_fails_before_every_game_gives_no_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It opens, but no game can begin: the opponent gets no point for that."""
    calls = []

    def start(self: RandomPlayer, *_: object) -> None:
        calls.append(self)
        raise DeviceError("the cable is out")

    monkeypatch.setattr(RandomPlayer, "start", start)
    with pytest.raises(DeviceError, match=r"^a game of pair 1 cannot begin: the cable is out$"):
        play_pair(replace(TASK, specs=("random", "greedy")))
    assert len(calls) == 2
