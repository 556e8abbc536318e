"""``python -m loopline.boards``: what it prints and how it ends."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from loopline.boards import BOARDS, Board, find_board
from tests.host.leftovers import ends


def run(*arguments, **options):
    command = [sys.executable, "-m", "loopline.boards", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, **options
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
        (
            ["build", "nano"],
            "loopline build: argument BOARD: no board 'nano'; there are: hx8k "
            "(see loopline build --help)\n",
        ),
        (
            ["build", "hx8k", "--mhz", "5"],
            "loopline build: clock must be 16 to 275 MHz for the PLL, not 5\n",
        ),
        (
            ["build", "hx8k", "--mhz", "inf"],
            "loopline build: argument --mhz: 'inf' is not a number from 0.001 to 1000 "
            "(see loopline build --help)\n",
        ),
        (
            ["build", "hx8k", "--mhz", "nan"],
            "loopline build: argument --mhz: 'nan' is not a number from 0.001 to 1000 "
            "(see loopline build --help)\n",
        ),
        (
            ["build", "hx8k", "--grid", "12"],
            "loopline build: argument --grid: '12' is not a power of two from 8 to 64 "
            "(see loopline build --help)\n",
        ),
        (
            ["build", "hx8k", "--variant", "limited-0"],
            "loopline build: argument --variant: 'limited-0' is no variant: use standard, limited, "
            "deluxe, loop, mini or limited-N, as in limited-10 (see loopline build --help)\n",
        ),
        (
            ["build"],
            "loopline build: the following arguments are required: BOARD "
            "(see loopline build --help)\n",
        ),
        (
            ["build", "hx8k", "--nope"],
            "loopline build: unrecognized arguments: --nope (see loopline build --help)\n",
        ),
        (
            ["report", "tile", "--nope"],
            "loopline report: unrecognized arguments: --nope (see loopline report --help)\n",
        ),
        (
            ["list", "x", "y"],
            "loopline boards: unrecognized arguments: x y (see loopline boards --help)\n",
        ),
    ],
)
def test_wrong_use_is_one_line_and_status_2(tmp_path, arguments, message):
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.splitlines(keepends=True)[-1] == message
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert not list(tmp_path.iterdir())


def at_work_in(folder):
    """The processes whose working folder this is."""
    found = []
    for link in Path("/proc").glob("[0-9]*/cwd"):
        try:
            if link.readlink() == folder.resolve():
                found.append(int(link.parent.name))
        except OSError:  # it has ended, or is somebody else's
            continue
    return found


@pytest.mark.usefixtures("hangup_ends")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_build_leaves_no_tool_behind(tmp_path, number):
    with subprocess.Popen(
        [sys.executable, "-m", "loopline.boards", "build", "hx8k", "--grid", "8"],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        work = tmp_path / "build" / "hx8k" / "work"
        while not (work / "loopline.rpt").exists():  # Yosys has begun
            assert process.poll() is None
            time.sleep(0.05)
        tools = at_work_in(work)
        process.send_signal(number)
        _, error = process.communicate(timeout=60)
    _, _, error = error.partition("\n")  # what it is about to do
    assert (process.returncode, error) == (
        (130, "\ninterrupted\n") if number == signal.SIGINT else (128 + number, "")
    )
    assert len(tools) >= 2  # the shell and Yosys
    assert all(ends(tool, 5) for tool in tools)


def test_a_hangup_that_is_ignored_stays_so():
    program = (
        "import signal\n"
        "from loopline.boards.__main__ import main\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "main(['list'])\n"
        "assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.DEVNULL)
