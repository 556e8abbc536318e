import contextlib
import fcntl
import os
import pty
import random
import re
import signal
import struct
import subprocess
import termios
from pathlib import Path

import pytest

from loopline.game import Colour, Position
from loopline.tools.signals import handled
from tests.host.positions import position_after, records_of
from tests.host.program import (
    COMMAND,
    OVER,
    TIMEOUT,
    environment,
    loopline,
    on_terminal,
    talking,
)

pytestmark = pytest.mark.xdist_group("host-board")

PROMPT = {Colour.WHITE: "Your turn (white): ", Colour.RED: "Your turn (red): "}
PLAYED = re.compile(r"^Turn (\d+): (white|red) plays (\S+?)[.,]?(?: |$)", re.MULTILINE)
RECORD = re.compile(r"^The game: (.*)$", re.MULTILINE)


@pytest.mark.parametrize("colour", list(Colour))
def test_whole_game(sim_port: str, colour: Colour) -> None:
    choice = random.Random(colour)
    position = Position()
    text = ""
    with talking("play", "--device", sim_port, "--colour", colour.name.lower()) as talk:
        while (output := talk.read_until(PROMPT[colour], OVER)).endswith(PROMPT[colour]):
            text += output
            for number, _, turn in PLAYED.findall(output):
                if int(number) > position.turns:
                    position.play(turn)
            assert position.to_move is colour
            talk.write(f"{choice.choice(position.legal_turns())}\n")
        text += output
        talk.end()
        rest, errors = talk.rest()
        assert errors == ""
        assert talk.process.wait() == 0
    for number, _, turn in PLAYED.findall(output):
        assert int(number) == position.turns + 1
        position.play(turn)
    assert position.result is not None
    winner, kind = position.result.winner.name.capitalize(), position.result.kind
    assert f"\n{winner} wins by a {kind.replace('+', ' and a ')} after" in output
    assert "█" in output
    assert "█" not in text.removesuffix(output)
    [record] = RECORD.findall(rest)
    assert str(position_after(record).result) == str(position.result)


def test_undo_against_a_board(sim_port: str) -> None:
    with talking("play", "--device", sim_port, "--colour", "red") as talk:
        prompt = PROMPT[Colour.RED]
        talk.read_until(prompt)
        talk.write("undo\n")
        assert talk.read_until(prompt) == f"undo\nthere is no turn of yours to take back\n{prompt}"
        for _ in range(2):
            # The board goes on from where it is taken back to, with another turn or the same.
            talk.write("moves\n")
            turn = talk.read_until(prompt).split()[-4]
            talk.write(f"{turn}\n")
            assert f"Turn 2: red plays {turn}" in (shown := talk.read_until(prompt))
            assert "Turn 3: white plays " in shown
            talk.write("undo\n")
            assert "Turn" not in talk.read_until(prompt)
        talk.write("resign\n")
        talk.end()
        output, errors = talk.rest()
    assert errors == ""
    assert f"\nWhite wins by resignation after 1 turn.\n{OVER}\nThe game: @0" in output


def test_end_of_input_ends_the_program_cleanly(sim_port: str) -> None:
    done = loopline("play", "--device", sim_port, "--colour", "red")
    assert (done.stderr, done.returncode) == ("", 0)
    assert "Turn 1: white plays @0" in done.stdout
    assert done.stdout.endswith("The game ends here.\nThe game: @0/\n") or done.stdout.endswith(
        "The game ends here.\nThe game: @0+\n"
    )


def test_interrupt_is_no_traceback(sim_port: str) -> None:
    with talking("play", "--device", sim_port) as talk:
        talk.read_until(PROMPT[Colour.WHITE])
        talk.wait_until_it_waits()
        talk.process.send_signal(signal.SIGINT)
        assert talk.rest() == ("", "\ninterrupted\n")
        assert talk.process.wait() == 130


def test_own_board_ends_with_the_program() -> None:
    with talking("play") as talk:
        greeting = talk.read_until(PROMPT[Colour.WHITE])
        assert "against the simulated board" in greeting
        children = Path(f"/proc/{talk.process.pid}/task/{talk.process.pid}/children")
        [board] = children.read_text(encoding="ascii").split()
        talk.wait_until_it_waits()
        talk.process.terminate()
        assert talk.process.wait(60) == 143
        assert not Path(f"/proc/{board}").exists()


@pytest.mark.parametrize("options", [["--plain"], []], ids=["plain", "screen"])
def test_a_terminal_that_is_closed_keeps_the_game(options: list[str], tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    words = ("play", "--device", "random:1", "--colour", "red", "--save", str(path), *options)
    ours, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    shown = b""
    with (
        handled(signal.SIGHUP, signal.SIG_DFL),  # even where these tests run under nohup
        subprocess.Popen(
            ["setsid", "--ctty", *COMMAND, *words],
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            env=environment(),
        ) as process,
    ):
        os.close(terminal)
        try:
            while b"Your turn" not in shown:
                shown += os.read(ours, 65536)
        finally:
            os.close(ours)
        assert process.wait(TIMEOUT) == 129
    [record] = records_of(path)
    assert (record.ending, len(record.turns)) == (None, 1)


@pytest.mark.parametrize(
    ("options", "leave"), [(["--plain"], b"quit\n"), ([], b"q")], ids=["plain", "screen"]
)
def test_a_game_that_cannot_be_saved_is_shown(
    options: list[str], leave: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "game.txt"
    words = ("play", "--device", "random:1", "--colour", "red", "--save", str(path), *options)
    ours, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    shown = b""
    with subprocess.Popen(
        [*COMMAND, *words], stdin=terminal, stdout=terminal, stderr=terminal, env=environment()
    ) as process:
        os.close(terminal)
        try:
            while b"Your turn" not in shown:
                shown += os.read(ours, 65536)
            path.mkdir()
            os.write(ours, leave)
            with contextlib.suppress(OSError):  # the far end is closed
                while True:
                    shown += os.read(ours, 65536)
        finally:
            os.close(ours)
        assert process.wait(TIMEOUT) == 2
    assert re.search(rb"The game: @0[/+]\r\n", shown)
    assert b"loopline play: cannot write" in shown


@pytest.mark.parametrize(("no_colour", "coloured"), [("", True), ("1", False)])
def test_colours_on_a_terminal(sim_port: str, no_colour: str, coloured: bool) -> None:
    words = ("play", "--device", sim_port, "--colour", "red")
    shown = on_terminal(*words, answer=(PROMPT[Colour.RED], "quit\n"), NO_COLOR=no_colour)
    # Red on the last turn's own tile.
    assert ("\x1b[0;1;38;5;203;48;5;24m" in shown) == coloured
    assert ("38;5;" in shown) == coloured


def test_two_people_save_one_game(tmp_path: Path) -> None:
    """Each writes over the other's save."""
    file = tmp_path / "game.txt"
    typed = f"save {file}\n@0/\nsave {file}\nB1+\nsave\nquit\n"
    done = loopline("play", "--plain", "--device", "human", stdin=typed)
    assert done.stdout.count(f"{file} holds the game so far") == 3
    assert (done.stderr, done.returncode) == ("", 0)
    assert "1. @0/ 2. B1+" in file.read_text()


def test_a_game_without_a_name_is_no_new_game() -> None:
    done = loopline("play", "--plain", "--device", "human", "--from", "")
    assert (done.stdout, done.returncode) == ("", 2)
    assert "cannot read" in done.stderr
