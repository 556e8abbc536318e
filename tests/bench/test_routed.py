"""The routed figures that ``loopline bench core`` sets beside its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from loopline.bench.candidates import Tally
from loopline.bench.core_report import CoreReport
from loopline.bench.routed import RoutedUnit, read_routed


def row(part: str, mhz: float | None, *, unit: str = "turn-unit-trials", size: int = 64) -> dict:
    """A row as ``loopline report`` writes it: a part of 9000 LUTs and 40 RAMs."""
    figures = {"luts": 3000, "flip_flops": 900, "rams": 19} if mhz else {}
    there = {"luts_available": 9000, "rams_available": 40} if mhz else {"problem": "no room"}
    names = ("luts", "flip_flops", "rams", "luts_available", "rams_available", "problem")
    empty = dict.fromkeys(names)
    return {"unit": unit, "size": size, "part": part, "mhz": mhz, **empty, **figures, **there}


def write(folder: Path, name: str, date: str, *rows: dict) -> None:
    result = {"commit": f"commit of {date}", "date": date, "rows": rows}
    (folder / name).write_text(json.dumps(result))


def test_the_newest_figures_of_each_part(tmp_path):
    assert read_routed(tmp_path / "nowhere", 64) == []
    write(tmp_path, "b.json", "2026-01-01", row("hx8k", 40.0), row("up5k", 20.0))
    write(
        tmp_path,
        "a.json",
        "2026-02-01",
        row("hx8k", 50.0),
        row("hx8k", 99.0, unit="trials"),
        row("hx8k", 99.0, size=32),
        row("up5k", None),
    )
    assert read_routed(tmp_path, 64) == [
        RoutedUnit("hx8k", 3000, 900, 19, 2, 50.0, "commit of 2026-02-01"),
        RoutedUnit("up5k", 3000, 900, 19, 2, 20.0, "commit of 2026-01-01"),
    ]


@pytest.mark.parametrize("text", ["", "[]", '{"date": "", "commit": "", "rows": [{}]}'])
def test_what_is_no_result_is_named(tmp_path, text):
    (tmp_path / "odd.json").write_text(text)
    with pytest.raises(ValueError, match=r"odd\.json is no result of loopline report"):
        read_routed(tmp_path, 64)


def test_candidates_per_second_of_a_part():
    tally = Tally(games=1, positions=1, candidates=100)
    tally.spent["CHAIN"] = 250
    part = RoutedUnit("hx8k", 3000, 900, 19, 2, 50.0, "c")
    speeds = {"reference model": 1e4, "numba": 1e7}
    report = CoreReport({"human": tally}, grid=64, clock_mhz=10, speeds=speeds, parts=[part])
    found = report.as_json()
    assert found["candidates_per_second"] == 4_000_000
    assert found["software"]["numba"] == {
        "candidates_per_second": 10_000_000,
        "gateware_ratio": 0.4,
    }
    assert found["parts"] == [{**part._asdict(), "candidates_per_second": 40_000_000}]
    assert "hx8k: 2 of 3000 LUTs and 19 RAMs at 50.0 MHz: 40.0 million, 4.00 times one thread" in (
        list(report.lines())
    )
