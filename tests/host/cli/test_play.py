import os
import pty
import random
import re
import signal
import subprocess
from pathlib import Path

import pytest

from loopline.game import Colour, Position
from tests.host.program import COMMAND, environment, loopline, position_after, talking

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
        while (output := talk.read_until(PROMPT[colour])).endswith(PROMPT[colour]):
            text += output
            for number, _, turn in PLAYED.findall(output):
                if int(number) > position.turns:
                    position.play(turn)
            assert position.to_move is colour
            talk.write(f"{choice.choice(position.legal_turns())}\n")
        text += output
        assert talk.rest() == ("", "")
        assert talk.process.wait() == 0
    for number, _, turn in PLAYED.findall(output):
        assert int(number) == position.turns + 1
        position.play(turn)
    assert position.result is not None
    winner, kind = position.result.winner.name.capitalize(), position.result.kind
    assert f"\n{winner} wins by a {kind.replace('+', ' and a ')} after" in output
    assert "█" in output
    assert "█" not in text.removesuffix(output)
    [record] = RECORD.findall(output)
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
        output, errors = talk.rest()
    assert errors == ""
    assert "\nWhite wins by resignation after 1 turn.\nThe game: @0" in output


def test_end_of_input_ends_the_program_cleanly(sim_port: str) -> None:
    done = loopline("play", "--device", sim_port, "--colour", "red")
    assert (done.stderr, done.returncode) == ("", 0)
    assert "Turn 1: white plays @0" in done.stdout
    assert done.stdout.endswith("The game ends here.\nThe game: @0/\n") or done.stdout.endswith(
        "The game ends here.\nThe game: @0+\n"
    )


def test_interrupt_in_a_game_still_shows_the_game(sim_port: str) -> None:
    with talking("play", "--device", sim_port) as talk:
        talk.read_until(PROMPT[Colour.WHITE])
        talk.write("@0/\n")
        talk.read_until(PROMPT[Colour.WHITE])
        talk.wait_until_it_waits()
        talk.process.send_signal(signal.SIGINT)
        output, errors = talk.rest()
        assert talk.process.wait() == 130
    assert errors == "\ninterrupted\n"
    [record] = RECORD.findall(output)
    assert position_after(record).turns == 2


def test_interrupt_ends_the_program_without_a_traceback(sim_port: str) -> None:
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


def on_terminal(port: str, **variables: str) -> bytes:
    """What ``play`` shows on a terminal before it is told to quit."""
    master, slave = pty.openpty()
    names = {**environment(), **variables}
    process = subprocess.Popen(
        [*COMMAND, "play", "--device", port, "--colour", "red"],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={name: value for name, value in names.items() if value},
    )
    os.close(slave)
    shown = b""
    try:
        while PROMPT[Colour.RED].encode() not in shown:
            shown += os.read(master, 4096)
        os.write(master, b"quit\n")
        while process.poll() is None:
            try:
                shown += os.read(master, 4096)
            except OSError:
                break
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.wait()
        os.close(master)
    return shown


def test_colours_on_a_terminal(sim_port: str) -> None:
    shown = on_terminal(sim_port, NO_COLOR="")
    assert b"\x1b[0;1;38;5;203;48;5;24m" in shown  # red on the last turn's own tile


def test_no_colours_where_they_are_not_wanted(sim_port: str) -> None:
    assert b"38;5;" not in on_terminal(sim_port, NO_COLOR="1")
