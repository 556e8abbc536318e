"""nextpnr's report, read back."""

import json

import pytest

from loopline.boards.report import ClockReport, Report, read_report

ICE40 = {"cells": "ICESTORM_LC", "memories": "ICESTORM_RAM"}
CONTENT = {
    "fmax": {
        "clk": {"achieved": 40.5, "constraint": 36.0},
        "aux": {"achieved": 100.0, "constraint": 12.0},
    },
    "utilization": {
        "ICESTORM_LC": {"available": 7680, "used": 5000},
        "ICESTORM_RAM": {"available": 32, "used": 31},
        "SB_IO": {"available": 206, "used": 11},
    },
}


def test_a_report_is_read(tmp_path):
    path = tmp_path / "report.json"
    path.write_text(json.dumps(CONTENT))
    report = read_report(path, **ICE40)
    assert report.cells == (5000, 7680)
    assert report.memories == (31, 32)
    assert report.clocks == (ClockReport("aux", 100.0, 12.0), ClockReport("clk", 40.5, 36.0))
    assert report.slowest.name == "clk"
    assert report.met
    assert str(report) == (
        "5000 of 7680 LUTs (logic cells), 31 of 32 RAMs, 40.5 MHz for a clock of 36.0"
    )


def test_a_report_of_another_family_is_read(tmp_path):
    path = tmp_path / "report.json"
    used = {"TRELLIS_COMB": 900, "TRELLIS_FF": 300, "DP16KD": 4}
    content = {
        "fmax": {"clk": {"achieved": 80.25, "constraint": 120}},
        "utilization": {kind: {"available": 24288, "used": n} for kind, n in used.items()},
    }
    path.write_text(json.dumps(content))
    kinds = {"cells": "TRELLIS_COMB", "memories": "DP16KD", "flip_flops": "TRELLIS_FF"}
    report = read_report(path, **kinds)
    assert (report.cells, report.memories, report.flip_flops) == (
        (900, 24288),
        (4, 24288),
        (300, 24288),
    )
    assert report.slowest == ClockReport("clk", 80.25, 120.0)
    with pytest.raises(ValueError, match=r"^report\.json is not a report of nextpnr: "):
        read_report(path, **ICE40)


def test_one_slow_clock_is_enough_to_miss():
    fast, slow = ClockReport("fast", 90.0, 30.0), ClockReport("slow", 29.9, 30.0)
    assert not Report((1, 2), (3, 4), (fast, slow)).met
    assert Report((1, 2), (3, 4), (fast,)).met


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        json.dumps({**CONTENT, "utilization": {}}),
        json.dumps({**CONTENT, "fmax": {"clk": {"achieved": "fast", "constraint": 1}}}),
    ],
)
def test_other_files_are_refused(tmp_path, text):
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"^other\.json is not a report of nextpnr: "):
        read_report(path, **ICE40)
