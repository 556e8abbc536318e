"""The planted faults: each has its place in the sources, and one is found."""

import subprocess
import sys
from pathlib import Path

import pytest

from loopline.bench.faults import FAULTS

ROOT = Path(__file__).resolve().parents[2]


def test_every_fault_has_its_place():
    """Once in its file. If the file has changed, so has the fault in ``bench/faults.py``."""
    gone = [
        f"{fault.file}: {fault.what}"
        for fault in FAULTS
        if (ROOT / fault.file).read_text(encoding="utf-8").count(fault.right) != 1
    ]
    assert gone == []


def test_there_are_many_and_each_has_a_name():
    assert len({(fault.file, fault.what) for fault in FAULTS}) == len(FAULTS) >= 40
    assert all(fault.right != fault.wrong for fault in FAULTS)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "loopline.bench.mutations", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", ["trials/lane.py: legal at three", "tile.py: the forced tile"])
def test_a_fault_is_found(name):
    done = run("--only", name)
    assert done.returncode == 0, done.stderr
    assert "1 of 1 faults found, 0 harmless, 0 not found" in done.stdout


def test_no_such_fault():
    done = run("--only", "nonsense")
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "loopline bench mutations: no fault's name has 'nonsense' in it "
        "(see loopline bench mutations --help)"
    ]
