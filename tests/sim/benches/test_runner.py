"""The cocotb infrastructure: builds, runs, and fails when a test fails."""

import pytest
from amaranth.hdl import Module
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from loopline.sim.benches.runner import BenchError, available, run_bench
from tests.sim.dummies import LineEcho

TIMING = {"clock": 1_000_000, "baud": 62_500}


# Other tests run benches on Verilator, too.
@pytest.fixture(params=["icarus", pytest.param("verilator", marks=pytest.mark.slow)])
def simulator(request):
    if not available(request.param):
        pytest.skip(f"{request.param} is not installed")
    return request.param


def test_a_bench_runs(simulator, tmp_path):
    design = LineEcho(divisor=16, pause=40)
    module = "tests.sim.benches.bench_echo"
    assert run_bench(design, module, simulator=simulator, folder=tmp_path, **TIMING).tests == 4


def test_a_failing_test_fails_the_bench(simulator, tmp_path):
    design = LineEcho(divisor=16, pause=40)
    module = "tests.sim.benches.bench_broken"
    with pytest.raises(
        BenchError, match=r"(?s)1 of 1 tests of tests.sim.benches.bench_broken.*b'this'"
    ):
        run_bench(design, module, simulator=simulator, folder=tmp_path, tests="fails", **TIMING)


class Wire(wiring.Component):
    """``tx`` is ``rx``, a cycle later."""

    rx: In(1)
    tx: Out(1, init=1)

    def elaborate(self, platform) -> Module:
        m = Module()
        m.d.sync += self.tx.eq(self.rx)
        return m


def test_a_character_without_a_stop_bit_fails_the_bench(simulator, tmp_path):
    with pytest.raises(BenchError, match="a character without a stop bit"):
        run_bench(
            Wire(),
            "tests.sim.benches.bench_broken",
            simulator=simulator,
            folder=tmp_path,
            tests="hears_a_break",
            **TIMING,
        )
