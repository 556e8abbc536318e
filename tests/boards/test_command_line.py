"""``python -m loopline.boards``: what it prints and how it ends."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from loopline.boards import BOARDS, Board, BuildError, find_board
from loopline.boards import __main__ as command_line
from loopline.boards.__main__ import main
from loopline.boards.figures.units import UNITS
from loopline.boards.table import UNSUPPORTED
from loopline.tools.extras import EXTRAS
from tests.host.leftovers import ends

PROGRAM = [sys.executable, "-m", "loopline.boards"]


@pytest.mark.usefixtures("keep_signals")
def test_the_list_names_every_board(capsys, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    for board in BOARDS.values():
        (line,) = (line for line in lines if line.startswith(f"{board.name} "))
        assert board.part in line
        assert line.split()[-1] == board.programmer.tool
        assert f" {board.status} " in line
        assert f" {'USB' if 'USB' in board.serial else 'pins'} " in line
        if not board.too_small:
            speed = board.clock_hz / board.preset.cycles_per_node
            lanes = board.preset.search.lanes
            shown = [f"{board.clock_hz / 1e6:g}", str(lanes), f"{speed / 1000:,.0f}k"]
            assert line.split()[3:6] == shown
    for other in UNSUPPORTED:
        assert any(other.title.split()[0] in line for line in lines)


@pytest.mark.usefixtures("keep_signals")
def test_nodes_per_second_are_in_thousands(capsys, monkeypatch):
    """Also two millions."""
    row = ["board", "Board", "Part", "bitstream", "ecp5", "54", "6", "2,000,000", "pins", "none"]
    monkeypatch.setattr(command_line, "table_rows", lambda: [row])
    assert main(["list"]) == 0
    assert " 2,000k " in capsys.readouterr().out


@pytest.mark.usefixtures("keep_signals")
def test_one_board(capsys):
    assert main(["list", "ulx3s-85f"]) == 0
    facts = [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()]
    assert {("name", "ulx3s-85f"), ("FPGA", "LFE5U-85F"), ("lanes", "8")} <= set(map(tuple, facts))
    assert ["contest", "link  USB, port US1"] in facts
    assert main(["list", "icebreaker"]) == 0
    assert f"too small     {BOARDS['icebreaker'].too_small}" in capsys.readouterr().out
    assert main(["list", "ulx3s-85f", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["name"] == "ulx3s-85f"


@pytest.mark.usefixtures("keep_signals")
def test_the_list_as_json(capsys):
    assert main(["list", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in rows] == list(BOARDS)
    for row in rows:
        board = BOARDS[row["name"]]
        assert (row["part"], row["family"]) == (board.part, board.family.name)
        fits = row["status"] != "too small"
        made = "project" if row["family"] in ("xilinx", "intel") else "bitstream"
        assert row["status"] == (made if board.too_small is None else "too small")
        assert row["mhz"] == (board.clock_hz / 1e6 if fits else None)
        assert row["preset"] == (board.preset.name if fits else None)
        assert row["grid"] == (board.grid.size if fits else None)
        assert row["lanes"] == (board.preset.search.lanes if fits else None)
        cycles = board.preset.cycles_per_node
        assert row["nodes_per_second"] == (round(board.clock_hz / cycles) if fits else None)
        assert row["programmer"]["tool"] == board.programmer.tool


@pytest.mark.usefixtures("keep_signals")
def test_a_board_that_is_too_small_says_why_in_one_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["build", "icebreaker"]) == 1
    assert capsys.readouterr() == (
        "",
        "loopline build: icebreaker is too small: the smallest player takes 7399 of 5280 "
        "cells (loopline presets up5k)\n",
    )
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("keep_signals")
def test_the_boards_own_grid_and_switches_may_be_asked_for(tmp_path, monkeypatch):
    asked = []

    def build(board, folder, **options):
        asked.append((options["grid"], options["evaluator"], options["ponder"]))
        raise BuildError("no tools here")

    monkeypatch.setattr(command_line, "build", build)
    words = ["build", "hx8k", "--dir", str(tmp_path)]
    assert main(words) == 1
    assert main([*words, "--grid", "32", "--evaluator", "off", "--ponder", "on"]) == 1
    assert asked == [(None, None, None), (BOARDS["hx8k"].grid, False, True)]


@pytest.mark.usefixtures("keep_signals")
def test_a_board_whose_tools_are_missing_names_their_extra(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, EXTRAS["gowin"][-1], None)
    assert main(["build", "tang-nano-9k"]) == 2
    assert capsys.readouterr() == (
        "",
        "loopline build: the board tang-nano-9k needs: pip install 'loopline[gowin]'\n",
    )
    assert not list(tmp_path.iterdir())


def test_the_table_is_keyed_by_name():
    assert all(name == board.name for name, board in BOARDS.items())
    assert isinstance(find_board("hx8k"), Board)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "build nano",
            "build: argument BOARD: no board 'nano'; there are: hx8k, alchitry-cu, tinyfpga-bx, ",
        ),
        ("build hx8k --mhz 5", "build: clock must be 16 to 275 MHz for the PLL, not 5"),
        ("build ulx3s-12f --mhz 5", "build: clock must be 10 to 400 MHz for the PLL, not 5"),
        (
            "build hx8k --evaluator on",
            "build: hx8k has no commands that would use an evaluator",
        ),
        ("build hx8k --ponder 1", "build: argument --ponder: invalid choice: '1'"),
        ("build hx8k --mhz inf", "build: argument --mhz: 'inf' is not a number from 0.001 to 1000"),
        ("build hx8k --mhz nan", "build: argument --mhz: 'nan' is not a number from 0.001 to 1000"),
        ("build hx8k --grid 12", "build: argument --grid: '12' is not a power of two from 8 to 64"),
        (
            "build hx8k --variant limited-0",
            "build: argument --variant: 'limited-0' is not a variant: use standard, limited, "
            "deluxe, loop, mini or limited-N, as in limited-10",
        ),
        ("build", "build: the following arguments are required: BOARD"),
        ("build hx8k --nope", "build: unrecognized arguments: --nope"),
        ("report", "report: the following arguments are required: UNIT"),
        (
            "report tile --size 12",
            "report: argument --size: '12' is not a power of two from 8 to 64",
        ),
        (
            "report tile --units 0",
            "report: argument --units: '0' is not a whole number from 1 to 999",
        ),
        (
            "report tile --seeds 0",
            "report: argument --seeds: '0' is not a whole number from 1 to 999",
        ),
        (
            "report tile --jobs -1",
            "report: argument --jobs: '-1' is not a whole number from 1 to 999",
        ),
        (
            "report tile --family max10",
            "report: argument --family: no part 'max10'; there are: up5k, hx8k, ecp5",
        ),
        ("report tiles", f"report: no unit 'tiles'; there are: all, {', '.join(UNITS)}"),
        ("report tile --nope", "report: unrecognized arguments: --nope"),
        ("list hx8k y", "boards: unrecognized arguments: y"),
        ("list hx8k --markdown", "boards: --markdown is for all boards"),
    ],
)
@pytest.mark.usefixtures("hangup_ends", "keep_signals")
def test_wrong_use_is_one_line_and_status_2(tmp_path, monkeypatch, capsys, words, message):
    monkeypatch.chdir(tmp_path)
    try:
        status = main(words.split())
    except SystemExit as left:
        status = left.code
    output, error = capsys.readouterr()
    assert (status, output) == (2, "")
    command = f"loopline {message.partition(':')[0]}"
    last = error.splitlines()[-1].removesuffix(f" (see {command} --help)")
    assert last.startswith(f"loopline {message}")
    assert "Traceback" not in error
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
@pytest.mark.parametrize(
    "number",
    [
        signal.SIGINT,
        pytest.param(signal.SIGTERM, marks=pytest.mark.slow),
        pytest.param(signal.SIGHUP, marks=pytest.mark.slow),
    ],
)
def test_an_interrupted_build_leaves_no_tool_behind(tmp_path, number):
    with subprocess.Popen(
        [*PROGRAM, "build", "hx8k", "--grid", "8"],
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
    steps, _, said = error.partition("synthesis ...\n")
    assert re.fullmatch(r"hx8k: gateware \.\.\.\nhx8k: gateware: \d+ s\nhx8k: ", steps)
    assert (process.returncode, said) == (
        (130, "\ninterrupted\n") if number == signal.SIGINT else (128 + number, "")
    )
    assert len(tools) >= 2  # the shell and Yosys
    assert all(ends(tool, 5) for tool in tools)


@pytest.mark.slow
def test_two_programs_build_the_same_archive_in_two_folders(tmp_path):
    """The whole design, by two interpreters with different hashes."""
    folders = {"1": tmp_path / "a", "2": tmp_path / "b" / "c"}
    for seed, folder in folders.items():
        program = [*PROGRAM, "build", "hx8k", "--dir", str(folder)]
        hashing = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run(program, cwd=tmp_path, env=hashing, check=True, capture_output=True)
    one, other = ((folder / "hx8k.zip").read_bytes() for folder in folders.values())
    assert one == other


def test_a_hangup_that_is_ignored_stays_so():
    program = (
        "import signal\n"
        "from loopline.boards.__main__ import main\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "main(['list'])\n"
        "assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.DEVNULL)
