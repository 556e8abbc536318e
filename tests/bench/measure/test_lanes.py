"""``loopline bench lanes``: its figures, and what it prints."""

import json

import pytest

from loopline.bench.measure.lanes import Search, compare, main

pytestmark = pytest.mark.xdist_group("engine")


def test_figures():
    one = [Search(6000, 600_000, 0, 0, 0, 0), Search(8000, 800_000, 0, 0, 0, 0)]
    one.append(Search(100, 9000, 0, 0, 0, 0))
    many = [Search(6600, 300_000, 3, 60_000, 30_000, 0), Search(9000, 200_000, 9, 0, 0, 100_000)]
    many.append(Search(100, 9000, 0, 0, 0, 0))
    row = compare(2, one, many)
    assert row.speed == pytest.approx(8**0.5)
    assert (row.of_all, row.nodes) == pytest.approx((1_400_000 / 500_000, 15_600 / 14_000))
    assert row.jobs_per_1000_nodes == pytest.approx(12 / 15.6)
    assert (row.rest, row.wait, row.held_up) == pytest.approx((0.06, 0.03, 0.1))
    assert row.work == pytest.approx(0.81)


def test_what_is_printed(capsys):
    words = ["2", "--depth", "3", "--positions", "3"]
    assert main(words) == 0
    head, line = capsys.readouterr().out.splitlines()
    assert head.split()[:2] == ["lanes", "speed"]
    assert main([*words, "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert float(line.split()[1]) == pytest.approx(row["speed"], abs=0.006)
    assert row["speed"] > 1


def test_too_few_nodes(capsys):
    with pytest.raises(SystemExit):
        main(["2", "--depth", "1", "--positions", "2"])
    assert "no position takes one lane 5000 nodes: search deeper" in capsys.readouterr().err
