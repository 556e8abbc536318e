"""loopline bench lane: the gateware's search on a few of the bench's positions."""

from __future__ import annotations

import json

import pytest

from loopline.bench.measure.lane import main

pytestmark = pytest.mark.xdist_group("engine")


def test_the_lane_finds_what_the_engine_finds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--positions", "3", "--depth", "2", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["wrong"] == 0
    assert figures["nodes"] > 0
    assert figures["modelled"] > 0
    assert figures["cycles_per_node"] == round(figures["cycles"] / figures["nodes"], 2)
