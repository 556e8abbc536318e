"""``make sim``: the benches of turn unit, evaluator and whole design."""

import re
import subprocess

import pytest

from loopline.sim.benches.__main__ import main
from loopline.sim.benches.runner import SIMULATORS, available
from tests.test_repository import ROOT


@pytest.mark.parametrize("simulator", SIMULATORS)
def test_benches_say_what_they_did(simulator, tmp_path, capsys):
    if not available(simulator):
        pytest.skip(f"{simulator} is not installed")
    options = ["--simulator", simulator, "--dir", str(tmp_path), "--seed", "3", "--waves"]
    assert main([*options, "turn_unit", "evaluator"]) == 0
    unit, unit_waves, evaluator, evaluator_waves = capsys.readouterr().out.splitlines()
    passed = f"1 test passed on {simulator}: "
    assert re.match(
        rf"turn_unit: {passed}\d+ turns, [\d,]+ candidates, 2 games, [\d,]+ cycles;", unit
    )
    assert re.match(
        rf"evaluator: {passed}\d+ positions, [\d,]+ candidates, 2 games, [\d,]+ cycles;", evaluator
    )
    for name, line in (("turn_unit", unit_waves), ("evaluator", evaluator_waves)):
        waves = list((tmp_path / name).glob("dump.*"))
        assert [f"{name}: waveform in {path}" for path in waves] == [line]
        assert waves[0].stat().st_size > 10_000


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
    done = subprocess.run(make, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split("loopline.sim.benches", 1)[1].split() == command.split()
