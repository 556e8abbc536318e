import os
import pty
import random
import re
import signal
import subprocess
from pathlib import Path

import pytest

from loopline.game import Colour, Position

from .program import COMMAND, environment, loopline, position_after, talking

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


def test_everything_that_can_be_typed(sim_port: str, tmp_path: Path) -> None:
    saved, other, empty = (tmp_path / name for name in ("a game.txt", "other.txt", "empty.txt"))
    empty.touch()
    other.write_text("mine\n", encoding="utf-8")
    lines = [
        "help",
        "MOVES",
        "",
        "@0\\",
        "B1",
        "@0/ B1+",
        "@0/",
        "B99+",
        "board",
        f"save {empty}",
        f"save {saved}",
        f"save {saved}",
        f"save {other}",
        f"save {tmp_path / 'no' / 'folder'}",
        "quit",
    ]
    done = loopline("play", "--device", sim_port, stdin="\n".join(lines))
    assert (done.stderr, done.returncode) == ("", 0)
    answers = done.stdout.split(PROMPT[Colour.WHITE])
    by_line = dict(zip(lines, (answer.split("\n", 1)[1] for answer in answers[1:]), strict=False))
    assert "A turn is column, row and tile" in by_line["help"]
    assert by_line["MOVES"] == "@0+ @0/\n"
    assert by_line["@0\\"].startswith("@0\\: the first turn is @0/ or @0+ (")
    assert by_line["B1"].startswith("'B1': ")
    assert by_line["@0/ B1+"] == "@0/ takes no more words: one turn at a time, or help\n"
    assert "Turn 1: white plays @0/ (now at A1)." in by_line["@0/"]
    assert "Turn 2: red plays " in by_line["@0/"]
    assert by_line["B99+"].startswith("B99+: B99 is not adjacent to any tile (")
    assert "━" in by_line["board"]
    assert by_line[f"save {empty}"] == f"{empty} holds the game so far\n"
    assert by_line[f"save {saved}"] == f"{saved} holds the game so far\n"
    assert by_line[f"save {other}"] == f"{other} is there already: choose another name\n"
    assert by_line[f"save {tmp_path / 'no' / 'folder'}"].startswith("cannot write ")
    assert by_line["quit"].startswith("The game ends here.\nThe game: @0/ ")
    assert other.read_text(encoding="utf-8") == "mine\n"
    record = saved.read_text(encoding="utf-8")
    assert record == empty.read_text(encoding="utf-8")
    assert position_after(record).turns == 2
    assert loopline("replay", str(saved)).returncode == 0


def test_save_without_a_name_takes_a_free_one(
    sim_port: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game-1.txt").write_text("another game\n", encoding="utf-8")
    done = loopline("play", "--device", sim_port, stdin="@0+\nsave\nsave\n")
    assert done.stdout.count("game-2.txt holds the game so far\n") == 2
    assert position_after(Path("game-2.txt").read_text(encoding="utf-8")).turns == 2
    assert {path.name for path in tmp_path.iterdir()} == {"game-1.txt", "game-2.txt"}


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
