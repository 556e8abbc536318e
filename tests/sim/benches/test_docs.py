"""The bench in docs/simulation.md, run as it is described there."""

import re
import subprocess
import sys

import pytest

from loopline.sim.benches.runner import available
from tests.test_repository import ROOT


# Its design is that of the turn unit's bench: built once.
@pytest.mark.xdist_group("turn unit on verilator")
@pytest.mark.slow
def test_the_bench_of_the_document_runs(tmp_path):
    if not available("verilator"):
        pytest.skip("verilator is not installed")
    text = (ROOT / "docs" / "simulation.md").read_text()
    (program,) = re.findall(r"```py\n(.*?)```", text, re.DOTALL)
    (printed,) = re.findall(r"```text\n(.*?)```", text, re.DOTALL)
    (tmp_path / "loop_bench.py").write_text(program)
    done = subprocess.run(
        [sys.executable, "loop_bench.py"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == printed.rstrip("\n")
    assert (tmp_path / "build" / "loop_bench" / "dump.vcd").stat().st_size > 10_000
