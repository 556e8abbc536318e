"""The commands that ask devices, as programs of their own."""

import json
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from loopline.game.wire import ANSWERS, Command, Feature, answer_code
from loopline.host.cli.commands import info
from loopline.host.cli.main import main
from loopline.tools.sources import build_number
from tests.host.device.cable import Cable
from tests.host.program import loopline

IDENTITY = [field.name for field in ANSWERS[answer_code(Command.IDENTIFY)].fields]
COUNTERS = [field.name for field in ANSWERS[answer_code(Command.STATISTICS)].fields]


BUILD = build_number("engine", "game", "hdl", "tools")
COMMIT = f"{BUILD:08x}" if BUILD else ""
ENGINE = f"Engine {COMMIT}".rstrip()


def test_info() -> None:
    done = loopline("info", "--device", "engine")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[:3] == [
        "device      engine",
        f"design      Engine, commit {COMMIT or 'unknown'}",
        "link        version 1, 115385 baud now, 115200 at power-on",
    ]
    done = loopline("info", "--device", "engine", "--json", "--variant", "standard")
    assert list(json.loads(done.stdout)) == ["device", *IDENTITY]


def test_info_of_the_wrong_device() -> None:
    done = loopline("info", "--device", "engine", "--variant", "loop")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "loopline info: engine is built for standard, not loop\n"
    done = loopline("info", "--device", "/no/port")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "loopline info: cannot open /no/port: No such file or directory\n"
    done = loopline("info", "--device", "x@y")
    assert done.returncode == 2
    assert done.stderr.startswith(
        "loopline info: 'x@y' is not a device: use sim[:NAME=VALUE,...], engine"
    )


def test_stats(plugged: Cable) -> None:
    counts = [
        json.loads(loopline("stats", "--device", str(plugged.path), "--json").stdout)
        for _ in range(2)
    ]
    assert list(counts[0]) == COUNTERS
    assert counts[1]["frames_received"] > counts[0]["frames_received"]
    done = loopline("stats", "--device", "engine")
    assert [line.split()[0] for line in done.stdout.splitlines()][2:4] == ["3", "2"]


def test_selftest() -> None:
    done = loopline("selftest", "--device", "engine")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == f"engine: {ENGINE}"
    assert all(line.startswith("ok  ") for line in lines[1:-1])
    assert lines[-1] == f"all {len(lines) - 2} tests passed"


def test_selftest_of_a_board_that_has_no_tests(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As an HX8K, whose frames are for contests alone."""
    identity = SimpleNamespace(
        name="Board", commit="00c0ffee", features=Feature.CONTEST | Feature.SEARCH
    )
    device = SimpleNamespace(name="/dev/ttyUSB1", identity=identity)
    monkeypatch.setattr(info, "open_device", lambda spec: nullcontext(device))
    assert main(["selftest", "--device", "/dev/ttyUSB1"]) == 1
    output, error = capsys.readouterr()
    assert output == "/dev/ttyUSB1: Board 00c0ffee\n"
    (line,) = error.splitlines()
    assert line.startswith("loopline selftest: /dev/ttyUSB1 has neither SELF_TEST nor LIST and ")


def test_devices(plugged: Cable) -> None:
    done = loopline("devices", "--seconds", "5", str(plugged.path), "/no/port")
    assert (done.returncode, done.stderr) == (0, "")
    width = max(len(str(plugged.path)), len("/no/port"))
    assert done.stdout.splitlines() == [
        f"{plugged.path!s:{width}}  loopline  {ENGINE}, 62 x 62, 12 MHz, standard",
        f"{'/no/port':{width}}  unusable  No such file or directory",
    ]
    done = loopline("devices", "--json", "/no/port")
    assert done.returncode == 1
    assert json.loads(done.stdout)["kind"] == "unusable"
    for words in (("--baud", "fast"), ("--seconds", "0")):
        assert loopline("devices", *words).returncode == 2


def test_replay_on_a_device(tmp_path: Path) -> None:
    games = tmp_path / "games"
    games.write_text(
        '@0/ B1\\ A2\\\n@0+ B3+\n[Variant "mini"]\n\n1. @0+ @1+ @1+\n',
        encoding="utf-8",
    )
    more = tmp_path / "more"
    more.write_text("@0/ X\n", encoding="utf-8")
    done = loopline("replay", "--device", "engine", str(games), str(more))
    assert done.returncode == 1
    assert [line.partition("; the device ")[2] for line in done.stdout.splitlines()] == [
        "agrees on 3 turns",
        "agrees on 1 turn",
        "agrees on 3 turns",
        "agrees on 1 turn",
    ]
    assert done.stdout.startswith(f"{games}, line 1: red wins by a loop")
    done = loopline("replay", "--device", "engine", "--json", "-", stdin="@0/ B1\\ A2\\\n")
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert found["device"] == {"turns": 3, "differences": [], "beyond": False}
    assert "file" not in found


def test_replay_of_a_game_that_is_too_large() -> None:
    game = " ".join(["@0+", *["@1+"] * 70])
    done = loopline("replay", "--device", "engine", "--variant", "loop", "-", stdin=game)
    assert done.returncode == 0
    assert done.stdout.endswith(
        "; the device agrees on 62 turns, and the rest is too large for it\n"
    )


@pytest.mark.xdist_group("host-board")
def test_analyse_with_the_look_ahead_of_the_gateware(sim_port: str) -> None:
    """White's turn 3 completes Red's loop."""
    words = ("--nodes", "300", "--json", "-")
    done = loopline("analyse", "--device", sim_port, *words, stdin="@0/ A2\\ B1\\")
    assert (done.returncode, done.stderr) == (0, "")
    *_, last, white, red = [json.loads(line) for line in done.stdout.splitlines()]
    assert (last["played_mate"], last["mark"]) == (-1, "??")
    assert last["best_mate"] is None or last["best_mate"] > 0
    assert (white["largest_loss_turn"], red["turns"]) == (3, 1)
