"""``loopline bench soak``: a bounded run, and that it is loud about a board that disagrees."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from loopline.bench import __main__ as bench
from loopline.bench.torture import soak, soak_cable
from loopline.bench.torture.soak_faults import FAULTS
from loopline.game import STANDARD
from loopline.host.device import Device
from tests.host.leftovers import ends, nothing_left

# The board that the tests of devices have, too.
pytestmark = pytest.mark.xdist_group("host-board")

BAUD = "115200"


def test_games_while_everything_fails(capsys, monkeypatch):
    """Every turn with a fault, and each fault once."""
    monkeypatch.setattr(soak, "_EVERY", 1)
    monkeypatch.setattr(soak, "_VARIANTS", (STANDARD,))
    monkeypatch.setattr(soak, "_LONGEST", 3)
    turns = len(FAULTS)
    assert soak.main(["--turns", str(turns), "--baud", BAUD, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["turns"], found["faults"], found["wrong"]) == (turns, turns, "")
    rows = {row["what"]: row for row in found["rows"]}
    assert all(row["times"] == 1 for row in rows.values())
    for what, outcome in (
        ("command lost", "again"),
        ("answer lost", "again"),
        ("board loses power in a command", "set_up"),
        ("cable out and in, in an answer", "set_up"),
        ("board reset by another host", "set_up"),
    ):
        assert rows[what][outcome] == 1, rows[what]
    for what in ("last command again, with its number", "host goes in the middle of a frame"):
        # Asked again, too, when the machine is busy: the host waits for 0.3 s.
        assert rows[what]["set_up"] == 0, rows[what]


AGAIN = {fault.what: fault for fault in FAULTS}["last command again, with its number"].before


def answers_lost(capsys, monkeypatch, before=None):
    """Play two turns, each with its answer lost; return how often the host asked again."""
    (lost,) = (fault for fault in FAULTS if fault.what == "answer lost")
    monkeypatch.setattr(soak, "FAULTS", (lost._replace(before=before),))
    monkeypatch.setattr(soak, "_EVERY", 1)
    monkeypatch.setattr(soak, "_VARIANTS", (STANDARD,))
    assert soak.main(["--turns", "2", "--baud", BAUD, "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert row["times"] == 2
    return row["again"]


def test_a_late_answer_is_not_the_one_that_is_lost(capsys, monkeypatch):
    """One that is still on its way before each fault; the fault is another one's."""
    assert answers_lost(capsys, monkeypatch, AGAIN) == 2


def test_a_late_answer_to_a_question_is_not_the_one_that_is_lost(capsys, monkeypatch):
    """The question for late answers was sent twice, and has one itself, as on a busy machine."""
    identify, cables = Device.identify, []

    def before(_, cable):
        cables.append(cable)

    def twice(device: Device):
        identity = identify(device)
        if cables:
            AGAIN(None, cables.pop())
            device._session._exchange.retries += 1
        return identity

    monkeypatch.setattr(Device, "identify", twice)
    assert answers_lost(capsys, monkeypatch, before) == 2


def test_the_end_before_an_answer_is_not_what_is_lost(capsys, monkeypatch):
    """Bytes that come one by one: the first is an END, which no answer needs."""
    monkeypatch.setattr(soak_cable, "_CHUNK", 1)
    assert answers_lost(capsys, monkeypatch) == 2


def test_a_disagreement_is_told(capsys, monkeypatch):
    """A turn that the model knows nothing of."""
    play = Device.play

    def played(device: Device, turn: object):
        state = play(device, turn)
        if state.turns == 3:
            play(device, device.legal_turns()[0])
        return state

    monkeypatch.setattr(Device, "play", played)
    monkeypatch.setattr(soak, "_EVERY", 10**9)
    monkeypatch.setattr(soak, "_VARIANTS", (STANDARD,))
    assert soak.main(["--turns", "6", "--baud", BAUD]) == 1
    said = capsys.readouterr()
    assert said.out.splitlines()[-1].endswith(": they disagree")
    assert "turns of seed 0: " in said.err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_an_interruption_ends_the_board_and_prints_what_was_played(number):
    """Ctrl-C reaches all processes of the terminal."""
    words = ["soak", "--turns", "100000", "--baud", BAUD, "--json"]
    with subprocess.Popen(
        [sys.executable, "-m", "loopline.bench", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as program:
        # The first game has ended.
        assert program.stderr.readline().startswith("loopline bench soak: ")
        tasks = Path(f"/proc/{program.pid}/task").glob("*/children")
        (board,) = (int(pid) for task in tasks for pid in task.read_text().split())
        os.killpg(program.pid, number)
        output, error = program.communicate(timeout=60)
    assert ends(board, 10)
    if number == signal.SIGINT:
        assert (program.returncode, error) == (130, "\ninterrupted\n")
        found = json.loads(output)
        assert (found["games"] > 0, found["turns"] > 0, found["wrong"]) == (True, True, "")


def test_an_interruption_while_the_board_starts(tmp_path, monkeypatch):
    def interrupted(_file):
        raise KeyboardInterrupt

    monkeypatch.setattr(soak_cable.tty, "setraw", interrupted)
    command = ["sh", "-c", "echo pty: /dev/null; exec sleep 1000"]
    cable = soak_cable.Cable(tmp_path / "port", command)
    with nothing_left(), pytest.raises(KeyboardInterrupt):
        cable.__enter__()


def test_the_lanes_of_the_board(monkeypatch):
    built = []
    monkeypatch.setattr(soak.board, "build", built.append)
    monkeypatch.setattr(soak.board, "command", lambda *_, **__: ["true"])
    assert bench.main(["soak", "--turns", "1", "--lanes", "2"]) == 1
    assert [design.search.lanes for design in built] == [2]


def test_a_board_that_does_not_start(capsys, monkeypatch):
    monkeypatch.setattr(soak.board, "build", lambda _: "")
    monkeypatch.setattr(soak.board, "command", lambda *_, **__: ["true"])
    assert bench.main(["soak", "--turns", "1"]) == 1
    assert capsys.readouterr().err == ("loopline bench soak: the simulated board does not start\n")
