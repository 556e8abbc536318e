"""``make sim``: the benches of turn unit, evaluator and whole design."""

import os
import re
import subprocess
from dataclasses import replace

import pytest

from loopline.sim.benches.__main__ import _BENCHES, main
from loopline.sim.benches.runner import available
from tests.test_repository import ROOT


@pytest.mark.parametrize(
    ("simulator", "bench", "turns"),
    [
        pytest.param(
            "verilator",
            "turn_unit",
            10,
            marks=[pytest.mark.xdist_group("turn unit on verilator"), pytest.mark.slow],
        ),
        ("icarus", "turn_unit", 3),
        pytest.param("verilator", "evaluator", 10, marks=pytest.mark.slow),
        pytest.param("icarus", "turn_unit", 10, marks=pytest.mark.slow),
        pytest.param("icarus", "evaluator", 10, marks=pytest.mark.slow),
    ],
)
def test_a_bench_says_what_it_did(simulator, bench, turns, tmp_path, capsys, monkeypatch):
    if not available(simulator):
        pytest.skip(f"{simulator} is not installed")
    ours = _BENCHES[bench]
    monkeypatch.setitem(_BENCHES, bench, replace(ours, short={**ours.short, "turns": turns}))
    options = ["--simulator", simulator, "--dir", str(tmp_path), "--seed", "3", "--waves"]
    assert main([*options, bench]) == 0
    line, waves = capsys.readouterr().out.splitlines()
    what = {"turn_unit": "turns", "evaluator": "positions"}[bench]
    did = rf"\d+ {what}, [\d,]+ candidates, 2 games, [\d,]+ cycles; \d+ s"
    assert re.fullmatch(f"{bench}: 1 test passed on {simulator}: {did}", line)
    (path,) = (tmp_path / bench).glob("dump.*")
    assert waves == f"{bench}: waveform in {path}"
    assert path.stat().st_size > 10_000


def test_wrong_use_is_one_line(capsys):
    with pytest.raises(SystemExit, match="^2$"):
        main(["pawn"])
    error = capsys.readouterr().err
    assert "no bench 'pawn'; there are: turn_unit, evaluator, player " in error
    assert error.count("\n") == 1


def test_a_simulator_that_is_not_installed_is_one_line(capsys, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    assert main(["--simulator", "icarus"]) == 1
    assert capsys.readouterr().err == "python -m loopline.sim.benches: icarus is not installed\n"


@pytest.mark.parametrize(
    ("variables", "command"),
    [
        ([], "--simulator verilator"),
        (["SIM=icarus", "WAVES=1", "ARGS=turn_unit"], "--simulator icarus --waves turn_unit"),
        (["WAVES=0"], "--simulator verilator"),
    ],
)
def test_make_sim_runs_them(variables, command):
    make = ["make", "-n", "-o", ".venv/ready", "sim", *variables]
    # Not as a part of the `make test` that may have started this test.
    outer = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES", "ARGS")
    environment = {name: value for name, value in os.environ.items() if name not in outer}
    done = subprocess.run(
        make, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split("loopline.sim.benches", 1)[1].split() == command.split()
