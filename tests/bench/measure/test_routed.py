"""The routed figures that ``loopline bench core`` sets beside its own."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from loopline.bench.measure.candidates import Tally
from loopline.bench.measure.core_report import CoreReport
from loopline.bench.measure.routed import RoutedPart, read_routed, units_that_fit
from loopline.boards.figures.families import FAMILIES, FILL, Part

HX8K, UP5K = FAMILIES["hx8k"].part, FAMILIES["up5k"].part
ECP5 = [part.name for part in FAMILIES["ecp5"].parts]


def row(
    family: str,
    mhz: float | None,
    *,
    unit: str = "turn-unit-evaluator",
    size: int = 64,
    luts: int = 3000,
    rams: int = 19,
    **later: int,
) -> dict:
    """A row as ``loopline report`` writes it, or without ``units`` and ``large_rams`` as once."""
    figures = {"luts": luts, "flip_flops": 900, "rams": rams, "problem": None}
    if mhz is None:
        figures = {**dict.fromkeys(figures), "problem": "does not fit"}
    return {"unit": unit, "size": size, "family": family, "mhz": mhz, **figures, **later}


def write(folder: Path, name: str, date: str, *rows: dict) -> None:
    result = {"commit": f"commit of {date}", "date": date, "rows": rows}
    (folder / name).write_text(json.dumps(result))


def test_units_that_fit_by_what_is_scarce():
    part = Part("sample", 10_000, 20)
    assert FILL == 0.9
    assert units_that_fit(part, 3000, 5) == (3, "LUTs")
    assert units_that_fit(part, 3001, 5) == (2, "LUTs")
    assert units_that_fit(part, 1000, 7) == (2, "RAMs")
    assert units_that_fit(part, 1000, 0) == (9, "LUTs")
    assert units_that_fit(part, 1000, 21) == (0, "RAMs")
    assert units_that_fit(part, 1000, 1, 4) == (0, "RAMs")
    assert units_that_fit(Part("large", 10_000, 20, 8), 1000, 1, 4) == (2, "RAMs")
    assert units_that_fit(Part("large", 10_000, 20, 8), 5000, 1, 4) == (1, "LUTs")


def test_the_newest_figures_of_each_part(tmp_path):
    assert read_routed(tmp_path / "nowhere", 64) == []
    write(tmp_path, "b.json", "2026-01-01", row("hx8k", 40.0), row("up5k", 20.0))
    write(
        tmp_path,
        "a.json",
        "2026-02-01",
        row("hx8k", 50.0, units=1),
        row("hx8k", 99.0, unit="evaluator"),
        row("hx8k", 99.0, size=32),
    )
    common = {"grid": 64, "luts": 3000, "flip_flops": 900, "rams": 19, "units": 1}
    assert read_routed(tmp_path, 64) == [
        RoutedPart(UP5K, **common, limit="LUTs", mhz=20.0, commit="commit of 2026-01-01"),
        RoutedPart(HX8K, **common, limit="RAMs", mhz=50.0, commit="commit of 2026-02-01"),
    ]


def test_a_grid_that_does_not_fit_gives_way_to_a_smaller_one(tmp_path):
    write(
        tmp_path,
        "a.json",
        "2026-01-01",
        *(row("hx8k", 40.0), row("hx8k", 45.0, size=32), row("hx8k", 50.0, size=16)),
    )
    write(tmp_path, "b.json", "2026-01-02", row("hx8k", None), row("up5k", None, size=32))
    up5k, hx8k = read_routed(tmp_path, 64)
    assert (hx8k.grid, hx8k.mhz) == (32, 45.0)
    assert (up5k.grid, up5k.units, up5k.problem) == (32, 0, "does not fit")
    assert [part.grid for part in read_routed(tmp_path, 16)] == [16]


def test_a_unit_that_was_routed_fits_even_if_it_fills_the_part(tmp_path):
    write(tmp_path, "a.json", "2026-01-01", row("up5k", 20.0, luts=5200))
    (part,) = read_routed(tmp_path, 64)
    assert (part.units, part.limit) == (1, "LUTs")


def test_large_rams_are_counted_where_there_are_some(tmp_path):
    write(tmp_path, "a.json", "2026-01-01", row("up5k", 30.0, large_rams=4), row("hx8k", 80.0))
    up5k, hx8k = read_routed(tmp_path, 64)
    assert (up5k.rams, up5k.large_rams, up5k.units, up5k.problem) == (19, 4, 1, None)
    assert hx8k.large_rams == 0
    tally = Tally(games=1, positions=1, candidates=100)
    tally.cycles_by_use["CHAIN"] = 250
    report = CoreReport({"human": tally}, grid=64, clock_mhz=10, parts=[up5k])
    assert list(report.lines())[-1].split()[:4] == [UP5K, "64", "3000", "19+4"]


def test_all_parts_of_a_family_from_the_one_that_is_measured(tmp_path):
    write(tmp_path, "a.json", "2026-01-01", row("ecp5", 60.0, luts=5000, rams=20))
    parts = read_routed(tmp_path, 64)
    assert [part.part for part in parts] == ECP5
    assert [(part.units, part.limit) for part in parts] == [
        (1, "RAMs"),
        (2, "RAMs"),
        (5, "RAMs"),
        (10, "RAMs"),
    ]
    assert {part.mhz for part in parts} == {60.0}
    write(tmp_path, "b.json", "2026-01-02", row("ecp5", 60.0, luts=15000, rams=20))
    assert [part.problem for part in read_routed(tmp_path, 64)] == ["too few LUTs"] + [None] * 3


def test_units_that_were_placed_together_count_by_their_clock(tmp_path):
    alone = row("ecp5", 60.0, luts=5000, rams=20)
    write(tmp_path, "a.json", "2026-01-02", alone, row("ecp5", 50.0, units=2))
    found = {part.part: part for part in read_routed(tmp_path, 64)}
    assert found["LFE5U-25F-6BG381C"].together_mhz == 50.0
    assert found["LFE5U-25F-6BG381C"].per_second(2.5) == 40e6
    assert found["LFE5U-85F-6BG381C"].together_mhz is None
    assert found["LFE5U-85F-6BG381C"].per_second(2.5) == 240e6
    # Older figures than those of the unit alone say nothing about it.
    write(tmp_path, "b.json", "2026-01-03", alone)
    assert {part.together_mhz for part in read_routed(tmp_path, 64)} == {None}


@pytest.mark.parametrize("text", ["", "[]", '{"date": "", "commit": "", "rows": [{}]}'])
def test_what_is_no_result_is_named(tmp_path, text):
    (tmp_path / "odd.json").write_text(text)
    with pytest.raises(ValueError, match=r"odd\.json is not a result of loopline report"):
        read_routed(tmp_path, 64)


def test_candidates_per_second_of_a_part():
    tally = Tally(games=1, positions=1, candidates=100)
    tally.cycles_by_use["CHAIN"] = 250
    part = RoutedPart("LFE5U", 64, None, 3000, 900, 19, 2, "RAMs", 50.0, 48.0, "c")
    none = RoutedPart("UP5K", 64, "does not fit: 31 of 30 RAMs")
    report = CoreReport({"human": tally}, grid=64, clock_mhz=10, parts=[part, none])
    found = report.as_json()
    assert found["candidates_per_second"] == 4_000_000
    assert found["parts"][0] == {**asdict(part), "candidates_per_second": 38_400_000}
    assert found["parts"][1]["candidates_per_second"] == 0
    heading, first, second = list(report.lines())[-3:]
    assert heading.split()[:3] == ["part", "grid", "LUTs"]
    assert first.split() == "LFE5U 64 3000 19 50.0 2 RAMs 48.0 38.4".split()
    assert second.split(maxsplit=2) == ["UP5K", "64", "does not fit: 31 of 30 RAMs"]
