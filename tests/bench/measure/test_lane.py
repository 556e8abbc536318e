"""loopline bench lane: the gateware's search on the bench's positions, and its cycles."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from types import ModuleType

import pytest

from loopline.bench.measure import lane as bench_lane
from loopline.bench.measure.lane import main
from loopline.bench.measure.search import positions
from loopline.engine.options import Limits
from loopline.engine.search.searcher import Searcher
from loopline.hdl.search.config import SearchConfig
from loopline.sim.native import BuildError
from loopline.sim.probe.lane import NativeLane
from tests.hdl.search.lanes.both import default_lane

pytestmark = pytest.mark.xdist_group("lane")  # Compiled once.

CONFIG = SearchConfig()


def test_the_lane_finds_what_the_engine_finds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--positions", "3", "--depth", "2", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["wrong"] == 0
    assert figures["nodes"] > 0
    assert figures["cycles_per_node"] == round(figures["cycles"] / figures["nodes"], 2)
    assert figures["ratio"] == round(figures["predicted"] / figures["cycles"], 4)
    assert figures["least_ratio"] <= figures["ratio"] <= figures["largest_ratio"]
    assert sum(figures["by_activity"].values()) == pytest.approx(figures["cycles_per_node"], 0.01)


@pytest.mark.slow
def test_several_lanes(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--positions", "2", "--depth", "3", "--lanes", "2"]
    assert main([*words, "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["wrong"] == 0
    assert 1 < figures["speed"] < 2
    assert "by_activity" not in figures
    assert sum(figures["lane_0_percent"].values()) == pytest.approx(100, abs=0.1)
    assert figures["lane_0_percent"]["team"] > 0
    assert main(words) == 0
    line = (
        f"2 lanes are {figures['speed']:.3f} times as fast as one, in all {figures['of_all']:.3f}"
    )
    printed = capsys.readouterr().out.splitlines()
    assert line in printed
    assert printed[1] == "lane 0, in percent of its cycles:"


def predict(config: SearchConfig, limits: Limits, every: int) -> None:
    """Check the engine's cycles in every so many of the positions: of all, and of each one."""
    engine, predicted, cycles = Searcher(config), 0, 0
    with closing(default_lane() if config == CONFIG else NativeLane(config)) as lane:
        for position in itertools.islice(positions(), 0, None, every):
            lane.set_up(position)
            lane.limit(nodes=limits.nodes or 0, depth=limits.depth or 0)
            took, expected = lane.search().cycles, engine.search(position, limits).cycles
            assert 0.96 < expected / took < 1.04
            predicted += expected
            cycles += took
    assert 0.99 < predicted / cycles < 1.01


def test_the_engine_predicts_the_lanes_cycles() -> None:
    predict(CONFIG, Limits(nodes=1000), 10)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("config", "limits", "every"),
    [
        (CONFIG, Limits(depth=3), 1),
        (CONFIG, Limits(nodes=2000), 1),
        (CONFIG, Limits(nodes=20_000), 10),
        (replace(CONFIG, table_bits=0), Limits(nodes=2000), 2),
        (replace(CONFIG, table_bits=6), Limits(nodes=2000), 2),
        (replace(CONFIG, grid=replace(CONFIG.grid, size=32)), Limits(nodes=2000), 2),
    ],
    ids=["depth", "nodes", "more-nodes", "no-table", "small-table", "small-grid"],
)
def test_the_engine_predicts_all_cycles(config: SearchConfig, limits: Limits, every: int) -> None:
    predict(config, limits, every)


def test_no_deep_search_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """To depth 5 one lane takes more cycles for some positions than a test waits for."""
    limits: list[int] = []

    def refuse(_config: SearchConfig, *, limit: int) -> None:
        limits.append(limit)
        raise BuildError("not compiled here")

    monkeypatch.setattr(bench_lane, "NativeLane", refuse)
    with pytest.raises(BuildError):
        main(["--depth", "5"])
    assert limits == [(1 << 32) - 1]


def test_what_was_found_before_an_interruption_is_printed(
    capsys: pytest.CaptureFixture[str], interrupt: Callable[[ModuleType], None]
) -> None:
    interrupt(bench_lane)
    assert main(["--positions", "3", "--depth", "1", "--json"]) == 130
    assert json.loads(capsys.readouterr().out)["nodes"] > 0


def test_an_interruption_of_the_first_search(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_lane: NativeLane) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(NativeLane, "search", interrupted)
    assert main(["--positions", "1"]) == 130
    assert capsys.readouterr() == ("", "\ninterrupted\n")
