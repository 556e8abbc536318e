"""What ``loopline show`` says to wrong use: one line, and exit status 2."""

import pytest

from tests.host.cli.test_show import LINE_FILE, WIDE_GAME
from tests.host.program import loopline


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--turns", "seven"], "turn 1: 'seven'"),
        (["--turns", "@0/", "--at", "2"], "--at 2: the game has only 1 turn"),
        ([LINE_FILE, "--at", "20"], "--at 20: the game has only 19 turns"),
        (["--at", "-1"], "argument --at: '-1' is not a whole number from 0 to "),
        (["--at", "x"], "argument --at: 'x' is not a whole number from 0 to "),
        ([LINE_FILE, "--game", "0"], "argument --game: '0' is not a whole number from 1 to "),
        ([LINE_FILE, "--game", "2"], f"{LINE_FILE} holds 1 game: there is no game 2"),
        (["--game", "1"], "--game picks a game of FILE, but there is no FILE"),
        (["no-such-file"], "cannot read no-such-file: No such file or directory"),
        (["-o", "no-such-folder/x.svg"], "cannot write no-such-folder/x.svg: No such file or dir"),
        (["--format", "bmp"], "argument --format: invalid choice: 'bmp' "),
        (["--theme", "pink", "--format", "svg"], "argument --theme: invalid choice: 'pink' "),
        (["--theme", "dark"], "--theme is for --format svg, png or gif, not for text"),
        (
            ["--numbers", "--format", "ascii"],
            "--numbers is for --format svg, png or gif, not for ascii",
        ),
        (
            ["--no-labels", "-o", "x.txt"],
            "--no-labels is for --format svg, png or gif, not for text",
        ),
        (["-o", "x.jpg"], "x.jpg does not tell the format: use .txt, .svg, .png, .gif or --format"),
        (["--format", "png", "-o", "x.svg"], "--format png does not go with a file named x.svg"),
        (["--scale", "2", "--format", "svg"], "--scale is for --format png or gif, not for svg"),
        (["--width", "99", "-o", "x.txt"], "--width is for --format png or gif, not for text"),
        (["--width", "0"], "argument --width: '0' is not a whole number from 1 to 10000 "),
        (["--width", "9", "--scale", "2"], "argument --scale: not allowed with argument --width "),
        (["--scale", "x"], "argument --scale: 'x' is not a number from 0.1 to 20 "),
        (["--scale", "nan"], "argument --scale: 'nan' is not a number from 0.1 to 20 "),
        (["--delay", "0"], "argument --delay: '0' is not a number of seconds from 0.1 to 60 "),
        (["--delay", "1"], "--delay is for --format gif or --animate: nothing else moves"),
        (["--animate", "-o", "x.png"], "--animate is for --format svg or gif, not for png"),
        (["--threats", "-o", "x.gif"], "--threats is for one position, not for a whole game"),
        (["--variant", "chess"], "argument --variant: 'chess' is no variant: "),
        (["--variant", "mini", "--turns", "seven"], "turn 1: 'seven'"),
        (
            ["--turns", "@0/ A2+", "--scale", "20", "--at", "1", "-o", "nowhere/x.png"],
            "cannot write nowhere/x.png: No such file or directory",
        ),
        (
            ["--turns", WIDE_GAME, "--scale", "20", "-o", "x.png"],
            "a picture has 1 to 10000 pixels ",
        ),
        ([LINE_FILE, "--turns", "@0/"], "argument --turns: not allowed with argument FILE "),
    ],
)
def test_wrong_use(words: list[str], message: str) -> None:
    done = loopline("show", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"loopline show: {message}")
    assert done.stderr.count("\n") == 1
