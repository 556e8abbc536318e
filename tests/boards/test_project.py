"""Projects for vendors' tools: what is in them fits together, and Yosys synthesises it."""

import hashlib
import json
import re
import zipfile
from dataclasses import replace

import pytest

from loopline.boards import BuildError
from loopline.boards.__main__ import main
from loopline.boards.families.intel import find_pin_clock
from loopline.boards.families.xilinx import find_plle2
from loopline.boards.project import write_project
from loopline.tools.compilers import run_yosys
from tests.boards.small import PROJECTS, Counter, one_board_per_family
from tests.boards.top.top_design import button_pin, clock_pin, led_pins

ALL = pytest.mark.parametrize("board", PROJECTS.values(), ids=PROJECTS)
SYNTHESIS = {
    "xilinx": "synth_xilinx -family xc7 -flatten -top loopline",
    # Without pads: Yosys has none of a Cyclone V.
    "intel": "synth_intel_alm -family cyclonev -noiopad -top loopline",
}
ASYNC = {"ASYNC_REG": "TRUE"}
FORCED = {"altera_attribute": "-name SYNCHRONIZER_IDENTIFICATION FORCED"}
"""How each tool is told that flip-flops synchronise an input."""
ROOM = {"arty-a7-35": (20_800, 100), "de10-nano": (83_820, 553)}
"""LUTs and block RAMs: those of 18 Kbit of an Artix-7, and a Cyclone V's ALUTs and M10K."""


def placed(folder):
    """The sites of a project's constraints by port."""
    texts = [path.read_text() for path in folder.iterdir() if path.suffix in (".xdc", ".qsf")]
    text = "\n".join(texts)
    xdc = re.findall(r"PACKAGE_PIN (\w+) IOSTANDARD [^}]+} \[get_ports (\w+)\]", text)
    qsf = re.findall(r"set_location_assignment PIN_(\w+) -to (\w+)", text)
    return {port: site for site, port in (*xdc, *qsf)}


def ports(folder):
    """The ports of a project's design, inputs and outputs."""
    text = (folder / "loopline.v").read_text()
    (top,) = re.findall(r"^module loopline\(.*?^endmodule", text, re.MULTILINE | re.DOTALL)
    return set(re.findall(r"^  (?:in|out)put (\w+);$", top, re.MULTILINE))


@ALL
def test_the_files_of_a_project_fit_together(board, tmp_path):
    written = write_project(board, tmp_path / "new" / board.name, ponder=False, player=Counter)
    folder = written.folder
    sites = placed(folder)
    button = button_pin(board).lstrip("~")
    wanted = {clock_pin(board), button, "uart_0__rx__io", "uart_0__tx__io", *led_pins(board)}
    colours = {
        f"{led.resource}_{led.number}__{colour}__io"
        for led in board.leds
        if led.colour
        for colour in "rgb"
    }
    assert set(sites) == ports(folder) == wanted | colours
    assert len(set(sites.values())) == len(sites)
    manifest = json.loads((folder / "manifest.json").read_text())
    assert (manifest["board"], manifest["clock_hz"]) == (board.name, board.clock_hz)
    assert (manifest["ponder"], board.preset.ponder) == (False, True)
    assert manifest["pins"] == {port.removesuffix("__io"): site for port, site in sites.items()}
    rest = {"manifest.json", written.archive.name}
    assert manifest["sha256"] == {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.iterdir()
        if path.name not in rest
    }
    texts = [path.read_text() for path in folder.iterdir() if path.suffix in (".xdc", ".sdc")]
    period = 1e9 / board.reference_hz
    assert f"create_clock -period {period:g} [get_ports {clock_pin(board)}]" in "\n".join(texts)
    readme = (folder / "README.md").read_text()
    for said in (written.command, board.title, board.programmer.tool, "without"):
        assert said in readme
    script = (folder / written.command.split()[-1]).read_text()
    assert written.command in script
    for name in re.findall(r"\bloopline\.(?:v|xdc|qsf|sdc)\b", script):
        assert (folder / name).exists()
    with zipfile.ZipFile(written.archive) as archive:
        files = {path.name for path in folder.iterdir() if path != written.archive}
        assert set(archive.namelist()) == files
    again = write_project(board, tmp_path / "again", ponder=False, player=Counter)
    assert again.archive.read_bytes() == written.archive.read_bytes()


@pytest.mark.parametrize("board", one_board_per_family(PROJECTS))
def test_synchronisers_are_known_to_the_tool(board, tmp_path):
    """Else it may place their flip-flops far apart, or take them for a shift register."""
    write_project(board, tmp_path, player=Counter)
    text = (tmp_path / "loopline.v").read_text()
    modules = re.findall(r"^module \w+_sync\(.*?^endmodule", text, re.MULTILINE | re.DOTALL)
    assert len(modules) == 2  # The PLL's lock and the button.
    ((name, value),) = {"xilinx": ASYNC, "intel": FORCED}[board.family.name].items()
    for module in modules:
        known = re.findall(
            rf'\(\* {name} = "{value}.*" \*\)\n +(?:output|reg|wire) (stage\d)', module
        )
        assert {"stage0", "stage1"} == set(known) == set(re.findall(r"reg (\w+)", module))


def test_constraints_of_another_design_are_refused(tmp_path):
    board = PROJECTS["arty-a7-35"]
    files = {"loopline.xdc": "set_property PACKAGE_PIN A9 [get_ports uart_1__rx__io]"}
    family = replace(board.family, files=lambda project: files)
    with pytest.raises(BuildError, match=r"differ: .*uart_0__tx__io, uart_1__rx__io$"):
        write_project(replace(board, family=family), tmp_path, player=Counter)
    assert list(tmp_path.iterdir()) == []


def synthesised(folder, family):
    """Synthesise a project with Yosys; the cells by their types, and the ports."""
    script = f"read_verilog loopline.v; {SYNTHESIS[family]}; delete t:$scopeinfo"
    script += "; check -assert; write_json netlist.json"
    run_yosys(script, folder)
    top = json.loads((folder / "netlist.json").read_text())["modules"]["loopline"]
    kinds = {}
    for cell in top["cells"].values():
        kinds[cell["type"]] = kinds.get(cell["type"], 0) + 1
    return kinds, set(top["ports"])


@pytest.mark.parametrize("board", one_board_per_family(PROJECTS))
def test_yosys_synthesises_a_project(board, tmp_path):
    write_project(board, tmp_path, player=Counter)
    kinds, found = synthesised(tmp_path, board.family.name)
    assert found == set(placed(tmp_path))
    assert not [kind for kind in kinds if kind.startswith("$")]
    assert kinds.get("PLLE2_BASE", 0) == (board.family.name == "xilinx")


@pytest.mark.slow
@pytest.mark.parametrize("name", ROOM)
def test_the_player_fits(name, tmp_path):
    board = PROJECTS[name]
    write_project(board, tmp_path)
    kinds, _ = synthesised(tmp_path, board.family.name)
    luts = sum(count for kind, count in kinds.items() if re.match(r"LUT\d|MISTRAL_ALUT", kind))
    weights = {"RAMB18E1": 1, "RAMB36E1": 2, "MISTRAL_M10K": 1}
    rams = sum(weights.get(kind, 0) * count for kind, count in kinds.items())
    assert luts < ROOM[name][0]
    assert 0 < rams < ROOM[name][1]


def test_the_command_line(tmp_path, capsys, keep_signals):
    assert main(["build", "de10-nano", "--mhz", "60", "--dir", str(tmp_path)]) == 2
    assert "must be 50 MHz" in capsys.readouterr().err
    assert main(["flash", "de10-nano"]) == 1
    assert "gets its bitstream from Quartus Prime Lite" in capsys.readouterr().err


@pytest.mark.parametrize(("reference", "wanted"), [(100e6, 50e6), (125e6, 50e6), (100e6, 33e6)])
def test_the_pll_of_a_7_series(reference, wanted):
    pll = find_plle2(reference, wanted)
    assert pll.output_hz == pytest.approx(wanted, rel=0.005)
    assert pll.phase_detector_hz >= 19e6
    assert 800e6 <= pll.oscillator_hz <= 1600e6
    with pytest.raises(ValueError, match="clock must be"):
        find_plle2(reference, 1e6)
    with pytest.raises(ValueError, match="reference clock must be"):
        find_plle2(1e6, wanted)


def test_a_clock_without_a_pll():
    assert find_pin_clock(50e6, 50e6).output_hz == 50e6
    with pytest.raises(ValueError, match="clock must be 50 MHz, the pin's, without a PLL, not 40"):
        find_pin_clock(50e6, 40e6)
