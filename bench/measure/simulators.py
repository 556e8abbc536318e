"""The speed of the player in CXXRTL, which the simulated board uses, and in Verilator.

``loopline bench simulators`` has a player play games against random turns on the simulated
board, then runs the same games in both simulators, several times in turn, and prints the best of
each in clock cycles per second of processor time.
"""

from __future__ import annotations

import importlib.metadata
import json
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import serial

from loopline.game import Position, TraxError
from loopline.hdl.config import DesignConfig, GridConfig
from loopline.sim.benches.runner import available, verilator_environment
from loopline.sim.board import board
from loopline.sim.native import BuildError, compile_native
from loopline.tools.arguments import Parser, power_of_two, seed, whole_number
from loopline.tools.cache import cached
from loopline.tools.compilers import find_compiler, run_tool, run_yosys, yosys_identity

DRIVER = Path(__file__).with_suffix(".cc")
SCRIPT = (
    "read_rtlil design.il; proc -nomux -norom; memory_collect; write_verilog -norename design.v"
)
OPTIONS = ["--cc", "--exe", "--build", "-O3", "--x-assign", "fast", "--x-initial", "fast"]
OPTIONS += ["--noassert", "--no-timing", "--output-split", "0", "-Wno-fatal", "-Wno-lint"]
OPTIONS += ["-CFLAGS", "-O2 -DBENCH_VERILATOR", "-MAKEFLAGS", "OPT_FAST=-O2", "--prefix", "Vtop"]
OPTIONS += ["--Mdir", "finished", "--top-module", "top", "-o", "bench"]


def with_cxxrtl(design: str) -> Path:
    """Compile the program with CXXRTL's output."""
    return compile_native(design, str(DRIVER))


def with_verilator(design: str) -> Path:
    """Compile the program with Verilator's output, with its usual optimisations."""

    def make(folder: Path, finished: Path) -> None:
        (folder / "design.il").write_text(design)
        run_yosys(SCRIPT, folder)
        command = ["verilator", *OPTIONS, "design.v", str(DRIVER)]
        run_tool("Verilator", command, folder, verilator_environment())

    versions = [yosys_identity(), importlib.metadata.version("verilator"), find_compiler().identity]
    parts = [design, SCRIPT, *OPTIONS, DRIVER.read_text(), *versions]
    return cached(parts, make) / "bench"


def play(config: DesignConfig, turns: int, seed: int) -> list[str]:
    """Return lines to send to a player who is White, with the cycles that each answer takes."""
    program = board.build(config)
    command = board.command(program, clock=config.clock_hz, baud=config.baud, log=True)
    rng = random.Random(seed)
    script: list[str] = []
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process, serial.Serial(process.stdout.readline().split()[1], timeout=60) as port:
        frame = 10 * config.clock_hz // config.baud
        position, line = Position(), "-W"
        while len(script) < turns:
            port.write(line.encode() + b"\n")
            position.play(port.read_until().decode().strip())
            cycles = int(process.stdout.readline().split()[1])
            script.append(f"{line}:{cycles + 5 * frame}")
            if position.result is None:
                line = str(rng.choice(position.legal_turns()))
                position.play(line)
            if position.result is not None:
                position, line = Position(), "-W"
        process.terminate()
    return script


def build(config: DesignConfig) -> dict[str, Path]:
    """Build and return the player's program of each simulator. Raises :exc:`BuildError`."""
    design = board.player_rtlil(config)
    programs = {}
    for name, make in (("CXXRTL", with_cxxrtl), ("Verilator", with_verilator)):
        start = time.perf_counter()
        programs[name] = make(design)
        print(f"{name}: built or found in {time.perf_counter() - start:.1f} s", file=sys.stderr)
    return programs


def main(arguments: Sequence[str] | None = None) -> int:
    parser = Parser(
        prog="loopline bench simulators",
        description="Compare the speed of the player in CXXRTL and in Verilator.",
        examples=["loopline bench simulators --grid 32 --rounds 5"],
    )
    parser.add_value(
        "--grid", power_of_two(8, 64), "columns and rows of the grid", default=64, metavar="SIZE"
    )
    parser.add_value("--turns", whole_number(1), "the number of turns", default=100)
    parser.add_value("--rounds", whole_number(1), "the number of runs of each simulator", default=3)
    parser.add_value("--seed", seed, "the seed of the game", default=1)
    options = parser.parse_args(arguments)
    config = DesignConfig(grid=GridConfig(size=options.grid))
    if not available("verilator"):
        parser.error("verilator is not installed")
    try:
        programs = build(config)
        script = play(config, options.turns, options.seed)
    except (BuildError, TraxError) as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 1
    words = [str(config.clock_hz // config.baud), *script]
    runs: dict[str, list[dict[str, float]]] = {name: [] for name in programs}
    for _ in range(options.rounds):
        for name, program in programs.items():
            done = subprocess.run([program, *words], capture_output=True, text=True, check=True)
            runs[name].append(json.loads(done.stdout))
    if len({(run["cycles"], run["edges"]) for results in runs.values() for run in results}) != 1:
        print("the simulators differ: not the same edges on tx", file=sys.stderr)
        return 1
    print(
        f"player on a {options.grid} x {options.grid} grid, {len(script)} of its turns, "
        f"{runs['CXXRTL'][0]['cycles'] / 1e6:.2f} million cycles"
    )
    for name, results in runs.items():
        speed = max(run["cycles"] / run["seconds"] for run in results)
        share = speed / config.clock_hz
        print(
            f"{name:10} {speed / 1e6:6.2f} million cycles/s, "
            f"{share:.2f} of a board at {config.clock_hz / 1e6:g} MHz"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
