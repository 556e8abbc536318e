"""``loopline verilog``: the text, its table of ports, lint, and games that are played on it."""

import gc
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from loopline.boards import verilog
from loopline.boards.__main__ import main
from loopline.boards.figures.units import UNITS
from loopline.boards.port_table import port_lines, ports_of
from loopline.boards.presets import PRESETS
from loopline.boards.verilog import preset_verilog, unit_verilog
from loopline.hdl.config import GridConfig
from loopline.hdl.top import Loopline
from loopline.sim.benches.runner import Verilog, available, run_bench, verilator_environment
from loopline.tools.compilers import BuildError, run_yosys

ROOT = Path(__file__).resolve().parents[3]
HX8K = PRESETS["hx8k"]
GRID = GridConfig(size=16)
# Without a clock; with a port `cell`, a word of Verilog; with a stream that is always ready; with
# an output that is never assigned; with arrays of ports; with a signed port.
CHOSEN = ("tile", "turn-unit", "commander", "player-contest", "arbiter", "track-weigher")
# What has no meaning for the design: names of files, ports and aliases that nothing reads, initial
# values, constants of 32 bits, names of the same signal in two modules, comparisons with 0.
SAID = "DECLFILENAME UNUSEDSIGNAL UNDRIVEN PROCASSINIT WIDTH VARHIDDEN UNSIGNED".split()
LINT = ["-Wall", *(f"-Wno-{name}" for name in SAID)]


# Made once.
WHOLE = pytest.mark.xdist_group("whole verilog")


@pytest.fixture(scope="module")
def whole_design():
    return preset_verilog(HX8K)


def lint(text, folder, *ignored):
    """What Verilator says of a text, but for these kinds of warnings, too."""
    if not available("verilator"):
        pytest.skip("verilator is not installed")
    (folder / "design.v").write_text(text)
    done = subprocess.run(
        ["verilator", "--lint-only", *LINT, *(f"-Wno-{name}" for name in ignored), "design.v"],
        cwd=folder,
        env={**os.environ, **verilator_environment()},
        capture_output=True,
        text=True,
    )
    return done.stderr


def find_loops(top, folder):
    """Raise unless Yosys finds no combinational loop in a text that has been linted."""
    steps = f"read_verilog design.v; hierarchy -top {top}; proc; flatten; opt_clean; check -assert"
    run_yosys(steps, folder)


def declared(text, top):
    """The ports of a module: direction and width by name."""
    (body,) = re.findall(rf"^module {top}\(.*?^endmodule", text, re.MULTILINE | re.DOTALL)
    ports = re.findall(r"^  (input|output) (?:signed )?(?:\[(\d+):0\] )?(\w+);", body, re.MULTILINE)
    return {name: (direction, int(high or 0) + 1) for direction, high, name in ports}


def table(text):
    """The ports of the table in the comment: direction, width and meaning by name."""
    rows = re.findall(r"^// +(\w+) +(input|output) +(\d+)(?:  (.+))?$", text, re.MULTILINE)
    return {name: (direction, int(width), said) for name, direction, width, said in rows}


@pytest.mark.filterwarnings("ignore::amaranth.hdl.UnusedElaboratable")
def test_every_port_has_a_meaning():
    components = [*(unit.make(GRID) for unit in UNITS.values()), Loopline(HX8K.design)]
    for component in components:
        rows = ports_of(component)
        for row in rows:
            assert row.meaning, f"{row.name} of {type(component).__name__}"
        lines = port_lines(rows)
        assert all(line.isascii() for line in lines)
        assert not any(mark in line for line in lines for mark in (":class:", "``"))
    del component, components
    gc.collect()


@pytest.mark.parametrize("name", CHOSEN)
def test_the_table_has_the_ports_of_the_module(name):
    text = unit_verilog(UNITS[name], GRID)
    found = declared(text, f"loopline_{name.replace('-', '_')}")
    assert {port: facts[:2] for port, facts in table(text).items()} == found
    assert ("clk" in found) == (name != "tile")
    assert "\\" not in text


def test_words_of_the_docstring_are_in_the_table():
    text = unit_verilog(UNITS["turn-unit"], GRID)
    rows = table(text)
    assert rows["cell_"] == ("output", 16, rows["cell_"][2])
    assert rows["cell_"][2].startswith("What READ has read")
    assert re.search(r"^// +\[2:0\] op: 0 CLEAR, 1 MAKE, ", text, re.MULTILINE)


@WHOLE
def test_a_preset_says_what_it_is(whole_design):
    head, _, body = whole_design.partition("\n\n")
    assert all(line.startswith("//") for line in head.splitlines())
    for line in ("clock_hz = 48000000", "search.grid.size = 32", "variant = standard"):
        assert f"// {line}\n" in head
    assert re.search(r"^// Loopline \S+, commit [0-9a-f]{40}\+?$|commit unknown$", head, re.M)
    assert {name: facts[:2] for name, facts in table(head).items()} == declared(
        body, "loopline_hx8k"
    )
    assert max(map(len, head.splitlines())) <= 103
    assert whole_design.isascii()


@pytest.mark.filterwarnings("ignore::amaranth.hdl.UnusedElaboratable")
@pytest.mark.usefixtures("keep_signals")
def test_a_clock_a_rate_and_a_variant_of_ones_own(monkeypatch, capsys):
    monkeypatch.setattr(verilog, "_verilog", lambda *facts: "\n".join(facts[-1]))
    assert main("verilog hx8k --mhz 10 --baud 19200 --variant deluxe".split()) == 0
    lines = capsys.readouterr().out.splitlines()
    assert {"clock_hz = 10000000", "baud = 19200", "variant = deluxe"} <= set(lines)
    gc.collect()


@pytest.mark.parametrize("name", ["cells", "uart", "turn-lister"])
def test_verilator_has_nothing_to_say_of_a_unit(tmp_path, name):
    assert lint(unit_verilog(UNITS[name], GRID), tmp_path) == ""


@WHOLE
def test_verilator_has_nothing_to_say_of_a_whole_design(tmp_path, whole_design):
    assert lint(whole_design, tmp_path) == ""


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in PRESETS if name != "hx8k"])
def test_verilator_has_nothing_to_say_of_the_other_presets(tmp_path, name):
    text = preset_verilog(PRESETS[name])
    if not PRESETS[name].evaluator:
        assert lint(text, tmp_path) == ""
        return
    # The evaluator has words of which some bits follow from others: Verilator takes each for a
    # loop. Yosys looks at the bits.
    assert lint(text, tmp_path, "UNOPTFLAT") == ""
    find_loops(f"loopline_{name.replace('-', '_')}", tmp_path)


def test_a_loop_is_found(tmp_path):
    text = (
        "module m(input [1:0] a, output [1:0] b); assign b = {b[0] & a[0], FROM | a[1]}; endmodule"
    )
    (tmp_path / "design.v").write_text(text.replace("FROM", "a[0]"))
    find_loops("m", tmp_path)
    (tmp_path / "design.v").write_text(text.replace("FROM", "b[1]"))
    with pytest.raises(BuildError, match="check -assert"):
        find_loops("m", tmp_path)


def test_verilator_finds_a_fault(tmp_path):
    text = unit_verilog(UNITS["uart"], GRID).replace(".rst(rst)", ".rts(rst)", 1)
    assert "Pin not found: 'rts'" in lint(text, tmp_path)


@pytest.mark.parametrize("words", ["moves --size 8", pytest.param("hx8k", marks=pytest.mark.slow)])
def test_the_same_text_in_another_process_and_no_path_in_it(tmp_path, words):
    texts = []
    for seed in ("1", "2"):
        folder = tmp_path / seed
        folder.mkdir()
        subprocess.run(
            [sys.executable, "-m", "loopline.boards", "verilog", *words.split(), "-o", "made.v"],
            cwd=folder,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
        )
        texts.append((folder / "made.v").read_text())
    assert texts[0] == texts[1]
    for path in (ROOT, tmp_path, Path.home(), Path(sys.prefix), Path(sys.base_prefix)):
        assert f"{path}/" not in texts[0]
    assert not re.search(r"/\w+/\w+/", texts[0])


def test_a_game_on_the_turn_units_verilog(tmp_path):
    if not available("icarus"):
        pytest.skip("icarus is not installed")
    result = run_bench(
        Verilog(unit_verilog(UNITS["turn-unit"], GRID), "loopline_turn_unit"),
        "loopline.sim.benches.turn_unit",
        simulator="icarus",
        folder=tmp_path,
        settings={"grid": 16, "games": 1, "turns": 8},
    )
    assert result.counts["turns"] >= 6


@WHOLE
@pytest.mark.slow
def test_a_game_on_a_presets_verilog_through_its_pins(tmp_path, whole_design):
    if not available("verilator"):
        pytest.skip("verilator is not installed")
    result = run_bench(
        Verilog(whole_design, "loopline_hx8k"),
        "tests.boards.verilog.bench_verilog",
        simulator="verilator",
        folder=tmp_path,
        clock=HX8K.clock_hz,
        baud=HX8K.design.baud,
        settings={"seconds": 0.02},
    )
    assert result.counts["turns"] > 6


@pytest.mark.usefixtures("keep_signals")
def test_to_standard_output_and_to_a_file(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["verilog", "tile"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("// loopline_tile: ")
    assert main(["verilog", "tile", "-o", "-"]) == 0
    assert capsys.readouterr().out == text
    assert main(["verilog", "tile", "-o", "tile.v"]) == 0
    assert capsys.readouterr().out == ""
    assert (tmp_path / "tile.v").read_text() == text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "tiles",
            "argument PRESET|UNIT: no preset or unit 'tiles'; there are the presets "
            f"{', '.join(PRESETS)}, and the units {', '.join(UNITS)}",
        ),
        ("", "the following arguments are required: PRESET|UNIT"),
        ("tile --mhz 12", "--mhz is for presets, and not for tile"),
        ("tile --baud 9600", "--baud is for presets, and not for tile"),
        ("tile --variant loop", "--variant is for presets, and not for tile"),
        ("hx8k --size 8", "--size is for units, and not for hx8k"),
        ("tile --size 12", "argument --size: '12' is not a power of two from 8 to 64"),
        ("hx8k --mhz 0", "argument --mhz: '0' is not a number from 0.001 to 1000"),
        ("hx8k --mhz 0.5 --baud 115200", "115200 baud needs a clock of at least"),
        ("tile -o nowhere/tile.v", "cannot write nowhere/tile.v: there is no folder nowhere"),
        ("tile -o .", "cannot write .: it is a folder"),
        (f"tile -o {'a' * 300}", f"cannot write {'a' * 300}: File name too long"),
    ],
)
@pytest.mark.usefixtures("keep_signals")
def test_wrong_use_is_one_line_and_status_2(tmp_path, monkeypatch, capsys, words, message):
    monkeypatch.chdir(tmp_path)
    try:
        status = main(["verilog", *words.split()])
    except SystemExit as left:
        status = left.code
    output, error = capsys.readouterr()
    assert (status, output) == (2, "")
    assert error.splitlines()[-1].startswith(f"loopline verilog: {message}")
    assert len(error.splitlines()) == 1 or error.startswith("usage: ")
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("keep_signals")
def test_a_file_that_cannot_be_written_is_one_line(capsys):
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    assert main(["verilog", "tile", "-o", "/dev/full"]) == 1
    assert capsys.readouterr().err == (
        "loopline verilog: cannot write /dev/full: No space left on device\n"
    )


@pytest.mark.usefixtures("keep_signals")
def test_verilog_that_is_cut_short_is_an_error(monkeypatch, capsys):
    """As on a full disk, of which Yosys says nothing."""

    def run_and_cut(script, folder):
        run_yosys(script, folder)
        made = folder / "design.v"
        made.write_text(made.read_text()[:-20])

    monkeypatch.setattr(verilog, "run_yosys", run_and_cut)
    assert main(["verilog", "tile"]) == 1
    assert capsys.readouterr() == (
        "",
        "loopline verilog: Yosys has not written all of design.v: is the disk full?\n",
    )
