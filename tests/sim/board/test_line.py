"""The serial line's bit timing, tested in C++ where it is."""

import subprocess
from pathlib import Path

import loopline.sim.native
from loopline.tools.compilers import find_compiler

HERE = Path(__file__).parent


def test_frames_are_sent_and_received_at_the_exact_rate(tmp_path):
    include = Path(loopline.sim.native.__file__).parent
    program = tmp_path / "line_test"
    flags = ["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", f"-I{include}"]
    command = [*find_compiler().command, *flags, str(HERE / "line_test.cc"), "-o", str(program)]
    subprocess.run(command, check=True)
    done = subprocess.run([str(program)], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")
