"""``python -m loopline.boards``: what it prints and how it ends."""

import json
import subprocess
import sys

import pytest

from loopline.boards import BOARDS, Board, find_board


def run(*arguments):
    command = [sys.executable, "-m", "loopline.boards", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )


def test_the_list_names_every_board():
    done = run("list")
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.splitlines()] == list(BOARDS)
    for board in BOARDS.values():
        assert f"{board.part}, {board.clock_hz / 1e6:g} MHz" in done.stdout


def test_the_list_as_json():
    rows = json.loads(run("list", "--json").stdout)
    assert [row["name"] for row in rows] == list(BOARDS)
    for row, board in zip(rows, BOARDS.values(), strict=True):
        assert row["clock_mhz"] * 1e6 == board.clock_hz
        assert row["grid"] == board.grid.size
        assert row["part"] == board.part


def test_the_table_is_keyed_by_name():
    assert all(name == board.name for name, board in BOARDS.items())
    assert isinstance(find_board("hx8k"), Board)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["build", "nano"], "loopline build: no board 'nano'; there are: hx8k\n"),
        (
            ["build", "hx8k", "--mhz", "5"],
            "loopline build: clock must be 16 to 275 MHz for the PLL, not 5\n",
        ),
        (
            ["build", "hx8k", "--grid", "12"],
            "loopline build: grid size must be 8, 16, 32 or 64, not 12\n",
        ),
        (
            ["build", "hx8k", "--variant", "limited-0"],
            "loopline build: 'limited-0' is no variant: use standard, limited, deluxe, loop, mini "
            "or limited-N, as in limited-10\n",
        ),
        (
            ["build"],
            "loopline build: the following arguments are required: BOARD "
            "(see loopline build --help)\n",
        ),
    ],
)
def test_wrong_use_is_one_line_and_status_2(tmp_path, arguments, message):
    extra = ["--dir", str(tmp_path / "out")] if len(arguments) > 1 else []
    done = run(*arguments, *extra)
    assert done.returncode == 2
    assert done.stderr.splitlines(keepends=True)[-1] == message
    assert done.stdout == ""
    assert not (tmp_path / "out").exists()
