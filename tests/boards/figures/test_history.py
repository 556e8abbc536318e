"""The history of the figures, as data and as a picture."""

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from loopline.boards.figures.history import draw_history, read_results

ROOT = Path(__file__).resolve().parents[3]
SVG = "{http://www.w3.org/2000/svg}"


def result(commit, date, *rows):
    names = ("unit", "size", "family", "luts", "rams", "mhz")
    return {
        "commit": commit,
        "date": date,
        "rows": [dict(zip(names, row, strict=True)) for row in rows],
    }


OLD = result("a" * 40, "2026-01-01T00:00:00+00:00", ("evaluator", 32, "hx8k", 4000, 24, 60.5))
NEW = result(
    "b" * 40 + "+",
    "2026-02-01T00:00:00+00:00",
    ("evaluator", 32, "hx8k", 3000, 23, 80.25),
    ("evaluator", 32, "up5k", None, None, None),
    ("tile", 32, "hx8k", 9, 0, 300.0),
)


def texts(picture, kind):
    return [node.text for node in ElementTree.fromstring(picture).iter(SVG + kind)]


def test_results_are_read_in_the_order_of_their_commits(tmp_path):
    (tmp_path / "1.json").write_text(json.dumps(NEW))
    (tmp_path / "2.json").write_text(json.dumps(OLD))
    (tmp_path / "README.md").write_text("not a result")
    assert read_results(tmp_path) == [OLD, NEW]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"date": "", "rows": [{}]}'])
def test_other_files_are_refused(tmp_path, text):
    (tmp_path / "other.json").write_text(text)
    with pytest.raises(ValueError, match=r"^other\.json is not a result of loopline report: "):
        read_results(tmp_path)


def test_every_figure_of_a_headline_unit_is_a_point():
    points = texts(draw_history([OLD, NEW]), "title")
    assert points == [
        "evaluator, 32 × 32, aaaaaaa: 4000 LUTs",
        "evaluator, 32 × 32, bbbbbbb: 3000 LUTs",
        "evaluator, 32 × 32, aaaaaaa: 24 RAMs",
        "evaluator, 32 × 32, bbbbbbb: 23 RAMs",
        "evaluator, 32 × 32, aaaaaaa: 60.5 MHz",
        "evaluator, 32 × 32, bbbbbbb: 80.25 MHz",
    ]


def test_units_side_by_side_and_small_grids_have_no_point():
    for field in ({"units": 2}, {"size": 16}):
        other = {**NEW, "rows": [{**row, **field} for row in NEW["rows"]]}
        assert texts(draw_history([OLD, other]), "title") == texts(draw_history([OLD]), "title")
    assert texts(draw_history([OLD]), "text").count("no figures") == 6


def test_a_later_run_of_the_same_commit_replaces_the_earlier_one():
    again = result(OLD["commit"], OLD["date"], ("evaluator", 32, "hx8k", 4100, 24, 61.0))
    assert texts(draw_history([OLD, again]), "title") == [
        "evaluator, 32 × 32, aaaaaaa: 4100 LUTs",
        "evaluator, 32 × 32, aaaaaaa: 24 RAMs",
        "evaluator, 32 × 32, aaaaaaa: 61 MHz",
    ]


def test_the_picture_in_the_docs_is_that_of_the_results_beside_it():
    folder = ROOT / "docs" / "results"
    results = read_results(folder)
    assert results
    assert (folder / "history.svg").read_text() == draw_history(results)
