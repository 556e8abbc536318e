"""A bitstream of an iCE40 as Verilog again, by IceStorm's decoder.

::

    loopline.bin ──► iceunpack ──► bits ──► icebox_vlog ──► LUTs, flip-flops, RAMs ──► Verilog
                                                            ice40.v ──► RAM ───────────►
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from loopline.sim.benches.runner import Verilog

__all__ = ["decoded"]

_MODELS = Path(__file__).parent / "ice40.v"
_PLL = re.compile(r"^SB_PLL40_CORE #\(.*?\) \w+ \((.*?)\);$", re.MULTILINE | re.DOTALL)
_PAD = re.compile(r"^assign (\w+) = (\w+) \? (\w+) : 1'bz;$", re.MULTILINE)
_HEADER = re.compile(r"^module chip \((.*?)\);$", re.MULTILINE)


def decoded(build: Path) -> Verilog:
    """The design in the bitstream of a build's folder; its ports are the board's pins.

    Flip-flops begin as 0 and memories as the bitstream has them. The clock pin has to run at the
    PLL's output frequency. Skips the test if the decoder is not installed.
    """
    decoder = shutil.which("icebox_vlog")
    if decoder is None:
        pytest.skip("icebox_vlog is not installed (apt install fpga-icestorm)")
    # What the decoder's authors are warned of is no error here.
    quiet = {**os.environ, "PYTHONWARNINGS": "ignore"}
    work = build / "decoded"
    work.mkdir()
    shutil.copy(build / "loopline.bin", work)
    shutil.copy(build / "work" / "loopline.pcf", work)
    unpack = str(Path(sys.executable).parent / "yowasp-iceunpack")
    for command in (
        [unpack, "loopline.bin", "chip.asc"],
        [decoder, "-s", "-S", "-n", "chip", "-p", "loopline.pcf", "chip.asc"],
    ):
        done = subprocess.run(command, cwd=work, env=quiet, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    return Verilog(f"{_MODELS.read_text()}\n{_on_pins(done.stdout)}", "top")


def _on_pins(chip: str) -> str:
    """The decoder's text, without PLL and tristate outputs, as a module ``top``."""
    text = _PLL.sub(_without_pll, chip)
    # A pin that is not driven is high, as on a board.
    text = _PAD.sub(r"assign \1 = \2 ? \3 : 1'b1;", text)
    (ports,) = _HEADER.findall(text)
    names = ", ".join(port.split()[-1] for port in ports.split(", "))
    declared = "".join(f"\n{port};" for port in ports.split(", "))
    return _HEADER.sub(f"module top({names});{declared}", text)


def _without_pll(cell: re.Match[str]) -> str:
    nets = dict(re.findall(r"\.(\w+)\((\w+)\)", cell[1]))
    return (
        f"assign {nets['PLLOUTGLOBAL']} = {nets['REFERENCECLK']};\n"
        f"assign {nets['LOCK']} = {nets['RESETB']};"
    )
